"""Pots: who may win which chips, and who does."""

import numpy as np
from numpy.typing import NDArray

from riverboat.kernels import kernel
from riverboat.rules.betting import DEAD, HEAD, OUT, PAID
from riverboat.rules.variant import SEAT_COUNT

I64 = NDArray[np.int64]


@kernel
def pay_out(rules: I64, state: I64, strengths: I64, won: I64) -> None:
    """Chips that each seat takes from the pots [P], given strengths [P] of those who have not folded.

    Every amount that somebody still in the hand has paid closes a pot, for which all compete who paid as
    much. Chips that nobody matched are a pot with one competitor, and so go back. Dead chips belong to the
    first pot. A pot that does not divide gives its odd chips to the first of its winners left of the button,
    who has the lowest seat.
    """
    count = rules[SEAT_COUNT]
    won[:] = 0
    dead, least, top = 0, -1, 0
    for seat in range(count):
        dead += state[HEAD + DEAD * count + seat]
        if not state[HEAD + OUT * count + seat]:
            paid = state[HEAD + PAID * count + seat]
            least = paid if least < 0 else min(least, paid)
            top = max(top, paid)
    if least == 0:  # somebody had only enough for a dead ante
        _pay_pot(count, state, strengths, won, dead, 0)
        dead = 0
    below = 0
    while below < top:
        level = top
        for seat in range(count):
            paid = state[HEAD + PAID * count + seat]
            if not state[HEAD + OUT * count + seat] and below < paid < level:
                level = paid
        chips, dead = dead, 0
        for seat in range(count):
            paid = state[HEAD + PAID * count + seat]
            # What folded players paid above everybody else goes with the last pot.
            chips += max(0, (paid if level == top else min(paid, level)) - below)
        _pay_pot(count, state, strengths, won, chips, level)
        below = level


@kernel
def write_payoffs(rules: I64, state: I64, strengths: I64, payoffs: I64) -> None:
    """Chips that each seat wins or loses in the whole hand [P]."""
    count = rules[SEAT_COUNT]
    pay_out(rules, state, strengths, payoffs)
    for seat in range(count):
        payoffs[seat] -= state[HEAD + PAID * count + seat] + state[HEAD + DEAD * count + seat]


@kernel
def _pay_pot(count: int, state: I64, strengths: I64, won: I64, chips: int, level: int) -> None:
    """Share a pot among the best of those who are in and have paid up to `level`."""
    best, winners, first = -1, 0, -1
    for seat in range(count):
        if not state[HEAD + OUT * count + seat] and state[HEAD + PAID * count + seat] >= level:
            if strengths[seat] > best:
                best, winners, first = strengths[seat], 1, seat
            elif strengths[seat] == best:
                winners += 1
    for seat in range(count):
        in_it = not state[HEAD + OUT * count + seat] and state[HEAD + PAID * count + seat] >= level
        if in_it and strengths[seat] == best:
            won[seat] += chips // winners
    won[first] += chips % winners
