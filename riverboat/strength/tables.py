"""Lookup tables: from any 5, 6 or 7 cards to their strength in two small memory reads.

Strengths are the distinct values of five cards numbered from 1 (weakest) without gaps: 1..7462 in the
standard ordering, 1..1404 in the short one. 0 means "no such hand".

A hand's key is a sum of one number per card: the low half adds up a number per rank chosen so that no
two collections of ranks have the same sum, the high half counts suits. Without a flush the sum of
ranks decides the strength. It is looked up by row displacement: the sum is cut into a row and a
column, each row is shifted by its own offset, and the offsets are such that no two sums collide.
With a flush the ranks in that suit decide, through a table of all 13-bit sets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import CARD_COUNT, Deck, Ordering
from riverboat.compiled.kernels import kernel
from riverboat.contracts.oracle import Category
from riverboat.holdings import holdings_of
from riverboat.strength.values import RANK_COUNT, flush_value, ranks_value

# The smallest increasing numbers, chosen greedily, for which all sums of seven with no number used
# more than four times differ; tests/unit/strength/test_tables.py checks that.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
SUIT_SHIFT = 32  # the key's high half: four bits per suit that start at 3, so that 5 cards set the top bit
NO_SUITS = 0x3333 << SUIT_SHIFT
FLUSH_BITS = 0x8888 << SUIT_SHIFT
ROW_SHIFT = 9
ROW_LENGTH = 1 << ROW_SHIFT
_SPARE = 2  # entries at the end of tables: vector code reads four bytes where an entry has two


class Tables(NamedTuple):
    """All that a kernel needs to find the strength of hands of one ordering and one size."""

    card_keys: NDArray[np.uint64]  # [52]
    card_bits: NDArray[np.uint64]  # [52], 1 << (16 * suit + rank)
    offsets: NDArray[np.uint16]  # [rows], in units of two entries so that they fit
    strengths: NDArray[np.uint16]  # displaced rows of strengths by sum of ranks
    flushes: NDArray[np.uint16]  # [8192], strength by set of ranks in one suit


@dataclass(frozen=True, slots=True, eq=False)
class StrengthScale:
    """The strengths of one ordering, with the category and the ranks of each."""

    values: NDArray[np.int64]  # [S + 1], the packed value behind each strength; values[0] is 0
    places: tuple[Category, ...]  # categories, weakest first

    @property
    def strength_count(self) -> int:
        """How many different strengths there are."""
        return len(self.values) - 1

    def category(self, strength: int) -> Category:
        """Return the category of a strength."""
        return self.places[int(self.values[strength]) >> 20]

    def ranks(self, strength: int) -> tuple[int, ...]:
        """Return the ranks that decide, most important first: trips then pair, pairs then kicker."""
        packed = int(self.values[strength])
        digits = ((packed >> shift) & 15 for shift in (16, 12, 8, 4, 0))
        return tuple(digit - 1 for digit in digits if digit)


class _Rule(NamedTuple):
    lowest: int  # the lowest rank in play
    low_straight: int  # the four ranks that an ace completes from below
    places: tuple[Category, ...]  # categories, weakest first


_STANDARD_PLACES = tuple(Category)
_SHORT_PLACES = tuple(sorted(Category, key=lambda c: {Category.FLUSH: 6.5}.get(c, float(c))))
_RULES = {Ordering.STANDARD: _Rule(0, 0b1111, _STANDARD_PLACES), Ordering.SHORT: _Rule(4, 0b1111 << 4, _SHORT_PLACES)}


@cache
def scale_of(ordering: Ordering) -> StrengthScale:
    """Return the strengths of `ordering`; built once."""
    rule = _RULES[ordering]
    _, ranked = _value_all_rank_sums(5, *_kernel_rule(rule))
    suited = _value_all_flushes(*_kernel_rule(rule))
    exactly_five = np.array([mask.bit_count() == 5 for mask in range(len(suited))])
    values = np.unique(np.concatenate([[0], ranked, suited[exactly_five & (suited > 0)]]))
    values.flags.writeable = False
    return StrengthScale(values, rule.places)


@cache
def tables_of(ordering: Ordering, card_count: int) -> Tables:
    """Return the tables for hands of 5, 6 or 7 cards; built once."""
    rule, scale = _RULES[ordering], scale_of(ordering)
    sums, values = _value_all_rank_sums(card_count, *_kernel_rule(rule))
    offsets, size = _displace(sums, 7 * RANK_KEYS[-1])
    strengths = np.zeros(size + _SPARE, np.uint16)
    places = 2 * offsets[sums >> ROW_SHIFT].astype(np.int64) + sums % ROW_LENGTH
    strengths[places] = np.searchsorted(scale.values, values)
    flushes = np.searchsorted(scale.values, _value_all_flushes(*_kernel_rule(rule))).astype(np.uint16)
    return Tables(*_card_tables(), np.concatenate([offsets, np.zeros(_SPARE, np.uint16)]), strengths, flushes)


def key_and_bits(cards: Sequence[int]) -> tuple[np.uint64, np.uint64]:
    """Return the key (from NO_SUITS on) and the bits of some cards."""
    card_keys, card_bits = _card_tables()
    key = np.uint64(NO_SUITS) + card_keys[list(cards)].sum(dtype=np.uint64)
    return np.uint64(key), np.uint64(np.bitwise_or.reduce(card_bits[list(cards)], initial=np.uint64(0)))


@cache
def _card_tables() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    cards = range(CARD_COUNT)
    keys = [RANK_KEYS[card >> 2] + (1 << (SUIT_SHIFT + 4 * (card & 3))) for card in cards]
    bits = [1 << (16 * (card & 3) + (card >> 2)) for card in cards]
    return np.array(keys, np.uint64), np.array(bits, np.uint64)


def _kernel_rule(rule: _Rule) -> tuple[int, int, NDArray[np.int64], NDArray[np.int64]]:
    places = np.array([rule.places.index(category) for category in Category])
    return rule.lowest, rule.low_straight, places, np.array(RANK_KEYS)


@kernel
def _value_all_rank_sums(
    card_count: int, lowest: int, low_straight: int, places: NDArray[np.int64], rank_keys: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return key sums and values of all collections of `card_count` ranks, at most four of each."""
    sums, values = np.zeros(50_000, np.int64), np.zeros(50_000, np.int64)
    size = 0
    counts = np.zeros(RANK_COUNT, np.int64)
    left = card_count
    rank = lowest
    while True:
        if rank == RANK_COUNT - 1:  # the last rank takes what is left
            if left <= 4:
                counts[rank] = left
                sums[size] = np.sum(counts * rank_keys)
                values[size] = ranks_value(counts, places, low_straight)
                size += 1
                counts[rank] = 0
            rank -= 1
            while rank >= lowest and (counts[rank] == 4 or left == 0):  # step back to one that can grow
                left += counts[rank]
                counts[rank] = 0
                rank -= 1
            if rank < lowest:
                return sums[:size], values[:size]
            counts[rank] += 1
            left -= 1
        rank += 1


