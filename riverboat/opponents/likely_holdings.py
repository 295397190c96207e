"""Likely holdings of each player, inferred move by move from the public record of a hand and the models of styles."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS
from riverboat.holdings import live_holdings
from riverboat.opponents.buckets import HOLDING_COUNT, places_on
from riverboat.opponents.card_models import CardModels, multiply_by_move
from riverboat.opponents.features import (
    FEATURE_COUNT,
    record_move,
    record_size,
    situation_of,
    start_record,
    write_features,
)
from riverboat.opponents.moves import choice_of, class_of_move
from riverboat.opponents.styles import leaf_of
from riverboat.rules.betting import ACT
from riverboat.rules.state import PublicState, View

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
_DECK = DECKS["52"]
_NO_PLACES = np.zeros((HOLDING_COUNT, 2), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class FollowedHand:
    """A hand so far: the record of its moves, and what each seat may hold."""

    record: I64
    ranges: F64  # [P, C, H]: weights for each style; they do not add up to one


def follow(view: View, cards: CardModels) -> FollowedHand:
    """Return what the moves of a hand say about each seat's holding, given the cards that the view shows.

    A holding that shares a card with the board or with the view's own holding has no weight.
    """
    public, forest = view.public, cards.tables.forest
    count, styles = public.player_count, len(forest.roots)
    record, row = np.empty(record_size(count), np.int64), np.empty(FEATURE_COUNT)
    start_record(record)
    live = live_holdings(_DECK, (*public.board, *view.holding)).astype(np.float64)
    ranges = np.broadcast_to(live, (count, styles, HOLDING_COUNT)).copy()
    moves = iter(view.actions)
    for state in view.states():
        if state.phase != ACT:
            continue
        action = next(moves, None)
        if action is None:
            break
        seat, flat, rules = int(state.actor or 0), np.array(state.flat), np.array(state.rules)
        if seat != view.seat:
            situation = int(situation_of(state.street, state.to_call > 0))
            write_features(rules, flat, record, padded_board(state), state.variant.big_blind, row)
            choice = choice_of(situation, class_of_move(flat, action))
            places = board_places(state.board)
            for style in range(styles):
                leaf = leaf_of(forest, forest.roots[style, situation], row)
                multiply_by_move(cards.tables, leaf, state.street, places, choice, ranges[seat, style])
        record_move(rules, flat, record, action)
    return FollowedHand(record, ranges)


def record_of(view: View) -> I64:
    """Return the record of a hand's moves so far, as the kernels of features read it."""
    record = np.empty(record_size(view.public.player_count), np.int64)
    start_record(record)
    moves = iter(view.actions)
    for state in view.states():
        if state.phase == ACT and (action := next(moves, None)) is not None:
            record_move(np.array(state.rules), np.array(state.flat), record, action)
    return record


def mixed_range(ranges: F64, styles: F64) -> F64:
    """Return how likely each holding is [H], adding up to one, from weights [C, H] and chances of styles [C]."""
    sums = ranges.sum(1, keepdims=True)
    shares = np.divide(ranges, sums, out=np.zeros_like(ranges), where=sums > 0)
    mixed: F64 = styles @ shares
    total = mixed.sum()
    return mixed / total if total > 0 else mixed


def padded_board(state: PublicState) -> U8:
    """Return a board [5] as kernels read it; 255 for cards that were not dealt."""
    board = np.full(5, 255, np.uint8)
    board[: len(state.board)] = state.board
    return board


def board_places(board: tuple[int, ...]) -> U8:
    """Return the places of buckets on a board; nothing before the flop."""
    return _places(board) if board else _NO_PLACES


@lru_cache(maxsize=64)
def _places(board: tuple[int, ...]) -> U8:
    return places_on(np.array(board, np.uint8))
