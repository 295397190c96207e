"""Pots: who may win which chips, and who does."""

import numpy as np
from numpy.typing import NDArray

from riverboat.kernels import kernel
from riverboat.rules.betting import HEAD, OUT, PAID
from riverboat.rules.variant import SEAT_COUNT

I64 = NDArray[np.int64]


@kernel
def pay_out(rules: I64, state: I64, strengths: I64, won: I64) -> None:
    """Chips that each seat takes from the pots [P], given strengths [P] of those who have not folded.

    Every amount that somebody still in the hand has paid closes a pot, for which all compete who paid as
    much. Chips that nobody matched are a pot with one competitor, and so go back. A pot that does not
    divide gives its odd chips to the first of its winners left of the button, who has the lowest seat.
    """
    count = rules[SEAT_COUNT]
    won[:] = 0
    below, last = 0, -1
    while True:
        level = 0
        for seat in range(count):
            paid = state[HEAD + PAID * count + seat]
            if not state[HEAD + OUT * count + seat] and paid > below and (level == 0 or paid < level):
                level = paid
        if level == 0:
            break
        last = _pay_pot(count, state, strengths, won, below, level)
        below = level
    if last >= 0:  # what folded players paid above everybody else goes with the last pot
        for seat in range(count):
            won[last] += max(0, state[HEAD + PAID * count + seat] - below)


@kernel
def _pay_pot(count: int, state: I64, strengths: I64, won: I64, below: int, level: int) -> int:
    """Share the pot of chips from `below` to `level`; the seat that takes odd chips."""
    chips, best, winners, first = 0, -1, 0, -1
    for seat in range(count):
        paid = state[HEAD + PAID * count + seat]
        chips += min(paid, level) - min(paid, below)
        if not state[HEAD + OUT * count + seat] and paid >= level:
            if strengths[seat] > best:
                best, winners, first = strengths[seat], 1, seat
            elif strengths[seat] == best:
                winners += 1
    for seat in range(count):
        paid = state[HEAD + PAID * count + seat]
        if not state[HEAD + OUT * count + seat] and paid >= level and strengths[seat] == best:
            won[seat] += chips // winners
    won[first] += chips % winners
    return first
