"""Rake: chips that the house takes from the winners, recognised by the chips missing from finishing stacks."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.rules.betting import HEAD, OUT, PAID, POT, STACKS
from riverboat.rules.variant import SEAT_COUNT

I64 = NDArray[np.int64]

MOST_RAKE = 0.1  # of a pot; if more chips are missing, it is no rake


@kernel
def contested_pot(rules: I64, state: I64) -> int:
    """Return the pot without the last chips of a player whom nobody called."""
    count = rules[SEAT_COUNT]
    top, second, holder = -1, -1, 0
    for seat in range(count):
        paid = state[HEAD + PAID * count + seat]
        folded = state[HEAD + OUT * count + seat]
        if paid > top or (paid == top and not folded):
            second, top, holder = top, paid, seat
        elif paid > second:
            second = paid
    uncalled = 0 if state[HEAD + OUT * count + holder] else top - second
    return int(state[POT] - uncalled)


@kernel
def rake_in(rules: I64, state: I64, stacks: I64, won: I64, finishes: I64, unknown: int) -> int:
    """Return the chips that the house took: 0 if finishing stacks are those of the rules, -1 if they differ otherwise.

    Rake is missing from seats that win chips only, and is at most MOST_RAKE of the pot. Stacks that are `unknown` are
    not compared.
    """
    count = rules[SEAT_COUNT]
    rake = 0
    for seat in range(count):
        if stacks[seat] == unknown or finishes[seat] == unknown:
            continue
        end = stacks[seat] + won[seat]
        missing = end - finishes[seat]
        if missing < 0 or missing > end - state[HEAD + STACKS * count + seat]:
            return -1
        rake += missing
    return rake if rake <= MOST_RAKE * contested_pot(rules, state) else -1
