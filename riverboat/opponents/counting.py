"""Counts of players' moves in stored hands, by compiled code that replays them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.columns import HandColumns
from riverboat.history.store.replaying import NOT_KNOWN
from riverboat.history.store.stepping import HandArrays, go_to, hand_arrays, rules_of, start_stored
from riverboat.rules.betting import BET, BLOCKS, CALL, FOLD, HEAD, OUT, PHASE, SHOWDOWN, STREET, TO_CALL, play
from riverboat.rules.variant import SEAT_COUNT
from riverboat.streets import STREETS

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

# Places in the counts of a player: hands; hands with a decision before the flop; of those, with a call or raise there,
# and with a raise there; hands that saw a flop, that came to a showdown, that won there; hands whose result is known.
HANDS, DECIDED, VOLUNTARY, RAISED, FLOPS, SHOWDOWNS, SHOWDOWNS_WON, RESULTS = range(8)
COUNT_SIZE = 8
# Kinds of moves, counted for each street and for whether there was a bet to call.
FOLDS, CHECKS, CALLS, BETS, RAISES = range(5)
MOVE_KINDS = 5
MOVES_SHAPE = (len(STREETS), 2, MOVE_KINDS)
# Sums of results in big blinds, and of their squares.
SUM, SQUARES = range(2)
SUM_SIZE = 2


class PlayerCounts(NamedTuple):
    """Counts of R players."""

    counts: I64  # [R, COUNT_SIZE]
    moves: I64  # [R, 4, 2, 5]: by street, whether there was a bet to call, and kind
    sums: F64  # [R, SUM_SIZE]


def count_hands(columns: HandColumns, rows: I64, out: PlayerCounts) -> None:
    """Add hands to the counts; rows [S] has the row of each seat's player, -1 for a seat that is not counted."""
    _count(hand_arrays(columns), rows, out)


@kernel
def kind_of_move(state: I64, move: int) -> int:
    """Return the kind of a move that is about to be played: a raise over nothing but blinds is a raise."""
    if move == FOLD:
        return FOLDS
    if move == CALL:
        return CALLS if state[TO_CALL] > 0 else CHECKS
    return RAISES if state[BET] > 0 else BETS


@kernel
def _count(hands: HandArrays, seat_rows: I64, out: PlayerCounts) -> None:
    for hand in range(len(hands.game)):
        rules, first = rules_of(hands, hand), hands.seat_start[hand]
        count, big_blind = rules[SEAT_COUNT], hands.big_blind[hands.game[hand]]
        stacks, rows = hands.stack[first : first + count], seat_rows[first : first + count]
        state = np.empty(HEAD + BLOCKS * count, np.int64)
        done = np.zeros((3, count), np.bool_)
        decided, paid, raised = done[0], done[1], done[2]
        start_stored(rules, stacks, state)
        seen_flop = False
        for at in range(hands.move_start[hand], hands.move_start[hand + 1]):
            mover, move = hands.mover[at], hands.move[at]
            go_to(rules, stacks, state, mover)
            if state[STREET] > 0 and not seen_flop:
                seen_flop = True
                _add_to_live(state, count, rows, out.counts, FLOPS)
            kind = kind_of_move(state, move)
            if state[STREET] == 0:
                decided[mover] = True
                paid[mover] |= kind >= CALLS
                raised[mover] |= kind >= BETS
            if rows[mover] >= 0:
                out.moves[rows[mover], state[STREET], int(state[TO_CALL] > 0), kind] += 1
            play(rules, state, move)
        go_to(rules, stacks, state, -1)
        if state[STREET] > 0 and not seen_flop:
            _add_to_live(state, count, rows, out.counts, FLOPS)
        if state[PHASE] == SHOWDOWN:
            _add_to_live(state, count, rows, out.counts, SHOWDOWNS)
        for seat in range(count):
            row, result = rows[seat], hands.won[first + seat]
            if row < 0:
                continue
            out.counts[row, HANDS] += 1
            out.counts[row, DECIDED] += decided[seat]
            out.counts[row, VOLUNTARY] += paid[seat]
            out.counts[row, RAISED] += raised[seat]
            if result != NOT_KNOWN:
                blinds = result / big_blind
                out.counts[row, RESULTS] += 1
                out.sums[row, SUM] += blinds
                out.sums[row, SQUARES] += blinds * blinds
                if state[PHASE] == SHOWDOWN and not state[HEAD + OUT * count + seat]:
                    out.counts[row, SHOWDOWNS_WON] += result > 0


@kernel
def _add_to_live(state: I64, count: int, rows: I64, counts: I64, place: int) -> None:
    """Add one at a place in the counts of each player who has not folded."""
    for seat in range(count):
        if not state[HEAD + OUT * count + seat] and rows[seat] >= 0:
            counts[rows[seat], place] += 1
