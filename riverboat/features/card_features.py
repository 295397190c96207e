"""Card features after the flop: equity now, then the deciles of equity on each later street.

Equity is the probability of winning plus half the probability of a tie, against an opponent with random cards and over
all run-outs. On the flop there are 21 numbers: equity, ten deciles over all turns, ten deciles over all rivers. On the
turn there are 11 and on the river 1. Before the flop there are 31, which `preflop` makes.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, check_board, check_cards
from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput, in_field
from riverboat.features.deciles import DECILES, write_deciles
from riverboat.features.points import BLOCKED, I64, Points, best_points, holding_points, points_on_boards
from riverboat.holdings import check_holding, holdings_of
from riverboat.strength.boards import runouts
from riverboat.strength.evaluation import EMPTY_KEY
from riverboat.strength.tables import Tables, tables_of

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
_BOARD = 5
_MANY = 100  # with this many holdings or more it is faster to compute all of them together


def feature_count(deck: Deck, board_size: int) -> int:
    """Return how many card features there are on a board of this size: 31, 21, 11 or 1 in hold'em."""
    streets_left = len(deck.board_sizes) - 1 - deck.board_sizes.index(board_size)
    return 1 + DECILES * streets_left


def check_features(deck: Deck, board: Sequence[int], holdings: Sequence[Sequence[int]] = ()) -> None:
    """Raise unless the deck has features, and the board and holdings are possible together."""
    if not deck.is_holdem:
        raise InvalidInput("deck", f"features need a deck with two private cards; the {deck.name} deck has one")
    with in_field("board"):
        check_board(deck, board)
    for i, holding in enumerate(holdings):
        with in_field(f"holdings[{i}]"):
            check_holding(deck, holding)
            check_cards(deck, board, holding)


def holding_features(deck: Deck, board: Sequence[int], holding: Sequence[int]) -> F32:
    """Return the card features [F] of one holding on a board of 3, 4 or 5 cards."""
    _check_dealt(deck, board, [holding])
    seen = {*board, *holding}
    unseen = np.array([card for card in deck.cards if card not in seen], np.uint8)
    out = np.empty(feature_count(deck, len(board)), np.float32)
    known = np.array([*board, *holding], np.uint8)
    _write_features(known, unseen, best_points(deck), deck.ranks[0], tables_of(deck.ordering, 7), out)
    return out


def all_features(deck: Deck, board: Sequence[int]) -> F32:
    """Return the card features [H, F] of all holdings on a board of 3, 4 or 5 cards; NaN for blocked holdings."""
    _check_dealt(deck, board)
    boards = runouts(deck, board)
    out = np.full((holdings_of(deck).count, feature_count(deck, len(board))), np.nan, np.float32)
    more = np.ascontiguousarray(boards[:, len(board) :])  # one layout, whatever its shape: compiled once
    _write_all(points_on_boards(deck, boards), more, best_points(deck), out)
    return out


