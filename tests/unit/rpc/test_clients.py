"""The client that a call belongs to."""

import os
from pathlib import Path
from typing import Any

import pytest

from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.protos.oracle.v1.oracle_pb2_grpc import OracleStub
from riverboat.rpc.clients import client_name, client_of
from riverboat.rpc.connections.channels import open_aio_channel
from tests.unit.rpc.servers import guarded

ME = f"user {os.getuid()} of this machine"


class Peer:
    """The part of a call's context that identifies the client."""

    def __init__(self, peer: str, *identities: bytes) -> None:
        self._peer, self._identities = peer, identities

    def peer(self) -> str:
        return self._peer

    def peer_identities(self) -> Any:
        return self._identities or None


async def in_stream(context: Any) -> str | None:
    return client_of(context)


async def test_another_machine_is_one_client_whatever_its_port() -> None:
    for name in (client_name, in_stream):
        assert await name(Peer("ipv4:10.0.0.1:1234")) == "10.0.0.1" == await name(Peer("ipv4:10.0.0.1:99"))
        assert await name(Peer("ipv4:10.0.0.2:1234")) == "10.0.0.2"
        assert await name(Peer("ipv6:%5B::ffff:10.0.0.1%5D:1234")) == "10.0.0.1"


async def test_all_addresses_of_an_ipv6_network_are_one_client() -> None:
    for name in (client_name, in_stream):
        for address in ("2001:db8::1%5D:1234", "2001:db8::2:3%5D:9"):
            assert await name(Peer(f"ipv6:%5B{address}")) == "2001:db8::/64"
        assert await name(Peer("ipv6:%5B2001:db8:0:1::1%5D:1234")) == "2001:db8:0:1::/64"


async def test_a_certificate_says_whose_a_call_is() -> None:
    for name in (client_name, in_stream):
        assert await name(Peer("ipv4:127.0.0.1:1", b"b", b"a")) == "certificate a, b"


async def test_a_user_of_this_machine_may_be_unknown() -> None:
    assert await client_name(Peer("ipv4:127.0.0.1:1")) == "this machine" == await client_name(Peer("unix:/tmp/a"))


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="users of connections are known on Linux only")
async def test_users_of_this_machine_are_told_apart() -> None:
    names: list[str] = []

    async def answer(context: Any) -> pb.ListDecksResponse:
        names.append(await client_name(context))
        return pb.ListDecksResponse()

    async with guarded(answer) as server:
        for host in ("127.0.0.1", "localhost"):
            async with open_aio_channel(f"{host}:{server.rpartition(':')[2]}") as channel:
                stub: Any = OracleStub(channel)
                await stub.ListDecks(pb.ListDecksRequest())
    assert names == [ME, ME]


def test_users_of_this_machine_are_not_counted_where_they_need_not_be() -> None:
    for local in ("ipv4:127.0.0.1:1", "ipv6:[::1]:1", "ipv6:%5B::1%5D:1", "unix:", "unix:/tmp/x"):
        assert client_of(Peer(local)) is None
