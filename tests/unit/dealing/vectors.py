"""Deals of tests/golden/dealing.json as values, and deals made up for a test."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from riverboat.cards import Deck, find_deck, parse_cards
from riverboat.dealing.mix import Offer, dealt_index, mix_of, order_of
from riverboat.dealing.predeck import Opening, PreDeck, pre_deck
from riverboat.dealing.record import DealRecord, Opened

GOLDEN: list[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parents[2] / "golden" / "dealing.json").read_text(encoding="utf-8")
)


def golden_record(case: dict[str, Any]) -> tuple[DealRecord, Deck]:
    """Return a vector as a deal with all cards shown."""
    deck = find_deck(case["deck"])
    openings = [Opening(bytes.fromhex(one["salt"]), bytes.fromhex(one["path"])) for one in case["openings"]]
    opened, position = [], 0
    for text in [*case["holdings"], *([case["board"]] if case["board"] else [])]:
        cards = parse_cards(text)
        opened.append(Opened(position, cards, tuple(openings[position : position + len(cards)])))
        position += len(cards)
    offer = Offer(case["table_id"], case["hand_number"], case["attempt"], tuple(case["roots"]))
    record = DealRecord(
        offer=offer,
        commitment=case["commitment"],
        chairs=tuple(case["chairs"]),
        secrets=tuple(case["secrets"]),
        other_seed=case["seeds"][1 - case["dealt"]],
        board_size=len(parse_cards(case["board"])),
        opened=tuple(opened),
        seed=case["seeds"][case["dealt"]],
    )
    return record, deck


def made_up(
    deck: Deck,
    decks: tuple[PreDeck, PreDeck],
    seeds: tuple[bytes, bytes],
    secrets: tuple[str, ...],
    offer: Offer | None = None,
) -> DealRecord:
    """Return a deal from two pre-decks, honest or not, with all cards shown and no seed."""
    offer = offer or Offer("t1", 1, 1, (decks[0].root, decks[1].root))
    chairs = tuple(range(len(secrets)))
    mix = mix_of(offer.commitment, chairs, secrets)
    dealt, order = decks[dealt_index(mix)], order_of(mix, len(deck.cards))
    opened, size = [], deck.holding_size
    board = deck.board_sizes[-1]
    cuts = [size * seat for seat in range(len(secrets) + 1)]
    spans = [*pairwise(cuts), (cuts[-1], cuts[-1] + board)]
    for start, end in spans:
        places = order[start:end]
        cards = tuple(dealt.cards[place] for place in places)
        opened.append(Opened(start, cards, tuple(dealt.opening(place) for place in places)))
    other = seeds[1 - dealt_index(mix)].hex()
    return DealRecord(
        offer=offer,
        commitment=offer.commitment,
        chairs=chairs,
        secrets=secrets,
        other_seed=other,
        board_size=board,
        opened=tuple(opened),
    )


def honest(deck: Deck, seeds: tuple[bytes, bytes], secrets: tuple[str, ...]) -> DealRecord:
    """Return an honest deal."""
    return made_up(deck, (pre_deck(deck, seeds[0]), pre_deck(deck, seeds[1])), seeds, secrets)
