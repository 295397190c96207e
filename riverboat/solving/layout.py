"""A subgame as the flat arrays that kernels walk through.

Lines and boards are grouped by level: level 0 is what happens before the next deal, and so on. On each board the
holdings that a player can have there are in one order (by strength, where strengths decide) and come in blocks of
sixteen. A player's reach changes only by its own actions: reaches are kept in slots, one for each line that a level
begins with, and one for each of the player's own actions after that. The rows of regrets are those actions.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.lanes import LANES
from riverboat.solving.subgame import F32, F64, I32, I64

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
    fold_stakes: F64  # [2 * folds]: what each player wins
    gate_slots: I32  # [2 * G]: lines that a deal follows; like showdown_slots
    gate_lines: I32
    gate_stakes: F64  # ones
    leaf_slots: I32  # [2 * leaves]
    leaf_lines: I32
    root_lines: I32  # lines that the level begins with, one for each gate of the level above
    root_rows: I32  # [2 * R]: the same for each player, filled up to a multiple of 16
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
