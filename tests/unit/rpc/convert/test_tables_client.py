"""A client decodes exactly what the game manager encoded."""

from dataclasses import replace

import pytest

from riverboat.clients.remote import documents
from riverboat.contracts.hosts import AgentQuestion, AgentVerdict, Assignment, HostOffer
from riverboat.contracts.tables import Decision, Refusal, Unreadable
from riverboat.errors import InvalidInput, Stale, Unavailable
from riverboat.marks import Mark, fallback
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert import tables as server
from riverboat.rpc.convert import tables_client as client
from riverboat.rpc.convert.matches import (
    decode_host_message,
    decode_offer,
    decode_score,
    decode_verdict,
    encode_host_message,
    encode_offer,
    encode_score,
    encode_verdict,
)
from riverboat.tables.entries import HandFinished, UnknownEntry
from riverboat.tables.match import score_of
from riverboat.tables.records import hand_records
from riverboat.tables.view import TableView, info_of, update_of, view_of
from tests.unit.dealing.sitting import ANN, Sitting
from tests.unit.tables.test_sides import sides, start


def played(hand_count: int) -> Sitting:
    """Return a table after some hands, with proofs of all cards, in the middle of the next hand."""
    sitting = Sitting()
    for _ in range(hand_count):
        sitting.start()
        sitting.play()
    sitting.start()
    return sitting


@pytest.mark.parametrize("hand_count", [0, 2])
def test_views_come_through_whole(hand_count: int) -> None:
    table = played(hand_count).table
    while table.hand:
        view = view_of(table, ANN, 7_000, "a reason")
        sent = server.encode_view(view)
        received = client.decode_view(pb.View.FromString(sent.SerializeToString()))
        assert server.encode_view(received) == sent
        assert received.place == view.place
        assert [event.number for event in received.events] == [event.number for event in view.events]
        if table.actor is None:
            break
        for event in table.act(table.actor, f"{view.place}", *view.place, 0):
            table.apply(event)


def test_a_table_before_its_first_hand_comes_through() -> None:
    sent = server.encode_view(view_of(Sitting().table, ANN, 0))
    received = client.decode_view(sent)
    assert (received.public, received.seat, received.holding) == (None, None, ())
    assert server.encode_view(received) == sent
    with pytest.raises(ValueError, match="not dealt in"):
        received.hand_view()


def test_updates_tables_and_hands_come_through_whole() -> None:
    table = played(2).table
    update = server.encode_update(update_of(table, 0, table.log.end, True, 5_000))
    assert server.encode_update(client.decode_update(update)) == update
    info = server.encode_info(info_of(table))
    assert server.encode_info(client.decode_info(info)) == info
    records = server.encode_records(hand_records(table, 1, 10))
    assert [server.encode_record(client.decode_record(one)) for one in records.hands] == list(records.hands)
    document = documents.hand_document(client.decode_record(records.hands[0]))
    assert server.encode_record(documents.read_hand_document(document)) == records.hands[0]
    assert documents.table_document(info_of(table))["table_id"] == table.id


def test_tables_with_bet_sizes_of_a_later_version_can_be_listed() -> None:
    message = server.encode_info(info_of(Sitting().table))
    message.config.variant.bet_sizes = "of a later version"
    assert client.decode_info(message).config.variant.bet_sizes is None
    message.config.variant.structure = 99  # type: ignore[assignment]
    with pytest.raises(InvalidInput):
        client.decode_info(message)


def test_a_side_of_a_match_comes_through() -> None:
    first, _ = sides(2)
    start(first)
    info = client.decode_info(server.encode_info(info_of(first)))
    config = first.config
    assert (info.config.match_id, info.config.side, info.config.side_count) == (
        config.match_id,
        config.side,
        config.side_count,
    )
    score = score_of(first, "a reason")
    assert encode_score(decode_score(encode_score(score))) == encode_score(score)


def test_decisions_are_what_a_server_reads() -> None:
    decision = Decision(request_id="an id", hand_number=3, action_number=4, action=fallback(300, "no resolver"))
    assert server.decode_decision(server.encode_decision(decision)) == decision
    assert server.encode_decision(decision).mark == pb.MARK_FALLBACK


@pytest.mark.parametrize("error", [Stale("too late"), Unavailable("not now"), InvalidInput("decision", "is wrong")])
def test_refusals_keep_their_kind_and_words(error: Stale | Unavailable | InvalidInput) -> None:
    answer = client.decode_answer(server.encode_answer(Refusal(request_id="an id", error=error)))
    assert isinstance(answer, Refusal)
    assert (answer.request_id, type(answer.error), str(answer.error)) == ("an id", type(error), str(error))


def test_an_impossible_message_is_unreadable() -> None:
    message = server.encode_view(view_of(played(0).table, ANN, 0))
    message.state.pot += 1
    answer = client.decode_answer(pb.PlayResponse(view=message))
    assert isinstance(answer, Unreadable)
    assert (answer.hand_number, answer.reason.partition(":")[0]) == (1, "state.pot")
    record = server.encode_records(hand_records(played(1).table, 1, 1)).hands[0]
    record.events[-1].hand_ended.payoffs.append(3)
    record.variant.deck = "tarot"
    unreadable = client.read_record(record)
    assert isinstance(unreadable, Unreadable)
    assert unreadable.hand_number == 1
    with pytest.raises(InvalidInput):
        documents.read_hand_document({"hand_number": "x"})


def test_unknown_events_and_marks_are_skipped() -> None:
    message = server.encode_view(view_of(played(0).table, ANN, 0))
    message.events.add(number=99)
    received = client.decode_answer(pb.PlayResponse(view=message))
    assert isinstance(received, TableView)
    assert received.entries[-1] == UnknownEntry()
    marks = [pb.MarkedDecision(mark=pb.MARK_PARTIAL), pb.MarkedDecision(mark=99)]  # type: ignore[arg-type]
    event = pb.TableEvent(hand_ended=pb.TableEvent.HandEnded(payoffs=[1, -1], marks=marks))
    entry = client.decode_entry(event)
    assert isinstance(entry, HandFinished)
    assert [mark.mark for mark in entry.marks] == [Mark.PARTIAL]


def test_hosts_and_game_managers_understand_each_other() -> None:
    offer = HostOffer(
        agents=("a", "b"), key="key", tokens=("token",), with_parameter=("b",), forgets=True, process="process"
    )
    assert decode_offer(encode_offer(offer)) == offer
    assert decode_offer(encode_offer(replace(offer, forgets=False))) == replace(offer, forgets=False)
    verdict = AgentVerdict(question_id="1", problem="no such number")
    assert decode_verdict(encode_verdict(verdict)) == verdict
    for told in (
        AgentQuestion(question_id="1", agent="b:0.5"),
        Assignment(agent="a", table_id="table", chair=2, token="token", match_id="match", instance=1),
    ):
        assert decode_host_message(encode_host_message(told)) == told
