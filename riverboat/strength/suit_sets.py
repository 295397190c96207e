"""All sets of cards of one suit: hands and boards are put together from them, suit by suit."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.strength.tables import RANK_KEYS, SUIT_SHIFT

_LARGEST = 7


class SuitSets(NamedTuple):
    """Sets of cards of one suit, smaller sets first; sets of one size are starts[size] : starts[size + 1]."""

    keys: NDArray[np.uint64]  # the sums of the cards' keys
    bits: NDArray[np.uint64]  # 1 << (16 * suit + rank) for each card
    starts: NDArray[np.int64]


def suit_sets(deck: Deck, dead: Sequence[int], suit: int, largest: int) -> SuitSets:
    """Return the sets of up to `largest` cards of `suit` without dead cards."""
    free = sum(1 << rank for rank in deck.ranks if 4 * rank + suit not in dead)
    ranks, sizes, sums = _rank_sets()
    wanted = ((ranks & ~np.uint64(free)) == 0) & (sizes <= largest)
    keys = sums[wanted] + (sizes[wanted].astype(np.uint64) << np.uint64(SUIT_SHIFT + 4 * suit))
    starts = np.searchsorted(sizes[wanted], np.arange(largest + 2))
    return SuitSets(keys, ranks[wanted] << np.uint64(16 * suit), starts)


@cache
def _rank_sets() -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint64]]:
    """Return all sets of up to seven ranks, smaller sets first: as 13 bits, their sizes, their sums of keys."""
    every = sorted(range(1 << len(RANK_KEYS)), key=lambda ranks: (ranks.bit_count(), ranks))
    kept = [ranks for ranks in every if ranks.bit_count() <= _LARGEST]
    sums = [sum(key for rank, key in enumerate(RANK_KEYS) if ranks >> rank & 1) for ranks in kept]
    return np.array(kept, np.uint64), np.array([ranks.bit_count() for ranks in kept]), np.array(sums, np.uint64)
