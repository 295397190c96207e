"""The arrays of the compiled loop: a structure as the loop reads it, sums for each entrant, and scratch."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.features.tournament_inputs import (
    MODEL_INPUTS,
)
from riverboat.policies.evolved_nets import MOST_HIDDEN, OUTPUTS
from riverboat.rules.betting import (
    BLOCKS,
    HEAD,
)
from riverboat.tournaments.seating import EMPTY

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]

# Sums over tournaments for each entrant, after those of a tally in `tournament_inputs`.
HANDS_WON, HANDS_LOST, CHIPS_WON, CHIPS_LOST = range(6, 10)
SUM_SIZE = 10
HAS_ENTERED, HAS_RAISED = range(2)  # columns of `flags`


class LoopRules(NamedTuple):
    """A structure as the loop reads it."""

    entrant_count: int
    starting_chips: int
    level_hands: int
    big_blinds: I64  # [levels]
    rules: I64  # [levels, players at a table + 1, longest]: the betting rules' arrays
    seats: I64  # [tables, chairs], any content: its shape is the tables'
    rollouts: int  # rollouts for a strength; 0 to look it up


class Scratch(NamedTuple):
    """Working memory of the loop; its content means nothing after a tournament."""

    seats: I64
    buttons: I64
    stacks: I64  # [E]
    before: I64  # [E], chips at the start of the round
    state: I64
    hand_stacks: I64
    payoffs: I64
    entrants: I64  # [chairs], of the hand by seat
    chairs: I64
    deck: I64
    inputs: F64
    hidden: F64
    chances: F64
    scaled: F64  # [chairs], stacks as nets read them
    known: F64  # [chairs, 4 streets, opponents]: strengths computed in this hand; negative if not computed yet
    flags: I64  # [chairs, 2]: whether a seat has entered the pot, has raised before the flop
    busted: I64  # [entrants]: the entrants who busted at once, the best rank first
    lots: U64
    moves: I64
    deal: U64
    random: U64


def scratch_of(rules: LoopRules) -> Scratch:
    """Return scratch for tournaments of a structure."""
    table_count, chair_count = rules.seats.shape
    entrants = rules.entrant_count
    return Scratch(
        seats=np.full((table_count, chair_count), EMPTY, np.int64),
        buttons=np.zeros(table_count, np.int64),
        stacks=np.zeros(entrants, np.int64),
        before=np.zeros(entrants, np.int64),
        state=np.zeros(HEAD + BLOCKS * chair_count, np.int64),
        hand_stacks=np.zeros(chair_count, np.int64),
        payoffs=np.zeros(chair_count, np.int64),
        entrants=np.zeros(chair_count, np.int64),
        chairs=np.zeros(chair_count, np.int64),
        deck=np.zeros(52, np.int64),
        inputs=np.zeros(MODEL_INPUTS),
        hidden=np.zeros(MOST_HIDDEN),
        chances=np.zeros(OUTPUTS),
        scaled=np.zeros(chair_count),
        known=np.zeros((chair_count, 4, chair_count)),
        flags=np.zeros((chair_count, 2), np.int64),
        busted=np.zeros(entrants, np.int64),
        lots=np.zeros(chair_count, np.uint64),
        moves=np.zeros((chair_count, 3), np.int64),
        deal=np.zeros(1, np.uint64),
        random=np.zeros(1, np.uint64),
    )
