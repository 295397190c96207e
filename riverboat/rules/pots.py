"""Pots: the chips of each, the players who compete for it, and its winners."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.rules.betting import DEAD, HEAD, OUT, PAID
from riverboat.rules.variant import SEAT_COUNT

I64 = NDArray[np.int64]
Flags = NDArray[np.bool_]


@kernel
def write_pots(rules: I64, state: I64, chips: I64, competes: Flags) -> int:
    """Write the chips of each pot to chips [P + 1] and who competes for it to competes [P + 1, P]; return the pot
    count.

    Every amount that a player still in the hand has paid closes a pot; everybody in the hand who paid as much competes
    for it. Unmatched chips make a pot with one competitor, so they go back. Dead chips belong to the first pot; so do
    all chips if no remaining player has paid any.
    """
    count = rules[SEAT_COUNT]
    dead, top = 0, 0
    anybody_without = False  # a player who is in, but had only enough for a dead ante
    for seat in range(count):
        dead += state[HEAD + DEAD * count + seat]
        if not state[HEAD + OUT * count + seat]:
            paid = state[HEAD + PAID * count + seat]
            top = max(top, paid)
            anybody_without |= paid == 0
    pots, below = 0, 0
    level = 0 if anybody_without and (dead > 0 or top == 0) else -1
    while below < top or level == 0:
        if level != 0:
            level = top
            for seat in range(count):
                paid = state[HEAD + PAID * count + seat]
                if not state[HEAD + OUT * count + seat] and below < paid < level:
                    level = paid
        chips[pots], dead = dead, 0
        for seat in range(count):
            paid = state[HEAD + PAID * count + seat]
            # What folded players paid above everybody else goes with the last pot.
            chips[pots] += max(0, (paid if level == top else min(paid, level)) - below)
            competes[pots, seat] = not state[HEAD + OUT * count + seat] and paid >= level
        pots += 1
        below, level = level, -1
    return pots


@kernel
def write_payoffs(rules: I64, state: I64, strengths: I64) -> None:
    """Replace strengths [P] by the chips that each seat wins or loses in the whole hand.

    Only strengths of players who are in matter. The odd chips of a pot that does not divide go to its first winner left
    of the button, who has the lowest seat.
    """
    count = rules[SEAT_COUNT]
    chips, competes = np.zeros(count + 1, np.int64), np.zeros((count + 1, count), np.bool_)
    payoffs = np.empty(count, np.int64)
    for seat in range(count):
        payoffs[seat] = -state[HEAD + PAID * count + seat] - state[HEAD + DEAD * count + seat]
    for pot in range(write_pots(rules, state, chips, competes)):
        best, winners, first = -1, 0, -1
        for seat in range(count):
            if competes[pot, seat]:
                if strengths[seat] > best:
                    best, winners, first = strengths[seat], 1, seat
                elif strengths[seat] == best:
                    winners += 1
        for seat in range(count):
            if competes[pot, seat] and strengths[seat] == best:
                payoffs[seat] += chips[pot] // winners
        payoffs[first] += chips[pot] % winners
    strengths[:] = payoffs


def pots_of(rules: I64, state: I64) -> list[tuple[int, tuple[int, ...]]]:
    """Return the chips of each pot, and the seats that compete for it."""
    count = int(rules[SEAT_COUNT])
    chips, competes = np.zeros(count + 1, np.int64), np.zeros((count + 1, count), np.bool_)
    pot_count = write_pots(rules, state, chips, competes)
    return [(int(chips[pot]), tuple(np.flatnonzero(competes[pot]).tolist())) for pot in range(pot_count)]
