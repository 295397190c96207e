"""The inputs of a net at a decision in a tournament: its hand's strength, the chips, the field and its opponents.

Sixteen numbers, and 24 more with models of opponents. Chips are ln(1 + big blinds) / 5: a net reads pot odds as the
difference of two inputs, and 150 big blinds are 1. A chair without an opponent is UNKNOWN.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.rules.betting import ACTOR, DEAD, HEAD, OUT, PAID, STACKS, STREET, TO_CALL
from riverboat.rules.variant import SEAT_COUNT

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

OPPONENT_CHAIRS = 8
STRENGTH, ROUND, STACK, POT_TO_WIN, PRICE, OPPONENTS, LEFT, POSITION = range(8)
FIRST_STACK = 8  # of the opponents, from the left of the player
FIRST_MODEL = FIRST_STACK + OPPONENT_CHAIRS
MODEL_SIZE = 3  # VPIP, PFR, AFq
PLAIN_INPUTS = FIRST_MODEL
MODEL_INPUTS = FIRST_MODEL + MODEL_SIZE * OPPONENT_CHAIRS
UNKNOWN = -1.0
_LAST_STREET = 3.0
_LOG_SCALE = 5.0

# A player's tally: hands, hands with chips put in voluntarily before the flop, hands raised before the flop; bets and
# raises, calls, folds on all streets.
HANDS, ENTERED, RAISED_PREFLOP, RAISES_MADE, CALLS_MADE, FOLDS_MADE = range(6)
TALLY_SIZE = 6


@kernel
def scaled_chips(chips: float, big_blind: float) -> float:
    """Return a number of chips as nets read it."""
    return float(np.log(1.0 + chips / big_blind) / _LOG_SCALE)


@kernel
def opponents_in(rules: I64, state: I64) -> int:
    """Return how many opponents of the actor have not folded."""
    count, others = rules[SEAT_COUNT], -1
    for seat in range(count):
        others += 1 - state[HEAD + OUT * count + seat]
    return int(others)


@kernel
def chips_to_win(rules: I64, state: I64) -> int:
    """Return the chips in the pot that the actor can win: bets beyond its own stack do not count."""
    count, seat = rules[SEAT_COUNT], state[ACTOR]
    most = state[HEAD + PAID * count + seat] + state[HEAD + STACKS * count + seat]
    chips = 0
    for other in range(count):
        chips += min(state[HEAD + PAID * count + other], most) + state[HEAD + DEAD * count + other]
    return int(chips)


@kernel
def write_stacks(rules: I64, state: I64, big_blind: int, out: F64) -> None:
    """Write everybody's stack as nets read it to out [P]."""
    count = rules[SEAT_COUNT]
    for seat in range(count):
        out[seat] = scaled_chips(state[HEAD + STACKS * count + seat], big_blind)


@kernel
def write_situation(
    rules: I64, state: I64, big_blind: int, left: float, strength: float, stacks: F64, out: F64
) -> None:
    """Write the first sixteen inputs of the actor.

    `left` is the share of the tournament's entrants that are still in; stacks [P] are from `write_stacks`.
    """
    count, seat = rules[SEAT_COUNT], state[ACTOR]
    out[STRENGTH] = strength
    out[ROUND] = state[STREET] / _LAST_STREET
    out[STACK] = stacks[seat]
    out[POT_TO_WIN] = scaled_chips(chips_to_win(rules, state), big_blind)
    out[PRICE] = scaled_chips(state[TO_CALL], big_blind)
    out[OPPONENTS] = opponents_in(rules, state) / OPPONENT_CHAIRS
    out[LEFT] = left
    out[POSITION] = (seat + 1.0) / count  # the button, which is the last seat, has 1
    other = seat
    for chair in range(OPPONENT_CHAIRS):
        other = other + 1 if other + 1 < count else 0
        out[FIRST_STACK + chair] = stacks[other] if chair + 1 < count else UNKNOWN


@kernel
def write_model(tally: I64, out: F64) -> None:
    """Write VPIP, PFR and AFq of one opponent to out [3], each with one success and one failure added."""
    acts = tally[RAISES_MADE] + tally[CALLS_MADE] + tally[FOLDS_MADE]
    out[0] = (tally[ENTERED] + 1.0) / (tally[HANDS] + 2.0)
    out[1] = (tally[RAISED_PREFLOP] + 1.0) / (tally[HANDS] + 2.0)
    out[2] = (tally[RAISES_MADE] + 1.0) / (acts + 2.0)
