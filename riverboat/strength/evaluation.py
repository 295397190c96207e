"""Compiled evaluation: one hand, batches of hands, and all holdings on a board."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.compiled.machine import LANES, copy_lanes, trailing_zeros
from riverboat.strength.tables import FLUSH_BITS, NO_SUITS, ROW_LENGTH, ROW_SHIFT, SUIT_SHIFT, Tables
from riverboat.strength.wide_vectors import WIDE, write_sixteen

EMPTY_KEY = np.uint64(NO_SUITS)
_FLUSH = np.uint64(FLUSH_BITS)
_FIRST_TOP_BIT = np.uint64(SUIT_SHIFT + 3)
_SUMS = np.uint64((1 << SUIT_SHIFT) - 1)
_ROW_SHIFT = np.uint64(ROW_SHIFT)
_COLUMNS = np.uint64(ROW_LENGTH - 1)
_ONE, _TWO, _SIXTEEN = np.uint64(1), np.uint64(2), np.uint64(16)
_SUIT_BITS = np.uint64(0x1FFF)
# [52, 51]: the holdings with the card at a place, by the other card's place; a smaller deck's are the first
_HOLDINGS_WITH = np.array(
    [[max(a, b) * (max(a, b) - 1) // 2 + min(a, b) for b in range(52) if b != a] for a in range(52)], np.uint16
)


@kernel
def ranked_strength(key: np.uint64, tables: Tables) -> np.uint16:
    """Return the strength of a hand that has no flush, from its key."""
    s = key & _SUMS
    return np.uint16(tables.strengths[_TWO * np.uint64(tables.offsets[s >> _ROW_SHIFT]) + (s & _COLUMNS)])


@kernel
def flush_strength(key: np.uint64, bits: np.uint64, tables: Tables) -> np.uint16:
    """Return the strength of a hand that has a flush, from its key and its cards' bits."""
    top = (key & _FLUSH) >> _FIRST_TOP_BIT  # 1, 16, 256 or 4096: the suit with five cards or more
    suit = np.uint64(top > 1) + np.uint64(top > 16) + np.uint64(top > 256)
    return np.uint16(tables.flushes[(bits >> (_SIXTEEN * suit)) & _SUIT_BITS])


@kernel
def strength(key: np.uint64, bits: np.uint64, tables: Tables) -> np.uint16:
    """Return the strength of any hand from its key (which starts at EMPTY_KEY) and its cards' bits."""
    if key & _FLUSH:
        return flush_strength(key, bits, tables)
    return ranked_strength(key, tables)


@kernel
def _hand_strength(hand: NDArray[np.uint8], tables: Tables) -> np.uint16:
    """Return the strength of one hand of the tables' size."""
    key, bits = EMPTY_KEY, np.uint64(0)
    for card in hand:
        key += tables.card_keys[card]
        bits |= tables.card_bits[card]
    return strength(key, bits, tables)


@kernel
def _sevens(hands: NDArray[np.uint8], first: int, tables: Tables, out: NDArray[np.uint16]) -> None:
    """Write strengths of hands [B, 7] from `first` on to `out`; unrolled, which is nearly twice as fast as a loop."""
    keys, bits = tables.card_keys, tables.card_bits
    for i in range(first, hands.shape[0]):
        a, b, c, d = hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3]
        e, f, g = hands[i, 4], hands[i, 5], hands[i, 6]
        key = EMPTY_KEY + (keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g])
        if key & _FLUSH:
            suited = bits[a] | bits[b] | bits[c] | bits[d] | bits[e] | bits[f] | bits[g]
            out[i] = flush_strength(key, suited, tables)
        else:
            out[i] = ranked_strength(key, tables)


@kernel
def hand_strengths(hands: NDArray[np.uint8], tables: Tables, out: NDArray[np.uint16]) -> None:
    """Write strengths of hands [B, 5 | 6 | 7] to out [B]; the tables are those for that many cards."""
    if hands.shape[1] != 7:
        for i in range(hands.shape[0]):
            out[i] = _hand_strength(hands[i], tables)
        return
    first = 0
    if WIDE:
        while first + LANES <= hands.shape[0]:
            flushes = write_sixteen(hands, first, tables, out)
            while flushes:
                i = first + trailing_zeros(flushes)
                out[i] = _hand_strength(hands[i], tables)
                flushes &= flushes - _ONE
            first += LANES
    _sevens(hands, first, tables, out)


