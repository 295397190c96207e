"""PHH text of many hands to arrays, compiled.

It reads the plain form that programs write: one key on a line, lists on one line, texts without escapes. A hand in
another form gets the status UNUSUAL, and is left to the slow reader.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.scanning import (
    BAD,
    CLOSE,
    COMMA,
    EQUALS,
    HASH,
    NEWLINE,
    OPEN,
    QUESTION,
    SCALE,
    SPACE,
    U8,
    UNKNOWN,
    ZERO,
    is_word,
    line_end,
    next_item,
    read_card,
    read_number,
    read_numbers,
    read_text,
    read_whole,
    skip_spaces,
    skip_value,
    spells,
)
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.variant import MOST_SEATS

I64 = NDArray[np.int64]

PLAIN, UNUSUAL = range(2)  # statuses
MOVE, BOARD, SHOW, MUCK = range(4)  # kinds of events
NO_CARD = 255
NO_NUMBER = -1

# Places in a hand's game: everything that its rules depend on, amounts in chips.
CODE, COUNT, DECIMALS, TRIMMED, FIRST_BET, LATER_BET = range(6)
ANTES = 6
BLINDS = ANTES + MOST_SEATS
GAME_SIZE = BLINDS + MOST_SEATS
CODES = ("NT", "NS", "FT")
_NT, _NS, _FT = range(3)

# Keys that have been seen in a hand, as bits.
_VARIANT, _TRIMMING, _ANTES, _BLINDS, _MIN_BET, _SMALL_BET, _BIG_BET, _STACKS, _ACTIONS, _HAND, _PLAYERS, _FINISH = (
    1 << bit for bit in range(12)
)
_MOST_OTHERS = 24  # keys of other kinds in one hand
_BOARD_BITS = 6  # of a card in an event's value; above five of them, how many cards there are
BOARD_COUNT_SHIFT = 5 * _BOARD_BITS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ParsedHands:
    """Hands as a text has them, not replayed yet. N hands, E events; seats beyond a hand's players are 0."""

    status: U8  # [N]
    games: I64  # [N, GAME_SIZE]
    numbers: I64  # [N], NO_NUMBER without one
    stacks: I64  # [N, 10]
    finishes: I64  # [N, 10]; BAD in the first place without finishing stacks
    names: I64  # [N, 10, 2]: first byte and the one after the last; the first is BAD without names
    holdings: U8  # [N, 10, 2]
    event_starts: I64  # [N + 1]
    kinds: U8  # [E]
    seats: U8  # [E]
    values: I64  # [E]: an action, or the cards of a board


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
        kinds=np.zeros(most, np.uint8),
        seats=np.zeros(most, np.uint8),
        values=np.zeros(most, np.int64),
    )
    _parse(
        text, starts, hands.status, hands.games, hands.numbers, hands.stacks, hands.finishes, hands.names,
        hands.holdings, hands.event_starts, hands.kinds, hands.seats, hands.values,
    )  # fmt: skip
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
def _parse(
    text: U8, starts: I64, status: U8, games: I64, numbers: I64, stacks: I64, finishes: I64, names: I64,
    holdings: U8, event_starts: I64, kinds: U8, seats: U8, values: I64,
) -> None:  # fmt: skip
    others = np.zeros(_MOST_OTHERS, np.uint64)
    for i in range(len(status)):
        begin = line_end(text, starts[i], starts[i + 1]) + 1
        used = _parse_hand(
            text, begin, starts[i + 1], others, games[i], numbers[i : i + 1], stacks[i], finishes[i], names[i],
            holdings[i], event_starts[i], kinds, seats, values,
        )  # fmt: skip
        status[i] = UNUSUAL if used == BAD else PLAIN
        event_starts[i + 1] = event_starts[i] + max(0, used)


