"""What lies below a cut: an estimate of both players' values there, given both reaches."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.kernels import kernel
from riverboat.solving.layout import Layout
from riverboat.solving.memory import Memory
from riverboat.solving.subgame import F64, I32, I64, LEAF, SHOWDOWN, Lines, Reals
from riverboat.solving.traverse import BOTH


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """Where a subgame is cut: N nodes."""

    line: I32  # [N]
    board: I32  # [N]
    stake: F64  # [N]: what each player has in the pot


class LeafValues(Protocol):
    """Estimates counterfactual values."""

    def __call__(self, leaves: Leaves, reach: F64) -> F64:
        """Values of both players at each leaf [2, N, H], in chips, from both reaches [2, N, H].

        The value of a holding is summed over the opponent's reach: twice the reach, twice the value. Values are
        zero-sum: what player 0's holdings win, weighted by their reach, player 1's lose.
        """


def compared(lines: Lines, where: NDArray[np.bool_] | None = None) -> Lines:
    """Lines with every cut, or those of some lines [L], as a comparison of holdings: as if nobody bet any more.

    Cutting at a deal or right after it is the same then, and at the deal there are fewer boards.
    """
    is_cut = (lines.kind == LEAF) if where is None else (lines.kind == LEAF) & where
    return replace(lines, kind=np.where(is_cut, SHOWDOWN, lines.kind).astype(np.int8))


class LeafPort:
    """Hands reaches out of a solver's memory, and values in."""

    def __init__(self, memory: Memory) -> None:
        layout, lines = memory.layout, memory.subgame.lines
        self._memory = memory
        found = _leaf_nodes(layout, lines.kind)
        self.leaves = Leaves(found[:, 0], found[:, 1], lines.stake[found[:, 0]])
        nobody = memory.subgame.holding_count  # a holding more, for fillings
        self._holdings = np.full((2, len(found), layout.leaf_width), nobody, np.int64)
        for n, (_, board) in enumerate(found):
            for player in (0, 1):
                holdings = layout.holdings(int(board), player)
                self._holdings[player, n, : len(holdings)] = holdings

        self._sums = np.zeros((2, len(found), memory.subgame.holding_count))
        self._counts = np.zeros(2)
        self._last = np.zeros_like(self._sums)

    @property
    def average(self) -> F64:
        """The values of all iterations so far [2, N, H], averaged like the strategies.

        Not the values of the average reaches: what a player could count on with holdings that it does not have in the
        end is known only from the iterations in which it had them.
        """
        found: F64 = self._sums / np.maximum(self._counts, 1e-300)[:, None, None]
        return found

    def remember(self, player: int, decay: float) -> None:
        """Add the last values of a player (or of both) to the average."""
        who = slice(0, 2) if player == BOTH else slice(player, player + 1)
        self._sums[who] *= decay
        self._sums[who] += self._last[who]
        self._counts[who] = self._counts[who] * decay + 1

    def recall(self) -> bool:
        """Use the averages as values; False if there are none yet."""
        if not self._counts.all():
            return False
        self._write(self.average)
        return True

    def fill(self, values: LeafValues) -> None:
        """Ask for the values of the reaches that are in memory now."""
        reach = np.zeros(self._sums.shape)
        _spread(self._memory.shared.leaf_reach, self._holdings, reach)
        found = values(self.leaves, reach)
        if found.shape != self._sums.shape or not np.isfinite(found).all():
            raise InvalidInput("leaf_values", f"must be finite, {list(self._sums.shape)}, not {list(found.shape)}")
        self._last = found
        self._write(self._last)

    def _write(self, values: F64) -> None:
        _gather(np.ascontiguousarray(values, np.float64), self._holdings, self._memory.shared.leaf_value)


@kernel
def _spread(places: Reals, holdings: I64, reach: F64) -> None:
    """What is in places [2 * N * width] to the holdings that are there; fillings have a holding that there is not."""
    players, leaves, width = holdings.shape
    for p in range(players):
        for n in range(leaves):
            first = (p * leaves + n) * width
            for i in range(width):
                if holdings[p, n, i] < reach.shape[2]:
                    reach[p, n, holdings[p, n, i]] = places[first + i]


@kernel
def _gather(values: F64, holdings: I64, places: Reals) -> None:
    """The other way round; zeros for fillings."""
    players, leaves, width = holdings.shape
    for p in range(players):
        for n in range(leaves):
            first = (p * leaves + n) * width
            for i in range(width):
                known = holdings[p, n, i] < values.shape[2]
                places[first + i] = values[p, n, holdings[p, n, i]] if known else 0.0


def _leaf_nodes(layout: Layout, kind: NDArray[np.int8]) -> I32:
    """Line and board of every leaf, in the order of their numbers [N, 2]."""
    found = []
    for board, level in enumerate(layout.boards.level):
        lines = np.flatnonzero((kind == LEAF) & (layout.line_level == level))
        found += [(line, board) for line in lines]
    return np.array(found, np.int32).reshape(-1, 2)
