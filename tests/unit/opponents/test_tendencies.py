"""Tendencies: what a player did before, as counts and as features."""

import numpy as np

from riverboat.history.store.reading import read_text
from riverboat.opponents.counting import CALLS, FOLDS, RAISES
from riverboat.opponents.decisions import stored_decisions
from riverboat.opponents.features import FEATURE_COUNT
from riverboat.opponents.tendencies import (
    FULL,
    NAMES,
    TENDENCY_COUNT,
    TENDENCY_SHAPE,
    add_tendency,
    write_tendencies,
)
from tests.unit.opponents.test_decisions import REAL

FACES_BET = 1  # situation: before the flop, with a bet to call


def features_of(own: np.ndarray, aggressor: np.ndarray | None = None) -> dict[str, float]:
    out = np.empty(TENDENCY_COUNT)
    other = np.zeros(TENDENCY_SHAPE, np.int64) if aggressor is None else aggressor
    write_tendencies(own, other, aggressor is not None, FACES_BET, out)
    return dict(zip(NAMES, out.tolist(), strict=True))


def test_a_stranger_does_what_most_players_do() -> None:
    features = features_of(np.zeros(TENDENCY_SHAPE, np.int64))
    assert features["seen"] == 0
    assert features["folds_here"] == 0.5
    assert features["aggressor_seen"] == -1


def test_shares_follow_the_counts() -> None:
    counts = np.zeros(TENDENCY_SHAPE, np.int64)
    for kind in (FOLDS,) * 6 + (CALLS,) * 2 + (RAISES,) * 4:
        add_tendency(counts, FACES_BET, kind)
    features = features_of(counts, counts)
    assert features["folds_here"] == (6 + 4 * 0.5) / 16
    assert features["raises_preflop"] == features["aggressor_raises_preflop"] == (4 + 4 * 0.12) / 16
    assert features["enters_pots"] == (6 + 4 * 0.3) / 16


def test_a_memory_that_is_full_forgets_half() -> None:
    counts = np.zeros(TENDENCY_SHAPE, np.int64)
    for _ in range(10 * FULL):
        add_tendency(counts, FACES_BET, FOLDS)
    assert counts[FACES_BET].sum() < FULL


def test_a_decision_knows_earlier_hands_only() -> None:
    columns, _ = read_text(REAL.read_bytes())
    memory = np.zeros((len(columns.names), *TENDENCY_SHAPE), np.int64)
    first = stored_decisions(columns, memory, columns.player)
    again = stored_decisions(columns, memory, columns.player)
    seen = FEATURE_COUNT + NAMES.index("seen")
    assert first.features[first.hand == 0][:, seen].max() == 0
    assert (again.features[:, seen] > first.features[:, seen]).all()
    np.testing.assert_array_equal(first.features[:, :FEATURE_COUNT], again.features[:, :FEATURE_COUNT])
