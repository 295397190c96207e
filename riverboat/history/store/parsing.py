"""PHH text of many hands to arrays, compiled.

It reads the plain form that programs write: one key on a line, lists on one line, texts without escapes. A hand in
another form gets the status UNUSUAL, and is left to the slow reader.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.event_parsing import MOVE, NO_CARD, ParsedEvents, read_events
from riverboat.history.store.scanning import (
    BAD,
    CLOSE,
    EQUALS,
    HASH,
    NEWLINE,
    OPEN,
    SCALE,
    U8,
    UNKNOWN,
    is_word,
    line_end,
    next_item,
    read_number,
    read_numbers,
    read_text,
    read_whole,
    skip_spaces,
    skip_value,
    spells,
)
from riverboat.rules.betting import CALL
from riverboat.rules.variant import MOST_SEATS

I64 = NDArray[np.int64]

PLAIN, UNUSUAL = range(2)  # statuses
NO_NUMBER = -1

# Places in a hand's game: everything that its rules depend on, amounts in chips.
CODE, COUNT, DECIMALS, TRIMMED, FIRST_BET, LATER_BET = range(6)
ANTES = 6
BLINDS = ANTES + MOST_SEATS
GAME_SIZE = BLINDS + MOST_SEATS
CODES = ("NT", "NS", "FT")
_NT, _NS, _FT = range(3)
BEGIN, END = range(2)  # columns of `ParsedHands.names`

# Keys that have been seen in a hand, as bits.
_VARIANT, _TRIMMING, _ANTES, _BLINDS, _MIN_BET, _SMALL_BET, _BIG_BET, _STACKS, _ACTIONS, _HAND, _PLAYERS, _FINISH = (
    1 << bit for bit in range(12)
)
_MOST_OTHERS = 24  # keys of other kinds in one hand


class ParsedHands(NamedTuple):
    """Hands as a text has them, not replayed yet. N hands, E events; seats beyond a hand's players are 0."""

    status: U8  # [N]
    games: I64  # [N, GAME_SIZE]
    numbers: I64  # [N], NO_NUMBER without one
    stacks: I64  # [N, 10]
    finishes: I64  # [N, 10]; BAD in the first place without finishing stacks
    names: I64  # [N, 10, 2]: first byte and the one after the last; the first is BAD without names
    holdings: U8  # [N, 10, 2]
    event_starts: I64  # [N + 1]
    events: ParsedEvents  # [E]


def parse_hands(text: U8, starts: I64) -> ParsedHands:
    """Return the hands in sections of a text that begin at `starts` [N + 1], the last being the end."""
    count = len(starts) - 1
    most = int(np.count_nonzero((text == 39) | (text == 34))) // 2 + 1
    hands = ParsedHands(
        status=np.zeros(count, np.uint8),
        games=np.zeros((count, GAME_SIZE), np.int64),
        numbers=np.full(count, NO_NUMBER, np.int64),
        stacks=np.zeros((count, MOST_SEATS), np.int64),
        finishes=np.zeros((count, MOST_SEATS), np.int64),
        names=np.zeros((count, MOST_SEATS, 2), np.int64),
        holdings=np.full((count, MOST_SEATS, 2), NO_CARD, np.uint8),
        event_starts=np.zeros(count + 1, np.int64),
        events=ParsedEvents(np.zeros(most, np.uint8), np.zeros(most, np.uint8), np.zeros(most, np.int64)),
    )
    _parse(text, starts, hands)
    return hands


@kernel
def find_sections(text: U8, starts: I64, lines: I64) -> int:
    """Write where hands begin, and on which line from 0, for each header like [7]; return how many there are."""
    count, line, at, end = 0, 0, 0, len(text)
    while at < end:
        if text[at] == OPEN:
            after = at + 1
            while after < end and is_word(text[after]):
                after += 1
            if after > at + 1 and after < end and text[after] == CLOSE:
                after = skip_spaces(text, after + 1, end)
                if after == end or text[after] == NEWLINE or text[after] == HASH:
                    starts[count], lines[count] = at, line
                    count += 1
        at = line_end(text, at, end) + 1
        line += 1
    return count


