"""Expectation maximisation: learn the chances of moves in each bucket, although most cards are never shown.

A sequence is what one player did in one hand. The expectation of a step is, for each sequence, how likely each holding
is by the chances so far; its maximum is the chances that such counts give. Every step raises the likelihood of all
sequences and of the prior together. Nothing is kept of a sequence between steps, so memory grows with neither
steps nor styles.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.opponents.buckets import HOLDING_COUNT, NOWHERE, SHARES, holding_classes, write_membership
from riverboat.opponents.card_models import CardTables, chance_of, leaf_situations, shares_on
from riverboat.opponents.moves import first_size
from riverboat.opponents.styles import Forest

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]

UNKNOWN = -1
_FOLD = 0


class Sequences(NamedTuple):
    """Q sequences of one style's players, with D decisions in all."""

    start: I64  # [Q + 1]: a sequence's decisions are those from here to the next one's
    holding: I32  # [Q]; UNKNOWN where the cards were never seen
    times: F64  # [Q]: how often the same sequence came up
    leaf: I32  # [D]
    street: U8  # [D]
    choice: U8  # [D]
    faces_bet: U8  # [D]: whether a fold is one
    board: I32  # [D]: row of places; -1 before the flop
    places: U8  # [K, H, 2]: of each board


def learn_chances(
    sequences: Sequences, tables: CardTables, prior: F64, steps: int, start: F64
) -> tuple[F32, list[float]]:
    """Return the chances [R, CHOICE_COUNT] after some steps, and the log-likelihood with its prior at each step.

    prior [R, CHOICE_COUNT] are moves that a row has before anything is known about it; start [R, CHOICE_COUNT] are the
    counts of the first step (see `first_counts`).
    """
    chances = _shares(start + prior)
    trace = []
    for _ in range(steps):
        now = tables._replace(chances=chances.astype(np.float32))
        counts = np.zeros(prior.shape)
        likelihood = count_expected(sequences, now, counts)
        trace.append(likelihood + float((prior * np.log(chances)).sum()))
        chances = _shares(counts + prior)
    return chances.astype(np.float32), trace


def _shares(counts: F64) -> F64:
    shares: F64 = counts / counts.sum(1, keepdims=True)
    return shares


def poker_chances(overall: F64, forest: Forest, leaf_count: int) -> F64:
    """Return plausible chances for each row [R, CHOICE_COUNT]: its leaf's chances, shifted by the bucket's strength.

    A bucket folds twice as often as the share of holdings that are stronger, and raises the more the stronger it is;
    over all holdings, folds keep their share.
    """
    out, row = overall.copy(), 0
    weaker = [np.cumsum(shares) - shares / 2 for shares in SHARES]
    weaker[0] = class_percentiles()
    situations = leaf_situations(forest, leaf_count)
    for situation in situations.tolist():
        below = weaker[situation >> 1]
        rows = slice(row, row + len(below))
        row += len(below)
        first = int(first_size(situation))
        fold, rest = overall[rows, 0] * 2 * (1 - below), overall[rows].copy()
        fold = np.minimum(fold, 0.98)
        rest[:, first:] *= 2 * below[:, None] + 0.05
        rest[:, 0] = 0
        rest *= ((1 - fold) / rest.sum(1))[:, None]
        rest[:, 0] = fold
        out[rows] = rest
    return out


def class_percentiles() -> F64:
    """Return which share of classes [CLASS_COUNT] is weaker before the flop than each."""
    classes = holding_classes()
    scores = np.array([preflop_percentile(holding) for holding in range(HOLDING_COUNT)])
    means = np.bincount(classes, scores) / np.bincount(classes)
    counts = np.bincount(classes)
    order = np.argsort(means)
    below = np.empty(len(means))
    below[order] = (np.cumsum(counts[order]) - counts[order] / 2) / HOLDING_COUNT
    return below


def first_counts(sequences: Sequences, tables: CardTables, knows_poker: bool) -> F64:
    """Return the counts [R, CHOICE_COUNT] that learning starts from.

    As in the literature, unseen players share one range: all dealt holdings less those that were seen.
    With `knows_poker`, strong holdings also fold less: as the square of the share of holdings that are stronger.
    """
    seen = np.bincount(
        sequences.holding[sequences.holding >= 0],
        sequences.times[sequences.holding >= 0],
        minlength=HOLDING_COUNT,
    )
    total = sequences.times.sum()
    left = np.maximum(total / HOLDING_COUNT - seen, 0.02 * total / HOLDING_COUNT)
    out = np.zeros(tables.chances.shape)
    _count_first(sequences, tables, left / left.sum(), knows_poker, out)
    return out