def some_features(deck: Deck, board: Sequence[int], holdings: Sequence[Sequence[int]]) -> F32:
    """Return the card features [N, F] of holdings, given by their cards, on a board of 3, 4 or 5 cards."""
    _check_dealt(deck, board, holdings)
    if len(holdings) < _MANY:
        rows = [holding_features(deck, board, holding) for holding in holdings]
        return np.array(rows, np.float32).reshape(len(holdings), feature_count(deck, len(board)))
    low, high = np.sort(np.array(holdings, np.int64) - deck.cards[0], axis=1).T
    chosen: F32 = all_features(deck, board)[high * (high - 1) // 2 + low]
    return chosen


def _check_dealt(deck: Deck, board: Sequence[int], holdings: Sequence[Sequence[int]] = ()) -> None:
    check_features(deck, board, holdings)
    if not board:
        raise InvalidInput("board", "features before the flop come from a table: see riverboat.features.preflop")


@kernel
def _write_features(known: U8, unseen: U8, best: int, lowest: int, tables: Tables, out: F32) -> None:
    """Write the features of one holding; `known` are the board and then the holding, `unseen` all other cards."""
    to_come = _BOARD + 2 - known.size
    free = np.full(13, 4)
    key, bits, own_key, own_bits = EMPTY_KEY, np.uint64(0), np.uint64(0), np.uint64(0)
    for place in range(known.size):
        card = known[place]
        free[card >> 2] -= 1
        if place < known.size - 2:
            key, bits = key + tables.card_keys[card], bits | tables.card_bits[card]
        else:
            own_key, own_bits = own_key + tables.card_keys[card], own_bits | tables.card_bits[card]
    if to_come == 0:
        out[0] = holding_points(key, bits, (own_key, own_bits), free, lowest, tables) / best
        return
    counts = np.zeros(best + 1, np.int64)
    turns = np.zeros(unseen.size, np.int64)
    total, count = 0, 0
    for i in range(unseen.size):
        a = unseen[i]
        free[a >> 2] -= 1
        key_a, bits_a = key + tables.card_keys[a], bits | tables.card_bits[a]
        for j in range(i if to_come == 2 else 1):
            b = unseen[j]
            key_b, bits_b = key_a, bits_a
            if to_come == 2:
                free[b >> 2] -= 1
                key_b, bits_b = key_a + tables.card_keys[b], bits_a | tables.card_bits[b]
            points = holding_points(key_b, bits_b, (own_key, own_bits), free, lowest, tables)
            counts[points] += 1
            count += 1
            total += points
            if to_come == 2:
                free[b >> 2] += 1
                turns[i] += points
                turns[j] += points
        free[a >> 2] += 1
    _write_distributions(total, count, counts, np.sort(turns), best, out)


@kernel
def _write_distributions(total: int, count: int, counts: I64, turns: I64, best: int, out: F32) -> None:
    """Write features from the total of points over `count` run-outs, how often each number of points occurs among them,
    and on a flop the total of each turn in ascending order.
    """
    out[0] = total / (count * best)
    if out.size > 1 + DECILES:
        write_deciles(turns, np.ones(turns.size, np.int64), (turns.size - 1) * best, out[1:])
    write_deciles(np.arange(counts.size), counts, best, out[out.size - DECILES :])


@kernel
def _write_all(points: Points, runout_cards: U8, best: int, out: F32) -> None:
    """Write the features of all holdings from their points [K, H] on all run-outs, which deal the cards [K, 0..2]."""
    to_come = runout_cards.shape[1]
    holding_count = points.shape[1]
    if to_come == 0:
        for h in range(holding_count):
            if points[0, h] != BLOCKED:
                out[h, 0] = points[0, h] / best
        return
    totals = np.empty((52, holding_count), np.int64)  # by the next card; on a turn these are the rivers' points
    card_totals(points, runout_cards, totals)
    counts = np.zeros((holding_count, best + 1 if to_come == 2 else 0), np.uint16)
    for k in range(points.shape[0] if to_come == 2 else 0):
        for h in range(holding_count):
            if points[k, h] != BLOCKED:
                counts[h, points[k, h]] += 1
    for h in range(holding_count):
        ordered = np.sort(totals[:, h])
        ordered = ordered[np.searchsorted(ordered, 0) :]
        if ordered.size and to_come == 1:
            out[h, 0] = ordered.sum() / (ordered.size * best)
            write_deciles(ordered, np.ones(ordered.size, np.int64), best, out[h, 1:])
        elif ordered.size:  # every run-out is in the totals of two turns
            count = (ordered.size * (ordered.size - 1)) >> 1
            _write_distributions(ordered.sum() >> 1, count, counts[h].astype(np.int64), ordered, best, out[h])


@kernel
def card_totals(points: Points, runout_cards: U8, out: I64) -> None:
    """Write the total of each holding's points over the run-outs with each card to out [52, H]; -1 for cards that it
    cannot see.
    """
    out[:] = -1
    for k in range(points.shape[0]):
        for h in range(points.shape[1]):
            if points[k, h] != BLOCKED:
                for card in runout_cards[k]:
                    out[card, h] = max(out[card, h], 0) + points[k, h]
