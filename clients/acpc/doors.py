"""How agents come in: a port for each, and the agent that first says the right version gets the seat."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from riverboat.clients.acpc.connection import AgentConnection, AgentLost
from riverboat.errors import Unavailable
from riverboat.history.acpc_messages import LONGEST_MESSAGE, is_version

_MOST_CALLERS = 8  # connections of one port that may be saying their version at the same time


@dataclass(slots=True, eq=False)
class _Door:
    """The port of one player."""

    name: str
    entered: asyncio.Future[AgentConnection]
    callers: set[asyncio.Task[None] | None] = field(default_factory=set)

    async def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Give the seat to a caller that says the right version, and close any other."""
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
        """Return the agents once all have come; raise Unavailable if that takes longer."""
        waiting = [door.entered for door in self._doors]
        _, late = await asyncio.wait(waiting, timeout=seconds)
        if late:
            missing = [door.name for door in self._doors if door.entered in late]
            raise Unavailable(f"after {seconds:g} s nobody plays for {' and '.join(missing)}")
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
