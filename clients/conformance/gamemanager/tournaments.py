"""Tournaments of three: people whom a check plays, and the checks' own agent."""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import grpc

from riverboat.clients.conformance.check import Run, Wrong
from riverboat.clients.conformance.expectations import refused, require, same
from riverboat.clients.conformance.gamemanager.attendance import attending
from riverboat.clients.conformance.gamemanager.common import CALL, TOURNAMENTS
from riverboat.clients.conformance.gamemanager.hands import decision
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import tables_pb2
from riverboat.protos.gamemanager.v1 import tournaments_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.protos.gamemanager.v1.tournaments_pb2_grpc import TournamentsStub

_WAIT_SECONDS = 60
_CHIPS, _BUY_IN = 100, 7
_NAMES = ("ann", "bob", "cid", "dan", "eve")
_BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "no entrants": ({"entrant_count": 0}, "INVALID_ARGUMENT", "structure.entrant_count"),
    "eleven seats a table": ({"seats_per_table": 11}, "INVALID_ARGUMENT", "structure.seats_per_table"),
    "no chips": ({"starting_chips": 0}, "INVALID_ARGUMENT", "structure.starting_chips"),
    "payouts that do not add up": ({"payouts": [500, 400]}, "INVALID_ARGUMENT", "structure.payouts"),
    "no levels": ({"levels": []}, "INVALID_ARGUMENT", "structure.levels"),
    "levels that last hands and minutes": ({"level_minutes": 5}, "INVALID_ARGUMENT", "structure.level_hands"),
}


def _structure(**more: Any) -> pb.TournamentStructure:
    usual: dict[str, Any] = {
        "name": "conformance",
        "entrant_count": 5,
        "seats_per_table": 3,
        "starting_chips": _CHIPS,
        "levels": [pb.BlindLevel(small_blind=5, big_blind=10), pb.BlindLevel(small_blind=10, big_blind=20, ante=2)],
        "level_hands": 2,
        "payouts": [650, 350],
        "buy_in": _BUY_IN,
    }
    return pb.TournamentStructure(**{**usual, **more})


@dataclass(frozen=True, slots=True)
class CheckTournament:
    """A tournament, the dealer's token, and the tokens of people by name."""

    stub: Any
    tables: Any
    tournament_id: str
    dealer_token: str
    tokens: dict[str, str]

    def watch(self, from_number: int = 0) -> Any:
        """Return the stream of reports."""
        return self.stub.WatchTournament(
            pb.WatchTournamentRequest(tournament_id=self.tournament_id, from_number=from_number)
        )

    def report(self) -> pb.WatchTournamentResponse:
        """Return the current standings."""
        stream = self.watch()
        report: pb.WatchTournamentResponse = next(stream)
        stream.cancel()
        return report

    def act_all_in(self) -> None:
        """Go all-in with every acting player until nobody is to act."""
        for token in self.tokens.values():
            with suppress(grpc.RpcError):  # not seated yet, out, or moved in between
                view = self.tables.GetView(tables_pb2.GetViewRequest(token=token)).view
                if view.is_your_turn:
                    most = view.legal.max_raise_to
                    chosen = decision(view, Action(raise_to=most) if most else CALL)
                    chosen.table_id = view.table_id
                    self.tables.TakeAction(tables_pb2.TakeActionRequest(token=token, decision=chosen))

    def play(self) -> pb.WatchTournamentResponse:
        """Play to the end; return the last report, with all events."""
        give_up = time.monotonic() + _WAIT_SECONDS
        while time.monotonic() < give_up:
            self.act_all_in()
            report = self.report()
            if report.tournament.status == pb.TOURNAMENT_STATUS_OVER:
                return report
        raise Wrong(f"everybody goes all-in, but the tournament was not over after {_WAIT_SECONDS} seconds")


@contextmanager
def _open(server: Server, enter: int = len(_NAMES), **more: Any) -> Iterator[CheckTournament]:
    """Open a tournament, enter people, and cancel it at the end."""
    stub, tables = TournamentsStub(server.channel), TablesStub(server.channel)
    made = stub.CreateTournament(pb.CreateTournamentRequest(**{"structure": _structure(), "clock_ms": 60_000, **more}))
    tournament_id = made.tournament.tournament_id
    tokens = {name: _register(stub, tournament_id, name) for name in _NAMES[:enter]}
    try:
        yield CheckTournament(stub, tables, tournament_id, made.dealer_token, tokens)
    finally:
        with suppress(grpc.RpcError):
            request = pb.CancelTournamentRequest(tournament_id=tournament_id, dealer_token=made.dealer_token)
            stub.CancelTournament(request)


