"""BoostedForest with lightgbm, and its trees as arrays of ours."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.opponents.boosted_moves import KIND_COUNT
from riverboat.opponents.styles import LEAF, MoveTree
from riverboat.services.trainer.opponents.growth import BIN_COUNT

U8 = NDArray[np.uint8]
_RATE, _LEAST = 0.08, 80


def check_library() -> None:
    """Raise InvalidInput if lightgbm is not installed."""
    try:
        import lightgbm  # noqa: F401
    except ImportError:
        raise InvalidInput("", "opponents needs lightgbm, which comes with riverboat[trainer]") from None


def boosted_trees(bins: U8, kinds: U8, has_call: bool, trees: int, leaves: int, seed: int) -> list[list[MoveTree]]:
    """Return the trees of each kind of move; without a bet to call only the last kind has some.

    The first tree of a kind is one leaf with the points that all its moves start from.
    """
    import lightgbm

    names = np.arange(KIND_COUNT) if has_call else np.array([0, 2])
    labels = np.searchsorted(names, kinds)
    settings: dict[str, Any] = {
        "objective": "multiclass" if has_call else "binary",
        "learning_rate": _RATE,
        "num_leaves": leaves,
        "min_data_in_leaf": _LEAST,
        "max_bin": BIN_COUNT,
        "min_data_in_bin": 1,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbosity": -1,
    }
    if has_call:
        settings["num_class"] = KIND_COUNT
    counts = np.bincount(labels, minlength=len(names))
    if counts.min() < 2 * _LEAST:
        return _constant(counts, has_call)
    booster = lightgbm.train(settings, lightgbm.Dataset(bins, labels, free_raw_data=True), trees)
    dumped = booster.dump_model()["tree_info"]
    per_round = KIND_COUNT if has_call else 1
    grown: list[list[MoveTree]] = [[] for _ in range(KIND_COUNT)]
    for place, each in enumerate(dumped):
        grown[place % per_round if has_call else KIND_COUNT - 1].append(_tree(each["tree_structure"]))
    return grown


def _constant(counts: NDArray[np.int64], has_call: bool) -> list[list[MoveTree]]:
    """Return trees that say how frequent kinds are, where there is too little to learn from."""
    points = np.log(counts + 1.0)
    if not has_call:
        return [[], [], [_leaf(points[1] - points[0])]]
    return [[_leaf(value)] for value in points]


def _leaf(points: float) -> MoveTree:
    return MoveTree(
        np.array([LEAF], np.int16), np.zeros(1, np.float32), np.zeros(1, np.int32), np.array([[points]], np.float32)
    )


def _tree(root: dict[str, Any]) -> MoveTree:
    """Return one of lightgbm's trees in preorder; it goes left where a bin is at most the threshold."""
    feature: list[int] = []
    cut: list[float] = []
    right: list[int] = []
    points: list[float] = []
    waiting: list[tuple[dict[str, Any], int]] = [(root, -1)]
    while waiting:
        node, parent = waiting.pop()
        if parent >= 0:
            right[parent] = len(feature)
        if "split_feature" in node:
            waiting += [(node["right_child"], len(feature)), (node["left_child"], -1)]
            feature.append(node["split_feature"])
            cut.append(float(np.floor(node["threshold"])))
            right.append(0)
        else:
            feature.append(LEAF)
            cut.append(0.0)
            right.append(len(points))
            points.append(node["leaf_value"])
    return MoveTree(
        np.array(feature, np.int16), np.array(cut, np.float32), np.array(right, np.int32),
        np.array(points, np.float32)[:, None],
    )  # fmt: skip
