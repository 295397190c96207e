"""A journal that is away for a while: nobody loses time, chairs or actions, and failed changes have not happened."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from riverboat.contracts.hosts import Assignment, HostOffer
from riverboat.contracts.tables import Decision
from riverboat.errors import Unavailable
from riverboat.rules.variant import no_limit
from riverboat.services.gamemanager import creation, hosts, live_table
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Moved
from tests.unit.services.gamemanager.fakes import Memory, until

CLOCK_MS = 3_000  # long enough to act on the slowest machine
CONFIG = TableConfig(name="t", variant=no_limit(50, 100), chair_count=2, buy_in=10_000, clock_ms=CLOCK_MS)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (hosts, creation, live_table):
        monkeypatch.setattr(module, "_RETRY_SECONDS", 0.02)


@asynccontextmanager
async def managing(journal: Memory) -> AsyncIterator[Manager]:
    made = Manager(journal, TableQuota(10), 3600)
    await made.load()
    yield made
    await made.close()


async def actor_of(made: Manager, tokens: list[str]) -> tuple[str, Any]:
    """Return the acting chair's token and view."""
    await until(lambda: any(made.view(token).is_your_turn for token in tokens))
    return next((token, made.view(token)) for token in tokens if made.view(token).is_your_turn)


@pytest.mark.slow
async def test_an_action_that_was_in_time_is_not_lost_to_the_clock(journal: Memory) -> None:
    async with managing(journal) as made:
        info, _ = await made.create(CONFIG, "a client")
        tokens = [(await made.join(info.table_id, name, None, name * 16))[1] for name in "ab"]
        token, view = await actor_of(made, tokens)
        journal.is_away = True
        with pytest.raises(Unavailable):
            await made.act(
                token,
                Decision(request_id="r1", hand_number=view.hand_number, action_number=view.action_number, action=0),
            )
        await asyncio.sleep(1.1 * CLOCK_MS / 1000)
        journal.is_away = False
        await until(lambda: not made.tables.table(info.table_id).waits_for)
        await made.act(
            token, Decision(request_id="r1", hand_number=view.hand_number, action_number=view.action_number, action=0)
        )
        moves = [event for _, _, events in journal.changes for event in events if isinstance(event, Moved)]
        assert not moves[0].timed_out


async def test_what_was_refused_has_not_happened_after_a_restart(journal: Memory) -> None:
    async with managing(journal) as made:
        info, _ = await made.create(CONFIG, "a client")
        journal.is_away = journal.is_sly = True
        with pytest.raises(Unavailable):
            await made.join(info.table_id, "ann", None, "a" * 16)
        journal.is_away = False
        await until(lambda: not made.tables.table(info.table_id).waits_for)
    async with managing(journal) as again:
        assert not again.info(info.table_id).chairs


async def test_a_table_that_could_not_be_created_is_not_there_after_a_restart(journal: Memory) -> None:
    async with managing(journal) as made:
        journal.is_away = journal.is_sly = True
        with pytest.raises(Unavailable):
            await made.create(CONFIG, "a client")
        assert len(journal.changes) == 1
        journal.is_away = False
        await until(lambda: len(journal.changes) > 1)
    async with managing(journal) as again:
        assert len(again.tables.open_tables) == 0
        assert not again.tables.infos(include_closed=True)


async def test_a_host_that_comes_meanwhile_is_seated_afterwards(journal: Memory) -> None:
    async with managing(journal) as made:
        offered = Hosts(made, "", True)
        given: list[tuple[str, int]] = []

        async def attend(name: str) -> None:
            async for assignment in offered.attend(HostOffer(agents=("x",))):
                assert isinstance(assignment, Assignment)
                given.append((name, assignment.chair))

        first = asyncio.create_task(attend("first"))
        await until(lambda: offered.count)
        await offered.create_table(replace(CONFIG, clock_ms=60_000, agents=("x", "x")), "a client")
        await until(lambda: len(given) == 2)
        first.cancel()
        await until(lambda: not offered.count)
        journal.is_away = True
        second = asyncio.create_task(attend("second"))
        await asyncio.sleep(0.1)
        journal.is_away = False
        await until(lambda: len(given) == 4)
        assert [name for name, _ in given[2:]] == ["second"] * 2
        second.cancel()
