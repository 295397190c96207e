"""Leaf values as if all the chips went in: what holdings win on average from here on, without any more betting."""

from collections.abc import Callable

import numpy as np

from riverboat.solving.leaf_values import Leaves
from riverboat.solving.subgame import F32, F64

BoardUtility = Callable[[int], F32]  # of a board: [H, H], per chip at stake; 0 where holdings exclude each other


class UtilityLeaves:
    """Values by a utility matrix for each board."""

    def __init__(self, utility: BoardUtility) -> None:
        self._utility = utility
        self._matrices: dict[int, F32] = {}

    def __call__(self, leaves: Leaves, reach: F64) -> F64:
        """Values of both players at each leaf [2, N, H]."""
        found = np.zeros_like(reach)
        for board in np.unique(leaves.board).tolist():
            if board not in self._matrices:
                self._matrices[board] = self._utility(board)
            at = np.flatnonzero(leaves.board == board)
            stake, own, other = leaves.stake[at, None], *reach[:, at].astype(np.float32)
            found[0, at] = stake * (other @ self._matrices[board].T)
            found[1, at] = -stake * (own @ self._matrices[board])
        return found
