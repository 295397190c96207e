"""Estimates of both players' values below a cut, from both reaches."""

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput
from riverboat.solving.layout import Layout
from riverboat.solving.memory import Memory
from riverboat.solving.subgame import F64, I32, I64, LEAF, SHOWDOWN, Lines, Reals
from riverboat.solving.traversal import BOTH


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """The N nodes at which a subgame is cut."""

    line: I32  # [N]
    board: I32  # [N]
    stake: F64  # [N]: chips of each player in the pot


class LeafValues(Protocol):
    """Estimates counterfactual values."""

    def __call__(self, leaves: Leaves, reach: F64) -> F64:
        """Return the values of both players at each leaf [2, N, H], in chips, from both reaches [2, N, H].

        The value of a holding is summed over the opponent's reach: twice the reach, twice the value. Values are
        zero-sum: what player 0's holdings win, weighted by their reach, player 1's lose.
        """


@runtime_checkable
class PiecewiseLeafValues(LeafValues, Protocol):
    """Leaf values that do not need all leaves at once: a few at a time take less memory."""

    def pieces(self, leaves: Leaves) -> list[slice]:
        """Return which leaves to evaluate together, in order and without gaps."""


def compared(lines: Lines, where: NDArray[np.bool_] | None = None) -> Lines:
    """Return lines in which cuts are showdowns, as if nobody bet again: all cuts, or only those at `where` [L].

    Cutting at a deal or right after it then gives the same values, and at the deal there are fewer boards.
    """
    is_cut = (lines.kind == LEAF) if where is None else (lines.kind == LEAF) & where
    return replace(lines, kind=np.where(is_cut, SHOWDOWN, lines.kind).astype(np.int8))


class _Places(NamedTuple):
    """Where a solver's memory [2, N, width] has the numbers of some leaves; live holdings are in layout order."""

    width: int
    start: int  # the first of these leaves
    boards: I32  # [N]: of all leaves
    first: I64
    live_count: I32
    order: I32


class LeafPort:
    """Reads reaches from a solver's memory, and writes leaf values to it.

    Stored numbers cover live holdings only, in the order and width of the solver's memory. Arrays over all holdings
    exist for one piece of the leaves at a time.
    """

    def __init__(self, memory: Memory) -> None:
        lines, boards = _leaf_nodes(memory.layout, memory.subgame.lines.kind)
        self.leaves = Leaves(lines, boards, memory.subgame.lines.stake[lines])
        self._memory = memory
        self._sums = np.zeros((2, len(lines) * memory.layout.leaf_width))  # of the values of all iterations
        self._counts = np.zeros(2)

    @property
    def average(self) -> F64:
        """The values of all iterations so far [2, N, H], averaged like the strategies.

        These are not the values of the average reaches. A player may give up a holding in the course of solving; its
        value is then known only from the iterations in which the player still had it.
        """
        values = self._sums / np.maximum(self._counts, 1e-300)[:, None]
        return self._by_holding(values.ravel(), slice(0, len(self.leaves.line)))

    def remember(self, player: int, decay: float) -> None:
        """Add the last values of a player (or of both) to the average."""
        last = self._memory.shared.leaf_value.reshape(self._sums.shape)
        for who in (0, 1) if player == BOTH else (player,):
            self._sums[who] *= decay
            self._sums[who] += last[who]
            self._counts[who] = self._counts[who] * decay + 1

    def recall(self) -> bool:
        """Use the averages as values; return False, and change nothing, if there are none yet."""
        if not self._counts.all():
            return False
        values = self._memory.shared.leaf_value.reshape(self._sums.shape)
        for who in (0, 1):
            np.divide(self._sums[who], self._counts[who], out=values[who], casting="same_kind")
        return True

    def fill(self, values: LeafValues) -> None:
        """Evaluate the leaves with the reaches in memory, piece by piece, and write the values to memory."""
        whole = [slice(0, len(self.leaves.line))]
        for piece in values.pieces(self.leaves) if isinstance(values, PiecewiseLeafValues) else whole:
            reach = self._by_holding(self._memory.shared.leaf_reach, piece)
            asked = Leaves(self.leaves.line[piece], self.leaves.board[piece], self.leaves.stake[piece])
            estimates = values(asked, reach)
            if estimates.shape != reach.shape or not np.isfinite(estimates).all():
                shapes = f"{list(reach.shape)}, not {list(estimates.shape)}"
                raise InvalidInput("leaf_values", f"must be finite, {shapes}")
            _gather(np.ascontiguousarray(estimates, np.float64), self._memory.shared.leaf_value, self._places(piece))

    def _by_holding(self, numbers: Reals, piece: slice) -> F64:
        """Return the numbers of some leaves for all holdings [2, n, H]."""
        by_holding = np.zeros((2, piece.stop - piece.start, self._memory.subgame.holding_count))
        _spread(numbers, by_holding, self._places(piece))
        return by_holding

    def _places(self, piece: slice) -> _Places:
        layout, boards = self._memory.layout, self._memory.layout.boards
        return _Places(
            width=layout.leaf_width,
            start=piece.start,
            boards=self.leaves.board,
            first=boards.first,
            live_count=boards.live_count,
            order=layout.order,
        )


@kernel
def _spread(numbers: Reals, by_holding: F64, places: _Places) -> None:
    """Copy the numbers of some leaves from memory to their holdings [2, n, H]."""
    for p in range(2):
        for n in range(by_holding.shape[1]):
            leaf = places.start + n
            board, at = places.boards[leaf], (p * len(places.boards) + leaf) * places.width
            for i in range(places.live_count[board, p]):
                by_holding[p, n, places.order[places.first[board, p] + i]] = numbers[at + i]


@kernel
def _gather(values: F64, numbers: Reals, places: _Places) -> None:
    """Copy the values of holdings [2, n, H] to the numbers of some leaves in memory; padding gets zeros."""
    for p in range(2):
        for n in range(values.shape[1]):
            leaf = places.start + n
            board, at = places.boards[leaf], (p * len(places.boards) + leaf) * places.width
            live = places.live_count[board, p]
            for i in range(live):
                numbers[at + i] = values[p, n, places.order[places.first[board, p] + i]]
            for i in range(live, places.width):
                numbers[at + i] = 0.0


def _leaf_nodes(layout: Layout, kind: NDArray[np.int8]) -> tuple[I32, I32]:
    """Return the line and the board of each leaf, in the order of the leaves in memory [N] and [N]."""
    nodes = []
    for board, level in enumerate(layout.boards.level):
        lines = np.flatnonzero((kind == LEAF) & (layout.line_level == level))
        nodes += [(line, board) for line in lines]
    leaf_lines, leaf_boards = np.array(nodes, np.int32).reshape(-1, 2).T.copy()
    return leaf_lines, leaf_boards
