"""All decisions of stored hands: the features of each, what was done, and by whom."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.columns import HandColumns
from riverboat.history.store.stepping import go_to, start_stored
from riverboat.opponents.features import FEATURE_COUNT, record_move, start_record, write_features
from riverboat.opponents.moves import class_of_move
from riverboat.rules.betting import BLOCKS, HEAD, STREET, TO_CALL, play
from riverboat.rules.variant import MOST_SEATS, SEAT_COUNT

I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]

_LONGEST_RECORD = 64  # more than ten seats need


@dataclass(frozen=True, slots=True, eq=False)
class StoredDecisions:
    """M decisions in the order of the hands."""

    features: F32  # [M, FEATURE_COUNT]
    move: U8  # [M]: the class of the move that was made
    situation: U8  # [M]: 2 * street, and 1 more if there was a bet to call
    player: I64  # [M]: place in the names of the columns; -1 without a name
    player_count: U8  # [M]: players dealt in


def stored_decisions(columns: HandColumns) -> StoredDecisions:
    """Return all decisions of stored hands."""
    count = len(columns.move)
    counts = np.diff(columns.move_start)
    seats = np.repeat(columns.seat_start[:-1], counts) + columns.mover
    decisions = StoredDecisions(
        features=np.empty((count, FEATURE_COUNT), np.float32),
        move=np.empty(count, np.uint8),
        situation=np.empty(count, np.uint8),
        player=columns.player[seats],
        player_count=np.repeat(np.diff(columns.seat_start), counts).astype(np.uint8),
    )
    rules, starts = columns.rules
    big_blinds = np.array([game.variant.big_blind for game in columns.games], np.int64)
    _write_decisions(
        rules, starts, big_blinds, columns.game, columns.seat_start, columns.move_start, columns.stack, columns.board,
        columns.mover, columns.move, decisions.features, decisions.move, decisions.situation,
    )  # fmt: skip
    return decisions


@kernel
def _write_decisions(
    rules: I64, starts: I64, big_blinds: I64, games: I64, seat_start: I64, move_start: I64, stacks: I64, boards: U8,
    movers: U8, moves: I64, features: F32, classes: U8, situations: U8,
) -> None:  # fmt: skip
    states, records = np.empty(HEAD + BLOCKS * MOST_SEATS, np.int64), np.empty(_LONGEST_RECORD, np.int64)
    row = np.empty(FEATURE_COUNT, np.float64)
    for hand in range(len(games)):
        own = rules[starts[games[hand]] : starts[games[hand] + 1]]
        count, first = own[SEAT_COUNT], seat_start[hand]
        hand_stacks, state = stacks[first : first + count], states[: HEAD + BLOCKS * count]
        start_stored(own, hand_stacks, state)
        start_record(records)
        for at in range(move_start[hand], move_start[hand + 1]):
            go_to(own, hand_stacks, state, movers[at])
            write_features(own, state, records, boards[hand], big_blinds[games[hand]], row)
            features[at] = row
            classes[at] = class_of_move(state, moves[at])
            situations[at] = 2 * state[STREET] + (state[TO_CALL] > 0)
            record_move(own, state, records, moves[at])
            play(own, state, moves[at])
