"""Interceptors around a call, with a fake server and context."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from structlog.testing import capture_logs

from riverboat.rpc.calls import GuardedServer


class FakeServer:
    """A server that keeps its handlers."""

    def __init__(self) -> None:
        self.handlers: dict[str, Any] = {}

    def add_registered_method_handlers(self, _name: str, handlers: dict[str, Any]) -> None:
        self.handlers |= handlers

    def add_generic_rpc_handlers(self, _handlers: Any) -> None:
        pass


class GoneContext:
    """A call whose client goes away while the server writes to it."""

    def peer(self) -> str:
        return "nobody"

    def invocation_metadata(self) -> tuple[()]:
        return ()

    def time_remaining(self) -> float | None:
        return None

    async def write(self, _message: Any) -> None:
        raise grpc.aio.InternalError("Failed execute_batch")

    async def abort(self, *_: Any) -> None:
        raise AssertionError("there is nobody to tell")


async def test_a_client_that_goes_away_during_a_write_is_no_bug() -> None:
    async def stream(_request: Any, _context: Any) -> AsyncIterator[bytes]:
        yield b"first"

    server, ready = FakeServer(), asyncio.Event()
    ready.set()
    handler: Any = grpc.unary_stream_rpc_method_handler(stream, request_deserializer=bytes)
    GuardedServer(server, ready).add_registered_method_handlers("test.Service", {"Watch": handler})  # type: ignore[arg-type]
    guarded = server.handlers["Watch"]
    with capture_logs() as logs:
        with pytest.raises(asyncio.CancelledError):
            await guarded.unary_stream(guarded.request_deserializer(b""), GoneContext())
        await asyncio.sleep(0)
    assert [(line["event"], line.get("code")) for line in logs] == [("call", "CANCELLED")]
