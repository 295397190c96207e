"""The values of all lines on one board."""

import numpy as np

from riverboat.solving.cfr import Solver
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