@kernel
def _parse_hand(
    text: U8, at: int, end: int, others: NDArray[np.uint64], game: I64, number: I64, stacks: I64, finish: I64,
    names: I64, holdings: U8, first_event: int, kinds: U8, seats: U8, values: I64,
) -> int:  # fmt: skip
    """Read the lines of one hand; return how many events it has, or BAD."""
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
                    number[0], at = read_whole(text, at, end)
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
        names[0, 0] = BAD
    events = _read_actions(text, actions_at, end, count, places, holdings, first_event, kinds, seats, values)
    if events == BAD:
        return BAD
    game[COUNT] = count
    game[DECIMALS] = places[0] if places[1] else 0
    game[FIRST_BET], game[LATER_BET] = (small_bet, big_bet) if game[CODE] == _FT else (min_bet, min_bet)
    return _to_chips(game, stacks, finish, count, events, first_event, kinds, values)


@kernel
def _to_chips(
    game: I64, stacks: I64, finish: I64, count: int, events: int, first_event: int, kinds: U8, values: I64
) -> int:
    """Turn all amounts into chips; return the number of events, or BAD if an amount is impossible."""
    unit = SCALE
    for _ in range(game[DECIMALS]):
        unit //= 10
    for place in range(FIRST_BET, GAME_SIZE):
        if game[place] == UNKNOWN or (place < BLINDS and game[place] < 0):
            return BAD
        game[place] //= unit
    if game[FIRST_BET] < 1 or game[LATER_BET] < 1:
        return BAD
    for seat in range(count):
        if stacks[seat] != UNKNOWN:
            stacks[seat] //= unit
        if finish[0] != BAD and finish[seat] != UNKNOWN:
            if finish[seat] < 0:
                return BAD
            finish[seat] //= unit
        if stacks[seat] < 1:
            return BAD
    for event in range(first_event, first_event + events):
        if kinds[event] == MOVE and values[event] > CALL:
            values[event] //= unit
    return events


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
        names[count, 0], names[count, 1] = at + 1, after - 1
        count += 1
        at = next_item(text, after, end)
        if at == BAD:
            return 0, BAD
    return (count, at + 1) if at < end else (0, BAD)


@kernel
def _read_actions(
    text: U8, at: int, end: int, count: int, places: I64, holdings: U8, first: int, kinds: U8, seats: U8, values: I64
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
        kind = _read_action(text, at + 1, after - 1, count, places, holdings, event, seats, values)
        if kind == BAD:
            return BAD
        if kind >= 0:
            kinds[event] = kind
            event += 1
        at = skip_spaces(text, after, end)
        if text[at] == COMMA:
            at = skip_spaces(text, at + 1, end)
    return event - first


@kernel
def _read_action(
    text: U8, at: int, end: int, count: int, places: I64, holdings: U8, event: int, seats: U8, values: I64
) -> int:
    """Write one action; return its kind, -2 for private cards, which are no event, or BAD."""
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
        values[event] = value | (size // 2) << BOARD_COUNT_SHIFT
        return BOARD
    if end - at >= 12 and spells(text, at, end, b"d dh p"):
        seat, at = _read_seat(text, at + 6, end, count)
        if seat == BAD or at + 5 != end or text[at] != SPACE or holdings[seat, 0] != NO_CARD:
            return BAD
        return -2 if _read_holding(text, at + 1, holdings[seat]) != BAD else BAD
    if end - at < 4 or text[at] != 112:
        return BAD
    seat, at = _read_seat(text, at + 1, end, count)
    if seat == BAD or at >= end or text[at] != SPACE:
        return BAD
    seats[event] = seat
    at += 1
    left = end - at
    if left == 1 and text[at] == 102:
        values[event] = FOLD
        return MOVE
    if left == 2 and spells(text, at, end, b"cc"):
        values[event] = CALL
        return MOVE
    if left >= 5 and spells(text, at, end, b"cbr "):
        values[event], at = read_number(text, at + 4, end, places)
        return MOVE if at == end and CALL < values[event] < UNKNOWN else BAD
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
