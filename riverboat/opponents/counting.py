"""What players did in stored hands, counted by compiled code that replays them."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.columns import HandColumns
from riverboat.history.store.replaying import NOT_KNOWN
from riverboat.history.store.stepping import go_to, start_stored
from riverboat.rules.betting import BET, BLOCKS, CALL, FOLD, HEAD, OUT, PHASE, SHOWDOWN, STREET, TO_CALL, play
from riverboat.rules.variant import SEAT_COUNT

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]

# Places in the counts of a player: hands; hands with a decision before the flop; of those, with a call or raise there,
# and with a raise there; hands that saw a flop, that came to a showdown, that won there; hands whose result is known.
HANDS, DECIDED, VOLUNTARY, RAISED, FLOPS, SHOWDOWNS, SHOWDOWNS_WON, RESULTS = range(8)
COUNT_SIZE = 8
# Kinds of moves, counted for each street and for whether there was a bet to call.
FOLDS, CHECKS, CALLS, BETS, RAISES = range(5)
MOVE_KINDS = 5
STREETS = 4
MOVES_SHAPE = (STREETS, 2, MOVE_KINDS)
# Sums of results in big blinds, and of their squares.
SUM, SQUARES = range(2)
SUM_SIZE = 2


def count_hands(columns: HandColumns, rows: I64, counts: I64, moves: I64, sums: F64) -> None:
    """Add the hands to counts [R, COUNT_SIZE], moves [R, 4, 2, 5] and sums [R, SUM_SIZE]; rows [S] are the seats' own.

    A seat whose row is -1 is not counted.
    """
    rules, starts = columns.rules
    big_blinds = np.array([game.variant.big_blind for game in columns.games], np.int64)
    _count(
        rules, starts, big_blinds, columns.game, columns.seat_start, columns.move_start, columns.stack, columns.won,
        columns.mover, columns.move, rows, counts, moves, sums,
    )  # fmt: skip


@kernel
def kind_of_move(state: I64, move: int) -> int:
    """Return the kind of a move that is about to be played: a raise over nothing but blinds is a raise."""
    if move == FOLD:
        return FOLDS
    if move == CALL:
        return CALLS if state[TO_CALL] > 0 else CHECKS
    return RAISES if state[BET] > 0 else BETS


@kernel
def _count(
    rules: I64, starts: I64, big_blinds: I64, games: I64, seat_start: I64, move_start: I64, stacks: I64, won: I64,
    movers: U8, moves: I64, rows: I64, counts: I64, kinds: I64, sums: F64,
) -> None:  # fmt: skip
    for hand in range(len(games)):
        own = rules[starts[games[hand]] : starts[games[hand] + 1]]
        count, first = own[SEAT_COUNT], seat_start[hand]
        hand_stacks = stacks[first : first + count]
        state = np.empty(HEAD + BLOCKS * count, np.int64)
        done = np.zeros((3, count), np.bool_)
        decided, paid, raised = done[0], done[1], done[2]
        start_stored(own, hand_stacks, state)
        seen_flop = False
        for at in range(move_start[hand], move_start[hand + 1]):
            mover, move = movers[at], moves[at]
            go_to(own, hand_stacks, state, mover)
            if state[STREET] > 0 and not seen_flop:
                seen_flop = True
                _add_to_live(state, count, rows[first : first + count], counts, FLOPS)
            kind = kind_of_move(state, move)
            if state[STREET] == 0:
                decided[mover] = True
                paid[mover] |= kind >= CALLS
                raised[mover] |= kind >= BETS
            if rows[first + mover] >= 0:
                kinds[rows[first + mover], state[STREET], int(state[TO_CALL] > 0), kind] += 1
            play(own, state, move)
        go_to(own, hand_stacks, state, -1)
        if state[STREET] > 0 and not seen_flop:
            _add_to_live(state, count, rows[first : first + count], counts, FLOPS)
        if state[PHASE] == SHOWDOWN:
            _add_to_live(state, count, rows[first : first + count], counts, SHOWDOWNS)
        for seat in range(count):
            row, result = rows[first + seat], won[first + seat]
            if row < 0:
                continue
            counts[row, HANDS] += 1
            counts[row, DECIDED] += decided[seat]
            counts[row, VOLUNTARY] += paid[seat]
            counts[row, RAISED] += raised[seat]
            if result != NOT_KNOWN:
                blinds = result / big_blinds[games[hand]]
                counts[row, RESULTS] += 1
                sums[row, SUM] += blinds
                sums[row, SQUARES] += blinds * blinds
                if state[PHASE] == SHOWDOWN and not state[HEAD + OUT * count + seat]:
                    counts[row, SHOWDOWNS_WON] += result > 0


@kernel
def _add_to_live(state: I64, count: int, rows: I64, counts: I64, place: int) -> None:
    """Count something for all who have not folded."""
    for seat in range(count):
        if not state[HEAD + OUT * count + seat] and rows[seat] >= 0:
            counts[rows[seat], place] += 1
