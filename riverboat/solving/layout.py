"""A subgame as the flat arrays that kernels walk through.

Lines and boards are grouped by level: level 0 is what happens before the next deal, and so on. On each board the
holdings that a player can have there are in one order (by strength, where strengths decide) and come in blocks of
sixteen. A player's reach changes only by its own actions: reaches are kept in slots, one for each line that a level
begins with, and one for each of the player's own actions after that. The rows of regrets are those actions.
"""

from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.arrays import aligned_zeros
from riverboat.compiled.lanes import LANES
from riverboat.solving.subgame import ACT, CHANCE, F32, F64, FOLDED, I32, I64, LEAF, SHOWDOWN, Subgame

Orders = list[tuple[I32, I32]]  # of each board, for both players

EVENT_BOARD, EVENT_ACTION = range(2)  # columns of events
ENTER, LEAVE, COLLECT = range(3)  # events at a board: reaches go down, values come up, values go to its parent
# Columns of a level's acts: the player, the slot of its reach, its first row, the number of actions, the local line and
# the line's first child.
PLAYER, REACH_SLOT, ROW, COUNT, LINE, CHILD = range(6)


class Level(NamedTuple):
    """The lines of one level. A local line is numbered within its level."""

    acts: I32  # [n, 6]: columns PLAYER to CHILD
    showdown_slots: I32  # [2 * S]: of each player's reach; S is a multiple of 16, filled up with the zero slot
    showdown_lines: I32  # local
    showdown_stakes: F64
    fold_slots: I32  # [2 * F], like showdown_slots
    fold_lines: I32
    fold_stakes: F64  # [2 * folds]: chips that each player wins
    gate_slots: I32  # [2 * gates]: lines that a deal follows
    gate_lines: I32
    leaf_slots: I32  # [2 * leaves]
    leaf_lines: I32
    root_lines: I32  # lines that the level begins with, one for each gate of the level above
    row_counts: I64  # [2]
    line_count: int
    width: int  # of arrays over holdings: as many as any board of the level has, in whole blocks, and one more block


class BoardTable(NamedTuple):
    """The boards. Arrays [K, 2] are for both players; `first` is where a board's holdings begin in the long arrays."""

    level: I32  # [K]
    parent: I32  # [K]
    chance: F64  # [K]
    live_count: I32  # [K, 2]
    first: I64  # [K, 2]
    up: I32  # place in the parent's order; the last place, which is always zero, for fillings
    items: NDArray[np.uint8]  # two for each holding
    same: I32  # place of the same holding in the other player's order, or -1
    groups: I32  # [G, 4]: holdings from, to; how many of the other's are weaker; how many are not stronger
    group_first: I64  # [K, 2]
    group_count: I32  # [K, 2]
    row: I64  # [K, 2]: the first row of regrets
    mirror: I32  # places in the parent's order, of each mirror
    mirror_first: I64  # [K, 2]
    mirror_count: I32  # [K]
    dense: F32  # utilities by order, where they decide
    dense_first: I64  # [K, 2], -1 where strengths decide
    place: I64  # [K]: where its results go: boards of level 1 have a place each, others follow one another in one
    leaf_first: I64  # [K]: the number of its first leaf
    lock_first: I64  # [K]: the number of its first act


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Layout:
    """A subgame as kernels read it, and the maps back to its lines and holdings."""

    levels: tuple[Level, ...]
    boards: BoardTable
    order: I32  # holdings, by place in the long arrays; -1 for fillings
    local_line: I32  # [L]
    line_level: I32  # [L]
    events: I32  # [E, 2]: board, and what to do with it: first all that is to be done at and below board 0
    event_first: I64  # [n + 1]: parts that can be done by several threads, except the first and the last
    row_count: int
    leaf_count: int
    leaf_width: int
    item_count: int
    most_actions: int

    def holdings(self, board: int, player: int) -> I32:
        """Return the holdings that a player can have on a board, in order."""
        first = self.boards.first[board, player]
        return self.order[first : first + self.boards.live_count[board, player]]


