"""The value of five to seven cards, computed rank by rank: lookup tables are filled from it.

A value packs the category's place in the ordering and up to five ranks, most important first, into
one integer, so that comparing integers compares hands. This is slow, and only used to fill tables.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.contracts.oracle import Category

RANK_COUNT = 13


HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = map(int, Category)
ACE = RANK_COUNT - 1


@kernel
def pack(place: int, ranks: NDArray[np.int64], rank_count: int) -> int:
    """Return one integer from a category's place and its ranks, most important first."""
    value = place
    for i in range(5):
        value = value * 16 + (ranks[i] + 1 if i < rank_count else 0)
    return value


@kernel
def straight_high(mask: int, low_straight: int) -> int:
    """Return the highest rank of the best straight in a 13-bit set of ranks, or -1.

    `low_straight` is the set of four ranks that an ace completes from below.
    """
    for high in range(ACE, 3, -1):
        if (mask >> (high - 4)) & 31 == 31:
            return high
    wheel = low_straight | (1 << ACE)
    if mask & wheel == wheel:
        high = 0
        while low_straight >> (high + 1):
            high += 1
        return high
    return -1


@kernel
def top_ranks(
    counts: NDArray[np.int64], skip_a: int, skip_b: int, wanted: int, ranks: NDArray[np.int64], at: int
) -> None:
    """Write the `wanted` highest ranks present, except `skip_a` and `skip_b`, into `ranks` from `at` on."""
    for rank in range(ACE, -1, -1):
        if wanted and counts[rank] and rank != skip_a and rank != skip_b:
            ranks[at] = rank
            at += 1
            wanted -= 1


@kernel
def ranks_value(counts: NDArray[np.int64], places: NDArray[np.int64], low_straight: int) -> int:
    """Return the value of a hand without a flush, from how often each rank occurs in it."""
    ranks = np.zeros(8, np.int64)
    mask = 0
    four, three, pair, second = -1, -1, -1, -1  # second: the next best group of two or more
    for rank in range(ACE, -1, -1):
        count = counts[rank]
        mask |= (count > 0) << rank
        if count == 4 and four < 0:
            four = rank
        elif count == 3 and three < 0:
            three = rank
        elif count >= 2:
            if pair < 0:
                pair = rank
            elif second < 0:
                second = rank
    high = straight_high(mask, low_straight)
    if four >= 0:
        ranks[0] = four
        top_ranks(counts, four, four, 1, ranks, 1)
        return pack(places[FOUR], ranks, 2)
    if three >= 0 and pair >= 0:
        ranks[0], ranks[1] = three, pair
        return pack(places[FULL_HOUSE], ranks, 2)
    if high >= 0:
        ranks[0] = high
        return pack(places[STRAIGHT], ranks, 1)
    if three >= 0:
        ranks[0] = three
        top_ranks(counts, three, three, 2, ranks, 1)
        return pack(places[THREE], ranks, 3)
    if second >= 0:
        ranks[0], ranks[1] = pair, second
        top_ranks(counts, pair, second, 1, ranks, 2)
        return pack(places[TWO_PAIR], ranks, 3)
    if pair >= 0:
        ranks[0] = pair
        top_ranks(counts, pair, pair, 3, ranks, 1)
        return pack(places[PAIR], ranks, 4)
    top_ranks(counts, -1, -1, 5, ranks, 0)
    return pack(places[HIGH_CARD], ranks, 5)


@kernel
def flush_value(mask: int, places: NDArray[np.int64], low_straight: int) -> int:
    """Return the value of five or more cards of one suit, from their 13-bit set of ranks."""
    ranks = np.zeros(8, np.int64)
    high = straight_high(mask, low_straight)
    if high >= 0:
        ranks[0] = high
        return pack(places[ROYAL_FLUSH if high == ACE else STRAIGHT_FLUSH], ranks, 1)
    counts = np.zeros(RANK_COUNT, np.int64)
    for rank in range(RANK_COUNT):
        counts[rank] = (mask >> rank) & 1
    top_ranks(counts, -1, -1, 5, ranks, 0)
    return pack(places[FLUSH], ranks, 5)
