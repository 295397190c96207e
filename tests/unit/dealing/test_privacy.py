"""No message before, during or after a hand opens a card that was not shown."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from riverboat.cards import format_cards
from riverboat.history.phh import read_phh
from riverboat.rpc.convert.tables import encode_records, encode_update, encode_view
from riverboat.tables.config import Reveal, TableConfig
from riverboat.tables.records import hand_records
from riverboat.tables.view import update_of, view_of
from tests.unit.dealing.sitting import ANN, BOB, CONFIG, Sitting

HASHES = rb"[0-9a-f]{12,}|[A-Za-z0-9+/=]{40,}"
ACTIONS = {"before the flop": [300, -1], "on the turn": [300, 0, 0, 0, 200, -1], "at the showdown": [0] * 8}


def sent_to(sitting: Sitting, chair: int) -> Iterator[bytes]:
    """Yield everything that a chair, or anybody, can request now."""
    table = sitting.table
    yield encode_view(view_of(table, chair, 0)).SerializeToString()
    yield encode_update(update_of(table, 0, table.log.end, False, 0)).SerializeToString()
    yield encode_records(hand_records(table, 1, 100)).SerializeToString()


def play(sitting: Sitting, actions: list[int], chair: int) -> list[bytes]:
    """Play a hand; return a chair's messages at each point of it and after the next hand has begun."""
    sent: list[bytes] = []
    sitting.start()
    for action in actions:
        sent += sent_to(sitting, chair)
        hand = sitting.table.hand
        assert hand
        assert sitting.table.actor is not None
        place = (hand.number, hand.action_count)
        sitting.do(sitting.table.act(sitting.table.actor, f"{place}", *place, action))
        sitting.look()
    assert not sitting.table.is_in_hand
    sent += sent_to(sitting, chair)
    return sent


@pytest.mark.parametrize("when", ACTIONS)
@pytest.mark.parametrize("reveal", [Reveal.UNSPECIFIED, Reveal.SHOWN])
def test_folded_cards_and_the_stub_stay_secret(when: str, reveal: Reveal) -> None:
    config: TableConfig = replace(CONFIG, reveal=reveal)
    for chair, other in ((ANN, BOB), (BOB, ANN)):
        sitting = Sitting(config, seed=1 + chair)
        sent = play(sitting, ACTIONS[when], chair)
        of_the_hand = b"".join(sent)
        hand = sitting.table.hand
        assert hand
        dealt = hand.dealt
        assert dealt
        public = len(hand.state.public.board)
        seats = {hand.chairs.index(one) for one in ((ANN, BOB) if when == "at the showdown" else (chair,))}
        known = {2 * seat + i for seat in seats for i in (0, 1)} | set(range(4, 4 + public))
        sitting.start()  # old hands may be packed away and opened again
        sitting.play(-1)
        sitting.start()
        sent += sent_to(sitting, chair)
        (history,) = read_phh(sitting.record(1).phh)
        assert {int(position) for position in history.extra["_deal"]["openings"]} <= known
        hidden = [opening.salt for place in range(52) if place not in known for opening in dealt.openings(place, 1)]
        shown = [opening.salt for place in known for opening in dealt.openings(place, 1)]
        everything = b"".join(sent)
        assert len(hidden) == 52 - len(known)
        assert not [salt for salt in hidden if salt in everything]
        assert all(salt in everything for salt in shown), "they are found where they are"
        assert dealt.seed.encode() not in everything
        assert bytes.fromhex(dealt.seed) not in everything
        if when != "at the showdown":
            cards = hand.state.holdings[hand.chairs.index(other)]
            assert format_cards(cards).encode() not in re.sub(HASHES, b"", of_the_hand)


def test_a_table_for_agents_only_reveals_all_unless_it_is_told_not_to() -> None:
    for reveal, agents_only, is_all in (
        (Reveal.UNSPECIFIED, True, True), (Reveal.SHOWN, True, False), (Reveal.ALL, False, True),
        (Reveal.UNSPECIFIED, False, False),
    ):  # fmt: skip
        assert replace(CONFIG, reveal=reveal, agents_only=agents_only).reveals_all == is_all
