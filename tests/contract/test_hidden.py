"""Secrecy of a game manager: every call of its contracts, made by a spectator and by another seat.

All answers and log lines are searched for cards, seeds and tokens.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from riverboat.protos.gamemanager.v1 import agent_hosts_pb2, matches_pb2, state_manager_pb2, tables_pb2
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.tables.events import Created, HandStarted, Offered, decode
from riverboat.tables.table import Table
from tests.contract.test_tables import CALL, config, decide, join, view, wait_for_turn
from tests.processes import ServiceProcess, running

MODULES = (agent_hosts_pb2, matches_pb2, state_manager_pb2, tables_pb2)
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
    frames: list[bytes] = field(default_factory=list)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    settings: dict[str, Any] = {"journal": str(tmp_path / "journal.jsonl"), "log_level": "DEBUG"}
    with running("gamemanager", tmp_path, **settings) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            tables = TablesStub(channel)
            made = tables.CreateTable(tables_pb2.CreateTableRequest(config=config(pause_ms=60_000)))
            table_id = made.table.table_id
            request = tables_pb2.JoinTableRequest(table_id=table_id, name="bob", request_id=JOIN_REQUEST)
            bob = tables.JoinTable(request).token
            ann = join(tables, table_id, "ann")
            yield Scene(process, channel, tables, table_id, made.dealer_token, ann, bob, tmp_path / "journal.jsonl")


def methods() -> list[MethodDescriptor]:
    """Return all methods of all contracts."""
    services = [service for module in MODULES for service in module.DESCRIPTOR.services_by_name.values()]
    return [method for service in services for method in service.methods]


REASON = "no pair, no idea"  # a mark's reason, which opponents must not read before the hand is over


def attempts(scene: Scene) -> dict[str, list[Any]]:
    """Return requests by which a spectator or Ann might try to learn Bob's cards; NO_REQUEST without a table."""
    t, table_id = tables_pb2, scene.table_id
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
