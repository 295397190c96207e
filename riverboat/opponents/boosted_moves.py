"""Boosted trees that predict the kind of a move from the features of a decision and from tendencies.

Each tree gives points to one kind; a kind's chance follows from the sum of its points, as in logistic regression.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput
from riverboat.opponents.decisions import WIDTH
from riverboat.opponents.styles import Forest, check_forest, leaf_of
from riverboat.opponents.tendencies import SITUATION_COUNT

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

KIND_COUNT = 3  # fold or check, call, bet or raise
_NEVER = -1e9


class BoostedForest(NamedTuple):
    """Boosted trees as kernels take them."""

    forest: Forest  # roots [SITUATION_COUNT, KIND_COUNT * T]: the trees of each kind, one kind after another
    points: F32  # [L]: of each leaf


@dataclass(frozen=True, slots=True, eq=False)
class BoostedMoves:
    """The boosted trees of all situations."""

    boosting: BoostedForest

    def __post_init__(self) -> None:
        forest, points = self.boosting
        check_forest(forest, len(points), WIDTH)
        if (
            forest.roots.shape[0] != SITUATION_COUNT
            or forest.roots.shape[1] % KIND_COUNT
            or not np.isfinite(points).all()
        ):
            raise InvalidInput("boosted", "there must be trees for three kinds in eight situations")

    def predict(self, situation: int, numbers: F32) -> F64:
        """Return the chances of kinds of moves [B, KIND_COUNT] for numbers [B, WIDTH]."""
        out = np.empty((len(numbers), KIND_COUNT))
        for row, values in enumerate(numbers.astype(np.float64)):
            write_kinds(self.boosting, situation, values, out[row])
        return out


@kernel
def write_kinds(boosting: BoostedForest, situation: int, numbers: F64, out: F64) -> None:
    """Write the chances of kinds of moves [KIND_COUNT]; without a bet to call there is no call."""
    roots = boosting.forest.roots[situation]
    per_kind = len(roots) // KIND_COUNT
    for kind in range(KIND_COUNT):
        total = 0.0
        for tree in range(kind * per_kind, (kind + 1) * per_kind):
            total += boosting.points[leaf_of(boosting.forest, roots[tree], numbers)]
        out[kind] = total
    if not situation & 1:
        out[1] = _NEVER
    most = max(out[0], out[1], out[2])
    whole = 0.0
    for kind in range(KIND_COUNT):
        out[kind] = np.exp(out[kind] - most)
        whole += out[kind]
    for kind in range(KIND_COUNT):
        out[kind] /= whole
