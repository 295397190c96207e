"""All decisions of stored hands: their features, the moves that were made, and the players."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.store.columns import HandColumns
from riverboat.history.store.stepping import HandArrays, go_to, hand_arrays, rules_of, start_stored
from riverboat.opponents.counting import kind_of_move
from riverboat.opponents.features import (
    FEATURE_COUNT,
    aggressor_of,
    record_move,
    record_size,
    situation_of,
    start_record,
    write_features,
)
from riverboat.opponents.moves import class_of_move
from riverboat.opponents.tendencies import TENDENCY_COUNT, TENDENCY_SHAPE, add_tendency, write_tendencies
from riverboat.rules.betting import BLOCKS, HEAD, STREET, TO_CALL, play
from riverboat.rules.variant import MOST_SEATS, SEAT_COUNT

I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]

WIDTH = FEATURE_COUNT + TENDENCY_COUNT  # numbers of a decision: its features, then tendencies


@dataclass(frozen=True, slots=True, eq=False)
class StoredDecisions:
    """M decisions in the order of the hands."""

    features: F32  # [M, WIDTH]: those of the decision, then tendencies of the player and of who made the bet
    move: U8  # [M]: the class of the move that was made
    situation: U8  # [M]: see `situation_of`
    player: I64  # [M]: index into the columns' names; -1 if the player has none
    hand: I64  # [M]: index into the columns
    player_count: U8  # [M]: players dealt in


def stored_decisions(columns: HandColumns, memory: I64 | None = None, rows: I64 | None = None) -> StoredDecisions:
    """Return all decisions of stored hands.

    `memory` [R, SITUATION_COUNT, MOVE_KINDS] holds what the players did before, and is added to after each hand; rows
    [S] says which row each seat's player has, -1 for none. Without them every player is remembered from the first hand
    of the columns on.
    """
    if memory is None or rows is None:
        memory, rows = np.zeros((len(columns.names), *TENDENCY_SHAPE), np.int64), columns.player
    count = len(columns.move)
    counts = np.diff(columns.move_start)
    seats = np.repeat(columns.seat_start[:-1], counts) + columns.mover
    decisions = StoredDecisions(
        features=np.empty((count, WIDTH), np.float32),
        move=np.empty(count, np.uint8),
        situation=np.empty(count, np.uint8),
        player=columns.player[seats],
        hand=np.repeat(np.arange(columns.hand_count), counts),
        player_count=np.repeat(np.diff(columns.seat_start), counts).astype(np.uint8),
    )
    arrays = hand_arrays(columns)
    _write_decisions(arrays, memory, rows, decisions.features, decisions.move, decisions.situation)
    return decisions


@kernel
def _write_decisions(hands: HandArrays, memory: I64, rows: I64, features: F32, classes: U8, situations: U8) -> None:
    states = np.empty(HEAD + BLOCKS * MOST_SEATS, np.int64)
    record, row = np.empty(record_size(MOST_SEATS), np.int64), np.empty(FEATURE_COUNT, np.float64)
    known, unknown = np.empty(TENDENCY_COUNT, np.float64), np.zeros(TENDENCY_SHAPE, np.int64)
    kinds = np.empty(len(hands.mover), np.uint8)
    for hand in range(len(hands.game)):
        rules, first = rules_of(hands, hand), hands.seat_start[hand]
        count, big_blind = rules[SEAT_COUNT], hands.big_blind[hands.game[hand]]
        stacks, state = hands.stack[first : first + count], states[: HEAD + BLOCKS * count]
        players, begin, end = rows[first : first + count], hands.move_start[hand], hands.move_start[hand + 1]
        start_stored(rules, stacks, state)
        start_record(record)
        for at in range(begin, end):
            move, mover = hands.move[at], hands.mover[at]
            go_to(rules, stacks, state, mover)
            write_features(rules, state, record, hands.board[hand], big_blind, row)
            features[at, :FEATURE_COUNT] = row
            classes[at], kinds[at] = class_of_move(state, move), kind_of_move(state, move)
            situations[at] = situation_of(state[STREET], state[TO_CALL] > 0)
            other = aggressor_of(record, state[STREET])
            bettor = players[other] if other >= 0 else -1
            own = memory[players[mover]] if players[mover] >= 0 else unknown
            write_tendencies(own, memory[bettor] if bettor >= 0 else unknown, bettor >= 0, situations[at], known)
            features[at, FEATURE_COUNT:] = known
            record_move(rules, state, record, move)
            play(rules, state, move)
        for at in range(begin, end):
            if players[hands.mover[at]] >= 0:
                add_tendency(memory[players[hands.mover[at]]], situations[at], kinds[at])
