"""Styles: trees that predict the moves of players who play alike, for each of the eight situations.

A style is a cluster of players. All trees are in the same flat arrays, so that a kernel can walk any of them.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput
from riverboat.opponents.features import FEATURE_COUNT
from riverboat.opponents.moves import CHOICE_COUNT
from riverboat.opponents.tendencies import SITUATION_COUNT

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I16 = NDArray[np.int16]
I32 = NDArray[np.int32]
LEAF = -1  # in place of a feature


class Forest(NamedTuple):
    """Trees as kernels take them. The child where a feature is at most the cut is the next node."""

    feature: I16  # [N]; LEAF for none
    cut: F32  # [N]
    right: I32  # [N]: the other child; of a leaf its place among the leaves
    roots: I32  # [C, SITUATION_COUNT]: of each style


@kernel
def leaf_of(forest: Forest, root: int, numbers: F64) -> int:
    """Return the leaf below a root that some features come to."""
    node = root
    while forest.feature[node] != LEAF:
        node = node + 1 if numbers[forest.feature[node]] <= forest.cut[node] else forest.right[node]
    return int(forest.right[node])


@kernel
def write_leaves(forest: Forest, root: int, rows: F32, out: I32) -> None:
    """Write the leaf below a root that each row of features [B, F] comes to."""
    for b in range(rows.shape[0]):
        node = root
        while forest.feature[node] != LEAF:
            node = node + 1 if rows[b, forest.feature[node]] <= forest.cut[node] else forest.right[node]
        out[b] = forest.right[node]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Styles:
    """C styles and the trees of each."""

    forest: Forest
    chances: F32  # [L, CHOICE_COUNT]: at each leaf, of the moves of its situation; adding up to one
    shares: F64  # [C]: of the players that were clustered

    def __post_init__(self) -> None:
        count, leaves = len(self.forest.feature), self.chances.shape[0]
        check_forest(self.forest, leaves, FEATURE_COUNT)
        if self.forest.roots.shape != (len(self.shares), SITUATION_COUNT) or self.chances.shape[1:] != (CHOICE_COUNT,):
            raise InvalidInput("styles", f"{count} nodes and {leaves} leaves do not fit {len(self.shares)} styles")
        if not np.allclose(self.chances.sum(1), 1, atol=1e-3) or (self.chances < 0).any():
            raise InvalidInput("styles", "chances at a leaf must add up to one")

    @property
    def count(self) -> int:
        """C."""
        return len(self.shares)

    def predict(self, style: int, situation: int, features: F32) -> F32:
        """Return the chances of the moves of a situation [B, CHOICE_COUNT] for features [B, F]."""
        leaves = np.empty(len(features), np.int32)
        write_leaves(self.forest, int(self.forest.roots[style, situation]), features, leaves)
        chances: F32 = self.chances[leaves]
        return chances


def check_forest(forest: Forest, leaf_count: int, width: int) -> None:
    """Raise InvalidInput unless every walk ends at a leaf."""
    count = len(forest.feature)
    inner = forest.feature != LEAF
    places = np.arange(count)
    is_sound = (
        len(forest.cut) == len(forest.right) == count
        and bool(((forest.feature >= LEAF) & (forest.feature < width)).all())
        and bool((forest.right[inner] > places[inner]).all())
        and bool((forest.right[inner] < count).all())
        and bool((forest.right >= 0).all() and (forest.right[~inner] < leaf_count).all())
        and bool(forest.roots.size and forest.roots.min() >= 0 and forest.roots.max() < count)
        and bool(not inner[-1:].any() and np.isfinite(forest.cut).all())
    )
    if not is_sound:
        raise InvalidInput("forest", "its nodes do not form trees")


class MoveTree(NamedTuple):
    """One tree in preorder with what is at its leaves."""

    feature: I16  # [N]
    cut: F32  # [N]
    right: I32  # [N]: of a leaf its place among the tree's leaves
    values: F32  # [leaves, A]


def joined_trees(trees: list[MoveTree], shape: tuple[int, ...]) -> tuple[Forest, F32]:
    """Return trees as one forest whose roots have a shape, and the values of all leaves."""
    features, cuts, rights, values, roots = [], [], [], [], []
    nodes = leaves = 0
    for tree in trees:
        roots.append(nodes)
        features.append(tree.feature)
        cuts.append(tree.cut)
        rights.append(tree.right + np.where(tree.feature == LEAF, leaves, nodes))
        values.append(tree.values)
        nodes, leaves = nodes + len(tree.feature), leaves + len(tree.values)
    forest = Forest(
        feature=np.concatenate(features).astype(np.int16),
        cut=np.concatenate(cuts).astype(np.float32),
        right=np.concatenate(rights).astype(np.int32),
        roots=np.array(roots, np.int32).reshape(shape),
    )
    return forest, np.concatenate(values).astype(np.float32)