def _register(stub: Any, tournament_id: str, name: str) -> str:
    request = pb.RegisterRequest(tournament_id=tournament_id, name=name, request_id=uuid.uuid4().hex)
    return str(stub.Register(request).token)


@TOURNAMENTS("CreateTournament", "plays to one winner, ranks everybody once and pays the whole pool", 120)
def whole(server: Server) -> None:
    with _open(server) as tournament:
        report = tournament.play()
        count = len(_NAMES)
        same(
            "a tournament that is over: ranks",
            [standing.rank for standing in report.standings],
            list(range(1, count + 1)),
        )
        same("a tournament that is over: the winner's chips", report.standings[0].chips, count * _CHIPS)
        same(
            "a tournament that is over: sum of prizes",
            sum(standing.prize for standing in report.standings),
            count * _BUY_IN,
        )
        out = [event.eliminated.name for event in report.events if event.HasField("eliminated")]
        won = [event.won.name for event in report.events if event.HasField("won")]
        same("a tournament that is over: names that were eliminated or won", sorted(out + won), sorted(_NAMES))
        numbers = [event.number for event in report.events]
        same("a tournament that is over: numbers of the events", numbers, list(range(len(numbers))))


@TOURNAMENTS("CreateTournament", "gives agents to a host when seats are drawn", 120)
def with_agents(server: Server) -> None:
    with attending(server) as host:
        entry = pb.AgentEntry(name=host.agent, count=4)
        with _open(server, enter=1, agents=[entry]) as tournament:
            chairs = host.chairs(4)
            same("all agents have chairs at the tournament's tables", {chair.table_id for chair in chairs} <= {
                f"{tournament.tournament_id}-1", f"{tournament.tournament_id}-2",
            }, True)  # fmt: skip
            names = sorted(standing.name for standing in tournament.report().standings)
            wanted = sorted([host.agent, *(f"{host.agent} {i}" for i in (2, 3, 4)), "ann"])
            same("one agent entered four times: names of the entrants", names, wanted)


def _refuses(more: dict[str, Any], code: str, field: str) -> Run:
    def run(server: Server) -> None:
        request = pb.CreateTournamentRequest(structure=_structure(**more))
        refused(TournamentsStub(server.channel).CreateTournament, request, code, field)

    return run


for _words, (_more, _code, _field) in _BAD.items():
    TOURNAMENTS.add("CreateTournament", f"refuses {_words} with {_code}", _refuses(_more, _code, _field))


@TOURNAMENTS("CreateTournament", "refuses an unknown preset, no structure, and agents that nobody offers")
def unknown(server: Server) -> None:
    create = TournamentsStub(server.channel).CreateTournament
    refused(create, pb.CreateTournamentRequest(preset="none"), "NOT_FOUND")
    refused(create, pb.CreateTournamentRequest(), "INVALID_ARGUMENT")
    nobody = [pb.AgentEntry(name="nobody-offers-this")]
    refused(create, pb.CreateTournamentRequest(structure=_structure(), agents=nobody), "NOT_FOUND")
    many = [pb.AgentEntry(name="x", count=6)]
    refused(create, pb.CreateTournamentRequest(structure=_structure(), agents=many), "INVALID_ARGUMENT", "agents")


@TOURNAMENTS("Register", "gives the same token for the same request id, and a name to one entrant only")
def registered(server: Server) -> None:
    with _open(server, enter=0) as tournament:
        request = pb.RegisterRequest(tournament_id=tournament.tournament_id, name="ann", request_id=uuid.uuid4().hex)
        same("the token of a repeated request", tournament.stub.Register(request), tournament.stub.Register(request))
        again = pb.RegisterRequest(tournament_id=tournament.tournament_id, name="ann", request_id=uuid.uuid4().hex)
        refused(tournament.stub.Register, again, "FAILED_PRECONDITION")
        refused(tournament.stub.Register, pb.RegisterRequest(tournament_id="none", name="bob"), "NOT_FOUND")
        nameless = pb.RegisterRequest(tournament_id=tournament.tournament_id)
        refused(tournament.stub.Register, nameless, "INVALID_ARGUMENT", "name")