def padded(count: int) -> int:
    """Return a count rounded up to whole blocks."""
    return -(-count // LANES) * LANES


def lay_out(subgame: Subgame) -> Layout:
    """Lay out a subgame that has been checked."""
    line_level = subgame.lines.levels()
    level_count = int(line_level.max()) + 1
    local = np.zeros(subgame.lines.count, np.int32)
    for level in range(level_count):
        at = np.flatnonzero(line_level == level)
        local[at] = np.arange(len(at))
    orders, items = _orders(subgame), _pairs_of_items(subgame.items)
    widths = [_width(subgame, orders, level) for level in range(level_count)]
    levels = tuple(_level(subgame, line_level, local, level, widths[level]) for level in range(level_count))
    boards, order, row_count = _table(subgame, orders, levels, items)
    events, event_first = events_of(children_of(subgame.boards.parent))
    return Layout(
        levels=levels,
        boards=boards,
        order=order,
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


def _width(subgame: Subgame, orders: Orders, level: int) -> int:
    at = np.flatnonzero(subgame.boards.level == level)
    return padded(max(len(own) for board in at for own in orders[board])) + LANES


def _level(subgame: Subgame, line_level: I32, local: I32, level: int, width: int) -> Level:
    lines = subgame.lines
    own = np.flatnonzero(line_level == level)
    gates_above = np.flatnonzero((line_level == level - 1) & (lines.kind == CHANCE))
    roots = lines.first_child[gates_above].tolist() if level else [0]  # in the order of the gates that lead to them
    slots = np.zeros((2, lines.count), np.int32)
    rows = [0, 0]
    acts = []
    for line in own:
        if line in roots:
            slots[:, line] = roots.index(line)
        if lines.kind[line] != ACT:
            continue
        player, count, child = int(lines.player[line]), int(lines.child_count[line]), int(lines.first_child[line])
        acts.append((player, slots[player, line], rows[player], count, local[line], local[child]))
        slots[1 - player, child : child + count] = slots[1 - player, line]
        slots[player, child : child + count] = len(roots) + rows[player] + np.arange(count)
        rows[player] += count
    zero = [len(roots) + rows[player] for player in (0, 1)]

    def of(kind: int) -> I64:
        chosen: I64 = own[lines.kind[own] == kind]
        return chosen

    def lane_slots(chosen: I64) -> I32:
        filled = [np.full(padded(len(chosen)), zero[player], np.int32) for player in (0, 1)]
        for player in (0, 1):
            filled[player][: len(chosen)] = slots[player, chosen]
        return np.concatenate(filled)

    showdowns, folds, gates, leaves = of(SHOWDOWN), of(FOLDED), of(CHANCE), of(LEAF)
    wins = np.where(lines.player[folds] == 1, lines.stake[folds], -lines.stake[folds])
    return Level(
        acts=np.array(acts, np.int32).reshape(-1, 6),
        showdown_slots=lane_slots(showdowns),
        showdown_lines=local[showdowns],
        showdown_stakes=lines.stake[showdowns],
        fold_slots=lane_slots(folds),
        fold_lines=local[folds],
        fold_stakes=np.concatenate([wins, -wins]),
        gate_slots=np.concatenate([slots[0, gates], slots[1, gates]]),
        gate_lines=local[gates],
        leaf_slots=np.concatenate([slots[0, leaves], slots[1, leaves]]),
        leaf_lines=local[leaves],
        root_lines=local[np.array(roots)],
        row_counts=np.array(rows, np.int64),
        line_count=len(own),
        width=width,
    )


class _Long:
    """Arrays put one after another."""

    def __init__(self) -> None:
        self._parts: list[NDArray[Any]] = []
        self._length = 0

    def add(self, part: NDArray[Any]) -> int:
        """Add an array; return where it begins."""
        first = self._length
        self._parts.append(part)
        self._length += len(part)
        return first

    def joined(self, kind: type, *shape: int) -> NDArray[Any]:
        """Return all parts as one array."""
        return np.concatenate([*self._parts, np.zeros((0, *shape), kind)]).astype(kind, copy=False)


def _orders(subgame: Subgame) -> Orders:
    """Return the holdings of both players on each board, weakest first."""
    orders: Orders = []
    for board in range(subgame.boards.count):
        live, strengths = subgame.boards.live[board], subgame.strengths[board]
        possible = [np.flatnonzero(live & (weights > 0)) for weights in subgame.weights]
        first, second = (own[np.argsort(strengths[own], kind="stable")].astype(np.int32) for own in possible)
        orders.append((first, second))
    return orders


def _pairs_of_items(items: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return two items for each holding: a second one that nobody else has changes nothing."""
    if items.shape[1] == 2:
        return items
    return np.column_stack([items[:, 0], int(items.max()) + 1 + np.arange(len(items))]).astype(np.uint8)


def _places(order: I32, holding_count: int) -> I32:
    """Return the place of each holding in an order [H]; -1 if it is not in the order."""
    places = np.full(holding_count, -1, np.int32)
    places[order] = np.arange(len(order))
    return places


def _filled(part: I32, filling: int) -> I32:
    """Fill an array up to whole blocks."""
    return np.concatenate([part, np.full(padded(len(part)) - len(part), filling, np.int32)])


def _table(
    subgame: Subgame, orders: Orders, levels: tuple[Level, ...], items: NDArray[np.uint8]
) -> tuple[BoardTable, I32, int]:
    """Return the boards, all orders one after another, and the number of rows of regrets."""
    boards, holding_count = subgame.boards, subgame.holding_count
    shape = (boards.count, 2)
    first, group_first, group_count, mirror_first, row = (np.zeros(shape, np.int64) for _ in range(5))
    dense_first = np.full(shape, -1, np.int64)
    order, up, own_items, same, groups, mirror = (_Long() for _ in range(6))
    row_count = 0
    is_dense = dense_boards(subgame)
    utility = np.zeros((0, 0), np.float32)
    # Utilities are large: each is written to its final place at once, instead of being joined from parts.
    pairs = np.array([len(orders[board][0]) * len(orders[board][1]) for board in range(boards.count)])
    dense = aligned_zeros(2 * int(pairs[is_dense].sum()) if subgame.utility is not None else 0, np.float32)
    dense_count = 0
    for board, player in product(range(boards.count), (0, 1)):
        own, other = orders[board][player], orders[board][1 - player]
        level, above = int(boards.level[board]), int(boards.parent[board])
        first[board, player] = order.add(_filled(own, -1))
        own_items.add(items[_filled(own, 0)].ravel())
        same.add(_filled(_places(other, holding_count)[own], -1))
        above_places = _places(orders[max(above, 0)][player], holding_count)
        up.add(_filled(above_places[own], levels[max(level - 1, 0)].width - 1))
        mirrored = [above_places[exchange[own]] for exchange in boards.mirrors[board]]
        mirror_first[board, player] = mirror.add(np.concatenate([np.zeros(0, np.int32), *mirrored]))
        of_board = _groups(subgame.strengths[board], own, other)
        group_first[board, player], group_count[board, player] = groups.add(of_board), len(of_board)
        row[board, player] = row_count
        row_count += int(levels[level].row_counts[player]) * padded(len(own)) // LANES
        if is_dense[board] and subgame.utility is not None:
            if player == 0:
                utility = subgame.utility(board, *orders[board])
            dense_first[board, player] = dense_count
            dense[dense_count : dense_count + utility.size] = (utility if player == 0 else -utility.T).ravel()
            dense_count += utility.size
    table = BoardTable(
        level=boards.level.astype(np.int32),
        parent=boards.parent.astype(np.int32),
        chance=boards.chance.astype(np.float64),
        live_count=np.array([[len(own) for own in both] for both in orders], np.int32),
        first=first,
        up=up.joined(np.int32),
        items=own_items.joined(np.uint8),
        same=same.joined(np.int32),
        groups=groups.joined(np.int32, 4),
        group_first=group_first,
        group_count=group_count.astype(np.int32),
        row=row,
        mirror=mirror.joined(np.int32),
        mirror_first=mirror_first,
        mirror_count=np.array([len(mirrors) for mirrors in boards.mirrors], np.int32),
        dense=dense,
        dense_first=dense_first,
        place=np.where(boards.level == 1, np.cumsum(boards.level == 1) - 1, 0).astype(np.int64),
        leaf_first=_first_of_each([len(levels[level].leaf_lines) for level in boards.level]),
        lock_first=_first_of_each([len(levels[level].acts) for level in boards.level]),
    )
    return table, order.joined(np.int32), row_count


def dense_boards(subgame: Subgame) -> NDArray[np.bool_]:
    """Return which boards have showdowns that are not decided by strengths [K]."""
    lines = subgame.lines
    levels = np.unique(lines.levels()[lines.kind == SHOWDOWN])
    needed: NDArray[np.bool_] = np.isin(subgame.boards.level, levels) & ~subgame.strengths.any(axis=1)
    return needed


def _first_of_each(counts: list[int]) -> I64:
    """Return where each part begins if they follow one another."""
    return np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)


def _groups(strengths: NDArray[np.integer], own: I32, other: I32) -> I32:
    """Return groups of equal strength [n, 4]: from, to, how many of the other's are weaker, how many not stronger."""
    mine, theirs = strengths[own], strengths[other]
    starts = np.flatnonzero(np.concatenate([[True], mine[1:] != mine[:-1]])) if len(own) else np.zeros(0, np.int64)
    ends = np.concatenate([starts[1:], [len(own)]]) if len(own) else starts
    below = np.searchsorted(theirs, mine[starts], "left")
    upto = np.searchsorted(theirs, mine[starts], "right")
    return np.column_stack([starts, ends, below, upto]).astype(np.int32)


def children_of(parent: I32) -> list[list[int]]:
    """Return the boards that follow each board."""
    children: list[list[int]] = [[] for _ in parent]
    for board in range(1, len(parent)):
        children[parent[board]].append(board)
    return children


def events_of(children: list[list[int]]) -> tuple[I32, I64]:
    """Return the order of entering and leaving boards, if these follow each board; and where its parts begin."""
    events: list[tuple[int, int]] = [(0, ENTER)]
    first = [0, 1]
    for board in children[0]:
        events += _visit(children, board)
        first.append(len(events))
    # Values of boards after the first deal are collected last, in a fixed order, whichever thread computed them.
    events += [(board, COLLECT) for board in children[0]]
    events.append((0, LEAVE))
    return np.array(events, np.int32).reshape(-1, 2), np.array([*first, len(events)], np.int64)


def events_below(parent: I32, board: int) -> I32:
    """Return the order of entering and leaving a board and those that follow it; before it those above are entered."""
    above, at = [], int(parent[board])
    while at >= 0:
        above.append((at, ENTER))
        at = int(parent[at])
    events = [*reversed(above), *_visit(children_of(parent), board)]
    return np.array(events, np.int32).reshape(-1, 2)


def _visit(children: list[list[int]], board: int) -> list[tuple[int, int]]:
    """Return the order of entering and leaving a board and those that follow it."""
    events = [(board, ENTER)]
    for child in children[board]:
        events += [*_visit(children, child), (child, COLLECT)]
    return [*events, (board, LEAVE)]
