"""Exact leaf values, the slow way: every call solves everything below the cut again."""

from collections.abc import Sequence

import numpy as np

from riverboat.compiled.lanes import LANES
from riverboat.errors import InvalidInput
from riverboat.solving.capture import values_after_deal
from riverboat.solving.cfr import Algorithm, _steps, new_solver
from riverboat.solving.leaf_values import Leaves
from riverboat.solving.memory import Precision
from riverboat.solving.regrets import AVERAGE, CURRENT, Rule
from riverboat.solving.subgame import F64, Subgame
from riverboat.solving.traversal import BEST


class SolvedBelow:
    """Solves everything after the first deal of a subgame, for any reaches there.

    It is built from the same subgame without the cut. The cut must be right after the deal.
    """

    def __init__(self, whole: Subgame, algorithm: Algorithm, iterations: int) -> None:
        deals = int(whole.boards.level.max())
        if deals != 1:
            raise InvalidInput("whole", f"one deal must follow, not {deals}")
        self._solver, self._iterations = new_solver(whole, algorithm, precision=Precision.DOUBLE), iterations

    def __call__(self, leaves: Leaves, reach: F64) -> F64:
        """Return both players' values at each leaf [2, N, H]."""
        self._forget()
        self._set_reach(leaves, reach)
        self._solver.iteration = 0
        walks, rules, _ = self._solver._plan(self._iterations)
        self._walk(walks, rules, CURRENT)
        return self._values(leaves, reach)

    def _walk(self, walks: Sequence[tuple[int, int]], rules: Sequence[Rule], source: int) -> None:
        """Walk through everything after the deal, with the current reaches at its gates."""
        solver, first = self._solver, self._solver._whole.event_first
        solver._walk_part(_steps(walks, rules, source), solver._whole, first[1], first[-2], solver.memory.works[0])

    def _forget(self) -> None:
        store = self._solver.memory.store
        for kept in (store.regrets, store.sums, store.predictions):
            kept[:] = 0

    def _set_reach(self, leaves: Leaves, reach: F64) -> None:
        """Set the reaches at the deals: a holding's reach is the same on every board that allows it."""
        memory = self._solver.memory
        level = memory.layout.levels[0]
        gates = len(level.gate_lines)
        by_board = reach.reshape(2, -1, gates, reach.shape[2])  # leaves are numbered board by board
        lanes = memory.works[0].gate_reach[0].reshape(2, -1, level.width, LANES)
        target = lanes.transpose(0, 1, 3, 2)  # by batch and lane: gates
        for player in (0, 1):
            holdings = memory.layout.holdings(0, player)
            for gate, reaches in enumerate(by_board[player].max(axis=0)[:, holdings]):
                target[player, gate // LANES, gate % LANES, : len(holdings)] = reaches

    def _values(self, leaves: Leaves, reach: F64) -> F64:
        solver = self._solver
        values_at = np.zeros_like(reach)
        for player in (0, 1):
            # Best responses: an average strategy is undefined for holdings that never get here.
            self._walk([(player, BEST)], [solver.algorithm.rule(1)], AVERAGE)
            values = values_after_deal(solver.memory, player)
            for n, board in enumerate(leaves.board):
                values_at[player, n] = values.at(int(board), n % values.rows.shape[1])
        return values_at
