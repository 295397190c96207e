"""A small server in this process with every service's interceptors, for tests of calls."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc

from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1 import oracle_pb2_grpc
from riverboat.rpc.calls import GuardedServer, Watch

Behaviour = Callable[[Any], Any]


class Answers(oracle_pb2_grpc.OracleServicer):
    """An oracle whose ListDecks runs a given function."""

    def __init__(self, decks: Behaviour) -> None:
        self._decks = decks

    async def ListDecks(self, request: pb.ListDecksRequest, context: Any) -> pb.ListDecksResponse:  # noqa: N802
        return await self._decks(context)  # type: ignore[no-any-return]

    async def Equity(self, request: pb.EquityRequest, context: Any) -> AsyncIterator[pb.EquityResponse]:  # noqa: N802
        yield pb.EquityResponse()
        await asyncio.Event().wait()  # until the client hangs up


@asynccontextmanager
async def guarded(decks: Behaviour, watch: Watch | None = None, credentials: Any = None) -> AsyncIterator[str]:
    """Run a server whose ListDecks runs this function; give its address."""
    server = grpc.aio.server()
    answers: Any = Answers  # the tests make no other calls
    registry: Any = GuardedServer(server, None, watch)
    oracle_pb2_grpc.add_OracleServicer_to_server(answers(decks), registry)
    if credentials:
        port = server.add_secure_port("127.0.0.1:0", credentials)
    else:
        port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)
