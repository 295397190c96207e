"""Expectation maximisation over hidden cards: the likelihood rises, and what was hidden comes out."""

import numpy as np

from riverboat.opponents.buckets import HOLDING_COUNT, holding_classes
from riverboat.opponents.expectation import (
    UNKNOWN,
    Sequences,
    first_counts,
    learn_chances,
    poker_chances,
    preflop_percentile,
)
from riverboat.opponents.moves import CHOICE_COUNT
from tests.unit.opponents.small_models import small_cards

FACES_BET = 1  # situation: before the flop, with a bet to call
RAISE = 2


def drawn(count: int, shown: float) -> Sequences:
    """Return hands of players who fold weak holdings and raise strong ones before the flop; some show their cards."""
    rng = np.random.default_rng(5)
    percentiles = np.array([preflop_percentile(holding) for holding in range(HOLDING_COUNT)])
    holdings = rng.integers(0, HOLDING_COUNT, count)
    raises = rng.random(count) < percentiles[holdings]
    seen = raises & (rng.random(count) < shown)
    tables = small_cards(1).tables
    leaf = int(tables.forest.right[tables.forest.roots[0, FACES_BET] + 1])
    return Sequences(
        start=np.arange(count + 1),
        holding=np.where(seen, holdings, UNKNOWN).astype(np.int32),
        times=np.ones(count),
        leaf=np.full(count, leaf, np.int32),
        street=np.zeros(count, np.uint8),
        choice=np.where(raises, RAISE, 0).astype(np.uint8),
        faces_bet=np.ones(count, np.uint8),
        board=np.full(count, -1, np.int32),
        places=np.zeros((1, HOLDING_COUNT, 2), np.uint8),
    )


def test_every_step_raises_the_likelihood() -> None:
    sequences, tables = drawn(600, 0.4), small_cards(1).tables
    prior = np.full((len(tables.chances), CHOICE_COUNT), 0.5)
    start = first_counts(sequences, tables, knows_poker=False)
    _, trace = learn_chances(sequences, tables, prior, 8, start)
    assert len(trace) == 8
    assert (np.diff(trace) > -1e-3 * abs(trace[0]) * 1e-3).all()
    assert trace[-1] > trace[0]


def test_strong_cards_raise_and_weak_cards_fold() -> None:
    sequences, tables = drawn(3_000, 0.5), small_cards(1).tables
    overall = np.full((len(tables.chances), CHOICE_COUNT), 1e-3)
    overall[:, 0], overall[:, RAISE] = 0.6, 0.4
    prior = 2 * poker_chances(overall, tables.forest, len(tables.first_row))
    start = first_counts(sequences, tables, knows_poker=True)
    chances, _ = learn_chances(sequences, tables, prior, 6, start)
    rows = chances[tables.first_row[sequences.leaf[0]] :][:169]
    classes, percentiles = holding_classes(), [preflop_percentile(holding) for holding in range(HOLDING_COUNT)]
    strong = {int(classes[holding]) for holding in range(HOLDING_COUNT) if percentiles[holding] > 0.95}
    weak = {int(classes[holding]) for holding in range(HOLDING_COUNT) if percentiles[holding] < 0.05}
    assert rows[list(strong), 0].mean() < 0.1
    assert rows[list(weak), 0].mean() > 0.7
