"""Riverboat's tournaments beyond riverboat conformance: streams across tables, who sees which cards, nonsense."""

import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from riverboat.protos.gamemanager.v1 import tables_pb2 as tables
from riverboat.protos.gamemanager.v1 import tournaments_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.protos.gamemanager.v1.tournaments_pb2_grpc import TournamentsStub
from tests.contract.test_matches import Host, calls, until
from tests.contract.test_tables import CALL, code_of, decide
from tests.processes import ServiceProcess

LEVELS = [pb.BlindLevel(small_blind=5, big_blind=10), pb.BlindLevel(small_blind=20, big_blind=40, ante=5)]


def structure(**more: Any) -> pb.TournamentStructure:
    usual: dict[str, Any] = {
        "name": "small", "entrant_count": 7, "seats_per_table": 3, "starting_chips": 100, "levels": LEVELS,
        "level_hands": 2, "payouts": [1000], "buy_in": 100,
    }  # fmt: skip
    return pb.TournamentStructure(**{**usual, **more})


@pytest.fixture
def channel(gamemanager_process: ServiceProcess) -> Iterator[Any]:
    with grpc.insecure_channel(gamemanager_process.address) as opened:
        yield opened


def all_in(view: tables.View) -> Action:
    return Action(raise_to=view.legal.max_raise_to) if view.legal.max_raise_to else CALL


class Entrant:
    """Plays one token by one stream, all-in at every turn."""

    def __init__(self, channel: Any, token: str, name: str) -> None:
        self._stub, self._token, self._name = TablesStub(channel), token, name
        self.tables: list[str] = []
        self.refusals: list[str] = []
        self.has_ended = False
        threading.Thread(target=self._play, daemon=True).start()

    def _play(self) -> None:
        requests: SimpleQueue[tables.PlayRequest | None] = SimpleQueue()
        requests.put(tables.PlayRequest(token=self._token))
        for answer in self._stub.Play(iter(requests.get, None)):
            view = answer.view
            if answer.HasField("refusal"):
                self.refusals.append(answer.refusal.message)
                continue
            if view.table_id not in self.tables:
                self.tables.append(view.table_id)
            own = [chair.name for chair in view.chairs if chair.chair == view.chair]
            assert own in ([self._name], [])
            if view.is_your_turn:
                decision = decide(view, all_in(view))
                decision.table_id = view.table_id
                requests.put(tables.PlayRequest(decision=decision))
        requests.put(None)
        self.has_ended = True


def test_a_stream_follows_its_entrant_from_table_to_table(channel: Any) -> None:
    stub = TournamentsStub(channel)
    created = stub.CreateTournament(pb.CreateTournamentRequest(structure=structure(), clock_ms=60_000))
    tournament_id = created.tournament.tournament_id
    names = [f"player {i}" for i in range(7)]
    tokens = [stub.Register(pb.RegisterRequest(tournament_id=tournament_id, name=name)).token for name in names[:1]]
    early = Entrant(channel, tokens[0], names[0])  # the stream is silent until seats are drawn
    tokens += [stub.Register(pb.RegisterRequest(tournament_id=tournament_id, name=name)).token for name in names[1:]]
    entrants = [early, *(Entrant(channel, token, name) for token, name in zip(tokens[1:], names[1:], strict=True))]
    events = []
    for report in stub.WatchTournament(pb.WatchTournamentRequest(tournament_id=tournament_id), timeout=300):
        events += report.events
    assert report.tournament.status == pb.TOURNAMENT_STATUS_OVER
    until(lambda: all(entrant.has_ended for entrant in entrants))
    assert [refusal for entrant in entrants for refusal in entrant.refusals] == []
    moved = {event.moved.name for event in events if event.HasField("moved")}
    assert moved
    for name, entrant in zip(names, entrants, strict=True):
        assert (len(entrant.tables) > 1) == (name in moved)
    assert [event.number for event in events] == list(range(len(events)))
    for number in (1, 2, 3):
        listed = tables.ListTablesRequest(table_id=f"{tournament_id}-{number}")
        (info,) = TablesStub(channel).ListTables(listed).tables
        assert info.status == tables.TABLE_STATUS_CLOSED
        assert info.config.tournament_id == tournament_id


def test_only_the_dealer_of_agents_sees_all_cards(gamemanager_process: ServiceProcess, channel: Any) -> None:
    host = Host(gamemanager_process.address, {"entrant": calls})
    try:
        stub, watched = TournamentsStub(channel), TablesStub(channel)
        everything = tables.ListTablesRequest(include_closed=True)
        for count, sees_all in ((2, True), (1, False)):
            request = pb.CreateTournamentRequest(
                structure=structure(entrant_count=2), agents=[pb.AgentEntry(name="entrant", count=count)]
            )
            created = stub.CreateTournament(request, timeout=120)
            tournament_id = created.tournament.tournament_id
            assert created.tournament.agents_only is sees_all
            if count == 1:
                stub.Register(pb.RegisterRequest(tournament_id=tournament_id, name="ann"))
            table_id = f"{tournament_id}-1"
            until(lambda table_id=table_id: table_id in str(watched.ListTables(everything)))  # type: ignore[misc]
            watch = tables.WatchRequest(table_id=table_id, dealer_token=created.dealer_token)
            if sees_all:
                updates = list(watched.Watch(watch, timeout=300))
                assert any(len(update.holdings) == 2 for update in updates)
            else:
                with pytest.raises(grpc.RpcError) as caught:
                    list(watched.Watch(watch, timeout=300))
                error: Any = caught.value
                assert error.code() is grpc.StatusCode.PERMISSION_DENIED
                cancel = pb.CancelTournamentRequest(tournament_id=tournament_id, dealer_token=created.dealer_token)
                stub.CancelTournament(cancel)
    finally:
        host.close()


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"entrant_count": 0}, "structure.entrant_count: must be 2 to 10,000, not 0"),
        ({"seats_per_table": 300}, "structure.seats_per_table: must be 2 to 10, not 300"),
        ({"payouts": [500, 400]}, "structure.payouts: must add up to 1000 thousandths of the prize pool, not 900"),
        ({"levels": LEVELS[::-1]}, "structure.levels[1]: 5/10 ante 0 falls below the level before it, 20/40 ante 5"),
        ({"starting_chips": 100_000}, "structure.starting_chips: must be at most 2,000 big blinds"),
        ({"name": "x" * 61}, "name: must have at most 60 printable characters"),
    ],
)
def test_nonsense_gets_one_line(channel: Any, more: dict[str, Any], line: str) -> None:
    request = pb.CreateTournamentRequest(structure=structure(**more))
    code, text = code_of(TournamentsStub(channel).CreateTournament, request)
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert text.startswith(line)
    assert "\n" not in text


def test_a_tournament_needs_tables(channel: Any) -> None:
    request = pb.CreateTournamentRequest(structure=structure(entrant_count=10_000, seats_per_table=2))
    code, text = code_of(TournamentsStub(channel).CreateTournament, request)
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "5000 more were requested" in text
