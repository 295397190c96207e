"""Compiled steps through a stored hand, for everything that reads stores."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.columns import HandColumns
from riverboat.history.store.scanning import UNKNOWN
from riverboat.rules.betting import ACT, ACTOR, HEAD, PHASE, STACKS, deal_on, set_turn, start_hand
from riverboat.rules.variant import SEAT_COUNT

I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]


class HandArrays(NamedTuple):
    """Stored hands as kernels read them; see `HandColumns`."""

    rules: I64  # of all games, one after another
    rule_start: I64  # [G + 1]
    big_blind: I64  # [G]
    game: I64  # [N]
    seat_start: I64  # [N + 1]
    move_start: I64  # [N + 1]
    stack: I64  # [S]
    won: I64  # [S]
    board: U8  # [N, 5]
    mover: U8  # [M]
    move: I64  # [M]


def hand_arrays(columns: HandColumns) -> HandArrays:
    """Return stored hands as kernels read them."""
    rules, starts = columns.rules
    return HandArrays(
        rules=rules,
        rule_start=starts,
        big_blind=np.array([game.variant.big_blind for game in columns.games], np.int64),
        game=columns.game,
        seat_start=columns.seat_start,
        move_start=columns.move_start,
        stack=columns.stack,
        won=columns.won,
        board=columns.board,
        mover=columns.mover,
        move=columns.move,
    )


@kernel
def rules_of(hands: HandArrays, hand: int) -> I64:
    """Return the rules of a hand's game."""
    game = hands.game[hand]
    return hands.rules[hands.rule_start[game] : hands.rule_start[game + 1]]


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
