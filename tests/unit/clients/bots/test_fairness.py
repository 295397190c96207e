"""A bot of the SDK at an honest game manager and at dishonest ones."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import pytest

from riverboat.arena.bots import CallBot
from riverboat.clients.bots.fairness import DealFailed
from riverboat.clients.bots.visit import visit
from riverboat.dealing.witness import DealFinding, Severity
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import add_TablesServicer_to_server
from riverboat.services.gamemanager import live_table
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.services.gamemanager.servicer import TablesServicer
from tests.unit.clients.bots.tables import WAIT_SECONDS
from tests.unit.dealing.test_javascript import left_out, other_card, other_roots, other_secret
from tests.unit.services.gamemanager.fakes import Memory, until
from tests.unit.services.gamemanager.test_outages import CONFIG

HANDS = 4
Change = Callable[[pb.View], None]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the deadline for contributions, so that a busy machine changes nothing."""
    monkeypatch.setattr(live_table, "_COMMIT_SECONDS", 1e6)
    monkeypatch.setattr(live_table, "_REVEAL_SECONDS", 1e6)


@asynccontextmanager
async def game_manager(change: Change) -> AsyncIterator[tuple[str, Manager]]:
    """Yield a real game manager in this process that falsifies the first chair's views."""

    class Crooked(TablesServicer):
        async def Play(self, request_iterator: Any, context: Any) -> AsyncIterator[pb.PlayResponse]:  # noqa: N802
            async for answer in super().Play(request_iterator, context):
                if answer.view.chair == 0 and answer.HasField("view"):
                    change(answer.view)
                yield answer

    manager = Manager(Memory(), TableQuota(10), 3600)
    await manager.load()
    server = grpc.aio.server()
    add_TablesServicer_to_server(Crooked(manager, Hosts(manager, "", True)), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}", manager
    finally:
        await server.stop(0)
        await manager.close()


async def end_secrets(manager: Manager, table_id: str, findings: list[DealFinding]) -> None:
    """End the time for secrets when only the first chair's is missing: it has seen that it was left out."""
    at_table = manager.tables.table(table_id)
    await until(lambda: findings and (deal := at_table.table.next_deal) and deal.missing == [0])
    async with at_table.lock:
        await at_table._void_deal()


async def played(change: Change, strict: bool = False) -> tuple[list[DealFinding], Manager, str]:
    """Play some hands of two bots; return the first bot's findings, or raise its exception."""
    findings: list[DealFinding] = []
    async with game_manager(change) as (address, manager), asyncio.timeout(WAIT_SECONDS):
        info, _ = await manager.create(replace(CONFIG, clock_ms=60_000, hand_limit=HANDS), "a client")
        first = asyncio.create_task(
            visit(address, info.table_id, CallBot, "ann", strict=strict, report=findings.append)
        )
        await until(lambda: manager.info(info.table_id).chairs)
        second = asyncio.create_task(visit(address, info.table_id, CallBot, "bob"))
        try:
            if change is left_out:
                await end_secrets(manager, info.table_id, findings)
            await first
        finally:
            if strict:
                chairs = [chair.name for chair in manager.info(info.table_id).chairs]
                assert chairs == ["bob"] or not manager.tables.infos(include_closed=False)
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)
        return findings, manager, info.table_id


async def test_an_honest_game_manager() -> None:
    findings, manager, table_id = await played(lambda _: None, strict=False)
    assert [(finding.level, finding.hand_number) for finding in findings] == [
        (Severity.PROVED, number) for number in range(1, HANDS + 1)
    ]
    started: list[Any] = [record.entries[0] for record in manager.hands(table_id, 1, HANDS)]
    assert all(all(entry.secrets) for entry in started), "both have contributed to every hand"


@pytest.mark.parametrize("change", [other_card, other_roots, other_secret, left_out])
async def test_a_dishonest_one(change: Change, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        findings, _, _ = await played(change)
    assert Severity.PROBLEM in {finding.level for finding in findings}
    assert "deal_not_as_announced bot=ann hand=1 problem=" in caplog.text


async def test_a_strict_bot_gets_up() -> None:
    with pytest.raises(DealFailed, match="hand 1 was not dealt as announced"):
        await played(other_roots, strict=True)
