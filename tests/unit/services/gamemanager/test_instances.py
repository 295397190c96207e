"""Which process plays which side of a duplicate match, also after a reconnect and after a restart."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

import pytest

from riverboat.contracts.hosts import Assignment, HostOffer
from riverboat.contracts.tables import Decision
from riverboat.errors import IllegalAction, TooLarge, Unavailable
from riverboat.rules.variant import no_limit
from riverboat.services.gamemanager import creation, hosts, live_table
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.instances import able_at_side, best_host, check_instances
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Closing, Created, Joined
from riverboat.tables.match import score_of
from riverboat.tables.view import Status
from tests.unit.services.gamemanager.fakes import Memory, until

DUPLICATE = TableConfig(
    name="m",
    variant=no_limit(50, 100),
    chair_count=2,
    buy_in=10_000,
    hand_limit=3,
    agents=("x", "x"),
    agents_only=True,
    deal_count=3,
    is_duplicate=True,
)


@pytest.fixture(autouse=True)
def _retry_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (hosts, creation, live_table):
        monkeypatch.setattr(module, "_RETRY_SECONDS", 0.02)


@dataclass
class Process:
    """A host as the assignment rules see it."""

    agents: str
    forgets: bool = False
    process: str = ""
    places: set[tuple[str, int]] = field(default_factory=set)


def check(agents: str, *processes: Process) -> None:
    for number, process in enumerate(processes):
        process.process = f"process {number}"
    check_instances(agents.split(), processes, lambda host, agent: agent in host.agents.split())


def test_agents_that_forget_may_share_a_process() -> None:
    check("x y", Process("x y", forgets=True))
    check("x x x", Process("x", forgets=True))


def test_agents_that_may_remember_need_a_process_for_each_side() -> None:
    check("x y", Process("x y"), Process("x y"))
    check("x y", Process("x"), Process("y"), Process("x"), Process("y"))
    check("x y", Process("x"), Process("x"), Process("y", forgets=True))
    check("x y z", Process("x y z"), Process("x y z"), Process("x y z"))
    for refused in (
        [Process("x y")],
        [Process("x"), Process("y"), Process("x")],
        [Process("x"), Process("y", forgets=True)],
    ):
        with pytest.raises(IllegalAction, match="may remember hands: a duplicate match needs 2 processes"):
            check("x y", *refused)


def test_connections_of_one_process_count_as_one() -> None:
    twice = [Process("x", process="the same"), Process("x", process="the same")]
    with pytest.raises(IllegalAction, match="1 process offers it"):
        check_instances(["x", "x"], twice, lambda host, agent: agent in host.agents)


def test_a_process_that_has_seen_one_side_gets_no_other() -> None:
    new, seen, forgets = Process("x", process="new"), Process("x", process="seen"), Process("x", True, "seen")
    playing = Process("x", process="unnamed", places={("other side", 1)})
    assert able_at_side([new, seen, forgets, playing], {"seen"}, {"other side"}) == [new, forgets]
    assert best_host([new, forgets], set()) is forgets, "processes that remember are kept for sides that need them"
    assert best_host([forgets, new], {"new"}) is forgets
    busy = Process("x", True, "busy", {("t", 0)})
    assert best_host([busy, Process("x", True)], set()).places == set()


class Attending:
    """A host that offers the agent x, and the chairs that it was given."""

    def __init__(self, attendance: Hosts, process: str, tokens: Sequence[str] = ()) -> None:
        self.chairs: list[Assignment] = []
        self._task = asyncio.create_task(
            self._attend(attendance, HostOffer(agents=("x",), tokens=tuple(tokens), process=process))
        )

    async def _attend(self, attendance: Hosts, offer: HostOffer) -> None:
        async for chair in attendance.attend(offer):
            assert isinstance(chair, Assignment)
            self.chairs.append(chair)

    async def leave(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    @property
    def sides(self) -> list[int]:
        return sorted(chair.instance for chair in self.chairs)


@asynccontextmanager
async def running_manager(journal: Memory, table_limit: int = 10) -> AsyncIterator[tuple[Manager, Hosts]]:
    manager = Manager(journal, TableQuota(table_limit, table_limit), 3600)
    await manager.load()
    yield manager, Hosts(manager, "", True)
    await manager.close()


async def test_a_process_that_reconnects_keeps_its_side() -> None:
    async with running_manager(Memory()) as (_, attendance):
        one, two = Attending(attendance, "one"), Attending(attendance, "two")
        await until(lambda: attendance.count == 2)
        await attendance.create_sides(DUPLICATE, "somebody")
        await until(lambda: len(one.chairs) == len(two.chairs) == 2)
        assert [one.sides, two.sides] in ([[0, 0], [1, 1]], [[1, 1], [0, 0]])
        previous_sides = two.sides
        await two.leave()
        stranger = Attending(attendance, "three")
        await until(lambda: len(stranger.chairs) == 2)
        assert stranger.sides == previous_sides
        await stranger.leave()
        await one.leave()
        again = Attending(attendance, "two")  # this process has seen one side, and must not see the other
        await until(lambda: len(again.chairs) == 2)
        assert again.sides == previous_sides


async def test_a_match_waits_for_a_process_that_was_just_started(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_manager(Memory()) as (_, attendance):
        one = Attending(attendance, "one")
        await until(lambda: attendance.count == 1)
        monkeypatch.setattr(hosts, "_INSTANCE_SECONDS", 0.02)
        with pytest.raises(IllegalAction, match="1 process offers it; riverboat bot --host starts --instances N"):
            await attendance.create_sides(DUPLICATE, "somebody")
        monkeypatch.setattr(hosts, "_INSTANCE_SECONDS", 600)
        creating = asyncio.create_task(attendance.create_sides(DUPLICATE, "somebody"))
        again = Attending(attendance, "one")  # another connection of the same process is not enough
        await until(lambda: attendance.count == 2)
        assert not creating.done()
        two = Attending(attendance, "two")
        await creating
        await until(lambda: len(one.chairs) + len(again.chairs) == len(two.chairs) == 2)


async def test_a_restart_forgets_no_process() -> None:
    journal = Memory()
    async with running_manager(journal) as (_, attendance):
        one, two = Attending(attendance, "one"), Attending(attendance, "two")
        await until(lambda: attendance.count == 2)
        tables, token = await attendance.create_sides(DUPLICATE, "somebody")
        await until(lambda: len(one.chairs) == len(two.chairs) == 2)
        previous_sides = one.sides
    async with running_manager(journal) as (manager, attendance):
        one = Attending(attendance, "one")
        await until(lambda: len(one.chairs) == 2)
        assert one.sides == previous_sides
        assert {manager.info(table).config.match_id for table in tables} == {tables[0]}
        assert await manager.close_table(tables[1], token) is False, "after the current hand"
        assert len(manager.tables.open_tables) == 2


async def test_a_match_that_was_half_created_or_half_cancelled_ends() -> None:
    for lost in ("created", "cancelled"):
        journal = Memory()
        async with running_manager(journal) as (manager, _):
            infos, _ = await manager.create_sides(DUPLICATE, "somebody")
        if lost == "created":
            journal.changes = [change for change in journal.changes if change[0] != infos[0].table_id]
        else:
            journal.changes.append((infos[0].table_id, 1, [Closing()]))
        async with running_manager(journal) as (manager, _):
            assert len(manager.tables.open_tables) == 0
            async for table, _ in manager.changes(infos[1].table_id):
                assert score_of(table).is_over


async def test_a_side_that_has_waited_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.tables.table.MOST_AHEAD", 1)
    async with running_manager(Memory()) as (manager, _):
        infos, _ = await manager.create_sides(DUPLICATE, "somebody")
        # by side, then by chair
        tokens = [[(await manager.seat_agent(info.table_id, f"x {i}", i))[2] for i in (0, 1)] for info in infos]

        async def play(side: int, hand: int) -> None:
            """Check and call until the hand is over."""
            await until(lambda: manager.view(tokens[side][0]).hand_number == hand)
            while (view := manager.view(tokens[side][0])).status is Status.PLAYING and view.hand_number == hand:
                token = next(token for token in tokens[side] if manager.view(token).is_your_turn)
                await manager.act(
                    token,
                    Decision(
                        request_id=f"{side} {hand} {view.action_number}",
                        hand_number=hand,
                        action_number=view.action_number,
                        action=0,
                    ),
                )

        await play(0, 1)
        assert manager.info(infos[0].table_id).status is Status.WAITING
        for hand in (1, 2, 3):
            await play(1, hand)
            if hand < 3:
                await play(0, hand + 1)
        await until(lambda: len(manager.tables.open_tables) == 0)


async def test_a_duplicate_match_of_an_older_version_ends_and_counts() -> None:
    journal = Memory()
    config = replace(DUPLICATE, hand_limit=6)
    joined = [Joined(chair=i, name=f"x {i}", token_hash="h", request_id=f"agent {i}", is_agent=True) for i in (0, 1)]
    journal.changes = [("old", 0, [Created(config, "hash", "ab" * 32)]), ("old", 1, list(joined))]
    async with running_manager(journal) as (manager, _):
        assert len(manager.tables.open_tables) == 0
        async for table, _ in manager.changes("old"):
            assert score_of(table).is_over
            assert score_of(table).wanted_count == 6


async def test_sides_that_cannot_be_written_are_not_left_open() -> None:
    journal = Memory()

    async with running_manager(journal) as (manager, _):
        append = journal.append
        calls: list[str] = []

        async def failing(table_id: str, number: int, events: Sequence[object]) -> None:
            calls.append(table_id)
            journal.is_away = len(calls) == 2  # the second of the two
            await append(table_id, number, events)  # type: ignore[arg-type]

        journal.append = failing  # type: ignore[method-assign]
        with pytest.raises(Unavailable):
            await manager.create_sides(DUPLICATE, "somebody")
        await until(lambda: len(manager.tables.open_tables) == 0)


async def test_a_match_needs_room_for_all_its_tables() -> None:
    async with running_manager(Memory(), table_limit=1) as (manager, _):
        with pytest.raises(TooLarge, match="0 tables are open, and the limit is 1; 2 more were requested"):
            await manager.create_sides(DUPLICATE, "somebody")
    manager = Manager(Memory(), TableQuota(10, 1), 3600)
    await manager.load()
    with pytest.raises(
        TooLarge, match="0 of your tables are open, and the limit for one client is 1; 2 more were requested"
    ):
        await manager.create_sides(DUPLICATE, "somebody")
    await manager.create(replace(DUPLICATE, is_duplicate=False), "somebody")  # a failed match keeps no reservation
    await manager.close()
