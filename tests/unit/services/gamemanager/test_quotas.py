"""The limit of tables for one client."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from riverboat.contracts.hosts import HostOffer
from riverboat.contracts.matches import MatchPlan
from riverboat.errors import TooLarge
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1 import tables_pb2_grpc
from riverboat.rpc.calls import GuardedServer
from riverboat.rpc.connections.channels import open_aio_channel
from riverboat.rpc.convert.tables import encode_config
from riverboat.rules.variant import no_limit
from riverboat.services.gamemanager.file_journal import FileJournal
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.journal import Journal
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.matches import Matches
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.services.gamemanager.servicer import TablesServicer
from riverboat.tables.config import TableConfig
from tests.unit.services.gamemanager.fakes import Memory

CONFIG = TableConfig(name="t", variant=no_limit(50, 100), chair_count=2, buy_in=10_000)


@pytest.mark.parametrize(("quota", "share"), [(TableQuota(8), 2), (TableQuota(3), 1), (TableQuota(8, 5), 5)])
async def test_one_client_cannot_take_all_tables(quota: TableQuota, share: int) -> None:
    manager = Manager(Memory(), quota, 3600)
    made = [await manager.create(CONFIG, "one") for _ in range(share)]
    with pytest.raises(TooLarge, match=f"{share} of your tables are open, which is the limit for one client"):
        await manager.create(CONFIG, "one")
    await manager.create(CONFIG, "another")
    info, token = made[0]
    assert await manager.close_table(info.table_id, token)
    await manager.create(CONFIG, "one")
    with pytest.raises(TooLarge, match=f"{share} of your tables"):
        await manager.create(CONFIG, "one")
    await manager.close()


async def test_all_clients_together_have_a_limit_too() -> None:
    manager = Manager(Memory(), TableQuota(4), 3600)
    for number in range(4):
        await manager.create(CONFIG, f"client {number}")
    with pytest.raises(TooLarge, match="4 tables are open, which is the limit"):
        await manager.create(CONFIG, "client 4")
    await manager.close()


async def test_tables_that_are_being_written_count() -> None:
    """Many requests at once, before the first one is answered."""

    class Slow(Memory):
        async def append(self, *change: object) -> None:
            await asyncio.sleep(0)
            await super().append(*change)  # type: ignore[arg-type]

    manager = Manager(Slow(), TableQuota(8), 3600)
    made = await asyncio.gather(*(manager.create(CONFIG, "one") for _ in range(20)), return_exceptions=True)
    assert sum(isinstance(one, TooLarge) for one in made) == 18
    assert len(manager.tables.open_tables) == 2
    await manager.close()


async def test_the_limit_survives_a_restart(tmp_path: Path) -> None:
    async def start() -> Manager:
        journal: Journal = FileJournal(tmp_path / "journal.jsonl", sync=False)
        manager = Manager(journal, TableQuota(8), 3600)
        await manager.load()
        return manager

    manager = await start()
    for _ in range(2):
        await manager.create(CONFIG, "203.0.113.7")
    await manager.close()
    assert "203.0.113.7" not in journal_of(tmp_path)
    again = await start()
    with pytest.raises(TooLarge, match="2 of your tables"):
        await again.create(CONFIG, "203.0.113.7")
    await again.create(CONFIG, "203.0.113.8")
    await again.close()


def journal_of(folder: Path) -> str:
    return (folder / "journal.jsonl").read_text()


async def test_whoever_calls_is_the_client() -> None:
    manager, server = Manager(Memory(), TableQuota(8), 3600), grpc.aio.server()
    servicer = TablesServicer(manager, Hosts(manager, "", is_trusted=True))
    registry: Any = GuardedServer(server, None)
    tables_pb2_grpc.add_TablesServicer_to_server(servicer, registry)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    request = pb.CreateTableRequest(config=encode_config(CONFIG))
    for _ in range(2):
        async with open_aio_channel(f"127.0.0.1:{port}") as channel:  # a new connection is no new client
            stub: Any = tables_pb2_grpc.TablesStub(channel)
            await stub.CreateTable(request)
    async with open_aio_channel(f"127.0.0.1:{port}") as channel:
        stub = tables_pb2_grpc.TablesStub(channel)
        with pytest.raises(grpc.aio.AioRpcError, match="2 of your tables") as caught:
            await stub.CreateTable(request)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    await server.stop(None)
    await manager.close()


async def test_matches_count_as_tables() -> None:
    manager = Manager(Memory(), TableQuota(8, 1), 3600)
    hosts = Hosts(manager, "", is_trusted=True)
    attending = hosts.attend(HostOffer(agents=("x",), key=""))
    waiting = asyncio.ensure_future(anext(attending))
    await asyncio.sleep(0)
    assert hosts.count
    matches = Matches(manager, hosts)
    plan = MatchPlan(
        variant=no_limit(50, 100), stack=10_000, agents=("x", "x"), deal_count=10, duplicate=False, clock_ms=30_000
    )
    await matches.start("one", plan)
    with pytest.raises(TooLarge, match="1 of your tables"):
        await matches.start("one", plan)
    with pytest.raises(TooLarge, match="1 of your tables"):
        await hosts.create_table(CONFIG, "one")
    waiting.cancel()
    await manager.close()
