"""The shared part of tree learners: it turns trees of bins into trees of numbers, and into files."""

import json
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from riverboat.policies.policy import LearnedPolicy
from riverboat.policies.policy_files import model_entries, read_model, write_policy
from riverboat.policies.trees import F32, LEAF, DecisionTree, TreeShape, tree_of_leaves
from riverboat.services.trainer.policies.bins import FeatureBins

I64 = NDArray[np.int64]


def shape_of_bins(feature: I64, cut_bin: I64, right: I64, bins: FeatureBins) -> TreeShape:
    """Return questions about numbers from questions about bins, in preorder."""
    cut = np.zeros(len(feature), np.float32)
    for node in np.flatnonzero(feature != LEAF).tolist():
        cut[node] = bins.cuts[feature[node]][cut_bin[node]]
    return TreeShape(feature.astype(np.int16), cut, right.astype(np.int32))


def fitted_tree(shape: TreeShape, features: F32, chances: F32) -> DecisionTree:
    """Return the tree whose leaves have the mean chances of the states [N] that come to them."""
    leaves = np.flatnonzero(shape.feature == LEAF)
    empty = DecisionTree(shape, np.zeros(len(shape.feature), np.float32), np.zeros((len(shape.feature), 1), np.float32))
    places = np.searchsorted(leaves, empty.leaves(features))
    counts = np.bincount(places, minlength=len(leaves))
    sums = np.stack([np.bincount(places, column, len(leaves)) for column in chances.T], axis=1)
    return tree_of_leaves(shape, counts.astype(np.float32), (sums / counts[:, None]).astype(np.float32))


class TreeFiles:
    """Files of policies whose models are trees."""

    suffix = ".json"

    def file(self, about: LearnedPolicy, models: list[bytes]) -> bytes:
        """Return the file of a policy."""
        read = tuple(read_model(json.loads(data), menu) for data, menu in zip(models, about.menus, strict=True))
        return write_policy(replace(about, models=read))


def model_bytes(model: object) -> bytes:
    """Return a model of trees as bytes."""
    return json.dumps(model_entries(model)).encode()
