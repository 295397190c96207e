"""Whether the cards of a hand came from the seed that was committed to before it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from google.protobuf.json_format import ParseDict, ParseError

from clients.console.table.plain import cards_words, plain
from protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.cards import Deck, format_cards, parse_cards
from riverboat.dealing import SEED_BYTES, commitment, deal_by_seed
from riverboat.errors import InvalidInput
from riverboat.history.hand import History, Show
from riverboat.rpc.convert.state_manager import decode_variant
from riverboat.rules.events import BoardDealt

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """What is known of the cards of a hand, and what was said about its seed."""

    label: str
    line: int  # in its file; 0 if it comes from no file
    deck: Deck
    board_size: int  # of the whole board
    names: tuple[str, ...]  # by seat
    holdings: tuple[tuple[int, Cards], ...]  # seat and cards; a seat may be listed more than once
    board: Cards
    commitment: str
    seed: str


def with_seeds(hands: Iterable[Dealt]) -> list[Dealt]:
    """Hands, where one has no seed with that of another which was committed to in the same words.

    In duplicate matches of older versions a deal's seed was revealed only with the last hand that was played from it.
    """
    found = list(hands)
    seeds = {hand.commitment: hand.seed for hand in found if hand.commitment and hand.seed}
    return [hand if hand.seed else replace(hand, seed=seeds.get(hand.commitment, "")) for hand in found]


def problems(hand: Dealt) -> Iterator[str]:
    """What is wrong, in words; nothing if the deal is proved."""
    if not hand.seed or not hand.commitment:
        yield "it has no " + ("seed" if hand.commitment else "commitment" if hand.seed else "commitment and no seed")
        return
    try:
        seed = bytes.fromhex(hand.seed)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        yield f"its seed is not {2 * SEED_BYTES} hexadecimal digits"
        return
    if commitment(seed) != hand.commitment.lower():
        yield "the seed is not the one that was committed to"
    yield from _differences(hand, seed)


def _differences(hand: Dealt, seed: bytes) -> Iterator[str]:
    try:
        deal = deal_by_seed(hand.deck, len(hand.names), hand.board_size, seed)
    except InvalidInput as error:
        yield str(error)
        return
    for seat, cards in hand.holdings:
        if not 0 <= seat < len(deal.holdings):
            yield f"it has cards of seat {seat}, and only {len(deal.holdings)} players"
        elif not set(cards) <= set(deal.holdings[seat]):
            yield f"{plain(hand.names[seat])} has {_words(cards)}, but the seed deals {_words(deal.holdings[seat])}"
    if hand.board != deal.board[: len(hand.board)]:
        yield f"the board is {_words(hand.board)}, but the seed deals {_words(deal.board[: len(hand.board)])}"


def _words(cards: Sequence[int]) -> str:
    return cards_words(format_cards(cards))


def dealt_in_history(history: History, place: int) -> Dealt:
    """A hand of a PHH file, the nth of it."""
    variant, events = history.variant, history.events
    holdings = [(seat, cards) for seat, cards in enumerate(history.holdings) if cards is not None]
    holdings += [(event.seat, event.cards) for event in events if isinstance(event, Show) and event.cards]
    return Dealt(
        str(place if history.label is None else history.label),
        history.line,
        variant.deck,
        variant.board_sizes[-1],
        tuple(history.name(seat) for seat in range(len(history.stacks))),
        tuple(dict.fromkeys(holdings)),
        tuple(card for event in events if isinstance(event, BoardDealt) for card in event.cards),
        _text(history.extra, "commitment"),
        _text(history.extra, "seed"),
    )


def _text(extra: Mapping[str, Any], key: str) -> str:
    value = extra.get(key, "")
    return value if isinstance(value, str) else ""


def dealt_in_record(record: pb.HandRecord, line: int = 0) -> Dealt:
    """A hand of a game manager."""
    variant = decode_variant(record.variant)
    began = [event.hand_started for event in record.events if event.HasField("hand_started")]
    ended = [event.hand_ended for event in record.events if event.HasField("hand_ended")]
    count = len(began[0].chairs) if began else len(record.names)
    shown = [event.shown for event in record.events if event.HasField("shown")]
    boards = [event.board_dealt.cards for event in record.events if event.HasField("board_dealt")]
    return Dealt(
        str(record.hand_number),
        line,
        variant.deck,
        variant.board_sizes[-1],
        tuple(record.names) if len(record.names) == count else tuple(f"seat {i}" for i in range(count)),
        tuple((one.seat, parse_cards(one.cards)) for one in shown),
        parse_cards("".join(boards)),
        began[0].commitment if began else "",
        ended[0].seed if ended else "",
    )


def dealt_in_json(text: str) -> Iterator[Dealt]:
    """The hands of a JSON list, as `riverboat hands --json` prints it; `line` is the place in the list."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise InvalidInput("", f"not JSON: {error}") from None
    if not isinstance(found, list):
        raise InvalidInput("", "must be a list of hands, as riverboat hands --json prints it")
    for place, entry in enumerate(found, start=1):
        try:
            record = ParseDict(entry, pb.HandRecord(), ignore_unknown_fields=True)
        except (ParseError, TypeError, AttributeError) as error:
            raise InvalidInput(f"hand {place}", str(error).splitlines()[0]) from None
        yield dealt_in_record(record, place)
