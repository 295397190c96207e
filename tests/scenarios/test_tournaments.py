"""Tournaments with real processes: agents, people and the console, through kills of the game manager."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest

from benchmarks.redis_server import redis_server
from riverboat.protos.gamemanager.v1 import tables_pb2 as tables
from riverboat.protos.gamemanager.v1 import tournaments_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.protos.gamemanager.v1.tournaments_pb2_grpc import TournamentsStub
from riverboat.rpc.convert.tournaments import encode_structure
from riverboat.tournaments.structures import MTT_45, with_entrants
from tests.contract.test_tables import CALL, decide
from tests.launching.launch import start_module
from tests.processes import ServiceProcess, agent_host, free_port, running

WAIT_SECONDS = 600  # only for what hangs: a busy machine is slow
ENTRANTS = 12
STRUCTURE = replace(with_entrants(MTT_45, ENTRANTS), seats_per_table=4, starting_chips=600, level_hands=4)


@contextmanager
def manager(folder: Path, address: str, redis_url: str = "") -> Iterator[ServiceProcess]:
    """Run a game manager at an address, with the existing journal: a file, or in a Redis."""
    journal = str(folder / "journal.jsonl")
    with running("gamemanager", folder, address=address, journal=journal, redis_url=redis_url) as process:
        process.wait_until_healthy()
        yield process


class Person:
    """Plays a token by unary calls: all-in with every third decision, otherwise check or call."""

    def __init__(self, address: str, token: str) -> None:
        self._tables = TablesStub(grpc.insecure_channel(address))
        self._token = token
        self.is_out = False
        self.tables: list[str] = []
        self._count = 0

    def step(self) -> None:
        """Act if it is time to."""
        try:
            view = self._tables.GetView(tables.GetViewRequest(token=self._token), timeout=10).view
            if view.table_id not in self.tables:
                self.tables.append(view.table_id)
            if view.is_your_turn:
                self._count += 1
                most = view.legal.max_raise_to
                action = Action(raise_to=most) if most and self._count % 3 == 0 else CALL
                decision = decide(view, action)
                decision.table_id = view.table_id
                self._tables.TakeAction(tables.TakeActionRequest(token=self._token, decision=decision), timeout=10)
        except grpc.RpcError as error:
            code: Any = error.code()
            self.is_out = self.is_out or code is grpc.StatusCode.PERMISSION_DENIED


def last_report(address: str, tournament_id: str) -> pb.WatchTournamentResponse:
    """Return how a tournament stands now, with all its events."""
    with grpc.insecure_channel(address) as channel:
        request = pb.WatchTournamentRequest(tournament_id=tournament_id)
        stream: Any = TournamentsStub(channel).WatchTournament(request, timeout=120, wait_for_ready=True)
        report: pb.WatchTournamentResponse = next(stream)
        stream.cancel()
        return report


def play_until(holds: Callable[[], bool], people: list[Person]) -> None:
    give_up = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < give_up
        for person in people:
            person.step()
        time.sleep(0.02)


def check(report: pb.WatchTournamentResponse) -> None:
    """Check the result of a tournament: everybody ranked once, all chips with the winner, all money paid."""
    assert report.tournament.status == pb.TOURNAMENT_STATUS_OVER
    names = {standing.name for standing in report.standings}
    assert len(names) == ENTRANTS
    assert [standing.rank for standing in report.standings] == list(range(1, ENTRANTS + 1))
    assert sum(standing.chips for standing in report.standings) == ENTRANTS * STRUCTURE.starting_chips
    assert report.standings[0].chips == ENTRANTS * STRUCTURE.starting_chips
    assert sum(standing.prize for standing in report.standings) == ENTRANTS * STRUCTURE.buy_in
    out = [event.eliminated for event in report.events if event.HasField("eliminated")]
    won = [event.won.name for event in report.events if event.HasField("won")]
    assert {event.name: event.rank for event in out} | dict.fromkeys(won, 1) == {
        standing.name: standing.rank for standing in report.standings
    }
    assert len(out) + len(won) == ENTRANTS
    assert [event.number for event in report.events] == list(range(len(report.events)))


def check_hands(address: str, tournament_id: str) -> None:
    """Check that no hand made or lost chips, and that everybody began with the same."""
    with grpc.insecure_channel(address) as channel:
        hands: list[tables.HandRecord] = []
        for number in range(1, STRUCTURE.table_count + 1):
            request = tables.ListHandsRequest(table_id=f"{tournament_id}-{number}", hand_count=1000)
            hands += TablesStub(channel).ListHands(request).hands
        assert len(hands) > STRUCTURE.table_count
        for hand in hands:
            begun, ended = hand.events[0].hand_started, hand.events[-1].hand_ended
            assert sum(ended.payoffs) == 0
            assert len(set(begun.names)) == len(begun.names)
            assert hand.hand_number > 1 or set(begun.stacks) == {STRUCTURE.starting_chips}


def open_tournament(address: str, clock_ms: int) -> tuple[str, list[Person]]:
    """Open a tournament of ten agents and two people."""
    people = []
    with grpc.insecure_channel(address) as channel:
        stub = TournamentsStub(channel)
        request = pb.CreateTournamentRequest(
            structure=encode_structure(STRUCTURE),
            agents=[pb.AgentEntry(name="always-call", count=5), pb.AgentEntry(name="random", count=5)],
            clock_ms=clock_ms,
        )
        tournament_id = stub.CreateTournament(request, timeout=120).tournament.tournament_id
        for name in ("Anna", "Bert"):
            entry = pb.RegisterRequest(tournament_id=tournament_id, name=name, request_id=f"{name}-of-the-scenario")
            token = stub.Register(entry).token
            assert stub.Register(entry).token == token
            people.append(Person(address, token))
    return tournament_id, people


def count_out(address: str, tournament_id: str) -> int:
    """Return how many entrants are out."""
    return sum(standing.rank > 1 for standing in last_report(address, tournament_id).standings)


@pytest.mark.slow
def test_a_tournament_through_outages_of_everything(tmp_path: Path) -> None:
    """Redis, the agents and the game manager are killed in turn; the journal is in Redis."""
    address = f"127.0.0.1:{free_port()}"
    with redis_server(tmp_path / "redis", free_port()) as redis:
        with manager(tmp_path, address, redis.url) as first:
            with agent_host(address):
                tournament_id, people = open_tournament(address, 5_000)
                play_until(lambda: count_out(address, tournament_id) >= 1, people)
                redis.kill()
                play_until(lambda: bool(last_report(address, tournament_id).waits_for), people)
                redis.start()
                play_until(lambda: not last_report(address, tournament_id).waits_for, people)
                play_until(lambda: count_out(address, tournament_id) >= 3, people)
            with agent_host(address):  # another process gets the chairs
                play_until(lambda: count_out(address, tournament_id) >= 6, people)
            first.process.kill()
            first.process.wait()
        with manager(tmp_path, address, redis.url), agent_host(address):
            play_until(lambda: count_out(address, tournament_id) == ENTRANTS - 1, people)
            check(last_report(address, tournament_id))
            check_hands(address, tournament_id)


@pytest.mark.slow
def test_a_tournament_through_kills_of_the_game_manager(tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    with manager(tmp_path, address) as first, agent_host(address):
        tournament_id, people = open_tournament(address, 20_000)

        def out_count() -> int:
            return count_out(address, tournament_id)

        play_until(lambda: out_count() >= 1, people)
        first.process.kill()
        first.process.wait()
        for count in (3, 6):
            with manager(tmp_path, address) as again:
                before = {standing.name: standing.rank for standing in last_report(address, tournament_id).standings}
                play_until(lambda count=count: out_count() >= count, people)  # type: ignore[misc]
                now = {standing.name: standing.rank for standing in last_report(address, tournament_id).standings}
                assert {name: rank for name, rank in before.items() if rank}.items() <= now.items()
                again.process.kill()
                again.process.wait()
        with manager(tmp_path, address):
            play_until(lambda: out_count() == ENTRANTS - 1, people)
            check(last_report(address, tournament_id))
            check_hands(address, tournament_id)
            for person in people:
                assert person.tables
                assert all(table_id.startswith(f"{tournament_id}-") for table_id in person.tables)


@pytest.mark.slow
def test_a_person_plays_a_tournament_in_the_console(agents_server: str) -> None:
    """The input is longer than any tournament; the player calls to the end, at whichever table."""
    with grpc.insecure_channel(agents_server) as channel:
        request = pb.CreateTournamentRequest(
            structure=encode_structure(STRUCTURE),
            agents=[pb.AgentEntry(name="always-call", count=ENTRANTS - 1)],
            clock_ms=20_000,
        )
        tournament_id = TournamentsStub(channel).CreateTournament(request, timeout=120).tournament.tournament_id
    words = ("tournament", "--id", tournament_id, "--play", "--name", "Carla", "--server", agents_server)
    pipe = subprocess.PIPE
    process = start_module("riverboat.clients.console.app", *words, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        out, err = process.communicate(b"c\n" * 3000, timeout=WAIT_SECONDS)
    finally:
        process.kill()
    text = out.decode()
    assert process.wait() == 0, err.decode()
    assert "NOT THE ONE ANNOUNCED" not in text
    assert "deals: " in text
    report = last_report(agents_server, tournament_id)
    (carla,) = [standing for standing in report.standings if standing.name == "Carla"]
    assert carla.rank >= 1
    moves = [event.moved for event in report.events if event.HasField("moved") and event.moved.name == "Carla"]
    assert ("you have been moved to table" in text) == bool(moves)
