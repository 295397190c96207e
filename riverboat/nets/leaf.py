"""A network below the cut of a subgame."""

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.nets.network import Network
from riverboat.solving.leaf_values import Leaves
from riverboat.solving.subgame import F32, F64

_SMALLEST = 1e-12  # a reach that adds up to less is nobody's


class NetworkLeaf:
    """Leaf values by a network, for a cut right after a deal."""

    def __init__(self, network: Network, features: dict[int, F32], total: float) -> None:
        """`features` of each board at the cut [H, F]; `total` is the chips that can be won: pot and both stacks."""
        self._network, self._total = network, total
        self._boards = list(features)
        self._features = np.array(list(features.values()), np.float32)  # [K, H, F]
        self._live = self._features.sum(axis=2) > 0  # [K, H]

    def __call__(self, leaves: Leaves, reach: F64) -> F64:
        """Values of both players at each leaf [2, N, H], in chips."""
        boards, holdings = len(self._boards), reach.shape[2]
        if leaves.board[:: len(leaves.board) // boards].tolist() != self._boards:
            raise InvalidInput("leaf_values", "the cut is not right after one deal")
        by_board = reach.reshape(2, boards, -1, holdings).transpose(1, 2, 0, 3) * self._live[:, None, None]
        sums = by_board.sum(axis=3, keepdims=True)  # [K, L, 2, 1]
        anything = self._live / self._live.sum(axis=1, keepdims=True)
        ranges = np.where(sums > _SMALLEST, by_board / np.maximum(sums, _SMALLEST), anything[:, None, None])
        pot = (2 * leaves.stake).reshape(boards, -1, 1)
        found = self._network.values(ranges.astype(np.float32), (pot / self._total).astype(np.float32), self._features)
        chips = found * (pot[:, :, None] * sums[:, :, ::-1])  # for the opponent's reach as it is
        values: F64 = chips.transpose(2, 0, 1, 3).reshape(reach.shape).astype(np.float64)
        return values
