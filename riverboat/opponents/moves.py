"""Moves in seventeen classes: fold, check, call, and seven sizes each of bet and raise.

A size is the number of chips that a bet or raise adds to the bet it answers: the smallest legal number, or a share of
the pot after a call. A real size between two of them is mapped by the geometric rule: of c < b < d, b becomes c if
c / b is at least b / d.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.rules.betting import BET, CALL, FOLD, FULL_RAISE, POT, TO_CALL

I64 = NDArray[np.int64]

SIZE_COUNT = 7
FOLD_MOVE, CHECK_MOVE, CALL_MOVE, FIRST_BET = range(4)
FIRST_RAISE = FIRST_BET + SIZE_COUNT
# In one situation only some classes can occur. There, moves are numbered 0 for a fold or check, 1 for a call where
# there is a bet to call, and then sizes; a fold without a bet to call counts as a check.
CHOICE_COUNT = 2 + SIZE_COUNT
POT_SHARES = np.array([0.25, 0.5, 0.75, 1.0, 1.5, 2.0])  # of the sizes after the smallest one


@kernel
def class_of_move(state: I64, move: int) -> int:
    """Return the class of a move that is about to be played."""
    if move == FOLD:
        return FOLD_MOVE
    if move == CALL:
        return CALL_MOVE if state[TO_CALL] > 0 else CHECK_MOVE
    first = FIRST_RAISE if state[BET] > 0 else FIRST_BET
    return int(first + _size_of(move - state[BET], state[FULL_RAISE], state[POT] + state[TO_CALL]))


@kernel
def _size_of(by: int, least: int, pot: int) -> int:
    """Return the place of the size nearest to `by`, among those that are at least the smallest legal one."""
    size, below = 0, float(least)
    for place in range(len(POT_SHARES)):
        share = POT_SHARES[place] * pot
        if share <= least:
            continue  # too small to be legal, and so the same as the smallest
        if by < share:
            return size if by <= below or below / by >= by / share else place + 1
        size, below = place + 1, share
    return size


@kernel
def choice_of(situation: int, move: int) -> int:
    """Return the number of a class of moves among those of its situation."""
    if move < CALL_MOVE:
        return 0
    if move == CALL_MOVE:
        return 1
    return int((move - FIRST_BET) % SIZE_COUNT + first_size(situation))


@kernel
def first_size(situation: int) -> int:
    """Return the number of the smallest bet or raise among the moves of a situation."""
    return 1 + (situation & 1)


@kernel
def kind_of_choice(situation: int, choice: int) -> int:
    """Return 0 for a fold or check, 1 for a call, 2 for a bet or raise."""
    return 2 if choice >= first_size(situation) else choice