@kernel
def _value_all_flushes(
    lowest: int, low_straight: int, places: NDArray[np.int64], rank_keys: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return values of all 13-bit sets of ranks in one suit; 0 where it is no flush."""
    values = np.zeros(1 << RANK_COUNT, np.int64)
    for mask in range(1 << RANK_COUNT):
        size = 0
        for rank in range(RANK_COUNT):
            size += (mask >> rank) & 1
        if size >= 5 and mask & ((1 << lowest) - 1) == 0:
            values[mask] = flush_value(mask, places, low_straight)
    return values


@kernel
def _displace(sums: NDArray[np.int64], largest: int) -> tuple[NDArray[np.uint16], int]:
    """Return offsets (in twos) that keep all rows apart, fullest rows first, and the size they need.

    There is a row for every sum up to `largest`, so that a kernel may look up impossible hands (five
    aces) that it discards later, instead of branching around them.
    """
    row_count = (largest >> ROW_SHIFT) + 1
    fills = np.zeros(row_count, np.int64)
    for s in sums:
        fills[s >> ROW_SHIFT] += 1
    starts = np.zeros(row_count + 1, np.int64)
    starts[1:] = np.cumsum(fills)
    columns = np.sort(sums) % ROW_LENGTH  # grouped by row, because the row is the sum's high part
    offsets = np.zeros(row_count, np.uint16)
    used = np.zeros(4 * sums.size + 2 * ROW_LENGTH, np.bool_)
    size, offset, last_fill = 0, 0, 0
    for row in np.argsort(-fills, kind="mergesort"):
        if fills[row] == 0:
            break
        if fills[row] != last_fill:  # rows of one length go on where the last one was placed
            last_fill, offset = fills[row], 0
        while True:
            free = True
            for i in range(starts[row], starts[row + 1]):
                if used[2 * offset + columns[i]]:
                    free = False
                    break
            if free:
                break
            offset += 1
        offsets[row] = offset
        for i in range(starts[row], starts[row + 1]):
            used[2 * offset + columns[i]] = True
        size = max(size, 2 * offset + ROW_LENGTH)
    return offsets, size


class HoldingTables(NamedTuple):
    """Keys and bits of the two cards of each holding of a hold'em deck."""

    keys: NDArray[np.uint64]  # [H]
    bits: NDArray[np.uint64]  # [H]


@cache
def holding_tables(deck: Deck) -> HoldingTables:
    """Return the holdings of `deck` as kernels take them; built once."""
    keys, bits = _card_tables()
    cards = holdings_of(deck).cards
    return HoldingTables(keys[cards].sum(axis=1, dtype=np.uint64), np.bitwise_or.reduce(bits[cards], axis=1))