@TOURNAMENTS(
    "Register", "closes when everybody has entered; tokens show their own chair, and no other way leads in", 120
)
def full(server: Server) -> None:
    with _open(server) as tournament:
        late = pb.RegisterRequest(tournament_id=tournament.tournament_id, name="zoe")
        refused(tournament.stub.Register, late, "FAILED_PRECONDITION")
        give_up = time.monotonic() + _WAIT_SECONDS
        while not all(standing.table_id for standing in tournament.report().standings):
            require(time.monotonic() < give_up, "all players have entered, but no seats were drawn")
        for standing in tournament.report().standings:
            view = _view(tournament, tournament.tokens[standing.name])
            names = {chair.chair: chair.name for chair in view.chairs}
            same("the name in a view's own chair", names[view.chair], standing.name)
            join = tables_pb2.JoinTableRequest(table_id=standing.table_id, name="zoe")
            refused(tournament.tables.JoinTable, join, "FAILED_PRECONDITION")
        refused(
            tournament.tables.Rebuy,
            tables_pb2.RebuyRequest(token=tournament.tokens["ann"], chips=1),
            "FAILED_PRECONDITION",
        )
        guess = tables_pb2.GetViewRequest(token=f"{tournament.tournament_id}.{'0' * 64}")
        refused(tournament.tables.GetView, guess, "PERMISSION_DENIED")


def _view(tournament: CheckTournament, token: str) -> tables_pb2.View:
    """Return a view as soon as the table has seated the entrant."""
    give_up = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            return tournament.tables.GetView(tables_pb2.GetViewRequest(token=token)).view  # type: ignore[no-any-return]
        except grpc.RpcError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.02)


@TOURNAMENTS("ListTournaments", "lists open tournaments, and any by its id")
def listed(server: Server) -> None:
    with _open(server, enter=2) as tournament:
        infos = tournament.stub.ListTournaments(pb.ListTournamentsRequest()).tournaments
        own = [info for info in infos if info.tournament_id == tournament.tournament_id]
        same("ListTournaments, entrants and status", [(info.registered_count, info.status) for info in own], [
            (2, pb.TOURNAMENT_STATUS_REGISTERING),
        ])  # fmt: skip
        same("ListTournaments, the structure", own[0].structure, _structure())
        by_id = tournament.stub.ListTournaments(pb.ListTournamentsRequest(tournament_id=tournament.tournament_id))
        same("ListTournaments, an open tournament by its id", list(by_id.tournaments), own)
        refused(tournament.stub.ListTournaments, pb.ListTournamentsRequest(tournament_id="none"), "NOT_FOUND")


@TOURNAMENTS("WatchTournament", "sends events from a number on, and ends when the tournament does", 120)
def watched(server: Server) -> None:
    with _open(server, enter=3) as tournament:
        stream = tournament.watch(from_number=1)
        names = [event.registered.name for event in next(stream).events]
        same("WatchTournament from event 1 on, names of the entrants", names, list(_NAMES[1:3]))
        _cancel(tournament)
        *_, last = stream
        same(
            "WatchTournament of a cancelled tournament, the last status",
            last.tournament.status,
            pb.TOURNAMENT_STATUS_CANCELLED,
        )
        require(
            last.events[-1].HasField("cancelled"),
            "WatchTournament of a cancelled tournament: the last event is not `cancelled`",
        )
        refused(tournament.stub.WatchTournament, pb.WatchTournamentRequest(tournament_id="none"), "NOT_FOUND")


@TOURNAMENTS("CancelTournament", "ends a tournament without a result, and only for the client that opened it")
def cancelled(server: Server) -> None:
    with _open(server) as tournament:
        wrong = pb.CancelTournamentRequest(
            tournament_id=tournament.tournament_id, dealer_token=tournament.tokens["ann"]
        )
        refused(tournament.stub.CancelTournament, wrong, "PERMISSION_DENIED")
        refused(tournament.stub.CancelTournament, pb.CancelTournamentRequest(tournament_id="none"), "NOT_FOUND")
        _cancel(tournament)
        _cancel(tournament)  # again changes nothing
        same("prizes", sum(standing.prize for standing in tournament.report().standings), 0)


def _cancel(tournament: CheckTournament) -> None:
    request = pb.CancelTournamentRequest(tournament_id=tournament.tournament_id, dealer_token=tournament.dealer_token)
    tournament.stub.CancelTournament(request)
