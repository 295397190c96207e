"""The values of all lines on one board, and of all boards after the first deal; kept for live holdings only."""

from dataclasses import dataclass

import numpy as np

from riverboat.compiled.arrays import aligned_zeros
from riverboat.compiled.lanes import LANES
from riverboat.solving.cfr import Solver
from riverboat.solving.memory import Memory
from riverboat.solving.regrets import AVERAGE
from riverboat.solving.subgame import F64, I32, Reals


@dataclass(frozen=True, slots=True, eq=False)
class Captured:
    """A player's counterfactual values at all lines of one board."""

    rows: Reals  # [lines of its level, live holdings]
    holdings: I32  # [live holdings]
    holding_count: int  # H

    def at(self, line: int) -> F64:
        """Return the values at a line, by its place in the level [H]; 0 for holdings that are not live."""
        values = np.zeros(self.holding_count)
        values[self.holdings] = self.rows[line]
        return values


def captured(solver: Solver, player: int, purpose: int, board: int = 0) -> Captured:
    """Return a player's counterfactual values at all lines of one board, by the average strategies."""
    memory = solver.memory
    level = memory.layout.levels[int(memory.layout.boards.level[board])]
    room = aligned_zeros(2 * level.line_count * level.width, memory.shared.root_reach.dtype)
    before = memory.shared
    memory.shared = before._replace(captured=room, captured_board=board)
    try:
        if board:
            solver.walk_below(board, player, purpose)
        else:
            solver.walk([(player, purpose)], [solver.algorithm.rule(1)], AVERAGE)
    finally:
        memory.shared = before
    holdings = memory.layout.holdings(board, player)
    shaped = room.reshape(2, level.line_count, level.width)
    return Captured(shaped[player, :, : len(holdings)].copy(), holdings, memory.subgame.holding_count)


@dataclass(frozen=True, slots=True, eq=False)
class AfterDeal:
    """A player's counterfactual values at the lines that begin after the first deal, on each board there."""

    rows: Reals  # [boards of level 1, lines that begin there, places]; without the boards' chances
    place: dict[int, int]  # of each board
    holdings: dict[int, I32]  # on each board, by place
    holding_count: int  # H

    def at(self, board: int, root: int) -> F64:
        """Return the values on a board at one of the lines that begin there [H]."""
        holdings = self.holdings[board]
        values = np.zeros(self.holding_count)
        values[holdings] = self.rows[self.place[board], root, : len(holdings)]
        return values


def values_after_deal(memory: Memory, player: int) -> AfterDeal:
    """Return a player's values on each board after the first deal, from the last walk; none if there is no deal."""
    layout, boards = memory.layout, memory.layout.boards
    count = memory.subgame.holding_count
    if len(layout.levels) == 1:
        return AfterDeal(np.zeros((0, 0, 0)), {}, {}, count)
    level = layout.levels[1]
    batches, roots = len(level.root_rows) // 2 // LANES, len(level.root_lines)
    lanes = memory.works[0].root_value[1].reshape(-1, 2, batches, level.width, LANES)
    first = np.flatnonzero(boards.level == 1).tolist()
    place = {board: int(boards.place[board]) for board in first}
    by_line = lanes[:, player].transpose(0, 1, 3, 2).reshape(-1, batches * LANES, level.width)
    rows = by_line[:, :roots].copy()
    for board in first:
        rows[place[board]] /= boards.chance[board]
    return AfterDeal(rows, place, {board: layout.holdings(board, player) for board in first}, count)
