"""Tables for tests of bots: real ones, a proxy whose connections can be cut, and a scripted server."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import grpc

from riverboat.clients.bots import CALL, Bot, View
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesServicer, TablesStub, add_TablesServicer_to_server
from riverboat.rpc.convert.state_manager import encode_variant
from riverboat.rules.variant import no_limit

WAIT_SECONDS = 60


def create_table(server: str, **more: Any) -> pb.CreateTableResponse:
    """Open a table of three chairs without a pause between hands."""
    plain = {"variant": encode_variant(no_limit(50, 100)), "chair_count": 3, "buy_in": 10_000, "clock_ms": 60_000}
    with grpc.insecure_channel(server) as channel:
        return TablesStub(channel).CreateTable(pb.CreateTableRequest(config=pb.TableConfig(**{**plain, **more})))


def table_info(server: str, table_id: str) -> pb.TableInfo:
    """Return a table as everybody sees it."""
    with grpc.insecure_channel(server) as channel:
        tables = TablesStub(channel).ListTables(pb.ListTablesRequest(include_closed=True)).tables
    return next(table for table in tables if table.table_id == table_id)


def moves_at(server: str, table_id: str) -> list[tuple[str, pb.TableEvent.Moved]]:
    """Return all moves of finished hands, with the players' names."""
    with grpc.insecure_channel(server) as channel:
        hands = TablesStub(channel).ListHands(pb.ListHandsRequest(table_id=table_id, hand_count=1000)).hands
    moved = [(hand.names, event.moved) for hand in hands for event in hand.events if event.HasField("moved")]
    return [(names[move.seat], move) for names, move in moved]


async def until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds, without blocking the event loop."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110  # it may hold in another process
            await asyncio.sleep(0.02)


def blocking(first: int = 1) -> tuple[type[Bot], threading.Event, list[View]]:
    """A bot that thinks about its first turns until it is released, and records the views it got."""
    go, asked = threading.Event(), list[View]()

    class Blocking(Bot):
        def act(self, view: View) -> int:
            asked.append(view)
            if len(asked) <= first:
                go.wait(WAIT_SECONDS)
            return CALL

    return Blocking, go, asked


class Broken(Bot):
    """A bot that raises at its first decision."""

    def act(self, view: View) -> int:
        raise ZeroDivisionError("no idea")


class Wire:
    """A proxy that forwards connections to a server until they are cut."""

    def __init__(self, server: str) -> None:
        self._host, _, self._port = server.partition(":")
        self._open: set[asyncio.StreamWriter] = set()
        self.address = ""

    def cut(self) -> None:
        """End all connections at once, as when a server is killed."""
        for writer in self._open:
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(self._host, int(self._port))
        self._open |= {writer, far_writer}
        try:
            tasks = [asyncio.create_task(_copy(*ends)) for ends in ((reader, far_writer), (far_reader, writer))]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in (writer, far_writer):
                end.transport.abort()
                self._open.discard(end)

    @asynccontextmanager
    async def connected(self) -> "AsyncIterator[Wire]":
        """Listen on a free port."""
        listener = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{listener.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            listener.close()
            self.cut()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


Script = Callable[[int, Any, Any], AsyncIterator[pb.PlayResponse]]  # which connection, its requests, its context


@asynccontextmanager
async def scripted(script: Script) -> AsyncIterator[str]:
    """Run a server whose Play follows a script; give its address."""
    count = 0

    class Scripted(TablesServicer):
        async def Play(self, request_iterator: Any, context: Any) -> AsyncIterator[pb.PlayResponse]:  # noqa: N802
            nonlocal count
            count += 1
            async for answer in script(count, request_iterator, context):
                yield answer

    server = grpc.aio.server()
    add_TablesServicer_to_server(Scripted(), server)  # type: ignore[abstract]  # nobody asks for more
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)