@kernel
def _parse(text: U8, starts: I64, hands: ParsedHands) -> None:
    others = np.zeros(_MOST_OTHERS, np.uint64)
    for i in range(len(hands.status)):
        begin = line_end(text, starts[i], starts[i + 1]) + 1
        used = _parse_hand(text, begin, starts[i + 1], others, hands, i)
        hands.status[i] = UNUSUAL if used == BAD else PLAIN
        hands.event_starts[i + 1] = hands.event_starts[i] + max(0, used)


@kernel
def _parse_hand(text: U8, at: int, end: int, others: NDArray[np.uint64], hands: ParsedHands, i: int) -> int:
    """Read the lines of one hand; return how many events it has, or BAD."""
    game, stacks, finish, names = hands.games[i], hands.stacks[i], hands.finishes[i], hands.names[i]
    seen, other_count, events = 0, 0, 0
    places = np.zeros(2, np.int64)
    min_bet, small_bet, big_bet, actions_at = 0, 0, 0, 0
    counts = np.full(5, BAD, np.int64)  # entries of antes, blinds, stacks, finishing stacks, players
    while at < end:
        at = skip_spaces(text, at, end)
        if at >= end or text[at] == NEWLINE:
            at += 1
            continue
        if text[at] == HASH:
            at = line_end(text, at, end) + 1
            continue
        key = at
        while at < end and is_word(text[at]):
            at += 1
        key_end = at
        at = skip_spaces(text, at, end)
        if key_end == key or at >= end or text[at] != EQUALS:
            return BAD
        at = skip_spaces(text, at + 1, end)
        bit = _key_bit(text, key, key_end)
        if bit == 0:
            if text[key] == 95 or spells(text, key, key_end, b"bring_in"):  # our restrictions, and games we do not know
                return BAD
            code = np.uint64(14695981039346656037)
            for place in range(key, key_end):
                code = (code ^ np.uint64(text[place])) * np.uint64(1099511628211)
            for other in range(other_count):
                if others[other] == code:
                    return BAD
            if other_count == _MOST_OTHERS:
                return BAD
            others[other_count] = code
            other_count += 1
            at = skip_value(text, at, end)
        else:
            if seen & bit:
                return BAD
            seen |= bit
            if bit == _VARIANT:
                game[CODE] = _code(text, at, end)
                at = BAD if game[CODE] == BAD else at + 4
            elif bit == _TRIMMING:
                game[TRIMMED] = spells(text, at, end, b"true")
                at = at + 4 if game[TRIMMED] else at + 5 if spells(text, at, end, b"false") else BAD
            elif bit == _ANTES:
                counts[0], at = read_numbers(text, at, end, places, game[ANTES:BLINDS])
            elif bit == _BLINDS:
                counts[1], at = read_numbers(text, at, end, places, game[BLINDS:GAME_SIZE])
            elif bit == _MIN_BET:
                min_bet, at = read_number(text, at, end, places)
            elif bit == _SMALL_BET:
                small_bet, at = read_number(text, at, end, places)
            elif bit == _BIG_BET:
                big_bet, at = read_number(text, at, end, places)
            elif bit == _STACKS:
                counts[2], at = read_numbers(text, at, end, places, stacks)
            elif bit == _FINISH:
                counts[3], at = read_numbers(text, at, end, places, finish)
            elif bit == _PLAYERS:
                counts[4], at = _read_names(text, at, end, names)
            elif bit == _HAND:
                if text[at] == 39 or text[at] == 34:
                    at = read_text(text, at, end)
                else:
                    hands.numbers[i], at = read_whole(text, at, end)
            else:
                actions_at = at
                at = skip_value(text, at, end)
        if at == BAD:
            return BAD
        at = skip_spaces(text, at, end)
        if at < end and text[at] == HASH:
            at = line_end(text, at, end)
        if at < end and text[at] != NEWLINE:
            return BAD
        at += 1
    bets = _SMALL_BET | _BIG_BET if game[CODE] == _FT else _MIN_BET
    wanted = _VARIANT | _ANTES | _BLINDS | _STACKS | _ACTIONS | bets
    count = counts[2]
    if seen & wanted != wanted or count < 2 or counts[0] != count or counts[1] != count:
        return BAD
    if (seen & _FINISH and counts[3] != count) or (seen & _PLAYERS and counts[4] != count):
        return BAD
    if not seen & _FINISH:
        finish[0] = BAD
    if not seen & _PLAYERS:
        names[0, BEGIN] = BAD
    events = read_events(text, actions_at, end, count, places, hands.holdings[i], hands.event_starts[i], hands.events)
    if events == BAD:
        return BAD
    game[COUNT] = count
    game[DECIMALS] = places[0] if places[1] else 0
    game[FIRST_BET], game[LATER_BET] = (small_bet, big_bet) if game[CODE] == _FT else (min_bet, min_bet)
    return _to_chips(hands, i, events)


