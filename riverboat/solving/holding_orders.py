"""The holdings of both players on each board, weakest first, and where they are in the orders of other boards.

Arrays are about all boards at once. What follows one another (`Joined`) is cut out of arrays with a row for each board
and player, which have room for all holdings.
"""

from dataclasses import dataclass

import numpy as np

from riverboat.compiled.lanes import LANES
from riverboat.solving.layout import padded
from riverboat.solving.subgame import I32, I64, Boards, Subgame

PLAYERS = 2


@dataclass(frozen=True, slots=True, eq=False)
class HoldingOrders:
    """The holdings of both players on each board, weakest first."""

    order: I32  # [K, 2, W]: -1 behind the last
    place: I32  # [K, 2, H]: of each holding in the order; -1 if it is not in it
    count: I32  # [K, 2]
    strengths: I64  # [K, 2, W]: of the holdings in order

    @property
    def block_sizes(self) -> I64:
        """The counts, rounded up to whole blocks [K, 2]."""
        sizes: I64 = -(-self.count.astype(np.int64) // LANES) * LANES
        return sizes

    def of(self, board: int, player: int) -> I32:
        """Return a player's holdings on a board."""
        return self.order[board, player, : self.count[board, player]]

    def width(self, boards: Boards, level: int) -> int:
        """Return the room that arrays over holdings need on a level: the most of any board, and one more block."""
        return padded(int(self.count[boards.level == level].max())) + LANES

    def filled(self, numbers: I32, filling: int | I32) -> I32:
        """Return numbers [K, 2, W] one after another, with a filling up to whole blocks for each board and player."""
        column = np.arange(self.order.shape[-1])
        mine = np.where(column < self.count[..., None], numbers, filling)
        chosen: I32 = mine[column < self.block_sizes[..., None]]
        return chosen


def order_holdings(subgame: Subgame) -> HoldingOrders:
    """Order the holdings that each player can have on each board."""
    board_count, holding_count = subgame.boards.live.shape
    strengths = subgame.strengths.astype(np.int64)
    possible = subgame.boards.live[:, None] & (subgame.weights > 0)[None]  # [K, 2, H]
    keys = np.where(possible, strengths[:, None], strengths.max() + 1)
    sorted_holdings = np.argsort(keys, axis=-1, kind="stable").astype(np.int32)
    count = possible.sum(axis=-1).astype(np.int32)
    width = padded(holding_count)
    order = np.full((board_count, PLAYERS, width), -1, np.int32)
    column = np.arange(holding_count, dtype=np.int32)
    is_live = column < count[..., None]
    order[..., :holding_count] = np.where(is_live, sorted_holdings, -1)
    place = np.empty((board_count, PLAYERS, holding_count), np.int32)
    np.put_along_axis(place, sorted_holdings, np.where(is_live, column, np.int32(-1)), axis=-1)
    sorted_strengths = np.zeros((board_count, PLAYERS, width), np.int64)
    sorted_strengths[..., :holding_count] = np.take_along_axis(keys, sorted_holdings, axis=-1)
    return HoldingOrders(order, place, count, sorted_strengths)


def places_above(orders: HoldingOrders, boards: Boards) -> I32:
    """Return the place of each holding in the order of the board above [K, 2, W]."""
    above = orders.place[np.maximum(boards.parent, 0)]
    places: I32 = np.take_along_axis(above, np.maximum(orders.order, 0), axis=-1)
    return places


def places_of_twins(orders: HoldingOrders) -> I32:
    """Return the place of each holding in the other player's order [K, 2, W]; -1 if it is not in it."""
    twins: I32 = np.take_along_axis(orders.place[:, ::-1], np.maximum(orders.order, 0), axis=-1)
    return twins


def mirrored_places(orders: HoldingOrders, boards: Boards) -> tuple[I32, I64]:
    """Return the places above of every mirror of every board, one after another, and where each begins [K, 2]."""
    parts, first, length = [np.zeros(0, np.int32)], np.zeros((boards.count, PLAYERS), np.int64), 0
    for board in range(boards.count):
        for player in range(PLAYERS):
            first[board, player] = length
            if len(boards.mirrors[board]):
                above = orders.place[boards.parent[board], player]
                parts.append(above[boards.mirrors[board][:, orders.of(board, player)]].ravel())
                length += len(parts[-1])
    return np.concatenate(parts), first


def strength_groups(orders: HoldingOrders) -> tuple[I32, I64]:
    """Return groups of equal strength, one after another [G, 4], and how many each board and player has [K, 2].

    A group has its holdings from, to; how many of the other player's are weaker; how many are not stronger.
    """
    strengths, count = orders.strengths, orders.count
    column = np.arange(strengths.shape[-1])
    is_live = column < count[..., None]
    starts = is_live.copy()
    starts[..., 1:] &= strengths[..., 1:] != strengths[..., :-1]
    at = np.flatnonzero(starts)
    row, start = np.divmod(at, len(column))  # a row is a board and a player
    following = np.append(row[1:], -1)
    end = np.where(following == row, np.append(start[1:], 0), count.ravel()[row])
    # All rows of the other player as one rising sequence, in which one search finds every group.
    step = int(strengths.max()) + 2
    theirs = (strengths[:, ::-1] + np.arange(2 * len(strengths)).reshape(-1, 2, 1) * step)[is_live[:, ::-1]]
    first = np.concatenate([[0], np.cumsum(count[:, ::-1].ravel())])
    wanted = strengths.reshape(-1, len(column))[row, start] + row * step
    below = np.searchsorted(theirs, wanted, "left") - first[row]
    upto = np.searchsorted(theirs, wanted, "right") - first[row]
    groups = np.column_stack([start, end, below, upto]).astype(np.int32)
    return groups, np.bincount(row, minlength=count.size).reshape(count.shape)
