"""One port per player: the first agent that sends the right version on a port gets its seat."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from riverboat.clients.acpc.connection import AgentConnection, AgentLost
from riverboat.errors import Unavailable
from riverboat.history.acpc_messages import LONGEST_MESSAGE, is_version

_MOST_CALLERS = 8  # connections to one port whose version may be awaited at the same time


@dataclass(slots=True, eq=False)
class _Door:
    """The port of one player."""

    name: str
    entered: asyncio.Future[AgentConnection]
    callers: set[asyncio.Task[None] | None] = field(default_factory=set)

    async def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Give the seat to the first caller that sends the right version; close every other connection."""
        task = asyncio.current_task()
        connection = AgentConnection(self.name, reader, writer)
        if self.entered.done() or len(self.callers) >= _MOST_CALLERS:
            await connection.close()
            return
        self.callers.add(task)
        try:
            knows_version = is_version(await connection.line())
        except (AgentLost, asyncio.CancelledError):
            knows_version = False
        finally:
            self.callers.discard(task)
        if knows_version and not self.entered.done():
            self.entered.set_result(connection)
        else:
            await connection.close()


class Doors:
    """Open ports, one for each player."""

    def __init__(self, doors: Sequence[_Door], servers: Sequence[asyncio.Server]) -> None:
        self._doors, self._servers = doors, servers

    @property
    def ports(self) -> list[int]:
        """The ports, in the order of the players."""
        return [server.sockets[0].getsockname()[1] for server in self._servers]

    async def agents(self, seconds: float | None) -> list[AgentConnection]:
        """Return the connections of all agents; raise Unavailable if any is missing after `seconds`."""
        waiting = [door.entered for door in self._doors]
        _, late = await asyncio.wait(waiting, timeout=seconds)
        if late:
            missing = [door.name for door in self._doors if door.entered in late]
            raise Unavailable(f"after {seconds:g} s no agent has connected for {' and '.join(missing)}")
        return [future.result() for future in waiting]


@asynccontextmanager
async def open_doors(host: str, names: Sequence[str], ports: Sequence[int]) -> AsyncIterator[Doors]:
    """Listen on a port for each player, 0 for any free one; on exit close them and the agents' connections."""
    loop = asyncio.get_running_loop()
    doors = [_Door(name, loop.create_future()) for name in names]
    servers: list[asyncio.Server] = []
    try:
        for door, port in zip(doors, ports, strict=True):
            servers.append(await asyncio.start_server(door.welcome, host, port, limit=LONGEST_MESSAGE))
        yield Doors(doors, servers)
    finally:
        for server in servers:
            server.close()
        for door in doors:
            for task in door.callers:
                if task is not None:
                    task.cancel()
            if door.entered.done():
                await door.entered.result().close()
