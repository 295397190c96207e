"""The problem of a search: the hand, the cards that may come, and what each opponent may hold and do."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.opponents.card_models import CardTables

U8 = NDArray[np.uint8]
I16 = NDArray[np.int16]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
U64 = NDArray[np.uint64]


class Problem(NamedTuple):
    """A decision to search, as kernels take it: P seats, K boards, S streets, H holdings, C styles."""

    rules: I64
    state: I64  # of the betting
    record: I64  # of the moves so far, for features
    seat: int  # whose decision it is
    holding: int
    style: int  # that the searching player's later moves follow outside the tree
    big_blind: int
    boards: U8  # [K, 5]: complete boards, drawn in advance; games with fewer cards repeat the last one
    outcomes: I16  # [K, S]: what a board means to the searching player on each street: its bucket there
    strengths: I64  # [K, H]: at the showdown
    places: U8  # [K, S, H, 2]: of buckets on each street
    masks: U64  # [H]: the cards of each holding
    board_masks: U64  # [K]
    styles: F64  # [P, C]: how likely each seat has each style, added up
    ranges: F64  # [P, C, H]: how likely each seat holds each holding if it has that style, added up
    tables: CardTables  # what opponents do with their cards
    sizes: NDArray[np.bool_]  # [SIZE_COUNT + 1]: which bets and raises are searched; the last is all-in


def added_up(chances: F64) -> F64:
    """Return chances [..., N] added up along the last axis, so that a number drawn from 0 to 1 finds its place."""
    sums = np.cumsum(chances, axis=-1)
    last = sums[..., -1:]
    return np.divide(sums, last, out=np.ones_like(sums), where=last > 0)
