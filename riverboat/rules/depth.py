"""Where a tree is cut, and the kind of a node at the cut."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput
from riverboat.rules.betting import ACT, ACTIONS, BLOCKS, CHANCE, HEAD, OUT, PHASE, SHOWDOWN, STACKS, STREET
from riverboat.rules.public_state import PublicState

I64 = NDArray[np.int64]

LEAF = 4  # a kind of node beside the phases of a hand: cut here, with a seat to act or a board to come


class Depth(NamedTuple):
    """Where to cut: at `level` of `street`. Level 0 is the deal that begins the street, level 1 its first decision."""

    street: int
    level: int


def cut_below(root: PublicState, depth: Depth | None) -> Depth:
    """Return where to cut the tree below `root`, with levels counted from the start of each street.

    The levels of `depth` count from the root on the root's own street. None cuts nowhere.
    """
    last = len(root.variant.streets)
    if depth is None:
        return Depth(last, 0)
    if not root.street <= depth.street <= last or depth.level < 0:
        raise InvalidInput("depth", f"must be on street {root.street} or later, at level 0 or deeper")
    return Depth(depth.street, depth.level + (root.action_count if depth.street == root.street else 0))


@kernel
def kind_of(state: I64, cut: Depth) -> int:
    """Return a node's kind: the phase of its state, or LEAF where the tree is cut."""
    if state[PHASE] == ACT:
        street, level = state[STREET], state[ACTIONS] + 1
    elif state[PHASE] == CHANCE:
        if _betting_is_over(state):
            return SHOWDOWN
        street, level = state[STREET] + 1, 0
    else:
        return int(state[PHASE])
    is_cut = street > cut.street or (street == cut.street and level >= cut.level)
    return LEAF if is_cut else int(state[PHASE])


@kernel
def _betting_is_over(state: I64) -> bool:
    """Return whether at most one of the players in the hand has chips left."""
    count = (state.size - HEAD) // BLOCKS
    able = 0
    for seat in range(count):
        able += state[HEAD + OUT * count + seat] == 0 and state[HEAD + STACKS * count + seat] > 0
    return able < 2
