"""The actions of a PHH hand to events, compiled: moves, boards, shown and mucked cards."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.scanning import (
    BAD,
    CLOSE,
    COMMA,
    OPEN,
    QUESTION,
    SPACE,
    U8,
    UNKNOWN,
    ZERO,
    read_card,
    read_number,
    read_text,
    skip_spaces,
    spells,
)
from riverboat.rules.betting import CALL, FOLD

I64 = NDArray[np.int64]

MOVE, BOARD, SHOW, MUCK = range(4)  # kinds of events
NO_CARD = 255
_NO_EVENT = -2
_BOARD_BITS = 6  # of a card in an event's value; above five of them, how many cards there are
BOARD_COUNT_SHIFT = 5 * _BOARD_BITS


class ParsedEvents(NamedTuple):
    """The events of all hands of a text, one hand after another."""

    kinds: U8  # [E]
    seats: U8  # [E]
    values: I64  # [E]: an action, or the cards of a board


@kernel
def read_events(
    text: U8, at: int, end: int, count: int, places: I64, holdings: U8, first: int, events: ParsedEvents
) -> int:
    """Write the events of a list of actions that `skip_value` has checked; return how many there are, or BAD."""
    if text[at] != OPEN:
        return BAD
    event = first
    at = skip_spaces(text, at + 1, end)
    while text[at] != CLOSE:
        after = read_text(text, at, end)
        if after == BAD:
            return BAD
        kind = _read_event(text, at + 1, after - 1, count, places, holdings, event, events)
        if kind == BAD:
            return BAD
        if kind >= 0:
            events.kinds[event] = kind
            event += 1
        at = skip_spaces(text, after, end)
        if text[at] == COMMA:
            at = skip_spaces(text, at + 1, end)
    return event - first


@kernel
def _read_event(
    text: U8, at: int, end: int, count: int, places: I64, holdings: U8, event: int, events: ParsedEvents
) -> int:
    """Write one event; return its kind, _NO_EVENT for private cards, or BAD."""
    if end - at >= 6 and spells(text, at, end, b"d db "):
        size = end - at - 5
        value = 0
        if size > 10 or size % 2:
            return BAD
        for card in range(size // 2):
            read = read_card(text, at + 5 + 2 * card)
            if read == BAD:
                return BAD
            value |= read << (_BOARD_BITS * card)
        events.values[event] = value | (size // 2) << BOARD_COUNT_SHIFT
        return BOARD
    if end - at >= 12 and spells(text, at, end, b"d dh p"):
        seat, at = _read_seat(text, at + 6, end, count)
        if seat == BAD or at + 5 != end or text[at] != SPACE or holdings[seat, 0] != NO_CARD:
            return BAD
        return _NO_EVENT if _read_holding(text, at + 1, holdings[seat]) != BAD else BAD
    if end - at < 4 or text[at] != 112:
        return BAD
    seat, at = _read_seat(text, at + 1, end, count)
    if seat == BAD or at >= end or text[at] != SPACE:
        return BAD
    events.seats[event] = seat
    at += 1
    left = end - at
    if left == 1 and text[at] == 102:
        events.values[event] = FOLD
        return MOVE
    if left == 2 and spells(text, at, end, b"cc"):
        events.values[event] = CALL
        return MOVE
    if left >= 5 and spells(text, at, end, b"cbr "):
        events.values[event], at = read_number(text, at + 4, end, places)
        return MOVE if at == end and CALL < events.values[event] < UNKNOWN else BAD
    if left == 2 and spells(text, at, end, b"sm"):
        return MUCK
    if left == 7 and spells(text, at, end, b"sm "):
        return _read_show(text, at + 3, holdings[seat])
    return BAD


@kernel
def _read_seat(text: U8, at: int, end: int, count: int) -> tuple[int, int]:
    """Return the seat of a player's number, and where the number ends; BAD if there is no such player."""
    number = 0
    first = at
    while at < end and ZERO <= text[at] <= 57 and at - first < 2:
        number = 10 * number + (text[at] - ZERO)
        at += 1
    return (number - 1, at) if 1 <= number <= count and text[first] != ZERO else (BAD, at)


@kernel
def _read_holding(text: U8, at: int, holding: U8) -> int:
    """Write two cards; return 2, or 0 for unknown ones, which are not written, or BAD."""
    if text[at] == QUESTION and text[at + 1] == QUESTION and text[at + 2] == QUESTION and text[at + 3] == QUESTION:
        return 0
    a, b = read_card(text, at), read_card(text, at + 2)
    if a == BAD or b == BAD:
        return BAD
    holding[0], holding[1] = a, b
    return 2


@kernel
def _read_show(text: U8, at: int, holding: U8) -> int:
    """Read the cards of a showdown: they must be the ones dealt, if those are known."""
    before = holding[0], holding[1]
    count = _read_holding(text, at, holding)
    if count <= 0:
        return MUCK if count == 0 else BAD
    same = (holding[0] == before[0] and holding[1] == before[1]) or (
        holding[0] == before[1] and holding[1] == before[0]
    )
    if before[0] != NO_CARD and not same:
        return BAD
    if before[0] != NO_CARD:
        holding[0], holding[1] = before
    return SHOW
