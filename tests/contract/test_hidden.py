"""Secrecy of a game manager: every call of its contracts, made by a spectator and by another seat.

All answers and log lines are searched for cards, seeds and tokens.
"""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from riverboat.protos.gamemanager.v1 import (
    agent_hosts_pb2,
    matches_pb2,
    state_manager_pb2,
    tables_pb2,
    tournaments_pb2,
)
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.protos.gamemanager.v1.tournaments_pb2_grpc import TournamentsStub
from riverboat.rpc.convert.tournaments import encode_structure
from riverboat.tables.events import Created, HandStarted, Offered, decode
from riverboat.tables.table import Table
from riverboat.tournaments.structures import SNG_9, BlindLevel, with_entrants
from tests.contract.test_tables import CALL, config, decide, join, view, wait_for_turn
from tests.processes import ServiceProcess, running

MODULES = (agent_hosts_pb2, matches_pb2, state_manager_pb2, tables_pb2, tournaments_pb2)
SECONDS = 5.0
NO_REQUEST = b""
JOIN_REQUEST = "a-request-that-nobody-else-knows"


@dataclass
class Scene:
    """Ann and Bob in the middle of a hand, a spectator, and everything that Ann and the spectator receive."""

    process: ServiceProcess
    channel: Any
    tables: TablesStub
    table_id: str
    dealer: str
    ann: str
    bob: str
    journal: Path
    tournament_id: str = "none"
    frames: list[bytes] = field(default_factory=list)


@pytest.fixture(params=["table", "tournament"])
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    settings: dict[str, Any] = {"journal": str(tmp_path / "journal.jsonl"), "log_level": "DEBUG"}
    with running("gamemanager", tmp_path, **settings) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            tables = TablesStub(channel)
            if request.param == "tournament":
                yield tournament_scene(process, channel, tmp_path / "journal.jsonl")
                return
            made = tables.CreateTable(tables_pb2.CreateTableRequest(config=config(pause_ms=60_000)))
            table_id = made.table.table_id
            joining = tables_pb2.JoinTableRequest(table_id=table_id, name="bob", request_id=JOIN_REQUEST)
            bob = tables.JoinTable(joining).token
            ann = join(tables, table_id, "ann")
            yield Scene(process, channel, tables, table_id, made.dealer_token, ann, bob, tmp_path / "journal.jsonl")


def tournament_scene(process: ServiceProcess, channel: Any, journal: Path) -> Scene:
    """Return Ann and Bob at the only table of a tournament."""
    stub = TournamentsStub(channel)
    structure = replace(with_entrants(SNG_9, 2), starting_chips=10_000, levels=(BlindLevel(50, 100),))
    wish = tournaments_pb2.CreateTournamentRequest(structure=encode_structure(structure), pause_ms=60_000)
    made = stub.CreateTournament(wish)
    tournament_id = made.tournament.tournament_id

    def enter(name: str, request_id: str) -> str:
        entry = tournaments_pb2.RegisterRequest(tournament_id=tournament_id, name=name, request_id=request_id)
        return str(stub.Register(entry).token)

    bob, ann = enter("bob", JOIN_REQUEST), enter("ann", "a-request-of-ann-alone")
    table_id, tables = f"{tournament_id}-1", TablesStub(channel)
    give_up = time.monotonic() + 20
    while not any(info.table_id == table_id and len(info.chairs) == 2 for info in listed(tables)):
        assert time.monotonic() < give_up
        time.sleep(0.02)
    return Scene(process, channel, tables, table_id, made.dealer_token, ann, bob, journal, tournament_id)


def listed(tables: TablesStub) -> list[tables_pb2.TableInfo]:
    """Return the open tables."""
    return list(tables.ListTables(tables_pb2.ListTablesRequest()).tables)


def methods() -> list[MethodDescriptor]:
    """Return all methods of all contracts."""
    services = [service for module in MODULES for service in module.DESCRIPTOR.services_by_name.values()]
    return [method for service in services for method in service.methods]


REASON = "no pair, no idea"  # a mark's reason, which opponents must not read before the hand is over


