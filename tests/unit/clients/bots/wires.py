"""A wire to a server that can be cut, and a server that answers as it is told."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import grpc

from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesServicer, add_TablesServicer_to_server


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
