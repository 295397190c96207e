"""Single nodes in a solver's memory: read, write and lock strategies; reaches."""

import numpy as np

from riverboat.compiled.lanes import LANES
from riverboat.errors import InvalidInput
from riverboat.solving.layout import COUNT, LINE, ROW, Layout
from riverboat.solving.memory import Memory
from riverboat.solving.regrets import AVERAGE, CURRENT
from riverboat.solving.subgame import ACT, F64, I64

_MOST_SHORT = 32767


def rows_of(layout: Layout, line: int, board: int, player: int) -> I64:
    """Return the rows of a node [A, blocks]."""
    level = layout.levels[int(layout.line_level[line])]
    act = _act_of(layout, line)
    blocks = -(-int(layout.boards.live_count[board, player]) // LANES)
    first = int(layout.boards.row[board, player]) + int(level.acts[act, ROW])
    steps = np.arange(blocks) * int(level.row_counts[player])
    return first + np.arange(int(level.acts[act, COUNT]))[:, None] + steps[None, :]


def _act_of(layout: Layout, line: int) -> int:
    acts = layout.levels[int(layout.line_level[line])].acts
    return int(np.flatnonzero(acts[:, LINE] == layout.local_line[line])[0])


def check_node(memory: Memory, line: int, board: int) -> int:
    """Return the player to act at a node; InvalidInput if nobody acts there."""
    lines, boards = memory.subgame.lines, memory.subgame.boards
    if not 0 <= line < lines.count or lines.kind[line] != ACT:
        raise InvalidInput("line", f"nobody acts at line {line}")
    if not 0 <= board < boards.count or boards.level[board] != memory.layout.line_level[line]:
        raise InvalidInput("board", f"line {line} is not played on board {board}")
    return int(lines.player[line])


def strategy_at(memory: Memory, line: int, board: int, source: int = AVERAGE) -> F64:
    """Return the strategy at a node [A, H]; columns of holdings that are not possible there are zero."""
    player = check_node(memory, line, board)
    rows = rows_of(memory.layout, line, board, player)
    holdings = memory.layout.holdings(board, player)
    kept = np.maximum(_read(memory, rows, source)[:, : len(holdings)], 0.0)
    total = kept.sum(axis=0)
    count = len(rows)
    shares = np.divide(kept, total, out=np.full_like(kept, 1 / count), where=total > 1e-30)
    strategy = np.zeros((count, memory.subgame.holding_count))
    strategy[:, holdings] = shares
    return strategy


def _read(memory: Memory, rows: I64, source: int) -> F64:
    """Return the numbers of rows [A, blocks] by holding [A, filled holdings]."""
    store = memory.store
    kept, scales = (store.sums, store.sum_scales) if source == AVERAGE else (store.regrets, store.regret_scales)
    blocks = kept.reshape(-1, LANES)[rows].astype(np.float64)
    if len(scales):
        blocks *= scales[rows][:, :, None]
    if source == CURRENT and len(store.predictions):
        blocks += store.predictions.reshape(-1, LANES)[rows]
    by_holding: F64 = blocks.reshape(len(rows), -1)
    return by_holding


def reach_at(memory: Memory, line: int, board: int, source: int = AVERAGE) -> F64:
    """Return both players' reaches at a node: weights times the probability of the player's own actions [2, H]."""
    lines, boards = memory.subgame.lines, memory.subgame.boards
    reach = memory.subgame.weights.astype(np.float64) * boards.live[board]
    while line > 0:
        above = int(lines.parent[line])
        if lines.kind[above] == ACT:
            chances = strategy_at(memory, above, board, source)
            reach[int(lines.player[above])] *= chances[line - int(lines.first_child[above])]
        else:
            board = int(boards.parent[board])
        line = above
    reaches: F64 = reach
    return reaches


def write_strategy_at(memory: Memory, line: int, board: int, strategy: F64, source: int = AVERAGE) -> None:
    """Make this the average (or current) strategy at a node [A, H]; it must add up to one for each holding."""
    player = check_node(memory, line, board)
    rows = rows_of(memory.layout, line, board, player)
    holdings = memory.layout.holdings(board, player)
    check_strategy(strategy, len(rows), memory.subgame.holding_count, holdings)
    check_mirrors(memory, board, strategy, "strategy")
    filled = np.full((len(rows), rows.shape[1] * LANES), 1 / len(rows))
    filled[:, : len(holdings)] = strategy[:, holdings]
    store = memory.store
    kept, scales = (store.sums, store.sum_scales) if source == AVERAGE else (store.regrets, store.regret_scales)
    values = filled.reshape(len(rows), -1, LANES)
    if len(scales):
        scales[rows] = np.float32(1 / _MOST_SHORT)
        values = np.rint(values * _MOST_SHORT)
    kept.reshape(-1, LANES)[rows] = values


def check_mirrors(memory: Memory, board: int, values: F64, field: str) -> None:
    """Raise InvalidInput if values [..., H] differ between holdings that merged suits treat as one."""
    for mirror in memory.subgame.boards.mirrors_below(board):
        if not np.allclose(values[..., mirror], values, atol=1e-6, equal_nan=True):
            reason = "differs between holdings that differ only in merged suits: build the spot without merging suits"
            raise InvalidInput(field, reason)


def check_strategy(strategy: F64, action_count: int, holding_count: int, holdings: np.ndarray) -> None:
    """Raise InvalidInput unless this is a strategy of `action_count` actions for these holdings."""
    if strategy.shape != (action_count, holding_count):
        raise InvalidInput("strategy", f"must be [{action_count}, {holding_count}], not {list(strategy.shape)}")
    chosen = strategy[:, holdings]
    if not (np.isfinite(chosen) & (chosen >= 0)).all():
        raise InvalidInput("strategy", "must be finite and not negative")
    if not np.allclose(chosen.sum(axis=0), 1, atol=1e-3):
        raise InvalidInput("strategy", "must add up to one for every holding")


def lock(memory: Memory, line: int, board: int, strategy: F64) -> None:
    """Fix the strategy at a node [A, H]: it is played, and nothing is learnt there."""
    for source in (CURRENT, AVERAGE):
        write_strategy_at(memory, line, board, strategy, source)
    rows = rows_of(memory.layout, line, board, check_node(memory, line, board))
    if len(memory.store.predictions):
        memory.store.predictions.reshape(-1, LANES)[rows] = 0
    memory.store.locked[int(memory.layout.boards.lock_first[board]) + _act_of(memory.layout, line)] = 1
