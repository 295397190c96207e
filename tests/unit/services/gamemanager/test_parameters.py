"""Agents with a parameter: the game manager asks the host before it creates anything, and passes the whole name."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest

from riverboat.contracts.hosts import AgentQuestion, AgentVerdict, Assignment, HostOffer
from riverboat.errors import InvalidInput, NotFound, RiverboatError, TooLarge, Unavailable
from riverboat.rules.variant import no_limit
from riverboat.services.gamemanager import attending_host as attending
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.tables.config import TableConfig
from tests.unit.services.gamemanager.fakes import Memory, until

CONFIG = TableConfig(
    name="t", variant=no_limit(50, 100), chair_count=4, buy_in=10_000, clock_ms=60_000, players_to_start=4
)
WAIT_SECONDS = 30  # until a test gives up
OFFER = HostOffer(agents=("plain", "echo"), with_parameter=("echo",))


class FakeHost:
    """A host that answers every question with `problem`; with None it does not answer."""

    def __init__(self, hosts: Hosts, offer: HostOffer = OFFER, problem: str | None = "") -> None:
        self._hosts, self._offer, self.problem = hosts, offer, problem
        self.asked: list[str] = []
        self.given: list[Assignment] = []
        self._verdicts: asyncio.Queue[AgentVerdict] = asyncio.Queue()

    async def _said(self) -> AsyncIterator[AgentVerdict]:
        while True:
            yield await self._verdicts.get()

    async def _attend(self) -> None:
        async for told in self._hosts.attend(self._offer, self._said()):
            if isinstance(told, Assignment):
                self.given.append(told)
                continue
            self.asked.append(told.agent)
            if self.problem is not None:
                self._verdicts.put_nowait(AgentVerdict(question_id="no such question", problem="of no importance"))
                self._verdicts.put_nowait(AgentVerdict(question_id=told.question_id, problem=self.problem))

    @asynccontextmanager
    async def attending(self) -> "AsyncIterator[FakeHost]":
        count, task = self._hosts.count, asyncio.create_task(self._attend())
        await until(lambda: self._hosts.count > count)
        try:
            yield self
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@pytest.fixture
async def hosts() -> AsyncIterator[Hosts]:
    manager = Manager(Memory(), TableQuota(10, 10), 60)
    await manager.load()
    yield Hosts(manager, "", is_trusted=True)
    await manager.close()


async def create(hosts: Hosts, *agents: str) -> list[str]:
    """Create a table with these agents; return the names at it."""
    info, _ = await hosts.create_table(replace(CONFIG, agents=agents), "a client")
    return [chair.name for chair in info.chairs]


async def refusal(hosts: Hosts, kind: type[RiverboatError], *agents: str) -> str:
    with pytest.raises(kind) as caught:
        await create(hosts, *agents)
    assert hosts._manager.tables.infos(include_closed=True) == [], "nothing was created"
    return str(caught.value)


async def test_the_host_gets_the_whole_name_and_the_table_shows_it(hosts: Hosts) -> None:
    async with FakeHost(hosts).attending() as host:
        names = await create(hosts, "echo:0.5", "plain", "echo:0.5", "echo:a+b")
        assert names == ["echo:0.5", "plain", "echo:0.5 2", "echo:a+b"]
        await until(lambda: len(host.given) == 4)
        assert [chair.agent for chair in host.given] == ["echo:0.5", "plain", "echo:0.5", "echo:a+b"]
        assert sorted(host.asked) == ["echo:0.5", "echo:a+b"]
    assert (hosts.agents, hosts.with_parameter) == ([], [])


async def test_long_names_are_not_cut(hosts: Hosts) -> None:
    """Truncated names could be equal, and two players at a table cannot have the same name."""
    long = ["echo:" + "x" * 29 + end for end in "ab"]
    async with FakeHost(hosts).attending():
        assert await create(hosts, *long, *long) == [*long, *(f"{name} 2" for name in long)]


async def test_what_a_host_refuses_is_not_created(hosts: Hosts) -> None:
    async with FakeHost(hosts, problem="write echo:1\nor\x1b echo:2").attending():
        assert await refusal(hosts, InvalidInput, "echo:3") == "agents: 'echo:3': write echo:1 or  echo:2"


async def test_names_that_no_host_is_asked_about(hosts: Hosts) -> None:
    assert "no host attends" in await refusal(hosts, NotFound, "echo:3")
    async with FakeHost(hosts).attending() as host:
        assert await refusal(hosts, InvalidInput, "plain:3") == "agents: 'plain:3': plain takes no parameter"
        assert "called 'other:3'; the agents are echo, plain" in await refusal(hosts, NotFound, "other:3")
        for bad in ("echo:", "echo", "echo:a b", "echo:" + "x" * 61, "echo:\n", "echo:a:b", "echo:;", ":", ""):
            if bad != "echo":
                await refusal(hosts, RiverboatError, bad)
        assert host.asked == []


async def test_a_whole_name_on_offer_needs_no_question(hosts: Hosts) -> None:
    async with FakeHost(hosts, HostOffer(agents=("slow", "slow:fast"))).attending() as host:
        assert await create(hosts, "slow:fast") == ["slow:fast"]
        with pytest.raises(InvalidInput, match="slow takes no parameter"):
            await create(hosts, "slow:other")
        assert host.asked == []


async def test_a_host_that_does_not_answer(hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attending, "ANSWER_SECONDS", 0.01)
    async with FakeHost(hosts, problem=None).attending():
        assert "the host of echo did not answer" in await refusal(hosts, Unavailable, "echo:1")


async def test_a_host_that_goes_away_is_not_waited_for(hosts: Hosts) -> None:
    async with FakeHost(hosts, problem=None).attending() as host:
        creating = asyncio.create_task(refusal(hosts, Unavailable, "echo:1"))
        await until(lambda: host.asked)
    assert "the host of echo did not answer" in await creating


async def test_a_host_that_cannot_answer_is_not_waited_for(hosts: Hosts) -> None:
    async def attend() -> None:
        async for told in hosts.attend(OFFER):  # whose requests have ended
            assert not isinstance(told, AgentQuestion)

    task = asyncio.create_task(attend())
    await until(lambda: hosts.count)
    assert "the host of echo did not answer" in await refusal(hosts, Unavailable, "echo:1")
    task.cancel()


async def test_of_two_hosts_the_one_that_accepts_plays(hosts: Hosts) -> None:
    async with FakeHost(hosts, problem="not here").attending() as one, FakeHost(hosts).attending() as other:
        await create(hosts, "echo:1", "echo:1")
        await until(lambda: len(other.given) == 2)
        assert one.given == []


async def test_a_silent_host_does_not_delay_what_another_accepts(hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attending, "ANSWER_SECONDS", 3600)
    async with FakeHost(hosts, problem=None).attending() as silent, FakeHost(hosts).attending() as other:
        await asyncio.wait_for(create(hosts, "echo:1", "echo:2"), WAIT_SECONDS)
        await until(lambda: len(other.given) == 2)
        assert sorted(silent.asked) == ["echo:1", "echo:2"]


async def test_a_duplicate_match_waits_for_as_many_hosts_as_it_needs(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attending, "ANSWER_SECONDS", 3600)
    config = replace(
        CONFIG, chair_count=2, agents=("echo:1", "echo:1"), agents_only=True, deal_count=4, is_duplicate=True
    )
    config = replace(config, hand_limit=4, players_to_start=2)
    async with FakeHost(hosts).attending(), FakeHost(hosts).attending(), FakeHost(hosts, problem=None).attending():
        tables, _ = await asyncio.wait_for(hosts.create_sides(config, "a client"), WAIT_SECONDS)
        assert len(tables) == 2


async def test_a_client_over_its_limit_asks_no_host(hosts: Hosts) -> None:
    async with FakeHost(hosts).attending() as host:
        for _ in range(10):
            await create(hosts, "plain")
        with pytest.raises(TooLarge, match="10 tables are open"):
            await create(hosts, "echo:1")
        assert host.asked == []


async def test_tables_that_wait_for_an_answer_take_room(hosts: Hosts) -> None:
    async with FakeHost(hosts, problem=None).attending() as host:
        creating = [asyncio.create_task(create(hosts, f"echo:{i}")) for i in range(12)]
        await until(lambda: sum(task.done() for task in creating) == 2)
        assert all(isinstance(task.exception(), TooLarge) for task in creating if task.done())
        await until(lambda: len(host.asked) == 10)
    assert all(isinstance(error, Unavailable) for error in await asyncio.gather(*creating[:10], return_exceptions=True))
    assert hosts._manager.creation.pending == [], "and give it back"


async def test_a_host_has_so_many_open_questions_at_most(hosts: Hosts) -> None:
    names = [f"echo:{i}" for i in range(4 * 7)]
    async with FakeHost(hosts, problem=None).attending() as host:
        creating = [asyncio.create_task(create(hosts, *names[i : i + 4])) for i in range(0, len(names), 4)]
        await until(lambda: len(host.asked) >= attending.MOST_OPEN)
        assert "the host of echo did not answer" in await refusal(hosts, Unavailable, "echo:one-more")
        assert len(host.asked) == attending.MOST_OPEN
    await asyncio.gather(*creating, return_exceptions=True)


async def test_a_host_that_comes_back_is_asked_about_many_tables_a_few_at_a_time(hosts: Hosts) -> None:
    names = [f"echo:{i}" for i in range(40)]
    async with FakeHost(hosts).attending():
        for i in range(0, len(names), 4):
            await create(hosts, *names[i : i + 4])
    async with FakeHost(hosts, problem=None).attending() as silent:
        await until(lambda: silent.asked)
        assert len(silent.asked) < attending.MOST_OPEN
    async with FakeHost(hosts).attending() as host:
        await until(lambda: len(host.given) == len(names))
        assert sorted(host.asked) == sorted(names)


async def test_a_host_that_comes_later_is_asked_before_it_gets_chairs(hosts: Hosts) -> None:
    async with FakeHost(hosts).attending():
        await create(hosts, "echo:1")
    async with FakeHost(hosts, problem="not here").attending() as refusing, FakeHost(hosts).attending() as accepting:
        await until(lambda: accepting.given)
        assert [chair.agent for chair in accepting.given] == ["echo:1"]
        assert (set(refusing.asked), refusing.given) == ({"echo:1"}, [])


@pytest.mark.parametrize(
    "offer",
    [
        HostOffer(agents=("a",), with_parameter=("b",)),
        HostOffer(agents=("a:b c",)),
        HostOffer(agents=("a:",)),
        HostOffer(agents=("x" * 31,)),
    ],
)
async def test_offers_that_make_no_sense(hosts: Hosts, offer: HostOffer) -> None:
    with pytest.raises(InvalidInput):
        await anext(hosts.attend(offer))
    assert hosts.count == 0
