"""A subgame laid out for kernels: its lines level by level, and its boards as one table."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.arrays import aligned_zeros
from riverboat.compiled.lanes import LANES
from riverboat.solving.holding_orders import (
    HoldingOrders,
    mirrored_places,
    order_holdings,
    places_above,
    places_of_twins,
    strength_groups,
)
from riverboat.solving.layout import BoardTable, Layout, Level, children_of, events_of
from riverboat.solving.levels import level_of
from riverboat.solving.subgame import F32, I64, SHOWDOWN, Subgame


def lay_out(subgame: Subgame) -> Layout:
    """Lay out a subgame that has been checked."""
    line_level = subgame.lines.levels()
    level_count = int(line_level.max()) + 1
    local = np.zeros(subgame.lines.count, np.int32)
    for level in range(level_count):
        at = np.flatnonzero(line_level == level)
        local[at] = np.arange(len(at))
    orders, items = order_holdings(subgame), _pairs_of_items(subgame.items)
    widths = [orders.width(subgame.boards, level) for level in range(level_count)]
    levels = tuple(level_of(subgame.lines, line_level, local, level, widths[level]) for level in range(level_count))
    boards, row_count = _table(subgame, orders, levels, items)
    events, event_first = events_of(children_of(subgame.boards.parent))
    return Layout(
        levels=levels,
        boards=boards,
        order=orders.filled(orders.order, -1),
        local_line=local,
        line_level=line_level,
        events=events,
        event_first=event_first,
        row_count=row_count,
        leaf_count=sum(len(levels[level].leaf_lines) for level in boards.level),
        leaf_width=max((level.width for level in levels if len(level.leaf_lines)), default=LANES),
        item_count=int(items.max()) + 1,
        most_actions=int(subgame.lines.child_count.max()),
    )


def _pairs_of_items(items: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return two items for each holding: a second one that nobody else has changes nothing."""
    if items.shape[1] == 2:
        return items
    return np.column_stack([items[:, 0], int(items.max()) + 1 + np.arange(len(items))]).astype(np.uint8)


def _table(
    subgame: Subgame, orders: HoldingOrders, levels: tuple[Level, ...], items: NDArray[np.uint8]
) -> tuple[BoardTable, int]:
    """Return the boards, and the number of rows of regrets."""
    boards = subgame.boards
    widths, row_counts = np.array([level.width for level in levels]), np.array([level.row_counts for level in levels])
    last_above = widths[np.maximum(boards.level - 1, 0)].astype(np.int32) - 1
    groups, group_count = strength_groups(orders)
    mirror, mirror_first = mirrored_places(orders, boards)
    rows = row_counts[boards.level] * orders.block_sizes // LANES
    dense, dense_first = _dense(subgame, orders)
    table = BoardTable(
        level=boards.level.astype(np.int32),
        parent=boards.parent.astype(np.int32),
        chance=boards.chance.astype(np.float64),
        live_count=orders.count,
        first=_starts(orders.block_sizes),
        up=orders.filled(places_above(orders, boards), last_above[:, None, None]),
        items=items[orders.filled(orders.order, 0)].ravel(),
        same=orders.filled(places_of_twins(orders), -1),
        groups=groups,
        group_first=_starts(group_count),
        group_count=group_count.astype(np.int32),
        row=_starts(rows),
        mirror=mirror,
        mirror_first=mirror_first,
        mirror_count=np.array([len(mirrors) for mirrors in boards.mirrors], np.int32),
        dense=dense,
        dense_first=dense_first,
        place=np.where(boards.level == 1, np.cumsum(boards.level == 1) - 1, 0).astype(np.int64),
        leaf_first=_starts(np.array([len(levels[level].leaf_lines) for level in boards.level])),
        lock_first=_starts(np.array([len(levels[level].acts) for level in boards.level])),
    )
    return table, int(rows.sum())


def _starts(counts: NDArray[np.integer]) -> I64:
    """Return where each part begins if they follow one another, in the shape of their lengths."""
    return np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64).reshape(counts.shape)


def _dense(subgame: Subgame, orders: HoldingOrders) -> tuple[F32, I64]:
    """Return the utilities of boards where they decide, for both players one after another, and where each begins.

    They are large: they go where they stay, and are not put together from parts.
    """
    first = np.full(orders.count.shape, -1, np.int64)
    if subgame.utility is None:
        return aligned_zeros(0, np.float32), first
    chosen = np.flatnonzero(dense_boards(subgame))
    pairs = orders.count[chosen].astype(np.int64).prod(axis=1)
    dense = aligned_zeros(2 * int(pairs.sum()), np.float32)
    end = 0
    for board in chosen.tolist():
        utility = subgame.utility(board, orders.of(board, 0), orders.of(board, 1))
        for player, numbers in enumerate((utility, -utility.T)):
            first[board, player] = end
            dense[end : end + numbers.size] = numbers.ravel()
            end += numbers.size
    return dense, first


def dense_boards(subgame: Subgame) -> NDArray[np.bool_]:
    """Return which boards have showdowns that are not decided by strengths [K]."""
    lines = subgame.lines
    levels = np.unique(lines.levels()[lines.kind == SHOWDOWN])
    needed: NDArray[np.bool_] = np.isin(subgame.boards.level, levels) & ~subgame.strengths.any(axis=1)
    return needed
