"""Deals of finished hands, from files and from a game manager, and their problems."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from riverboat.cards import Deck
from riverboat.clients.remote.documents import read_hand_document
from riverboat.dealing.file_entries import deal_of_plain
from riverboat.dealing.memory import DealMemory, contradictions, gaps
from riverboat.dealing.record import DealRecord, holding_position
from riverboat.dealing.record import problems as deal_problems
from riverboat.dealing.seed_record import SeedRecord, seed_problems
from riverboat.errors import InvalidInput, in_field
from riverboat.history.hand import History, Show
from riverboat.rules.events import BoardDealt
from riverboat.tables.entries import HandBegan
from riverboat.tables.evidence import deal_of
from riverboat.tables.records import HandRecord


@dataclass(frozen=True, slots=True)
class DealtHand:
    """The deal of a hand, and where it comes from."""

    label: str
    line: int  # in its file; 0 without a file
    deck: Deck
    deal: DealRecord | SeedRecord
    table_id: str = ""  # "" if it is not known
    hand_number: int = 0
    started_as: int = 0  # the number that the hand was announced with; 0 if unknown


def with_seeds(hands: Iterable[DealtHand]) -> list[DealtHand]:
    """Return hands, where each version 1 deal without a seed gets the seed of a deal with the same commitment.

    In duplicate matches of older versions a deal's seed was revealed only with the last hand played from it.
    """
    all_hands = list(hands)
    deals = [hand.deal for hand in all_hands if isinstance(hand.deal, SeedRecord)]
    seeds = {deal.commitment: deal.seed for deal in deals if deal.commitment and deal.seed}
    return [
        replace(hand, deal=replace(hand.deal, seed=seeds.get(hand.deal.commitment, "")))
        if isinstance(hand.deal, SeedRecord) and not hand.deal.seed
        else hand
        for hand in all_hands
    ]


def problems(hand: DealtHand, memory: DealMemory | None = None) -> Iterator[str]:
    """Yield the problems of a deal: its own contradictions, and those with a witness's record from before the hand."""
    deal = hand.deal
    if hand.started_as and hand.started_as != hand.hand_number:
        yield f"it started as hand {hand.started_as}"
    if isinstance(deal, DealRecord):
        yield from deal_problems(deal, hand.deck)
        if memory is not None:
            yield from contradictions(memory, deal, hand.deck)
        return
    if memory is not None and memory.attempt:
        yield "it was not dealt from the pre-decks that the server offered before the hand"
    elif memory is not None and memory.commitment and memory.commitment != deal.commitment:
        yield "its commitment is not the one announced when it started"
    yield from seed_problems(deal, hand.deck)


def false_listing(
    table_id: str, hands: Sequence[DealtHand], memories: Mapping[int, DealMemory]
) -> Iterator[tuple[str, str]]:
    """Yield which hands are wrong in a server's list of a table's hands, and why."""
    numbers = Counter(hand.hand_number for hand in hands)
    for hand in hands:
        if hand.table_id != table_id:
            yield hand.label, f"the server lists a hand of table {hand.table_id!r} here"
    for number, times in numbers.items():
        if times > 1:
            yield str(number), f"the server lists it {times} times"
    for number in unlisted(hands, memories):
        if min(numbers, default=0) < number < max(numbers, default=0):
            yield str(number), "you were dealt in, but the server does not list it, only hands before and after it"


def unlisted(hands: Sequence[DealtHand], memories: Mapping[int, DealMemory]) -> list[int]:
    """Return the numbers of hands that the user was dealt into and that are not listed.

    Hands before the first and after the last listed one prove nothing: a server keeps only the newest hands, and
    withholds those of a duplicate match for a while.
    """
    listed = {hand.hand_number for hand in hands}
    return [number for number, memory in memories.items() if memory.holding and number not in listed]


def unproved(hand: DealtHand, memory: DealMemory | None) -> list[str]:
    """Return the parts of a deal that are not proved although nothing is wrong with it."""
    if isinstance(hand.deal, DealRecord):
        return list(gaps(memory, hand.deal))
    return ["the server alone shuffled"]


def dealt_in_history(history: History, place: int) -> DealtHand:
    """Return the deal of the hand at a place in a PHH file."""
    variant, events, extra = history.variant, history.events, history.extra
    holdings = [(seat, cards) for seat, cards in enumerate(history.holdings) if cards is not None]
    holdings += [(event.seat, event.cards) for event in events if isinstance(event, Show) and event.cards]
    holdings = list(dict.fromkeys(holdings))
    boards = [event.cards for event in events if isinstance(event, BoardDealt)]
    stated = (_text(extra, "commitment"), _text(extra, "seed"))
    seat_count, board_size = len(history.stacks), variant.board_sizes[-1]
    label = str(place if history.label is None else history.label)
    if not isinstance(extra.get("_deal"), Mapping):
        board = tuple(card for cards in boards for card in cards)
        return DealtHand(
            label,
            history.line,
            variant.deck,
            SeedRecord(
                commitment=stated[0],
                seed=stated[1],
                seat_count=seat_count,
                board_size=board_size,
                holdings=tuple(holdings),
                board=board,
            ),
        )
    known = [(holding_position(variant.deck, seat), cards) for seat, cards in holdings]
    position = seat_count * variant.deck.holding_size
    for cards in boards:
        known.append((position, cards))
        position += len(cards)
    number = history.label if isinstance(history.label, int) else 0
    deal = deal_of_plain(extra["_deal"], number, stated, board_size, known)
    return DealtHand(
        label=label, line=history.line, deck=variant.deck, deal=deal, table_id=deal.offer.table_id, hand_number=number
    )


def _text(extra: Mapping[str, Any], key: str) -> str:
    value = extra.get(key, "")
    return value if isinstance(value, str) else ""


def dealt_in_record(record: HandRecord, line: int = 0) -> DealtHand:
    """Return the deal of a hand of a game manager."""
    variant, deal = record.variant, deal_of(record)
    if deal is None:
        deal = SeedRecord(
            commitment="",
            seed="",
            seat_count=len(record.names),
            board_size=variant.board_sizes[-1],
            holdings=(),
            board=(),
        )
    started_as = next((entry.hand_number for entry in record.entries if isinstance(entry, HandBegan)), 0)
    number = record.hand_number
    return DealtHand(
        label=str(number),
        line=line,
        deck=variant.deck,
        deal=deal,
        table_id=record.table_id,
        hand_number=number,
        started_as=started_as,
    )


def dealt_in_json(text: str) -> Iterator[DealtHand]:
    """Yield the hands of a JSON list, as `riverboat hands --json` prints it; `line` is the place in the list."""
    try:
        entries = json.loads(text)
    except ValueError as error:
        raise InvalidInput("", f"not JSON: {error}") from None
    if not isinstance(entries, list):
        raise InvalidInput("", "must be a list of hands, as riverboat hands --json prints it")
    for place, entry in enumerate(entries, start=1):
        with in_field(f"hand {place}"):
            record = read_hand_document(entry)
        yield dealt_in_record(record, place)
