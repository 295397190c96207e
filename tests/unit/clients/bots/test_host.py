"""An agent host: it takes the chairs it is given, reconnects, and stops when told."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, ClassVar

import grpc
import numpy as np
import pytest

from riverboat.arena.bot import MakeBot
from riverboat.arena.bots import CallBot
from riverboat.clients.bots import CALL, FOLD, Bot, View
from riverboat.clients.bots.bot_runner import BotFailed
from riverboat.clients.bots.host import _ANSWER_THREADS, _MOST_QUESTIONS, AgentHost, main
from riverboat.contracts.hosts import AgentQuestion, AgentVerdict
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from tests.processes import free_port
from tests.unit.arena.bots import MostBot
from tests.unit.clients.bots.tables import WAIT_SECONDS, Broken, blocking, create_table, moves_at, table_info, until
from tests.unit.clients.bots.wires import Wire


def offered(server: str) -> set[str]:
    with grpc.insecure_channel(server) as channel:
        return set(AgentHostsStub(channel).ListAgents(hosts_pb.ListAgentsRequest()).agents)


@asynccontextmanager
async def hosting(
    server: str, manager: str = "", strict: bool = False, **agents: MakeBot
) -> "AsyncIterator[AgentHost]":
    """Run a host until its agents are on offer at `manager`, which `server` forwards to."""
    host = AgentHost(server, agents, strict)
    running = asyncio.create_task(host.run())
    try:
        await until(lambda: agents.keys() <= offered(manager or server))
        yield host
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await until(lambda: not agents.keys() & offered(manager or server))


async def closed(server: str, table: str) -> pb.TableInfo:
    await until(lambda: table_info(server, table).status == pb.TABLE_STATUS_CLOSED)
    return table_info(server, table)


async def test_agents_play_the_chairs_of_a_table(server: str) -> None:
    async with hosting(server, one=CallBot, two=CallBot):
        table = create_table(server, agents=["one", "two", "one"], hand_limit=10).table.table_id
        info = await closed(server, table)
    assert [chair.name for chair in info.chairs] == ["one", "two", "one 2"]
    assert info.hand_count == 10
    assert not any(move.timed_out for _, move in moves_at(server, table))


async def test_an_agent_that_is_bust_gets_up_and_the_host_goes_on(
    server: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        async with hosting(server, shover=MostBot):
            table = create_table(server, agents=["shover", "shover"]).table.table_id
            await until(lambda: "bot_done" in caplog.text)
            (winner,) = table_info(server, table).chairs
            assert winner.stack == 20_000
            again = create_table(server, agents=["shover", "shover"], hand_limit=1).table.table_id
            await closed(server, again)
    assert "bot_got_up" in caplog.text


async def test_a_host_that_loses_the_manager_comes_back(server: str, caplog: pytest.LogCaptureFixture) -> None:
    """The host hears again about chairs that it already plays, and plays each of them once."""
    slow, go, asked = blocking()
    async with Wire(server).connected() as wire, hosting(wire.address, server, slow=slow):
        table = create_table(server, agents=["slow", "slow"], hand_limit=5).table.table_id
        await until(lambda: asked)
        with caplog.at_level(logging.INFO):
            wire.cut()
            await until(lambda: caplog.text.count("connection_restored") == 2)
            await until(lambda: "slow" in offered(server))
        assert "agent_seated" not in caplog.text
        go.set()
        assert (await closed(server, table)).hand_count == 5
    moves = moves_at(server, table)
    assert len(moves) == len(asked), "asked once for each move"
    assert not any(move.timed_out for _, move in moves)


async def test_a_manager_that_comes_later(server: str, caplog: pytest.LogCaptureFixture) -> None:
    nobody = f"127.0.0.1:{free_port()}"
    running = asyncio.create_task(AgentHost(nobody, {"later": CallBot}).run())
    await until(lambda: f"gamemanager_unreachable server={nobody} reason=UNAVAILABLE" in caplog.text)
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_strict_host_stops_when_a_bot_fails(server: str) -> None:
    host = AgentHost(server, {"broken": Broken}, strict=True)
    running = asyncio.create_task(host.run())
    await until(lambda: "broken" in offered(server))
    create_table(server, agents=["broken", "broken"])
    with pytest.raises(BotFailed, match=r"bot 'broken \(table .*\)' failed in hand 1, .*: ZeroDivisionError: no idea"):
        await asyncio.wait_for(running, WAIT_SECONDS)


async def test_a_bot_that_fails_does_not_stop_the_others(server: str) -> None:
    async with hosting(server, broken=Broken, good=CallBot):
        table = create_table(server, agents=["broken", "good"], hand_limit=6).table.table_id
        assert (await closed(server, table)).hand_count == 6
    assert {name for name, move in moves_at(server, table) if move.action.HasField("fold")} == {"broken"}


async def test_names_that_no_agent_may_have(server: str) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await asyncio.wait_for(AgentHost(server, {"a name": CallBot}).run(), WAIT_SECONDS)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


class Chancy(Bot):
    """A bot that folds with some probability."""

    def __init__(self, rng: np.random.Generator, chance: float = 0.5) -> None:
        super().__init__(rng)
        self._chance = chance

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        return partial(cls, chance=float(parameter))

    def act(self, view: View) -> int:
        return FOLD if view.public.to_call and self.rng.random() < self._chance else CALL


async def test_agents_with_a_parameter(server: str) -> None:
    """The whole name plays at the table, and a parameter that the class cannot read is refused at once."""
    async with hosting(server, chancy=Chancy, plain=CallBot):
        for bad, said in (("chancy:often", "could not convert"), ("plain:1", "plain takes no parameter")):
            with pytest.raises(grpc.RpcError) as caught:
                await asyncio.to_thread(create_table, server, agents=["plain", bad])
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert said in str(caught.value.details())
        names = ["chancy:0", "chancy:1", "chancy:0"]
        created = await asyncio.to_thread(create_table, server, agents=names, hand_limit=6)
        table = created.table.table_id
        info = await closed(server, table)
    assert [chair.name for chair in info.chairs] == ["chancy:0", "chancy:1", "chancy:0 2"]
    moves = moves_at(server, table)
    assert {name for name, move in moves if move.action.HasField("fold")} == {"chancy:1"}
    assert not any(move.timed_out for _, move in moves)


class Slow(Chancy):
    """A bot whose parameters take time to read."""

    go = threading.Event()
    reading: ClassVar[list[str]] = []

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        cls.reading.append(parameter)
        cls.go.wait(WAIT_SECONDS)
        return super().with_parameter(parameter)


class Attendance:
    """The part of an attendance that takes verdicts."""

    def __init__(self) -> None:
        self.answered: list[str] = []

    async def answer(self, verdict: AgentVerdict) -> None:
        self.answered.append(verdict.question_id)


async def test_questions_are_answered_by_a_few_threads(caplog: pytest.LogCaptureFixture) -> None:
    host, attendance = AgentHost("nowhere:1", {"slow": Slow}), Attendance()
    anything: Any = attendance
    for i in range(_MOST_QUESTIONS + 1):
        host._consider(AgentQuestion(question_id=str(i), agent=f"slow:{i}"), anything)
    await until(lambda: len(Slow.reading) == _ANSWER_THREADS)
    assert f"question_dropped agent=slow:{_MOST_QUESTIONS}" in caplog.text
    Slow.go.set()
    await until(lambda: len(attendance.answered) == _MOST_QUESTIONS)
    assert sorted(map(int, attendance.answered)) == list(range(_MOST_QUESTIONS))


async def test_many_questions_at_once(server: str) -> None:
    """A stream takes one answer at a time; ten questions at once do not end it."""
    names = [f"chancy:{i / 10}" for i in range(10)]
    async with hosting(server, chancy=Chancy):
        for _ in range(5):
            created = await asyncio.to_thread(create_table, server, agents=names, chair_count=10, players_to_start=10)
            assert [chair.name for chair in created.table.chairs] == names


def test_agents_that_there_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--agents", "rollout,gto"]) == 2
    assert capsys.readouterr().err.startswith("--agents: no agent is called 'gto'; the agents are always-call")
    assert main(["--agents", "rollout:3"]) == 2
    assert capsys.readouterr().err == "rollout:3: rollout takes no parameter\n"
