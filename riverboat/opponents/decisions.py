"""All decisions of stored hands: their features, the moves that were made, and the players."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.columns import HandColumns
from riverboat.history.store.stepping import HandArrays, go_to, hand_arrays, rules_of, start_stored
from riverboat.opponents.features import (
    FEATURE_COUNT,
    record_move,
    record_size,
    situation_of,
    start_record,
    write_features,
)
from riverboat.opponents.moves import class_of_move
from riverboat.rules.betting import BLOCKS, HEAD, STREET, TO_CALL, play
from riverboat.rules.variant import MOST_SEATS, SEAT_COUNT

I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class StoredDecisions:
    """M decisions in the order of the hands."""

    features: F32  # [M, FEATURE_COUNT]
    move: U8  # [M]: the class of the move that was made
    situation: U8  # [M]: see `situation_of`
    player: I64  # [M]: index into the columns' names; -1 if the player has none
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
    _write_decisions(hand_arrays(columns), decisions.features, decisions.move, decisions.situation)
    return decisions


@kernel
def _write_decisions(hands: HandArrays, features: F32, classes: U8, situations: U8) -> None:
    states = np.empty(HEAD + BLOCKS * MOST_SEATS, np.int64)
    record, row = np.empty(record_size(MOST_SEATS), np.int64), np.empty(FEATURE_COUNT, np.float64)
    for hand in range(len(hands.game)):
        rules, first = rules_of(hands, hand), hands.seat_start[hand]
        count, big_blind = rules[SEAT_COUNT], hands.big_blind[hands.game[hand]]
        stacks, state = hands.stack[first : first + count], states[: HEAD + BLOCKS * count]
        start_stored(rules, stacks, state)
        start_record(record)
        for at in range(hands.move_start[hand], hands.move_start[hand + 1]):
            move = hands.move[at]
            go_to(rules, stacks, state, hands.mover[at])
            write_features(rules, state, record, hands.board[hand], big_blind, row)
            features[at] = row
            classes[at] = class_of_move(state, move)
            situations[at] = situation_of(state[STREET], state[TO_CALL] > 0)
            record_move(rules, state, record, move)
            play(rules, state, move)
