"""Raises by a list of sizes in a state: the legal ones, or the nearest legal ones."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from riverboat.rules.bet_sizes import MOST_SIZES, BetSizes, flat_sizes
from riverboat.rules.betting import CALL, FOLD, write_raises
from riverboat.rules.public_state import PublicState
from riverboat.rules.variant import Variant

I64 = NDArray[np.int64]


def size_table(sizes: BetSizes, variant: Variant) -> I64:
    """Return sizes for the streets of a variant, as kernels read them."""
    table = np.array(flat_sizes(sizes, len(variant.streets), variant.big_blind), np.int64)
    table.flags.writeable = False  # as the sizes of a variant are: one compiled kernel reads both
    return table


def sized_raises(public: PublicState, sizes: BetSizes) -> tuple[int, ...]:
    """Return the totals that the actor may raise to by these sizes, in ascending order."""
    out = np.empty(MOST_SIZES, np.int64)
    count = write_raises(public.rules, public.flat, size_table(sizes, public.variant), out)
    return tuple(out[:count].tolist())


def restricted_actions(public: PublicState, sizes: BetSizes) -> tuple[int, ...]:
    """Return all actions of the actor by these sizes: fold (where there is something to call), call, raises."""
    actions: Sequence[int] = (FOLD, CALL) if public.can_play(FOLD) else (CALL,)
    return (*actions, *sized_raises(public, sizes)) if public.actor is not None else ()
