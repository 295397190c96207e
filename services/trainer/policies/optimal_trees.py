"""Optimal trees by local search with restarts, on growing parts of the states.

Small trees can be proved optimal, trees of this depth cannot: this is the strongest search that takes minutes. Price of
a leaf and leaf size are tuned by grid search on states that the search does not use.
"""

from collections.abc import Callable

import numpy as np

from riverboat.policies.trees import DecisionTree
from riverboat.services.trainer.policies.bins import FeatureBins, fit_bins
from riverboat.services.trainer.policies.forest import TreeFiles, fitted_tree, model_bytes, shape_of_bins
from riverboat.services.trainer.policies.learner import F32, Learnt, StreetLesson, fidelity
from riverboat.services.trainer.policies.tree_search import U8, BinTree, SearchRules, searched, single_leaf
from riverboat.services.trainer.rounds.kind import TellMessage
from riverboat.streets import STREETS

_PARTS = (16, 8, 4, 2, 1)  # of the states: the search on a part begins with the tree of the part before
_PRICES = (1e-5, 3e-5, 1e-4)  # of a leaf, as shares of the states
_LEAF_SIZES = (5, 20)
_TUNED_ON = 4  # one state in so many
_PASSES = 60
_FEATURE_SHARE = 0.5  # of the features, for all starts but the first


class OptimalTrees(TreeFiles):
    """Learns optimal trees."""

    def learn(self, lesson: StreetLesson, tell: TellMessage) -> Learnt:
        """Return the tree of a street."""
        plan, street, states = lesson.plan, lesson.street, lesson.states
        bins = fit_bins(states.features, len(STREETS))
        order = np.random.default_rng([plan.seed, street]).permutation(len(states))
        features, chances = states.features[order], states.chances[order]
        binned = bins.of(features)
        tell(f"tuning the {STREETS[street]}")
        price, leaf_size = _tuned(binned, features, chances, plan.tree_depth, bins)
        rules = SearchRules(price * len(states), leaf_size, plan.tree_depth, 1.0)
        tree, score = grown(binned, chances, rules, plan.restarts, lambda part: tell(f"{STREETS[street]}: 1/{part}"))
        learnt = as_tree(tree, features, chances, bins)
        facts = {
            "leaves": learnt.leaf_count,
            "depth": learnt.depth,
            "leaf_size": leaf_size,
            "price": price,
            "objective": score,
        }
        return Learnt(model_bytes(learnt), learnt.chances(lesson.held_out.features), facts)


def grown(
    binned: U8, chances: F32, rules: SearchRules, restarts: int, tell: Callable[[int], None] = lambda part: None
) -> tuple[BinTree, float]:
    """Return the best tree of several starts on a part of the states, improved on ever larger parts."""
    price = rules.price / len(binned)
    best: tuple[BinTree, float] | None = None
    for part in _PARTS:
        count = len(binned) // part
        if count < 4 * rules.leaf_size and part > 1:
            continue
        tell(part)
        some, labels = binned[:count], chances[:count]
        scaled = rules._replace(price=price * count, leaf_size=max(1, rules.leaf_size // part))
        if best is None:
            starts = []
            for start in range(restarts):
                share = 1.0 if start == 0 else _FEATURE_SHARE
                loose, _ = searched(
                    single_leaf(labels), some, labels, scaled._replace(feature_share=share), start, _PASSES
                )
                starts.append(searched(loose, some, labels, scaled, start, _PASSES))
            best = min(starts, key=lambda one: one[1])
        else:
            fresh = searched(single_leaf(labels), some, labels, scaled, part, _PASSES)
            best = min(searched(best[0], some, labels, scaled, part, _PASSES), fresh, key=lambda one: one[1])
    if best is None:
        return searched(single_leaf(chances), binned, chances, rules, 0, _PASSES)
    return best


def as_tree(tree: BinTree, features: F32, chances: F32, bins: FeatureBins) -> DecisionTree:
    """Return a tree of numbers whose leaves are fitted to states."""
    return fitted_tree(shape_of_bins(tree.feature, tree.cut, tree.right, bins), features, chances)


def _tuned(binned: U8, features: F32, chances: F32, depth: int, bins: FeatureBins) -> tuple[float, int]:
    """Return the price and leaf size of the tree that is best for states that it did not learn from."""
    count = max(len(binned) // _TUNED_ON, min(len(binned), 200))
    cut = count * 4 // 5
    losses = {}
    for price in _PRICES:
        for leaf_size in _LEAF_SIZES:
            rules = SearchRules(price * cut, leaf_size, depth, 1.0)
            tree, _ = searched(single_leaf(chances[:cut]), binned[:cut], chances[:cut], rules, 0, _PASSES)
            fitted = as_tree(tree, features[:cut], chances[:cut], bins)
            losses[price, leaf_size] = fidelity(fitted.chances(features[cut:count]), chances[cut:count])["log_loss"]
    return min(losses, key=lambda one: losses[one])