@kernel
def _to_chips(hands: ParsedHands, i: int, event_count: int) -> int:
    """Turn all amounts into chips; return the number of events, or BAD if an amount is impossible."""
    game, stacks, finish = hands.games[i], hands.stacks[i], hands.finishes[i]
    unit = SCALE
    for _ in range(game[DECIMALS]):
        unit //= 10
    for place in range(FIRST_BET, GAME_SIZE):
        if game[place] == UNKNOWN or (place < BLINDS and game[place] < 0):
            return BAD
        game[place] //= unit
    if game[FIRST_BET] < 1 or game[LATER_BET] < 1:
        return BAD
    for seat in range(game[COUNT]):
        if stacks[seat] != UNKNOWN:
            stacks[seat] //= unit
        if finish[0] != BAD and finish[seat] != UNKNOWN:
            if finish[seat] < 0:
                return BAD
            finish[seat] //= unit
        if stacks[seat] < 1:
            return BAD
    first = hands.event_starts[i]
    for event in range(first, first + event_count):
        if hands.events.kinds[event] == MOVE and hands.events.values[event] > CALL:
            hands.events.values[event] //= unit
    return event_count


@kernel
def _key_bit(text: U8, key: int, end: int) -> int:
    """Return the bit of a key; 0 for keys that do not matter."""
    size = end - key
    bit = 0
    if size == 4 and spells(text, key, end, b"hand"):
        bit = _HAND
    elif size == 5 and spells(text, key, end, b"antes"):
        bit = _ANTES
    elif size == 7:
        if spells(text, key, end, b"variant"):
            bit = _VARIANT
        elif spells(text, key, end, b"actions"):
            bit = _ACTIONS
        elif spells(text, key, end, b"players"):
            bit = _PLAYERS
        elif spells(text, key, end, b"min_bet"):
            bit = _MIN_BET
        elif spells(text, key, end, b"big_bet"):
            bit = _BIG_BET
    elif size == 9 and spells(text, key, end, b"small_bet"):
        bit = _SMALL_BET
    elif size == 15 and spells(text, key, end, b"starting_stacks"):
        bit = _STACKS
    elif size == 16 and spells(text, key, end, b"finishing_stacks"):
        bit = _FINISH
    elif size == 19 and spells(text, key, end, b"blinds_or_straddles"):
        bit = _BLINDS
    elif size == 20 and spells(text, key, end, b"ante_trimming_status"):
        bit = _TRIMMING
    return bit


@kernel
def _code(text: U8, at: int, end: int) -> int:
    """Return the place of a variant's quoted code in CODES, or BAD."""
    if read_text(text, at, end) != at + 4:
        return BAD
    if spells(text, at + 1, end, b"NT"):
        return _NT
    if spells(text, at + 1, end, b"NS"):
        return _NS
    return _FT if spells(text, at + 1, end, b"FT") else BAD


@kernel
def _read_names(text: U8, at: int, end: int, names: I64) -> tuple[int, int]:
    """Write the places of a list of quoted texts; return how many there are, and where the list ends."""
    if at >= end or text[at] != OPEN:
        return 0, BAD
    at, count = skip_spaces(text, at + 1, end), 0
    while at < end and text[at] != CLOSE:
        after = read_text(text, at, end)
        if after == BAD or count == len(names):
            return 0, BAD
        names[count, BEGIN], names[count, END] = at + 1, after - 1
        count += 1
        at = next_item(text, after, end)
        if at == BAD:
            return 0, BAD
    return (count, at + 1) if at < end else (0, BAD)
