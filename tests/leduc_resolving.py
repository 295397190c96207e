"""Exact tests of re-solving on Leduc: python -m tests.leduc_resolving.

`replaced` takes a solution and replaces the second street by re-solved subgames. `RecordingPlayer` re-solves at every
decision, cut at the deal; its strategy in the whole game is recorded, and its exact exploitability computed.
"""

import sys
from collections.abc import Iterator

import numpy as np

from riverboat.rules.tree import Depth
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import CFR, CFR_PLUS, Solver, new_solver
from riverboat.solving.gadget import Gadget
from riverboat.solving.leaf_values import LeafValues, Leaves
from riverboat.solving.memory import Precision
from riverboat.solving.nodes import reach_at, strategy_at, write_strategy_at
from riverboat.solving.subgame import ACT, CHANCE, F64
from riverboat.solving.traversal import BEST
from riverboat.spots.spot import BuiltSpot, Spot, build
from tests.reference.solved_below import SolvedBelow
from tests.unit.solving.games import leduc, solver, values_on

SECOND_STREET = Depth(street=1, level=1)


def same_lines(part: BuiltSpot, part_line: int, whole: BuiltSpot, line: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of lines: in a subgame, and in the whole game."""
    yield part_line, line
    mine, theirs = part.subgame.lines, whole.subgame.lines
    for i in range(int(mine.child_count[part_line])):
        yield from same_lines(part, int(mine.first_child[part_line]) + i, whole, int(theirs.first_child[line]) + i)


def part_of(whole: BuiltSpot, line: int, board: int, weights: F64, depth: Depth | None = None) -> BuiltSpot:
    """Return the subgame at a node, with these ranges."""
    where = Spot(whole.state(line, board), weights.astype(np.float32), whole.spot.sizes, depth)
    return build(where, isomorphic=False)


def replaced(trunk: Solver, whole: BuiltSpot, safe: bool, iterations: int) -> Solver:
    """Return a solution with the second street re-solved for each player: by the gadget, or from ranges alone."""
    result = copied(trunk, whole)
    lines, boards = whole.subgame.lines, whole.subgame.boards
    second = [line for line in range(lines.count) if line and lines.kind[lines.parent[line]] == CHANCE]
    for board in np.flatnonzero(boards.level == 1).tolist():
        for opponent in (0, 1):
            values = values_on(trunk, opponent, BEST, board)
            for line in second:
                reach = reach_at(trunk.memory, line, board)
                if reach[1 - opponent].sum() < 1e-6 or (not safe and reach[opponent].sum() < 1e-6):
                    continue
                weights = reach.copy()
                if safe:
                    weights[opponent] = boards.live[board]
                part = part_of(whole, line, board, weights)
                solved = solver(part, CFR_PLUS, Precision.DOUBLE)
                if safe:
                    local = int(trunk.memory.layout.local_line[line])
                    Gadget(solved, opponent, values[local]).run(iterations)
                else:
                    solved.run(iterations)
                write_part(result, solved, part, whole, line, board, 1 - opponent)
    return result


def write_part(
    result: Solver, solved: Solver, part: BuiltSpot, whole: BuiltSpot, line: int, board: int, player: int
) -> None:
    """Copy a player's strategy from a subgame without deals."""
    for mine, theirs in same_lines(part, 0, whole, line):
        lines = part.subgame.lines
        if lines.kind[mine] == ACT and lines.player[mine] == player:
            write_strategy_at(result.memory, theirs, board, filled(strategy_at(solved.memory, mine, 0)))


def filled(chances: F64) -> F64:
    """Return a strategy for all holdings; those outside the range may do anything."""
    empty = chances.sum(axis=0) < 0.5
    chances[:, empty] = 1 / len(chances)
    return chances


def copied(trunk: Solver, whole: BuiltSpot) -> Solver:
    """Return another solver with the same average strategies."""
    result = solver(whole, CFR, Precision.DOUBLE)
    result.memory.store.sums[:] = trunk.memory.store.sums
    return result


class Perturbed:
    """Leaf values with a fixed error for each leaf and holding, as a share of the chips at stake."""

    def __init__(self, exact: LeafValues, error: float, seed: int) -> None:
        self._exact, self._error = exact, error
        self._rng = np.random.default_rng(seed)
        self._noise: F64 | None = None

    def __call__(self, leaves: Leaves, reach: F64) -> F64:
        if self._noise is None:
            self._noise = self._rng.standard_normal(reach.shape)
        scale = leaves.stake[None, :, None] * reach[::-1].sum(axis=2, keepdims=True)
        wrong: F64 = self._exact(leaves, reach) + self._error * scale * self._noise
        return wrong


class RecordingPlayer:
    """Records the strategy of a player that re-solves at each decision, in every line of the game."""

    def __init__(
        self, result: Solver, whole: BuiltSpot, player: int, iterations: int, below: int, error: float
    ) -> None:
        self._result, self._whole, self._player = result, whole, player
        self._iterations, self._below, self._error = iterations, below, error

    def write(self) -> None:
        """Play all lines of the whole game."""
        lines = self._whole.subgame.lines
        own = self._whole.spot.weights[self._player].astype(np.float64)
        solved, part = self._solve(0, 0, own, None)
        values = self._values(solved)
        if lines.player[0] == self._player:
            self._act(0, 0, own, solved, part, values)
        else:
            self._answer(0, 0, 0, own, solved, part, values)

    def _solve(self, line: int, board: int, own: F64, values: F64 | None) -> tuple[Solver, BuiltSpot]:
        """Re-solve at a node; without the opponent's values, with the opponent's initial range."""
        whole, player = self._whole, self._player
        weights = np.array([whole.subgame.boards.live[board]] * 2, np.float64)
        weights[player] = own
        first_street = whole.subgame.boards.level[board] == 0
        part = part_of(whole, line, board, weights, SECOND_STREET if first_street else None)
        leaf_values = self._leaf_values(line, board, weights) if first_street else None
        solved = new_solver(part.subgame, CFR_PLUS, precision=Precision.DOUBLE, leaf_values=leaf_values)
        if values is None:
            solved.run(self._iterations)
        else:
            Gadget(solved, 1 - player, values).run(self._iterations)
        return solved, part

    def _leaf_values(self, line: int, board: int, weights: F64) -> LeafValues:
        uncut = part_of(self._whole, line, board, np.ones_like(weights))
        exact = SolvedBelow(uncut.subgame, CFR_PLUS, self._below)
        return Perturbed(exact, self._error, seed=line) if self._error else exact

    def _values(self, solved: Solver) -> F64:
        """Return the opponent's guaranteed values at each line before the deal, and at the leaves after it."""
        return values_on(solved, 1 - self._player, BEST)

    def _act(self, line: int, board: int, own: F64, solved: Solver, part: BuiltSpot, values: F64) -> None:
        """Record the player's own decision at the root of the last solution."""
        chances = strategy_at(solved.memory, 0, 0)
        write_strategy_at(self._result.memory, line, board, filled(chances.copy()))
        for a in range(len(chances)):
            self._follow(line, board, a, 0, own * chances[a], solved, part, values)

    def _follow(
        self, line: int, board: int, a: int, part_line: int, own: F64, solved: Solver, part: BuiltSpot, values: F64
    ) -> None:
        """Continue after an action at a line, which is `part_line` in the last solution."""
        if own.sum() < 1e-9:
            return  # the player never gets there
        lines, mine = self._whole.subgame.lines, part.subgame.lines
        child, part_child = int(lines.first_child[line]) + a, int(mine.first_child[part_line]) + a
        if lines.kind[child] == CHANCE:
            self._deal(child, own, part_child, solved)
        elif lines.kind[child] == ACT and lines.player[child] == self._player:
            again, new = self._solve(child, board, own, values[int(solved.memory.layout.local_line[part_child])])
            self._act(child, board, own, again, new, self._values(again))
        elif lines.kind[child] == ACT:
            self._answer(child, board, part_child, own, solved, part, values)

    def _answer(
        self, line: int, board: int, part_line: int, own: F64, solved: Solver, part: BuiltSpot, values: F64
    ) -> None:
        """Follow all actions at the opponent's decision."""
        for a in range(int(self._whole.subgame.lines.child_count[line])):
            self._follow(line, board, a, part_line, own, solved, part, values)

    def _deal(self, line: int, own: F64, part_line: int, solved: Solver) -> None:
        """Continue on all boards of the next street; the leaf values give the opponent's guaranteed values."""
        whole, memory = self._whole, solved.memory
        child, leaf = int(whole.subgame.lines.first_child[line]), int(memory.subgame.lines.first_child[part_line])
        port = solved.port
        leaves, leaf_values = port.leaves, port.average
        for n in np.flatnonzero(leaves.line == leaf).tolist():
            board = int(leaves.board[n])
            live = own * whole.subgame.boards.live[board]
            if live.sum() < 1e-9:
                continue
            again, new = self._solve(child, board, live, leaf_values[1 - self._player, n])
            values = self._values(again)
            if whole.subgame.lines.player[child] == self._player:
                self._act(child, board, live, again, new, values)
            else:
                self._answer(child, board, 0, live, again, new, values)


def continual(iterations: int, below: int, error: float) -> float:
    """Return the exact exploitability of the player that re-solves at every decision, in both seats."""
    whole = leduc(isomorphic=False)
    result = solver(whole, CFR, Precision.DOUBLE)
    for player in (0, 1):
        RecordingPlayer(result, whole, player, iterations, below, error).write()
    return exploitability(result)


def main() -> None:
    """Print both tables."""
    whole = leduc(isomorphic=False)
    trunk = solver(whole, CFR_PLUS, Precision.DOUBLE)
    trunk.run(2000)
    print(f"the solution itself: {exploitability(trunk):.6f} chips per hand")
    for safe in (True, False):
        left = exploitability(replaced(trunk, whole, safe, 2000))
        print(f"second street re-solved {'with' if safe else 'without'} the gadget: {left:.6f}", flush=True)
    iterations, below = (int(text) for text in sys.argv[1:3]) if len(sys.argv) > 2 else (300, 100)
    for error in (0.0, 0.01, 0.03, 0.1, 0.3):
        left = continual(iterations, below, error)
        print(
            f"re-solving everywhere, {iterations} iterations, leaf values wrong by {error:.0%}: {left:.5f}", flush=True
        )


if __name__ == "__main__":
    main()
