"""Boosted trees by XGBoost, exported as plain lists of questions."""

import json
from typing import Any

import numpy as np
import xgboost

from riverboat.policies.boosted_trees import BoostedTrees
from riverboat.policies.trees import LEAF, TreeShape
from riverboat.services.trainer.policies.bins import FeatureBins, fit_bins
from riverboat.services.trainer.policies.forest import TreeFiles, model_bytes
from riverboat.services.trainer.policies.learner import Learnt, StreetLesson
from riverboat.services.trainer.rounds.kind import TellMessage
from riverboat.streets import STREETS

_RATE = 0.15
_LEAF_WEIGHT = 20.0  # minimum for a leaf's states, by the curvature of their loss: smaller files, meaningful leaves
_BIN_COUNT = 256
_LEAST_LABEL = 0.005  # rarer choices are not used as examples


class Boosting(TreeFiles):
    """Learns boosted trees."""

    def learn(self, lesson: StreetLesson, tell: TellMessage) -> Learnt:
        """Return the boosted trees of a street; each state is an example of every choice, with its chance as weight."""
        plan, states = lesson.plan, lesson.states
        bins = fit_bins(states.features, len(STREETS))
        rows, choices = np.nonzero(states.chances >= _LEAST_LABEL)
        data = xgboost.QuantileDMatrix(
            bins.of(states.features)[rows].astype(np.float32),
            label=choices,
            weight=states.chances[rows, choices],
            nthread=lesson.threads,
            max_bin=_BIN_COUNT,
        )
        settings = {
            "objective": "multi:softprob", "num_class": states.chances.shape[1], "max_depth": plan.tree_depth,
            "eta": _RATE, "min_child_weight": _LEAF_WEIGHT, "tree_method": "hist", "max_bin": _BIN_COUNT,
            "nthread": lesson.threads, "seed": plan.seed, "base_score": 0.5,
        }  # fmt: skip
        booster = xgboost.train(settings, data, plan.trees)
        model = boosted_of(json.loads(bytes(booster.save_raw("json"))), bins, states.chances.shape[1])
        facts = {"trees": float(len(model.roots)), "leaves": float((model.shape.feature == LEAF).sum())}
        return Learnt(model_bytes(model), model.chances(lesson.held_out.features), facts)


def boosted_of(saved: Any, bins: FeatureBins, choice_count: int) -> BoostedTrees:
    """Return the trees of XGBoost's own JSON, whose questions are "below this bin"."""
    trees = saved["learner"]["gradient_booster"]["model"]["trees"]
    parts, roots, at = [], [], 0
    for tree in trees:
        roots.append(at)
        parts.append(_shape(tree, bins, at))
        at += len(parts[-1].feature)
    shape = TreeShape(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    return BoostedTrees(shape, np.array(roots, np.int32), np.zeros(choice_count, np.float32))


def _shape(tree: Any, bins: FeatureBins, start: int) -> TreeShape:
    """Return the questions of one tree in preorder, its nodes counted from `start`."""
    left, right = tree["left_children"], tree["right_children"]
    feature: list[int] = []
    cut: list[float] = []
    rights: list[int] = []
    waiting = [(0, -1)]
    while waiting:
        node, parent = waiting.pop()
        if parent >= 0:
            rights[parent] = start + len(feature)
        is_leaf = left[node] < 0
        asked, value = int(tree["split_indices"][node]), float(tree["split_conditions"][node])
        feature.append(LEAF if is_leaf else asked)
        # "below 3.5" and "below 4" are both "at most bin 3".
        cut.append(value if is_leaf else float(bins.cuts[asked][int(np.ceil(value)) - 1]))
        rights.append(0)
        if not is_leaf:
            waiting += [(right[node], len(feature) - 1), (left[node], -1)]
    return TreeShape(np.array(feature, np.int16), np.array(cut, np.float32), np.array(rights, np.int32))