def attempts(scene: Scene) -> dict[str, list[Any]]:
    """Return requests by which a spectator or Ann might try to learn Bob's cards; NO_REQUEST without a table."""
    t, table_id, tournament_id = tables_pb2, scene.table_id, scene.tournament_id
    guess = f"{table_id}.{'0' * 32}"
    others = [guess, table_id, "", scene.ann]  # Ann's own token shows Ann's own cards
    guessed = t.Contribution(hand_number=2, attempt=1, commitment="0" * 64)
    late = t.Decision(request_id="late", hand_number=1, action_number=99, action=CALL)
    return {
        "ListVariants": [NO_REQUEST], "Package": [NO_REQUEST], "LegalActions": [NO_REQUEST], "Apply": [NO_REQUEST],
        "CountSubtree": [NO_REQUEST], "ExpandSubtree": [NO_REQUEST], "ListAgents": [NO_REQUEST],
        "CreateTable": [t.CreateTableRequest(config=config(name="another"))],
        "ListTables": [t.ListTablesRequest(include_closed=True), t.ListTablesRequest(table_id=table_id)],
        "JoinTable": [
            t.JoinTableRequest(table_id=table_id, name="bob"),
            t.JoinTableRequest(table_id=table_id, name="eve", request_id="another-request-of-eve"),
            t.JoinTableRequest(table_id=table_id, name="mallory", chair=0),
        ],
        "LeaveTable": [t.LeaveTableRequest(token=token) for token in others[:3]],
        "Rebuy": [t.RebuyRequest(token=token, chips=1) for token in others],
        "GetView": [t.GetViewRequest(token=token) for token in (*others, scene.dealer)],
        "TakeAction": [t.TakeActionRequest(token=token, decision=late) for token in others],
        "Contribute": [t.ContributeRequest(token=token, contribution=guessed) for token in others],
        "Play": [t.PlayRequest(token=token) for token in (*others, scene.dealer)],
        "Watch": [
            t.WatchRequest(table_id=table_id, dealer_token=token) for token in ("", scene.ann, guess, scene.dealer)
        ],
        "ListHands": [t.ListHandsRequest(table_id=table_id, first_hand=1, hand_count=100)],
        "CloseTable": [t.CloseTableRequest(table_id=table_id, dealer_token=token) for token in others],
        "Attend": [agent_hosts_pb2.AttendRequest(agents=["spy"], tokens=others)],
        "StartMatch": [matches_pb2.StartMatchRequest()],
        "WatchMatch": [matches_pb2.WatchMatchRequest(match_id=table_id)],
        "CreateTournament": [tournaments_pb2.CreateTournamentRequest(preset="sng-9")],
        "Register": [
            tournaments_pb2.RegisterRequest(tournament_id=tournament_id, name="bob"),
            tournaments_pb2.RegisterRequest(tournament_id=tournament_id, name="eve", request_id="another-one-of-eve"),
        ],
        "ListTournaments": [
            tournaments_pb2.ListTournamentsRequest(include_over=True),
            tournaments_pb2.ListTournamentsRequest(tournament_id=tournament_id),
        ],
        "WatchTournament": [tournaments_pb2.WatchTournamentRequest(tournament_id=tournament_id)],
        "CancelTournament": [
            tournaments_pb2.CancelTournamentRequest(tournament_id=tournament_id, dealer_token=token) for token in others
        ],
        "CancelMatch": [matches_pb2.CancelMatchRequest(match_id=table_id, dealer_token=token) for token in others],
    }  # fmt: skip


def raw_answers(scene: Scene, method: MethodDescriptor, request: Any) -> list[bytes]:
    """Return the first bytes of the answer, or of the error."""
    kinds = ("stream" if method.client_streaming else "unary", "stream" if method.server_streaming else "unary")
    call = getattr(scene.channel, "_".join(kinds))(f"/{method.containing_service.full_name}/{method.name}")
    data = request if isinstance(request, bytes) else request.SerializeToString()
    # Wait only briefly for a silent stream.
    seconds = 0.5 if method.name == "Attend" else SECONDS
    try:
        responses = call(iter([data]) if method.client_streaming else data, timeout=seconds)
        return [next(responses)] if method.server_streaming else [responses]
    except (grpc.RpcError, StopIteration) as error:
        if isinstance(error, StopIteration):
            return []
        metadata: Any = error.trailing_metadata() or ()
        trailing = [str(value).encode() for _, value in metadata]
        return [(error.details() or "").encode(), *trailing]


def without_hashes(data: bytes) -> bytes:
    """Return the text without hexadecimal digits, which may look like cards by chance."""
    return re.sub(rb"[0-9a-f]{12,}", b"", data)


