"""PHH's notation of the events of a hand: "d dh p1 AhKd", "p3 cbr 300", "d db 2c3d4h"."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from riverboat.cards import format_cards, parse_cards
from riverboat.errors import InvalidInput, in_field
from riverboat.history.hand import History, HistoryEvent, Holding, Show
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.variant import MOST_CHIPS

_PLAYER = re.compile(r"p([1-9]\d?)")
_AMOUNT = re.compile(r"\d{1,20}(?:\.\d{1,20})?", re.ASCII)
_RAISE_TO = re.compile(r"\s*p\d+\s+cbr\s+(\d+\.\d+)\s*(?:#.*)?", re.DOTALL)
_UNKNOWN = "??"
_HOLDING_SIZE = 2

Dealt = list[list[int | None]]  # by seat: private cards so far, None for each that is not known


def to_chips(value: int | Decimal, decimals: int, least: int = 0) -> int:
    """Return an amount in a file whose amounts have some decimals, as a whole number of chips."""
    if isinstance(value, int) or value.is_finite():
        scaled = value * 10**decimals
        if least <= scaled <= MOST_CHIPS and scaled == int(scaled):
            return int(scaled)
    raise InvalidInput(
        "", f"{str(value)[:20]} chips are not possible; write a whole number from {least} to {MOST_CHIPS:,}"
    )


def to_amount(chips: int, decimals: int) -> int | Decimal:
    """Return a number of chips as an amount in a file whose amounts have some decimals."""
    return Decimal(chips).scaleb(-decimals) if decimals else chips


def raises_with_a_point(texts: Sequence[object]) -> list[Decimal]:
    """Return the amounts among these actions that have a decimal point."""
    matches = (_RAISE_TO.fullmatch(text) for text in texts if isinstance(text, str) and "." in text)
    return [Decimal(match[1]) for match in matches if match]


def read_actions(
    texts: Sequence[object], player_count: int, decimals: int, size: int = _HOLDING_SIZE
) -> tuple[tuple[Holding | None, ...], tuple[HistoryEvent, ...]]:
    """Return holdings of `size` cards by seat, and events; an error is in `actions[n]`."""
    dealt: Dealt = [[] for _ in range(player_count)]
    events: list[HistoryEvent] = []
    for place, text in enumerate(texts):
        with in_field(f"actions[{place}]"):
            if not isinstance(text, str):
                raise InvalidInput("", "must be a text")
            event = _read_action(text, dealt, decimals, size)
            if event is not None:
                events.append(event)
    for event in events:
        if isinstance(event, Show) and len(event.cards) == size and _holding(dealt[event.seat], size) is None:
            dealt[event.seat] = list(event.cards)  # what was dealt face down and then shown is known
    return tuple(_holding(cards, size) for cards in dealt), tuple(events)


def _holding(cards: Sequence[int | None], size: int) -> Holding | None:
    known = tuple(card for card in cards if card is not None)
    return known if len(known) == size else None


def _read_action(text: str, dealt: Dealt, decimals: int, size: int) -> HistoryEvent | None:
    """Return an event; None for commentary and for private cards, which go to `dealt`."""
    match text.partition("#")[0].split():
        case []:
            return None
        case ["d", "dh", player, cards]:
            hand = dealt[_seat(player, len(dealt))]
            hand += _cards(cards)
            if len(hand) > size:
                raise InvalidInput("", f"{text[:40]!r}: a player holds {size} card{'s' * (size > 1)}, not {len(hand)}")
            return None
        case ["d", "db", cards]:
            return BoardDealt(parse_cards(cards))
        case [player, "f"]:
            return Move(_seat(player, len(dealt)), FOLD)
        case [player, "cc"]:
            return Move(_seat(player, len(dealt)), CALL)
        case [player, "cbr", amount]:
            return Move(_seat(player, len(dealt)), _raise_to(amount, decimals))
        case [player, "sm"]:
            return Show(_seat(player, len(dealt)))
        case [player, "sm", cards]:
            return Show(_seat(player, len(dealt)), tuple(card for card in _cards(cards) if card is not None))
        case [_, "pb" | "sd", *_]:
            raise InvalidInput("", f"{text[:40]!r}: bring-ins and draws are not supported")
    raise InvalidInput(
        "",
        f"{text[:40]!r} is not an action; actions look like 'd dh p1 AhKd', 'd db 2c3d4h', 'p3 f', 'p3 cc', "
        "'p3 cbr 300' and 'p3 sm AhKd'",
    )


def _seat(text: str, player_count: int) -> int:
    match = _PLAYER.fullmatch(text)
    if not match or int(match[1]) > player_count:
        raise InvalidInput("", f"{text[:20]!r} is not a player; they are p1 to p{player_count}")
    return int(match[1]) - 1


def _raise_to(text: str, decimals: int) -> int:
    if not _AMOUNT.fullmatch(text):
        raise InvalidInput("", f"{text[:20]!r} is not a number of chips")
    return to_chips(Decimal(text), decimals, least=1)


def _cards(text: str) -> list[int | None]:
    """Return the cards in order, then None for each unknown one."""
    if _UNKNOWN not in text:
        return list(parse_cards(text))
    return [*parse_cards(text.replace(_UNKNOWN, "")), *[None] * text.count(_UNKNOWN)]


def format_actions(history: History) -> Iterator[str]:
    """Yield the actions of a hand, private cards first."""
    unknown = _UNKNOWN * history.variant.deck.holding_size
    for seat, holding in enumerate(history.holdings):
        yield f"d dh p{seat + 1} {unknown if holding is None else format_cards(holding)}"
    for event in history.events:
        yield _format_event(event, history.decimals)


def _format_event(event: HistoryEvent, decimals: int) -> str:
    if isinstance(event, BoardDealt):
        return f"d db {format_cards(event.cards)}"
    player = f"p{event.seat + 1}"
    if isinstance(event, Show):
        return f"{player} sm {format_cards(event.cards)}".rstrip()
    if event.action == FOLD:
        return f"{player} f"
    return f"{player} cc" if event.action == CALL else f"{player} cbr {to_amount(event.action, decimals)}"
