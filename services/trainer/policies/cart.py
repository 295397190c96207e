"""CART by scikit-learn: each question is the best one for its own node.

The labels are chances, not single choices. Fitting all of them at once by squared error is the same as splitting by
the Gini index of states that take each choice with its chance.
"""

import numpy as np
from sklearn.tree import DecisionTreeRegressor

from riverboat.policies.trees import LEAF, DecisionTree
from riverboat.services.trainer.policies.bins import FeatureBins, fit_bins
from riverboat.services.trainer.policies.forest import I64, TreeFiles, fitted_tree, model_bytes, shape_of_bins
from riverboat.services.trainer.policies.learner import F32, Learnt, StreetLesson, fidelity
from riverboat.services.trainer.rounds.kind import TellMessage
from riverboat.streets import STREETS

_LEAF_SIZES = (5, 20, 80)  # tried on a part of the states
_TUNED_ON = 0.9


class Cart(TreeFiles):
    """Learns CART trees."""

    def learn(self, lesson: StreetLesson, tell: TellMessage) -> Learnt:
        """Return the tree of a street, with the leaf size that is best for states that the tree did not learn from."""
        plan, states = lesson.plan, lesson.states
        bins = fit_bins(states.features, len(STREETS))
        binned, cut = bins.of(states.features).astype(np.float32), int(_TUNED_ON * len(states))
        losses = {}
        for size in _LEAF_SIZES:
            tree = _grown(binned[:cut], states.features[:cut], states.chances[:cut], plan.tree_depth, size, bins)
            losses[size] = fidelity(tree.chances(states.features[cut:]), states.chances[cut:])["log_loss"]
        best = min(losses, key=lambda size: losses[size])
        tree = _grown(binned, states.features, states.chances, plan.tree_depth, best, bins)
        facts = {"leaves": tree.leaf_count, "depth": tree.depth, "leaf_size": best}
        return Learnt(model_bytes(tree), tree.chances(lesson.held_out.features), facts)


def _grown(binned: F32, features: F32, chances: F32, depth: int, leaf_size: int, bins: FeatureBins) -> DecisionTree:
    size = max(1, min(leaf_size, len(binned) // 2))
    grown = DecisionTreeRegressor(max_depth=depth, min_samples_leaf=size, random_state=0).fit(binned, chances).tree_
    feature, left, right = grown.feature, grown.children_left, grown.children_right
    order = _preorder(left, right)
    place = np.argsort(order)  # where each of its nodes is in preorder
    is_leaf = left[order] < 0
    features_in_order: I64 = np.where(is_leaf, LEAF, feature[order])
    # FeatureBins are whole numbers: "at most 3.5" is "at most bin 3".
    cut_bins: I64 = np.where(is_leaf, 0, np.floor(grown.threshold[order]).astype(np.int64))
    rights: I64 = np.where(is_leaf, 0, place[right[order]])
    return fitted_tree(shape_of_bins(features_in_order, cut_bins, rights, bins), features, chances)


def _preorder(left: I64, right: I64) -> I64:
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if left[node] >= 0:
            waiting += [int(right[node]), int(left[node])]
    return np.array(order)
