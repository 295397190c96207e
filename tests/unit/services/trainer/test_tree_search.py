"""The search for trees: against every tree of two levels, and what it promises about its passes."""

from itertools import product

import numpy as np
import pytest

from riverboat.services.trainer.policies.bins import fit_bins, roundest
from riverboat.services.trainer.policies.optimal_trees import grown
from riverboat.services.trainer.policies.tree_search import (
    F32,
    LEAF,
    U8,
    BinTree,
    SearchRules,
    searched,
    single_leaf,
)

BINS = 4


def exclusive_or(rng: np.random.Generator, count: int) -> tuple[U8, F32]:
    """Return states whose choice is the parity of two features; the others are noise."""
    binned = rng.integers(0, BINS, (count, 4)).astype(np.uint8)
    choice = (binned[:, 1] > 1) ^ (binned[:, 2] > 1)
    chances = np.where(choice[:, None], [0.1, 0.9], [0.8, 0.2]).astype(np.float32)
    return binned, chances


def error_of(groups: list[F32]) -> float:
    return sum(float(((part - part.mean(axis=0)) ** 2).sum()) for part in groups if len(part))


def best_of_two_levels(binned: U8, chances: F32) -> float:
    """Return the least squared distance of any tree with two levels of questions."""
    questions = [binned[:, feature] <= cut for feature, cut in product(range(binned.shape[1]), range(BINS - 1))]

    def best_below(rows: np.ndarray) -> float:
        splits = [error_of([chances[rows & yes], chances[rows & ~yes]]) for yes in questions]
        return min(error_of([chances[rows]]), *splits)

    return min(best_below(yes) + best_below(~yes) for yes in questions)


def objective(tree: BinTree, binned: U8, chances: F32, price: float) -> float:
    """Return the objective of a tree per state, row by row."""
    total = price * (tree.feature == LEAF).sum()
    for row, wanted in zip(binned, chances, strict=True):
        node = 0
        while tree.feature[node] != LEAF:
            node = node + 1 if row[tree.feature[node]] <= tree.cut[node] else tree.right[node]
        total += ((wanted - tree.values[node]) ** 2).sum()
    return float(total / len(binned))


@pytest.mark.parametrize("seed", range(4))
def test_restarts_find_what_greedy_questions_miss(seed: int) -> None:
    """No first question helps by itself with a parity."""
    binned, chances = exclusive_or(np.random.default_rng(seed), 600)
    rules = SearchRules(price=1e-3, leaf_size=1, depth=2, feature_share=1.0)
    tree, _ = grown(binned, chances, rules, restarts=30)
    wanted = best_of_two_levels(binned, chances)
    assert objective(tree, binned, chances, 0.0) * len(binned) <= wanted + 1e-3 * len(binned)


@pytest.mark.parametrize("seed", range(4))
def test_the_objective_is_what_it_says_and_never_rises(seed: int) -> None:
    rng = np.random.default_rng(seed)
    binned = rng.integers(0, 30, (400, 5)).astype(np.uint8)
    chances = rng.dirichlet([0.3, 0.5, 0.2], 400).astype(np.float32)
    rules = SearchRules(price=0.5, leaf_size=3, depth=6, feature_share=1.0)
    tree, score = searched(single_leaf(chances), binned, chances, rules, 0, 40)
    assert score == pytest.approx(objective(tree, binned, chances, rules.price), rel=1e-4)
    _, again = searched(tree, binned, chances, rules, 0, 40)
    assert again <= score * (1 + 1e-5)


def test_a_high_price_leaves_one_leaf() -> None:
    binned, chances = exclusive_or(np.random.default_rng(0), 300)
    tree, _ = searched(single_leaf(chances), binned, chances, SearchRules(1e6, 1, 5, 1.0), 0, 20)
    assert tree.feature.tolist() == [LEAF]


@pytest.mark.parametrize(
    ("low", "high", "wanted"), [(100, 300, 200), (0, 100, 0), (150, 300, 200), (2_950, 3_100, 3_000)]
)
def test_borders_are_round(low: float, high: float, wanted: float) -> None:
    assert roundest(low, high) == wanted


def test_bins_keep_what_differs_apart() -> None:
    rng = np.random.default_rng(0)
    features = np.stack([rng.random(500), rng.choice([0, 100, 250, 20_000], 500)], axis=1).astype(np.float32)
    bins = fit_bins(features, 1)
    binned = bins.of(features)
    assert len(np.unique(binned[:, 1])) == 4
    for cuts in bins.cuts:
        assert (np.diff(cuts) > 0).all()
    for place, cut in enumerate(bins.cuts[0]):
        assert np.array_equal(features[:, 0] <= cut, binned[:, 0] <= place)
