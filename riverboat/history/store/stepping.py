"""Compiled steps through a stored hand, for everything that reads stores."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.scanning import UNKNOWN
from riverboat.rules.betting import ACT, ACTOR, HEAD, PHASE, STACKS, deal_on, set_turn, start_hand
from riverboat.rules.variant import SEAT_COUNT

I64 = NDArray[np.int64]


@kernel
def start_stored(rules: I64, stacks: I64, state: I64) -> None:
    """Start a stored hand; a stack of -1, which is not known, is as large as it has to be."""
    known = stacks.copy()
    for seat in range(len(known)):
        if known[seat] < 0:
            known[seat] = UNKNOWN
    start_hand(rules, known, state)


@kernel
def go_to(rules: I64, stacks: I64, state: I64, mover: int) -> None:
    """Deal until it is the turn of `mover`, who moves next; until the hand is over for -1.

    Where a hand skips a player whose stack is not known, that player was all-in.
    """
    count = rules[SEAT_COUNT]
    deal_on(rules, state)
    while state[PHASE] == ACT and state[ACTOR] != mover:
        actor = state[ACTOR]
        if stacks[actor] >= 0:
            return
        state[HEAD + STACKS * count + actor] = 0
        set_turn(rules, state, actor)
        deal_on(rules, state)
