"""Decision trees: yes-or-no questions about features, and at each leaf the chances of the choices.

Nodes are in preorder: the child on the left, where the answer is yes ("at most"), follows its parent.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput

F32 = NDArray[np.float32]
I16 = NDArray[np.int16]
I32 = NDArray[np.int32]
LEAF = -1  # in place of a feature
MOST_NODES = 1_000_000


class TreeShape(NamedTuple):
    """Questions as kernels take them."""

    feature: I16  # [N]; LEAF for none
    cut: F32  # [N]: the answer is yes where the feature is at most this
    right: I32  # [N]: the child where the answer is no; on the left is the next node


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTree:
    """A tree with the values at each node."""

    shape: TreeShape
    states: F32  # [N]: how many of the states that it was learnt from came to each node
    values: F32  # [N, A]: chances at each node, adding up to one; those of inner nodes are means

    def __post_init__(self) -> None:
        count = len(self.shape.feature)
        check_questions(self.shape)
        if self.states.shape != (count,) or self.values.shape[:1] != (count,) or self.values.ndim != 2:
            raise InvalidInput("tree", "its lists differ in length")

    @property
    def leaf_count(self) -> int:
        """How many leaves there are."""
        return int((self.shape.feature == LEAF).sum())

    @property
    def depth(self) -> int:
        """The most questions on a path."""
        return int(depths(self.shape).max())

    def chances(self, features: F32) -> F32:
        """Return the chances of the choices for situations with these features [B, F] -> [B, A]."""
        chances: F32 = self.values[self.leaves(features)]
        return chances

    def leaves(self, features: F32) -> I32:
        """Return the leaf that each vector [B, F] comes to [B]."""
        _check_width(self.shape, features)
        out = np.empty(len(features), np.int32)
        write_leaves(self.shape, 0, features, out)
        return out

    def path(self, features: F32) -> list[int]:
        """Return the nodes that one vector [F] passes, from the root to its leaf."""
        _check_width(self.shape, features[None])
        nodes, node = [0], 0
        while self.shape.feature[node] != LEAF:
            yes = features[self.shape.feature[node]] <= self.shape.cut[node]
            node = node + 1 if yes else int(self.shape.right[node])
            nodes.append(node)
        return nodes


def tree_of_leaves(shape: TreeShape, states: F32, chances: F32) -> DecisionTree:
    """Return the tree with these states [leaves] and chances [leaves, A] at its leaves, in their order."""
    check_questions(shape)
    leaves = np.flatnonzero(shape.feature == LEAF)
    if states.shape != (len(leaves),) or chances.ndim != 2 or len(chances) != len(leaves):
        raise InvalidInput("tree", f"has {len(leaves)} leaves, but {len(states)} counts and {len(chances)} chances")
    if not (np.isfinite(chances).all() and (chances >= 0).all() and np.allclose(chances.sum(axis=1), 1, atol=0.01)):
        raise InvalidInput("tree", "the chances of a leaf must add up to one")
    if not (np.isfinite(states).all() and (states > 0).all()):
        raise InvalidInput("tree", "states must be positive")
    counts = np.zeros(len(shape.feature), np.float64)
    sums = np.zeros((len(counts), chances.shape[1]))
    counts[leaves] = states
    sums[leaves] = chances * states[:, None]
    for node in range(len(counts) - 1, -1, -1):  # children come after their parents
        if shape.feature[node] != LEAF:
            children = [node + 1, int(shape.right[node])]
            counts[node], sums[node] = counts[children].sum(), sums[children].sum(axis=0)
    values = (sums / sums.sum(axis=1, keepdims=True)).astype(np.float32)
    return DecisionTree(shape, counts.astype(np.float32), values)


def check_questions(shape: TreeShape, roots: I32 | None = None) -> None:
    """Raise unless every node has two children after it, and every node but the roots one parent."""
    feature, cut, right = shape
    count = len(feature)
    if not 0 < count <= MOST_NODES or cut.shape != (count,) or right.shape != (count,):
        raise InvalidInput("tree", f"must have 1 to {MOST_NODES:,} nodes, and lists of the same length")
    inner = np.flatnonzero(feature != LEAF)
    children = np.concatenate([np.zeros(1, np.int64) if roots is None else roots, inner + 1, right[inner]])
    is_tree = len(children) == count and len(np.unique(children)) == count and (feature >= LEAF).all()
    if not (is_tree and (right[inner] > inner).all() and children.min() >= 0 and children.max() < count):
        raise InvalidInput("tree", "its nodes do not form a tree")
    if not np.isfinite(cut).all():
        raise InvalidInput("tree", "it has a number that is not finite")


def depths(shape: TreeShape) -> I32:
    """Return how many questions are asked before each node [N]."""
    out = np.zeros(len(shape.feature), np.int32)
    for node in np.flatnonzero(shape.feature != LEAF).tolist():
        out[node + 1] = out[shape.right[node]] = out[node] + 1
    return out


def _check_width(shape: TreeShape, features: F32) -> None:
    if features.shape[1] <= shape.feature.max():
        needed = int(shape.feature.max()) + 1
        raise InvalidInput("features", f"there are {features.shape[1]}, but the tree needs {needed}")


@kernel
def write_leaves(shape: TreeShape, root: int, features: F32, out: I32) -> None:
    """Write the leaf below `root` that each vector [B, F] comes to."""
    for b in range(features.shape[0]):
        node = root
        while shape.feature[node] != LEAF:
            node = node + 1 if features[b, shape.feature[node]] <= shape.cut[node] else shape.right[node]
        out[b] = node
