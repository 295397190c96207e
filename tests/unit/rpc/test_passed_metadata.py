"""Request ids and trace contexts are passed from call to call."""

from typing import Any

import grpc

from riverboat.errors import Unavailable
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.rpc.connections.channels import open_aio_channel, open_channel
from riverboat.rpc.passed_metadata import REQUEST_ID_KEY, TRACE_KEY, is_request_id, is_trace_parent
from riverboat.rpc.work import Workers, last_of
from tests.unit.rpc.servers import guarded

PARENT = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"


class Last:
    """A server that keeps the metadata of the last call."""

    def __init__(self) -> None:
        self.seen: dict[str, Any] = {}

    async def __call__(self, context: Any) -> pb.ListDecksResponse:
        self.seen = dict(context.invocation_metadata())
        return pb.ListDecksResponse()


async def test_what_a_call_came_with_is_passed_on_also_from_threads() -> None:
    last = Last()
    workers = Workers(1, 2)
    async with guarded(last) as far:

        def ask() -> pb.ListDecksResponse:
            with open_channel(far) as channel:
                stub = OracleStub(channel)
                return stub.ListDecks(pb.ListDecksRequest())  # type: ignore[no-any-return]

        def steps() -> Any:
            yield ask()

        async def by_call(context: Any) -> pb.ListDecksResponse:
            return await workers.call(ask, size=1000)

        async def by_stream(context: Any) -> pb.ListDecksResponse:
            return await last_of(workers.stream(steps))

        for middle in (by_call, by_stream):
            async with guarded(middle) as near, open_aio_channel(near) as channel:
                stub: Any = OracleStub(channel)
                await stub.ListDecks(pb.ListDecksRequest(), metadata=((REQUEST_ID_KEY, "mine"), (TRACE_KEY, PARENT)))
                assert (last.seen[REQUEST_ID_KEY], last.seen[TRACE_KEY]) == ("mine", PARENT)
                await stub.ListDecks(pb.ListDecksRequest())
                assert is_request_id(last.seen[REQUEST_ID_KEY])
                assert last.seen[REQUEST_ID_KEY] != "mine"
                assert TRACE_KEY not in last.seen
    workers.close()


async def test_every_call_has_an_id_of_its_own_and_errors_name_it() -> None:
    last = Last()
    async with guarded(last) as server, open_aio_channel(server) as channel:
        stub: Any = OracleStub(channel)
        await stub.ListDecks(pb.ListDecksRequest())
        first = last.seen[REQUEST_ID_KEY]
        await stub.ListDecks(pb.ListDecksRequest(), metadata=(("other", "thing"),))
        assert last.seen["other"] == "thing"
        assert last.seen[REQUEST_ID_KEY] != first

    async def fail(context: Any) -> None:
        raise Unavailable("not now")

    async with guarded(fail) as server, open_aio_channel(server) as channel:
        stub = OracleStub(channel)
        try:
            await stub.ListDecks(pb.ListDecksRequest(), metadata=((REQUEST_ID_KEY, "mine"),))
        except grpc.aio.AioRpcError as error:
            assert dict(error.trailing_metadata())[REQUEST_ID_KEY] == "mine"  # noqa: PT017
        else:
            raise AssertionError("it fails")


def test_what_is_no_id_and_no_place_is_not_passed_on() -> None:
    assert not is_request_id("a b")
    assert not is_request_id("x" * 65)
    assert not is_request_id(b"bytes")
    assert not is_trace_parent("00-12-34-01")
    assert is_trace_parent(PARENT)