def act(scene: Scene, **more: Any) -> None:
    """Check or call for the acting player."""
    token, seen = wait_for_turn(scene.tables, [scene.ann, scene.bob])
    decision = decide(seen, CALL)
    decision.MergeFrom(tables_pb2.Decision(**more))
    scene.tables.TakeAction(tables_pb2.TakeActionRequest(token=token, decision=decision))


def finish(scene: Scene) -> None:
    """Let Ann bet and Bob fold."""
    while True:
        token, now = wait_for_turn(scene.tables, [scene.ann, scene.bob])
        if token == scene.bob:
            action = Action(fold=Action.Fold()) if now.legal.to_call else CALL
        else:
            action = Action(raise_to=300)
        scene.tables.TakeAction(tables_pb2.TakeActionRequest(token=token, decision=decide(now, action)))
        if action.HasField("fold"):
            return


def tournament_secrets(journal: Path) -> list[str]:
    """Return the secrets that tokens and draws of tournaments are made with."""
    events = [event for line in journal.read_text().splitlines() for event in json.loads(line)["events"]]
    return [event["secret"] for event in events if event["kind"] == "TournamentCreated"]


def secrets_in(journal: Path, table_id: str) -> list[str]:
    """Return the seeds of both decks of every hand, and of the dealt ones, from the journal."""
    table, problems = None, list[str]()
    for line in journal.read_text().splitlines():
        change = json.loads(line)
        for event in map(decode, change["events"]) if change["table"] == table_id else ():
            if isinstance(event, Created):
                table = Table(table_id, event)
                continue
            assert table
            table.apply(event)
            if isinstance(event, Offered):
                problems.append(event.secret)
            elif isinstance(event, HandStarted):
                assert table.hand
                problems.append(table.hand.seed)
    return problems


def test_no_call_tells_a_spectator_or_another_seat_what_is_hidden(scene: Scene) -> None:
    act(scene, mark=tables_pb2.MARK_FALLBACK, mark_reason=REASON)
    wait_for_turn(scene.tables, [scene.ann, scene.bob])
    hidden, own = view(scene.tables, scene.bob).holding, view(scene.tables, scene.ann).holding
    ways, sees_own = attempts(scene), False
    assert {method.name for method in methods()} == set(ways), "add new calls to this list"
    for method in methods():
        answers = [data for request in ways[method.name] for data in raw_answers(scene, method, request)]
        scene.frames += answers
        for data in answers:
            plain = without_hashes(data)
            assert hidden.encode() not in plain, method.name
            assert REASON.encode() not in data, method.name
            assert scene.bob.encode() not in data, method.name
            sees_own = sees_own or own.encode() in plain
    assert sees_own, "cards are found where they are"
    finish(scene)
    secrets = secrets_in(scene.journal, scene.table_id)
    assert len(secrets) == 3, "two offers, one hand"
    made_with = tournament_secrets(scene.journal)
    assert bool(made_with) or scene.tournament_id == "none"
    secrets += made_with
    for method in methods():  # and when the hand is over, at a table that does not reveal all
        scene.frames += [data for request in ways[method.name] for data in raw_answers(scene, method, request)]
    (record,) = scene.tables.ListHands(tables_pb2.ListHandsRequest(table_id=scene.table_id)).hands
    assert record.events[-1].HasField("hand_ended")
    assert not record.events[-1].hand_ended.seed
    marks = record.events[-1].hand_ended.marks
    assert [(mark.action_number, mark.mark, mark.reason) for mark in marks] == [(0, tables_pb2.MARK_FALLBACK, REASON)]
    scene.frames += [record.SerializeToString(), view(scene.tables, scene.ann).SerializeToString()]
    for data in scene.frames:
        assert hidden.encode() not in without_hashes(data), "Bob has folded"
        assert not [secret for secret in secrets if secret.encode() in data or bytes.fromhex(secret) in data]
    text = scene.process.log.read_text()
    assert text.count('"call"') > len(methods())
    for secret in (scene.ann, scene.bob, scene.dealer):
        assert secret.partition(".")[2] not in text
    assert JOIN_REQUEST not in text
    assert not [secret for secret in secrets if secret in text]
    for cards in (hidden, own):
        assert cards not in without_hashes(text.encode()).decode()
