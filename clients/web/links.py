"""The servers behind the page, each reached by its typed client."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import anyio.to_thread
from anyio import CapacityLimiter

from riverboat.clients.remote.channels import open_game_channel
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.play import PlayClient
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.clients.remote.trainer import TrainerClient

T = TypeVar("T")
_SHORT_CALLS = 32  # at a time
_LONG_CALLS = 4  # solving and explaining


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Clients of the services. Those in functions may be started at the first call, which then takes seconds."""

    games: GameManagerClient
    oracle: Callable[[], OracleClient]
    resolver: Callable[[], ResolverClient]
    trainer: Callable[[], TrainerClient | None]  # None where there is none


class Calls:
    """Runs blocking calls in threads, so that the event loop stays free; limits how many of each kind run at once."""

    def __init__(self) -> None:
        self._short, self._long = CapacityLimiter(_SHORT_CALLS), CapacityLimiter(_LONG_CALLS)

    async def short(self, call: Callable[..., T], *args: Any, **named: Any) -> T:
        """Run a call that takes milliseconds; return its result."""
        return await anyio.to_thread.run_sync(partial(call, *args, **named), limiter=self._short)

    async def long(self, call: Callable[..., T], *args: Any, **named: Any) -> T:
        """Run a call that may take a minute; return its result."""
        return await anyio.to_thread.run_sync(partial(call, *args, **named), limiter=self._long)


class PlayLink:
    """The asynchronous connection to the game manager; it belongs to the running event loop."""

    def __init__(self, address: str) -> None:
        self._channel = open_game_channel(address)
        self.client = PlayClient(self._channel)

    async def close(self) -> None:
        """Close the connection and end its streams."""
        await self._channel.close()