@kernel
def best_five(hand: NDArray[np.uint8], tables: Tables, tables_of_five: Tables) -> tuple[int, int, int]:
    """Return the strength of a hand of 5, 6 or 7 cards, and the places of two cards that it does not need.

    The places are the first that do, counted from the end; with five or six cards they may lie beyond.
    """
    size = hand.size
    best = _hand_strength(hand, tables)
    for first in range(6, 0, -1):
        for second in range(first - 1, -1, -1):
            key, bits, count = EMPTY_KEY, np.uint64(0), 0
            for place in range(size):
                if place not in (first, second):
                    key += tables.card_keys[hand[place]]
                    bits |= tables.card_bits[hand[place]]
                    count += 1
            if count == 5 and strength(key, bits, tables_of_five) == best:
                return int(best), first, second
    return int(best), -1, -1


@kernel
def _write_ranked(key: np.uint64, lowest: int, tables: Tables, out: NDArray[np.uint16]) -> None:
    """Write strengths without flushes: one look-up per pair of ranks, spread over its holdings."""
    row = np.empty(64, np.uint16)
    last = 4 * (13 - lowest) - 1
    for high in range(lowest, 13):
        for low in range(lowest, high + 1):
            value = ranked_strength(key + tables.card_keys[4 * high] + tables.card_keys[4 * low], tables)
            place = 4 * (low - lowest)
            row[place], row[place + 1], row[place + 2], row[place + 3] = value, value, value, value
        for b in range(4 * (high - lowest), 4 * (high - lowest) + 4):
            start = (b * (b - 1)) >> 1
            if b < last:  # whole vectors: the next rows overwrite the surplus
                for a in range(0, b, LANES):
                    copy_lanes(row, a, out, start + a)
            else:
                for a in range(b):
                    out[start + a] = row[a]


@kernel
def _write_flushes(suit: int, ranks: int, needed: int, lowest: int, tables: Tables, out: NDArray[np.uint16]) -> None:
    """Overwrite holdings that make a flush in `suit`, where the board has the set `ranks` of it."""
    flushes = tables.flushes
    if needed == 0:
        out[:] = flushes[ranks]
    if needed <= 1:  # one card of the suit is enough, whatever the other is
        for high in range(lowest, 13):
            card = 4 * (high - lowest) + suit
            _write_card(card, flushes[ranks | (1 << high)], 4 * (13 - lowest), out)
    for high in range(lowest, 13):
        b = 4 * (high - lowest) + suit
        start = (b * (b - 1)) >> 1
        one = ranks | (1 << high)
        for low in range(lowest, high):
            out[start + 4 * (low - lowest) + suit] = flushes[one | (1 << low)]


@kernel
def _write_card(card: int, value: np.uint16, card_count: int, out: NDArray[np.uint16]) -> None:
    """Give all holdings with the card at place `card` the same strength."""
    for i in range(card_count - 1):
        out[_HOLDINGS_WITH[card, i]] = value


@kernel
def board_strengths(key: np.uint64, bits: np.uint64, lowest: int, tables: Tables, out: NDArray[np.uint16]) -> None:
    """Write strengths of all holdings on a board of 3, 4 or 5 cards to out [H]; 0 where a card is taken.

    `key` and `bits` are the board's: EMPTY_KEY plus its cards' keys, and its cards' bits. The deck has
    all four suits of every rank from `lowest` to the ace; the tables are those for two cards more.
    """
    _write_ranked(key, lowest, tables, out)
    for suit in range(4):
        size = int((key >> np.uint64(SUIT_SHIFT + 4 * suit)) & np.uint64(15)) - 3
        if size >= 3:
            ranks = int((bits >> np.uint64(16 * suit)) & _SUIT_BITS)
            _write_flushes(suit, ranks, 5 - size, lowest, tables, out)
    while bits:
        place = trailing_zeros(bits)  # 16 * suit + rank
        _write_card(4 * ((place & 15) - lowest) + (place >> 4), np.uint16(0), 4 * (13 - lowest), out)
        bits &= bits - _ONE


@kernel
def boards_strengths(boards: NDArray[np.uint8], lowest: int, tables: Tables, out: NDArray[np.uint16]) -> None:
    """Write `board_strengths` of boards given as cards [K, 3 | 4 | 5] to out [K, H]."""
    for k in range(boards.shape[0]):
        key, bits = EMPTY_KEY, np.uint64(0)
        for card in boards[k]:
            key += tables.card_keys[card]
            bits |= tables.card_bits[card]
        board_strengths(key, bits, lowest, tables, out[k])
