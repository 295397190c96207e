"""The values of all lines on one board, and of all boards after the first deal."""

import numpy as np

from riverboat.solving.cfr import Solver
from riverboat.solving.memory import Memory
from riverboat.solving.regrets import AVERAGE
from riverboat.solving.subgame import F64


def capture(solver: Solver, player: int, purpose: int, board: int = 0, source: int = AVERAGE) -> F64:
    """A player's counterfactual values at all lines of one board [lines of its level, H]."""
    memory = solver.memory
    level = memory.layout.levels[int(memory.layout.boards.level[board])]
    room = np.zeros(2 * level.line_count * level.width, memory.shared.root_reach.dtype)
    before = memory.shared
    memory.shared = before._replace(captured=room, captured_board=board)
    solver.walk([(player, purpose)], [solver.algorithm.rule(1)], source)
    memory.shared = before
    holdings = memory.layout.holdings(board, player)
    found = np.zeros((level.line_count, memory.subgame.holding_count))
    shaped = room.reshape(2, level.line_count, level.width)
    found[:, holdings] = shaped[player, :, : len(holdings)]
    return found


def values_after_deal(memory: Memory, player: int) -> F64:
    """A player's counterfactual values on each board after the first deal, from the last walk [K, R, H].

    K counts all boards, of which those of level 1 are filled; R are the lines that begin there. Chances are left out.
    """
    layout, boards = memory.layout, memory.layout.boards
    if len(layout.levels) == 1:
        return np.zeros((memory.subgame.boards.count, 0, memory.subgame.holding_count))
    level = layout.levels[1]
    kept = memory.works[0].root_value[1].reshape(-1, 2, len(level.root_lines), level.width)
    found = np.zeros((memory.subgame.boards.count, len(level.root_lines), memory.subgame.holding_count))
    for board in np.flatnonzero(boards.level == 1).tolist():
        holdings = layout.holdings(board, player)
        found[board][:, holdings] = kept[boards.place[board], player, :, : len(holdings)] / boards.chance[board]
    return found
