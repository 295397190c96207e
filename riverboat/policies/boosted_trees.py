"""Boosted trees: many small trees, each adding to the score of one choice; softmax turns scores into chances."""

from dataclasses import dataclass

import numpy as np

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput
from riverboat.policies.trees import F32, I32, LEAF, TreeShape, check_questions


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTrees:
    """Trees in one row: tree r adds to choice r % A. At a leaf, `cut` is the number that the tree adds."""

    shape: TreeShape
    roots: I32  # [R], ascending
    base: F32  # [A]: scores before any tree

    def __post_init__(self) -> None:
        check_questions(self.shape, self.roots)
        if not len(self.base) or len(self.roots) % len(self.base) or not np.isfinite(self.base).all():
            raise InvalidInput("trees", "must be equally many for each choice, with finite base scores")

    def chances(self, features: F32) -> F32:
        """Return the chances of the choices for situations with these features [B, F] -> [B, A]."""
        if features.shape[1] <= self.shape.feature.max(initial=LEAF):
            needed = int(self.shape.feature.max()) + 1
            raise InvalidInput("features", f"there are {features.shape[1]}, but the trees need {needed}")
        out = np.empty((len(features), len(self.base)), np.float32)
        _write_chances(self.shape, self.roots, self.base, features, out)
        return out


@kernel
def _write_chances(shape: TreeShape, roots: I32, base: F32, features: F32, out: F32) -> None:
    for b in range(features.shape[0]):
        out[b] = base
        for r in range(roots.size):
            node = roots[r]
            while shape.feature[node] != LEAF:
                node = node + 1 if features[b, shape.feature[node]] <= shape.cut[node] else shape.right[node]
            out[b, r % base.size] += shape.cut[node]
        most = out[b].max()
        total = np.float32(0.0)
        for a in range(base.size):
            out[b, a] = np.exp(out[b, a] - most)
            total += out[b, a]
        for a in range(base.size):
            out[b, a] /= total
