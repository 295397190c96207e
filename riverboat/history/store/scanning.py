"""Compiled steps over bytes of text: numbers, quoted texts, cards, keys.

A step returns where it ended, or BAD where the text is not of the plain form that it knows. Such a text is not wrong:
the slow reader (`history.phh`), which knows all of TOML, decides about it.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.hand import UNKNOWN_STACK

U8 = NDArray[np.uint8]
I64 = NDArray[np.int64]

BAD = -1
PLACES = 4  # decimals of a number while it is read: the most that a file may have
SCALE = 10**PLACES
_MOST_DIGITS = 9  # of a whole part: scaled, it stays below UNKNOWN
_LONGEST = 18  # digits of a whole number that is no amount
UNKNOWN = UNKNOWN_STACK

SPACE, TAB, NEWLINE, HASH, QUOTE, DOUBLE, COMMA = 32, 9, 10, 35, 39, 34, 44
MINUS, POINT, ZERO, NINE, EQUALS, OPEN, CLOSE, BACKSLASH, QUESTION = 45, 46, 48, 57, 61, 91, 93, 92, 63
_UNDERSCORE, _I, _DEL = 95, 105, 127

RANK_OF = np.full(256, BAD, np.int64)
RANK_OF[np.frombuffer(b"23456789TJQKA", np.uint8)] = np.arange(13)
SUIT_OF = np.full(256, BAD, np.int64)
SUIT_OF[np.frombuffer(b"cdhs", np.uint8)] = np.arange(4)


@kernel
def is_word(byte: int) -> bool:
    """Return whether a byte may be part of a bare key or of a hand's name."""
    letter = 97 <= (byte | 32) <= 122
    return bool(letter or ZERO <= byte <= NINE or byte in (_UNDERSCORE, MINUS))


@kernel
def skip_spaces(text: U8, at: int, end: int) -> int:
    """Return the place of the next byte that is neither a space nor a tab."""
    while at < end and (text[at] == SPACE or text[at] == TAB):
        at += 1
    return at


@kernel
def line_end(text: U8, at: int, end: int) -> int:
    """Return the place of the end of the line."""
    while at < end and text[at] != NEWLINE:
        at += 1
    return at


@kernel
def read_number(text: U8, at: int, end: int, places: I64) -> tuple[int, int]:
    """Return a number times SCALE, and where it ends; infinity is UNKNOWN.

    `places` [2] gets the most decimals seen so far, and whether any number had a fraction.
    """
    if at + 3 <= end and text[at] == _I and text[at + 1] == 110 and text[at + 2] == 102:
        return UNKNOWN, at + 3
    negative = at < end and text[at] == MINUS
    at += negative
    first, value = at, 0
    while at < end and ZERO <= text[at] <= NINE:
        value = 10 * value + (text[at] - ZERO)
        at += 1
        if at - first > _MOST_DIGITS:
            return 0, BAD
    if at == first or (text[first] == ZERO and at - first > 1):  # TOML has no 007
        return 0, BAD
    value *= SCALE
    if at < end and text[at] == POINT:
        at += 1
        first, unit = at, SCALE
        while at < end and ZERO <= text[at] <= NINE:
            unit //= 10
            if unit == 0:
                return 0, BAD
            value += (text[at] - ZERO) * unit
            at += 1
        if at == first:
            return 0, BAD
        places[0] = max(places[0], at - first)
        places[1] |= value % SCALE != 0
    return -value if negative else value, at


@kernel
def read_whole(text: U8, at: int, end: int) -> tuple[int, int]:
    """Return a whole number that is not negative, and where it ends."""
    first, value = at, 0
    while at < end and ZERO <= text[at] <= NINE and at - first <= _LONGEST:
        value = 10 * value + (text[at] - ZERO)
        at += 1
    fits = first < at <= first + _LONGEST and (text[first] != ZERO or at == first + 1)
    return (value, at) if fits else (0, BAD)


@kernel
def skip_number(text: U8, at: int, end: int) -> int:
    """Return where a number of any size ends."""
    at += at < end and text[at] == MINUS
    _, after = read_whole(text, at, end)
    if after != BAD and after < end and text[after] == POINT:
        first = after + 1
        after = first
        while after < end and ZERO <= text[after] <= NINE:
            after += 1
        if after == first:
            return BAD
    return int(after)


@kernel
def read_text(text: U8, at: int, end: int) -> int:
    """Return where a quoted text without escapes ends, its last quote included."""
    if at >= end or (text[at] != QUOTE and text[at] != DOUBLE):
        return BAD
    quote = text[at]
    at += 1
    while at < end and text[at] != quote:
        if text[at] < SPACE or text[at] >= _DEL or (quote == DOUBLE and text[at] == BACKSLASH):
            return BAD
        at += 1
    if at >= end or (at + 1 < end and text[at + 1] == quote):  # '' may begin a longer kind of text
        return BAD
    return at + 1


@kernel
def next_item(text: U8, at: int, end: int) -> int:
    """Return where the next item of a list begins, or its closing bracket is; BAD if neither follows."""
    at = skip_spaces(text, at, end)
    if at < end and text[at] == COMMA:
        return int(skip_spaces(text, at + 1, end))
    return at if at < end and text[at] == CLOSE else BAD


@kernel
def read_numbers(text: U8, at: int, end: int, places: I64, out: I64) -> tuple[int, int]:
    """Write a list of numbers to `out`; return how many there are, and where the list ends."""
    if at >= end or text[at] != OPEN:
        return 0, BAD
    at, count = skip_spaces(text, at + 1, end), 0
    while at < end and text[at] != CLOSE:
        if count == len(out):
            return 0, BAD
        out[count], at = read_number(text, at, end, places)
        if at == BAD:
            return 0, BAD
        count += 1
        at = next_item(text, at, end)
        if at == BAD:
            return 0, BAD
    return (count, at + 1) if at < end else (0, BAD)


@kernel
def skip_value(text: U8, at: int, end: int) -> int:
    """Return where any plain value ends: a number, a quoted text, true, false, or a list of numbers or texts."""
    if at >= end:
        return BAD
    if text[at] == QUOTE or text[at] == DOUBLE:
        return int(read_text(text, at, end))
    if text[at] == OPEN:
        at = skip_spaces(text, at + 1, end)
        while at < end and text[at] != CLOSE:
            at = read_text(text, at, end) if text[at] in (QUOTE, DOUBLE) else skip_number(text, at, end)
            if at == BAD:
                return BAD
            at = skip_spaces(text, at, end)
            if at < end and text[at] == COMMA:
                at = skip_spaces(text, at + 1, end)
            elif at >= end or text[at] != CLOSE:
                return BAD
        return at + 1 if at < end else BAD
    if spells(text, at, end, b"true"):
        return at + 4
    if spells(text, at, end, b"false"):
        return at + 5
    return int(skip_number(text, at, end))


@kernel
def spells(text: U8, at: int, end: int, word: bytes) -> bool:
    """Return whether a word begins at this place."""
    if at + len(word) > end:
        return False
    for i in range(len(word)):  # noqa: SIM110  # compiled
        if text[at + i] != word[i]:
            return False
    return True


@kernel
def read_card(text: U8, at: int) -> int:
    """Return the card in two bytes; BAD if there is none."""
    rank, suit = RANK_OF[text[at]], SUIT_OF[text[at + 1]]
    return int(4 * rank + suit) if rank >= 0 and suit >= 0 else BAD
