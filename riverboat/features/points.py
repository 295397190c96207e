"""Points on complete boards: how a holding does against all holdings that an opponent may have.

A holding gets 2 points for every opposing holding that it beats and 1 for every one that it ties. Its points divided by
twice the number of opposing holdings are its equity against random cards. At most there are 1980 points with 52 cards,
812 with 36 and 272 with 24.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel
from riverboat.equity.kernels import sort_by_strength
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of
from riverboat.strength.evaluation import EMPTY_KEY, board_strengths, ranked_strength, strength
from riverboat.strength.tables import SUIT_SHIFT, Tables, tables_of

I64 = NDArray[np.int64]
Points = NDArray[np.uint16]  # [K, H]
BLOCKED = np.uint16(65535)  # the points of a holding that has a card of the board
_ACE = 12
_SUIT_BITS = np.uint64(0x1FFF)


def best_points(deck: Deck) -> int:
    """Return the points of a holding that beats every other on a complete board."""
    return 2 * comb(len(deck.cards) - deck.board_sizes[-1] - deck.holding_size, deck.holding_size)


def points_on_boards(deck: Deck, boards: NDArray[np.uint8]) -> Points:
    """Return the points [K, H] of all holdings on complete boards [K, 5]; BLOCKED for those that share a card."""
    if boards.dtype != np.uint8 or boards.shape[1:] != (5,):
        raise InvalidInput("", f"boards must be uint8 in rows of 5, not {boards.dtype} of shape {boards.shape}")
    out = np.empty((len(boards), holdings_of(deck).count), np.uint16)
    write_points(boards, holdings_of(deck).cards, deck.ranks[0], tables_of(deck.ordering, 7), out)
    return out


@kernel
def write_points(boards: NDArray[np.uint8], cards: NDArray[np.uint8], lowest: int, tables: Tables, out: Points) -> None:
    """Write the points of all holdings, whose cards are `cards` [H, 2], on boards [K, 5] to out [K, H]."""
    count = cards.shape[0]
    row = np.zeros(count, np.uint16)
    order, spare, starts = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(130, np.int64)
    below, equal = np.zeros(52, np.int64), np.zeros(52, np.int64)
    for k in range(boards.shape[0]):
        key, bits = EMPTY_KEY, np.uint64(0)
        for card in boards[k]:
            key += tables.card_keys[card]
            bits |= tables.card_bits[card]
        board_strengths(key, bits, lowest, tables, row)
        live = sort_by_strength(row, order, spare, starts)
        out[k] = BLOCKED
        _scan(row, order[:live], cards, below, equal, out[k])


@kernel
def _scan(row: Points, order: I64, cards: NDArray[np.uint8], below: I64, equal: I64, out: Points) -> None:
    """Write points to out [H], from the weakest holding to the strongest.

    A holding beats all holdings below it, less those that have one of its cards; only the holding itself has both.
    `below` and `equal` count holdings with each card.
    """
    below[:] = 0
    first = 0
    while first < order.size:
        last = first
        while last < order.size and row[order[last]] == row[order[first]]:
            equal[cards[order[last], 0]] += 1
            equal[cards[order[last], 1]] += 1
            last += 1
        for n in range(first, last):
            a, b = cards[order[n], 0], cards[order[n], 1]
            wins = first - below[a] - below[b]
            ties = last - first - equal[a] - equal[b] + 1  # itself is in all three
            out[order[n]] = np.uint16(2 * wins + ties)
        for n in range(first, last):
            for card in cards[order[n]]:
                below[card] += 1
                equal[card] = 0
        first = last


@kernel
def holding_points(
    key: np.uint64, bits: np.uint64, mine: tuple[np.uint64, np.uint64], free: I64, lowest: int, tables: Tables
) -> int:
    """Return the points of one holding on a complete board.

    `key` and `bits` are the board's, `mine` is the holding's key and bits, and free [13] counts the unseen cards of
    each rank. Holdings of the same two ranks are equally strong unless they make a flush: 91 look-ups are enough.
    """
    own = strength(key + mine[0], bits | mine[1], tables)
    for suit in range(4):
        if (key >> np.uint64(SUIT_SHIFT + 4 * suit)) & np.uint64(15) >= 6:  # three cards or more, counted from 3
            return _points_beside_flushes(key, bits, suit, (bits | mine[1]), own, free, lowest, tables)
    points = np.int64(0)
    for high in range(lowest, _ACE + 1):
        beside = key + tables.card_keys[4 * high]
        of_rank = np.int64(0)
        for low in range(lowest, high):
            value = ranked_strength(beside + tables.card_keys[4 * low], tables)
            of_rank += free[low] * _points_against(own, value)
        points += free[high] * of_rank
        value = ranked_strength(beside + tables.card_keys[4 * high], tables)
        points += ((free[high] * (free[high] - 1)) >> 1) * _points_against(own, value)
    return int(points)


@kernel
def _points_against(own: np.uint16, value: np.uint16) -> int:
    """Return 2 for a win, 1 for a tie, 0 for a loss."""
    return int(own > value) + int(own >= value)


@kernel
def _points_beside_flushes(
    key: np.uint64, bits: np.uint64, suit: int, seen: np.uint64, own: np.uint16, free: I64, lowest: int, tables: Tables
) -> int:
    """Return a holding's points on a board with three or more cards of `suit`, where opponents may have flushes."""
    flushes = tables.flushes
    shift = np.uint64(16 * suit)
    ranks = int((bits >> shift) & _SUIT_BITS)  # of the board in the suit
    unseen = ~int((seen >> shift) & _SUIT_BITS)
    on_board = int((key >> np.uint64(SUIT_SHIFT + 4 * suit)) & np.uint64(15)) - 3
    points = np.int64(0)
    for high in range(lowest, _ACE + 1):
        high_suited = (unseen >> high) & 1
        for low in range(lowest, high + 1):
            low_suited = (unseen >> low) & 1
            value = ranked_strength(key + tables.card_keys[4 * high] + tables.card_keys[4 * low], tables)
            none = flushes[ranks] if on_board == 5 else value
            with_high = flushes[ranks | (1 << high)] if on_board >= 4 else value
            with_low = flushes[ranks | (1 << low)] if on_board >= 4 else value
            other_high, other_low = free[high] - high_suited, free[low] - low_suited
            if high == low:
                points += ((other_high * (other_high - 1)) >> 1) * _points_against(own, none)
                points += high_suited * other_high * _points_against(own, with_high)
            else:
                points += other_high * other_low * _points_against(own, none)
                points += high_suited * other_low * _points_against(own, with_high)
                points += low_suited * other_high * _points_against(own, with_low)
                both = flushes[ranks | (1 << high) | (1 << low)]
                points += high_suited * low_suited * _points_against(own, both)
    return int(points)
