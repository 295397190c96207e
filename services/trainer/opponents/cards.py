"""Hidden cards of one style's players: their hands as sequences, and what expectation maximisation makes of them."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.opponents.buckets import BUCKET_COUNTS, HOLDING_COUNT, places_on
from riverboat.opponents.card_models import CardTables, card_tables, leaf_buckets, multiply_by_move
from riverboat.opponents.expectation import UNKNOWN, Sequences, first_counts, learn_chances, poker_chances
from riverboat.opponents.styles import MoveTree, joined_trees
from riverboat.opponents.tendencies import SITUATION_COUNT
from riverboat.services.trainer.opponents.clustering import write_bin_leaves
from riverboat.services.trainer.opponents.table import DecisionTable

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I16 = NDArray[np.int16]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
# How many moves a leaf's own chances count for in each of its buckets: less where there are many buckets.
_PREFLOP_PRIOR, _LATER_PRIOR = 1.5, 5.0
_RUNOUTS = 14  # that the order of holdings on a board is measured on
_BOARD_SIZES = (0, 3, 4, 5)


class CardLesson(NamedTuple):
    """What is learnt about the cards of a style."""

    chances: F32  # [R, CHOICE_COUNT]
    trace: list[float]  # log-likelihood with the prior, step by step
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class _FlopHands:
    """The boards of the hands that cards are learnt from."""

    chosen: NDArray[np.bool_]  # [N]: hands
    rows: I32  # [N, 4]: by street, the row of places; -1 for none
    places: U8  # [K, H, 2]


@lru_cache(maxsize=1)
def _boards(table: DecisionTable, most: int) -> _FlopHands:
    """Return boards of up to `most` hands that saw a flop; every hand without a flop is chosen."""
    flops = np.flatnonzero(table.board[:, 0] != 255)
    shown = np.zeros(len(table.board), np.bool_)
    shown[table.hand[table.cards[:, 0] != 255]] = True
    kept = flops[np.linspace(0, len(flops) - 1, min(most, len(flops))).astype(np.int64)] if len(flops) else flops
    chosen = table.board[:, 0] == 255
    chosen[kept] = True
    rows = np.full((len(table.board), 4), -1, np.int32)
    known: dict[bytes, int] = {}
    places: list[U8] = []
    for hand in kept.tolist():
        for street in range(1, 4):
            board = table.board[hand, : _BOARD_SIZES[street]]
            if board[-1] == 255:
                break
            key = np.sort(board[:3]).tobytes() + np.sort(board[3:]).tobytes()
            if key not in known:
                known[key] = len(places)
                places.append(places_on(np.ascontiguousarray(board), _RUNOUTS))
            rows[hand, street] = known[key]
    empty = np.zeros((1, HOLDING_COUNT, 2), np.uint8)
    return _FlopHands(chosen, rows, np.array(places) if places else empty)


def learn_cards(
    table: DecisionTable, clusters: I16, style: int, trees: list[MoveTree], most: int, steps: int, knows_poker: bool
) -> CardLesson:
    """Return what moves of a style's players go with which buckets; trees [SITUATION_COUNT] are the style's."""
    boards = _boards(table, most)
    forest, values = joined_trees(trees, (1, SITUATION_COUNT))
    counts = leaf_buckets(forest, len(values))
    first_row = np.concatenate([[0], counts.cumsum()[:-1]]).astype(np.int32)
    overall = np.repeat(values.astype(np.float64), counts, axis=0)
    weights = np.repeat(np.where(counts == BUCKET_COUNTS[0], _PREFLOP_PRIOR, _LATER_PRIOR), counts)[:, None]
    leaf_starts = np.cumsum([0, *(len(tree.values) for tree in trees)])
    tables = card_tables(forest, first_row, overall.astype(np.float32))
    learnt_from = _sequences(table, boards, (clusters == style) & ~table.held_out, trees, leaf_starts)
    learnt_from = repeated(learnt_from)
    usual = poker_chances(overall, forest, len(values)) if knows_poker else overall
    start = first_counts(learnt_from, tables, knows_poker)
    chances, trace = learn_chances(learnt_from, tables, usual * weights, steps, start)
    tables = tables._replace(chances=chances)
    held_out = _sequences(table, boards, (clusters == style) & table.held_out, trees, leaf_starts)
    facts = _judged(held_out, tables) | {
        "folds": fold_shares(learnt_from, tables),
        "sequences": float(learnt_from.times.sum()),
        "shown": float(learnt_from.times[learnt_from.holding >= 0].sum()),
    }
    return CardLesson(chances, trace, facts)


def _sequences(
    table: DecisionTable, boards: _FlopHands, players: NDArray[np.bool_], trees: list[MoveTree], leaf_starts: I64
) -> Sequences:
    """Return what some players did in the chosen hands."""
    rows = np.flatnonzero(players[table.player] & boards.chosen[table.hand])
    order = np.lexsort((rows, table.player[rows], table.hand[rows]))
    rows = rows[order].astype(np.int32)
    hand, player = table.hand[rows], table.player[rows]
    begins = (
        np.flatnonzero(np.concatenate([[True], (np.diff(hand) != 0) | (np.diff(player) != 0)])) if len(rows) else rows
    )
    cards = table.cards[rows[begins]].astype(np.int64)
    low, high = cards.min(1, initial=255), cards.max(1, initial=0)
    holding = np.where(high < 255, high * (high - 1) // 2 + low, UNKNOWN)
    situation = table.situation[rows]
    leaf = np.zeros(len(rows), np.int32)
    for each, tree in enumerate(trees):
        here = np.flatnonzero(situation == each)
        leaves = np.empty(len(here), np.int32)
        write_bin_leaves(tree, table.bins, rows[here].astype(np.int32), leaves)
        leaf[here] = leaves + leaf_starts[each]
    street = (situation >> 1).astype(np.uint8)
    return Sequences(
        start=np.append(begins, len(rows)).astype(np.int64),
        holding=holding.astype(np.int32),
        times=np.ones(len(begins)),
        leaf=leaf,
        street=street,
        choice=table.choice[rows],
        faces_bet=(situation & 1).astype(np.uint8),
        board=boards.rows[hand, street].astype(np.int32),
        places=boards.places,
    )


def repeated(sequences: Sequences) -> Sequences:
    """Return sequences with those that are alike, before the flop and without cards, counted instead of repeated."""
    kept: list[int] = []
    times: list[float] = []
    seen: dict[bytes, int] = {}
    for place in range(len(sequences.holding)):
        begin, end = sequences.start[place], sequences.start[place + 1]
        key = b""
        if sequences.street[end - 1] == 0:
            holding = sequences.holding[place : place + 1].tobytes()
            key = holding + sequences.leaf[begin:end].tobytes() + sequences.choice[begin:end].tobytes()
        if key and key in seen:
            times[seen[key]] += sequences.times[place]
            continue
        if key:
            seen[key] = len(kept)
        kept.append(place)
        times.append(float(sequences.times[place]))
    chosen = np.array(kept, np.int64)
    lengths = np.diff(sequences.start)[chosen]
    start = np.concatenate([[0], lengths.cumsum()]).astype(np.int64)
    rows = np.arange(start[-1]) + np.repeat(sequences.start[:-1][chosen] - start[:-1], lengths)
    return sequences._replace(
        start=start, holding=sequences.holding[chosen], times=np.array(times),
        leaf=sequences.leaf[rows], street=sequences.street[rows], choice=sequences.choice[rows],
        faces_bet=sequences.faces_bet[rows], board=sequences.board[rows],
    )  # fmt: skip


def _judged(sequences: Sequences, tables: CardTables) -> dict[str, float]:
    """Return how probable the holdings that were shown are, from the moves alone, over what the cards alone give."""
    sums = np.zeros(3)
    _judge(sequences, tables, sums)
    count = max(1.0, float(sums[0]))
    return {"judged": float(sums[0]), "multiple": float(sums[1]) / count, "log_gain": float(sums[2]) / count}


@kernel
def _judge(sequences: Sequences, tables: CardTables, sums: F64) -> None:
    weights = np.empty(HOLDING_COUNT)
    for sequence in range(len(sequences.holding)):
        true = sequences.holding[sequence]
        if true < 0:
            continue
        weights[:] = 1.0
        for at in range(sequences.start[sequence], sequences.start[sequence + 1]):
            board = sequences.board[at]
            places = sequences.places[max(0, board)]
            multiply_by_move(tables, sequences.leaf[at], sequences.street[at], places, sequences.choice[at], weights)
        total = weights.sum()
        if total <= 0 or weights[true] <= 0:
            continue
        times = HOLDING_COUNT * weights[true] / total
        sums[0] += 1
        sums[1] += times
        sums[2] += np.log(times)


def fold_shares(sequences: Sequences, tables: CardTables) -> list[list[float]]:
    """Return by street how often each bucket folds to a bet, over the leaves as often as they came up."""
    out = []
    for street in range(4):
        here = (sequences.street == street) & (sequences.faces_bet == 1)
        times = np.repeat(sequences.times, np.diff(sequences.start))[here]
        visits = np.bincount(sequences.leaf[here], times, minlength=len(tables.first_row))
        shares = np.zeros(BUCKET_COUNTS[street])
        for leaf in np.flatnonzero(visits).tolist():
            row = int(tables.first_row[leaf])
            shares += visits[leaf] * tables.chances[row : row + len(shares), 0]
        out.append((shares / max(1.0, visits.sum())).tolist())
    return out