@kernel
def _count_first(sequences: Sequences, tables: CardTables, left: F64, knows_poker: bool, out: F64) -> None:
    weights, room = np.empty(HOLDING_COUNT), np.empty(20)
    for sequence in range(len(sequences.holding)):
        begin, end = sequences.start[sequence], sequences.start[sequence + 1]
        weights[:] = left
        if sequences.holding[sequence] >= 0:
            weights[:] = 0
            weights[sequences.holding[sequence]] = 1
        elif knows_poker and sequences.choice[end - 1] == _FOLD and sequences.faces_bet[end - 1]:
            _weigh_fold(sequences, tables, end - 1, weights)
        for at in range(begin, end):
            _block(sequences, at, weights)
        weights /= max(weights.sum(), 1e-300)
        for at in range(begin, end):
            _add(sequences, tables, at, weights, sequences.times[sequence], False, room, out)


@kernel
def _weigh_fold(sequences: Sequences, tables: CardTables, at: int, weights: F64) -> None:
    """Make holdings that are strong where they folded unlikely."""
    board = sequences.board[at]
    for holding in range(HOLDING_COUNT):
        if board < 0:
            stronger = 1 - preflop_percentile(holding)
        else:
            high = sequences.places[board, holding, 1]
            stronger = 0.0 if high == NOWHERE else _share_above(high, shares_on(tables, sequences.street[at]))
        weights[holding] *= max(1e-4, stronger) ** 2


@kernel
def _share_above(place: int, shares: F64) -> float:
    buckets = len(shares)
    above = 0.0
    for bucket in range(buckets):
        above += shares[bucket] * min(1.0, max(0.0, bucket + 1 - place * buckets / 250))
    return above


@kernel
def preflop_percentile(holding: int) -> float:
    """Return roughly which share of holdings is weaker before the flop: by Chen's points without suits of the board."""
    high_card = int((1 + np.sqrt(1.0 + 8.0 * holding)) / 2)
    low_card = holding - high_card * (high_card - 1) // 2
    high, low = high_card >> 2, low_card >> 2
    if high == low:
        score = 22.0 + 2.2 * high
    else:
        score = 1.4 * high + 0.7 * low + (2.0 if (high_card & 3) == (low_card & 3) else 0.0) - 0.6 * min(4, high - low)
    return float(min(1.0, max(0.0, (score - 1.0) / 40.0)))


@kernel
def count_expected(sequences: Sequences, tables: CardTables, out: F64) -> float:
    """Add the expected counts of all sequences to out [R, CHOICE_COUNT]; return the log-likelihood."""
    weights, room, total = np.empty(HOLDING_COUNT), np.empty(20), 0.0
    for sequence in range(len(sequences.holding)):
        begin, end = sequences.start[sequence], sequences.start[sequence + 1]
        known = sequences.holding[sequence]
        if known >= 0:
            weights[:] = 0
            weights[known] = 1.0 / HOLDING_COUNT
        else:
            weights[:] = 1.0 / HOLDING_COUNT
        for at in range(begin, end):
            _multiply(sequences, tables, at, known, weights, room)
        likelihood = weights.sum()
        if likelihood <= 0:
            continue  # cards that cannot be: a damaged hand
        total += sequences.times[sequence] * np.log(likelihood)
        weights /= likelihood
        for at in range(begin, end):
            _add(sequences, tables, at, weights, sequences.times[sequence], True, room, out)
    return total


@kernel
def _block(sequences: Sequences, at: int, weights: F64) -> None:
    board = sequences.board[at]
    if board >= 0:
        for holding in range(HOLDING_COUNT):
            if sequences.places[board, holding, 0] == NOWHERE:
                weights[holding] = 0


@kernel
def _multiply(sequences: Sequences, tables: CardTables, at: int, known: int, weights: F64, room: F64) -> None:
    leaf, street, choice, board = sequences.leaf[at], sequences.street[at], sequences.choice[at], sequences.board[at]
    places = sequences.places[max(0, board)]
    if known >= 0:
        weights[known] *= chance_of(tables, leaf, street, known, places, choice, room)
        return
    for holding in range(HOLDING_COUNT):
        if weights[holding] > 0:
            weights[holding] *= chance_of(tables, leaf, street, holding, places, choice, room)


@kernel
def _add(
    sequences: Sequences, tables: CardTables, at: int, weights: F64, times: float, by_chance: bool, room: F64, out: F64
) -> None:
    """Add one decision to the counts: each holding's weight, in the buckets that it may have acted from."""
    row, street, choice = tables.first_row[sequences.leaf[at]], sequences.street[at], sequences.choice[at]
    for holding in range(HOLDING_COUNT):
        if weights[holding] == 0:
            continue
        if street == 0:
            out[row + tables.classes[holding], choice] += times * weights[holding]
            continue
        low, high = sequences.places[sequences.board[at], holding]
        if low == NOWHERE:
            continue
        first, end = write_membership(low, high, shares_on(tables, street), room)
        whole = 0.0
        for bucket in range(first, end):
            if by_chance:
                room[bucket] *= tables.chances[row + bucket, choice]
            whole += room[bucket]
        for bucket in range(first, end):
            out[row + bucket, choice] += times * weights[holding] * room[bucket] / whole
