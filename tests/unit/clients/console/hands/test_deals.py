"""Deals checked against their seeds."""

import json
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToDict

from riverboat.clients.console.hands.deals import (
    DealtHand,
    dealt_in_history,
    dealt_in_json,
    dealt_in_record,
    problems,
    with_seeds,
)
from riverboat.errors import InvalidInput
from riverboat.history.phh import read_phh
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.tables import encode_records
from riverboat.rpc.convert.tables_client import decode_record
from riverboat.rules.variant import KUHN, no_limit
from riverboat.tables.records import hand_records
from tests.unit.clients.console.table.tables import deal, play, table_of


def record(phase: str = "showdown") -> pb.HandRecord:
    table = deal(table_of("Anna", "Bob"))
    play(table, *((300, 0, 0, 0, 0, 0, 0, 0) if phase == "showdown" else (300, -1)))
    return encode_records(hand_records(table, 1, 10)).hands[0]


def dealt_in(message: pb.HandRecord) -> DealtHand:
    return dealt_in_record(decode_record(message))


def of_phh(text: str) -> DealtHand:
    return dealt_in_history(next(read_phh(text)), 1)


def test_good_hands() -> None:
    for phase in ("showdown", "fold"):
        assert list(problems(dealt_in(record(phase)))) == []
        assert list(problems(of_phh(record(phase).phh))) == []
    small = play(deal(table_of("Anna", "Bob", variant=KUHN, buy_in=10)), 0, 0)
    hand = encode_records(hand_records(small, 1, 1)).hands[0]
    assert "riverboat" in hand.phh
    assert list(problems(dealt_in(hand))) == []
    short = play(deal(table_of("Anna", "Bob", variant=no_limit(50, 100, deck="36"))), 0, 0, 0, 0, 0, 0, 0, 0)
    assert list(problems(of_phh(encode_records(hand_records(short, 1, 1)).hands[0].phh))) == []


def test_a_swapped_card_is_found() -> None:
    text = record().phh
    cards = record().events[-2].board_dealt.cards if record().events[-2].HasField("board_dealt") else ""
    shown = next(event.shown for event in record().events if event.HasField("shown"))
    other = "2c" if "2c" not in text else "2d"
    texts = list(problems(of_phh(text.replace(shown.cards[:2], other))))
    assert len(texts) == 1
    assert "but the seed deals" in texts[0]
    assert cards == "" or cards in text


def test_a_swapped_board_is_found() -> None:
    hand = record()
    event = next(event for event in hand.events if event.HasField("board_dealt"))
    event.board_dealt.cards = event.board_dealt.cards[2:4] + event.board_dealt.cards[:2] + event.board_dealt.cards[4:]
    assert [problem[:12] for problem in problems(dealt_in(hand))] == ["the board is"]


def test_another_seed_is_found() -> None:
    hand = record()
    ended = next(event.hand_ended for event in hand.events if event.HasField("hand_ended"))
    ended.seed = "ab" * 32
    texts = list(problems(dealt_in(hand)))
    assert texts[0] == "the seed is not the one that was committed to"
    assert len(texts) == 4, "and all cards differ"
    ended.seed = "ab"
    assert list(problems(dealt_in(hand))) == ["its seed is not 64 hexadecimal digits"]
    ended.seed = ""
    assert list(problems(dealt_in(hand))) == ["it has no seed"]


def test_a_seed_that_comes_with_a_later_hand_proves_the_earlier_ones() -> None:
    early, late = record(), record()
    next(event.hand_ended for event in early.events if event.HasField("hand_ended")).seed = ""
    hands = with_seeds(map(dealt_in, (early, late)))
    assert [list(problems(hand)) for hand in hands] == [[], []]
    assert list(problems(with_seeds([dealt_in(early)])[0])) == ["it has no seed"]


def test_hands_without_seeds_are_not_proved() -> None:
    golden = Path(__file__).resolve().parents[4] / "golden" / "pluribus-5000.phhs"
    text = golden.read_text()[:20_000].rpartition("\n[")[0]
    hands = [dealt_in_history(history, place) for place, history in enumerate(read_phh(text), start=1)]
    assert {next(problems(hand)) for hand in hands} == {"it has no commitment and no seed"}


def test_json_as_hands_prints_it() -> None:
    text = json.dumps([MessageToDict(record(), preserving_proto_field_name=True)] * 3)
    hands = list(dealt_in_json(text))
    assert [hand.line for hand in hands] == [1, 2, 3]
    assert [list(problems(hand)) for hand in hands] == [[], [], []]


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '[{"hand_number": "x"}]', "7"])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        list(dealt_in_json(text))
