"""A network below the cut of a subgame."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput
from riverboat.nets.features import FEATURES
from riverboat.nets.network import Network
from riverboat.solving.leaf_values import Leaves
from riverboat.solving.subgame import F32, F64

_SMALLEST = 1e-12  # a reach with a smaller sum counts as empty
# Most situations in one call of a network: enough to keep two cores busy, in few megabytes.
_AT_A_TIME = 256
# Memory for evaluating a piece besides a network's inputs and outputs, in arrays as large as its ranges: an
# allowance, not a count. tests/contract/test_resolver_memory.py holds the sum against the peak of a real process.
_WORKING_ARRAYS = 8


class NetworkLeaf:
    """Leaf values by a network, for a cut right after a deal."""

    def __init__(self, network: Network, features: dict[int, F32], total: float) -> None:
        """Take `features` of each board at the cut [H, F], and as `total` the chips that can be won: pot and stacks."""
        self._network, self._total = network, total
        self._boards = list(features)
        self._features = np.array(list(features.values()), np.float32)  # [K, H, F]
        self._live = self._features.sum(axis=2) > 0  # [K, H]

    def pieces(self, leaves: Leaves) -> list[slice]:
        """Return pieces of several whole boards, or parts of one board that has many leaves."""
        lines = len(leaves.board) // len(self._boards)
        if leaves.board.tolist() != [board for board in self._boards for _ in range(lines)]:
            raise InvalidInput("leaf_values", "the cut must come directly after one deal")
        if lines > _AT_A_TIME:
            starts = [
                board * lines + first for board in range(len(self._boards)) for first in range(0, lines, _AT_A_TIME)
            ]
        else:
            starts = list(range(0, len(leaves.board), _AT_A_TIME // lines * lines))
        return [slice(start, end) for start, end in pairwise([*starts, len(leaves.board)])]

    def __call__(self, leaves: Leaves, reach: F64) -> F64:
        """Return the values of both players at each leaf [2, N, H], in chips; every board has equally many leaves."""
        places = [self._boards.index(board) for board in dict.fromkeys(leaves.board.tolist()) if board in self._boards]
        if not places or len(leaves.board) % len(places):
            raise InvalidInput("leaf_values", "the cut must come directly after one deal")
        at = slice(places[0], places[-1] + 1)
        shape = (len(places), reach.shape[1] // len(places), 2, reach.shape[2])  # [K, L, 2, H]
        ranges, sums = np.empty(shape, np.float32), np.empty(shape[:3])
        _write_ranges(reach, self._live[at], ranges, sums)
        pot = (2 * leaves.stake).reshape(*shape[:2], 1)
        values = self._network.values(ranges, (pot / self._total).astype(np.float32), self._features[at])
        chips = np.empty_like(reach)
        _write_chips(values, pot[:, :, 0], sums, chips)
        return chips


def bytes_of_leaf(board_count: int, leaf_count: int, holding_count: int) -> int:
    """Return the bytes that a network below a cut needs: its features of each board, and one piece of the leaves.

    While the features are assembled, memory holds them three times.
    """
    features = 4 * board_count * holding_count * FEATURES
    ranges = 4 * 2 * min(leaf_count, _AT_A_TIME) * holding_count  # of a piece, in float32; chips and reaches in float64
    return 3 * features + (2 + 2 * 2 + _WORKING_ARRAYS) * ranges


def compile_kernels() -> None:
    """Compile the kernels of a leaf, or load them from the cache."""
    ranges, sums = np.zeros((1, 1, 2, 1), np.float32), np.zeros((1, 1, 2))
    _write_ranges(np.zeros((2, 1, 1)), np.ones((1, 1), np.bool_), ranges, sums)
    _write_chips(ranges, np.ones((1, 1)), sums, np.zeros((2, 1, 1)))


@kernel
def _write_ranges(reach: F64, live: NDArray[np.bool_], ranges: F32, sums: F64) -> None:
    """Write reaches [2, N, H] as ranges that add up to one, and their sums; a range without reach is uniform."""
    boards, lines, _, holdings = ranges.shape
    for k in range(boards):
        possible = live[k].sum()
        for line in range(lines):
            for p in range(2):
                row = reach[p, k * lines + line]
                total = 0.0
                for h in range(holdings):
                    if live[k, h]:
                        total += row[h]
                sums[k, line, p] = total
                for h in range(holdings):
                    if not live[k, h]:
                        ranges[k, line, p, h] = 0.0
                    elif total > _SMALLEST:
                        ranges[k, line, p, h] = row[h] / total
                    else:
                        ranges[k, line, p, h] = 1.0 / possible


@kernel
def _write_chips(estimates: F32, pot: F64, sums: F64, values: F64) -> None:
    """Write values in pots [K, L, 2, H] as chips over the opponent's reach as it is [2, N, H]."""
    boards, lines, _, holdings = estimates.shape
    for k in range(boards):
        for line in range(lines):
            for p in range(2):
                scale = pot[k, line] * sums[k, line, 1 - p]
                for h in range(holdings):
                    values[p, k * lines + line, h] = estimates[k, line, p, h] * scale
