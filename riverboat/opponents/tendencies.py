"""Tendencies: how often a player has made each kind of move in each situation, over the hands before this one.

They are counts, so that a memory of a player has a fixed size. A row that is full is halved: recent hands then count
more, and a player who changes is followed. Features are shares that start at typical ones.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.opponents.counting import BETS, CALLS, FOLDS, MOVE_KINDS, RAISES

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

SITUATION_COUNT = 8  # see `situation_of`: by street, and by whether there is a bet to call
TENDENCY_SHAPE = (SITUATION_COUNT, MOVE_KINDS)
FULL = 400  # moves in one situation, after which they are halved
NAMES = (
    "seen", "seen_here", "folds_here", "raises_here", "enters_pots", "raises_preflop", "bets_flop", "bets_later",
    "folds_to_bets", "raises_bets", "aggressor_seen", "aggressor_raises_preflop", "aggressor_bets",
)  # fmt: skip
TENDENCY_COUNT = len(NAMES)
(
    _SEEN, _SEEN_HERE, _FOLDS, _RAISES, _ENTERS, _RAISES_PREFLOP, _BETS_FLOP, _BETS_LATER, _FOLDS_TO_BETS, _RAISES_BETS,
    _AGGRESSOR_SEEN, _AGGRESSOR_RAISES, _AGGRESSOR_BETS,
) = range(TENDENCY_COUNT)  # fmt: skip
_WEIGHT = 4.0  # how many moves the typical shares below count for
_NOBODY = -1.0
_FOLD, _RAISE, _BET, _ENTER, _FOLD_LATER = 0.5, 0.12, 0.35, 0.3, 0.45  # typical shares
_FLOP_FREE = 2  # situation: a flop without a bet to call


@kernel
def add_tendency(counts: I64, situation: int, kind: int) -> None:
    """Add a move to a player's counts [SITUATION_COUNT, MOVE_KINDS]."""
    counts[situation, kind] += 1
    if counts[situation].sum() >= FULL:
        for each in range(MOVE_KINDS):
            counts[situation, each] >>= 1


@kernel
def write_tendencies(own: I64, aggressor: I64, has_aggressor: bool, situation: int, out: F64) -> None:
    """Write the features [TENDENCY_COUNT] of a player's tendencies, and of those of the aggressor."""
    here = own[situation]
    total = float(here.sum())
    out[_SEEN] = np.log2(1.0 + own[0].sum() + own[1].sum())
    out[_SEEN_HERE] = np.log2(1.0 + total)
    out[_FOLDS] = _share(here[FOLDS], total, _FOLD) if situation & 1 else 0.0
    out[_RAISES] = _share(here[BETS] + here[RAISES], total, _RAISE if situation & 1 else _BET)
    faced = own[1]
    out[_ENTERS] = _share(faced[CALLS] + faced[RAISES], faced.sum(), _ENTER)
    out[_RAISES_PREFLOP] = _raises_preflop(own)
    out[_BETS_FLOP] = _share(own[_FLOP_FREE, BETS], own[_FLOP_FREE].sum(), _BET)
    out[_BETS_LATER] = _bets_after(own, _FLOP_FREE + 2)
    folds, raises, bets = 0.0, 0.0, 0.0
    for later in range(_FLOP_FREE + 1, SITUATION_COUNT, 2):
        folds, raises, bets = folds + own[later, FOLDS], raises + own[later, RAISES], bets + own[later].sum()
    out[_FOLDS_TO_BETS] = _share(folds, bets, _FOLD_LATER)
    out[_RAISES_BETS] = _share(raises, bets, _RAISE)
    out[_AGGRESSOR_SEEN] = out[_AGGRESSOR_RAISES] = out[_AGGRESSOR_BETS] = _NOBODY
    if has_aggressor:
        out[_AGGRESSOR_SEEN] = np.log2(1.0 + aggressor[0].sum() + aggressor[1].sum())
        out[_AGGRESSOR_RAISES] = _raises_preflop(aggressor)
        out[_AGGRESSOR_BETS] = _bets_after(aggressor, _FLOP_FREE)


@kernel
def _raises_preflop(counts: I64) -> float:
    return _share(counts[0, RAISES] + counts[1, RAISES], counts[0].sum() + counts[1].sum(), _RAISE)


@kernel
def _bets_after(counts: I64, first: int) -> float:
    """Return how often a player bets when no bet is open, on the street of a situation and later ones."""
    bets, total = 0.0, 0.0
    for free in range(first, SITUATION_COUNT, 2):
        bets, total = bets + counts[free, BETS], total + counts[free].sum()
    return _share(bets, total, _BET)


@kernel
def _share(part: float, whole: float, usual: float) -> float:
    return (part + _WEIGHT * usual) / (whole + _WEIGHT)
