"""One person alone with agents has no clock while the person follows the table."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

import pytest

from riverboat.errors import InvalidInput
from riverboat.services.gamemanager.live_table import LiveTable
from riverboat.services.gamemanager.manager import Manager
from riverboat.tables.config import check_config
from riverboat.tables.entries import HandBegan, SeatMoved
from tests.unit.services.gamemanager.fakes import Memory, until
from tests.unit.services.gamemanager.test_outages import CONFIG, managing

SHORT = replace(CONFIG, clock_ms=300, agents=("x",), no_clock=True)


@asynccontextmanager
async def person_to_act(journal: Memory) -> AsyncIterator[tuple[Manager, LiveTable, str]]:
    """Yield a table where a person is to act against an agent; the person's token comes last."""
    async with managing(journal) as made:
        info, _ = await made.create(SHORT, "a client")
        _, token = await made.join(info.table_id, "ann", 0, "a" * 16)
        await made.seat_agent(info.table_id, "x", 0)
        live = made.tables.table(info.table_id)
        await until(lambda: live.table.is_in_hand)
        await until(lambda: live.table.actor == 0)  # the agent's clock runs, and checks or folds
        yield made, live, token


def clocked(live: LiveTable, chair: int) -> int:
    """Return how often the clock has acted for a chair."""
    count, chairs = 0, tuple[int, ...]()
    for entry in live.table.log.since(0):
        if isinstance(entry, HandBegan):
            chairs = entry.chairs
        elif isinstance(entry, SeatMoved):
            count += entry.timed_out and chairs[entry.seat] == chair
    return count


def test_who_follows_the_table_has_no_clock_and_who_goes_away_has_one() -> None:
    async def work(journal: Memory) -> None:
        async with person_to_act(journal) as (made, live, token):
            following = asyncio.create_task(_follow(made, token))
            await until(lambda: not live.time_left_ms and live.table.actor == 0)
            assert not made.view(token).time_left_ms
            before = clocked(live, 0)
            await asyncio.sleep(3 * SHORT.clock_ms / 1000)  # nothing may happen
            assert (clocked(live, 0), live.table.actor) == (before, 0)
            following.cancel()
            await until(lambda: clocked(live, 0) > before)

    asyncio.run(work(Memory()))


async def _follow(made: Manager, token: str) -> None:
    async with aclosing(made.views(token)) as views:
        async for _ in views:
            pass


def test_agents_keep_their_clock() -> None:
    async def work(journal: Memory) -> None:
        async with managing(journal) as made:
            info, _ = await made.create(SHORT, "a client")
            _, token = await made.join(info.table_id, "ann", 0, "a" * 16)
            following = asyncio.create_task(_follow(made, token))
            await made.seat_agent(info.table_id, "x", 0)
            live = made.tables.table(info.table_id)
            while not clocked(live, 1):
                view = made.view(token)
                if view.is_your_turn:
                    async with live.lock:
                        await live.commit(live.table.act(0, f"r{view.action_number}", *view.place, 0))
                await asyncio.sleep(0.01)
            following.cancel()

    asyncio.run(work(Memory()))


def test_with_another_person_the_clock_runs() -> None:
    async def work(journal: Memory) -> None:
        async with managing(journal) as made:
            info, _ = await made.create(SHORT, "a client")
            tokens = [(await made.join(info.table_id, name, None, name * 16))[1] for name in "ab"]
            following = [asyncio.create_task(_follow(made, token)) for token in tokens]
            live = made.tables.table(info.table_id)
            await until(lambda: clocked(live, 0) or clocked(live, 1))
            for task in following:
                task.cancel()

    asyncio.run(work(Memory()))


@pytest.mark.parametrize("change", [{"agents": ()}, {"chair_count": 3}, {"agents_only": True}])
def test_only_one_person_may_sit_without_a_clock(change: dict[str, object]) -> None:
    check_config(SHORT)
    with pytest.raises(InvalidInput, match="no_clock"):
        check_config(replace(SHORT, **change))  # type: ignore[arg-type]
