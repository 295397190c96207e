"""The values of terminals, sixteen at a time: one in each lane.

All terminals of a board share the order of its holdings, so one walk through it, in which each step is a vector of
sixteen reaches, does for sixteen terminals. Holdings that exclude each other are taken out by keeping, for every
item, the reach of the holdings that have it; the holding that has both items was then taken out twice.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import inlined, kernel
from riverboat.compiled.lanes import LANES, load, multiply_add, spread, store
from riverboat.solving.subgame import F32, I32, Reals

Items = NDArray[np.uint8]  # two for each holding
# Columns of a group: its holdings from, to; how many of the other player's are weaker; how many are not stronger.
START, END, WEAKER_COUNT, NOT_STRONGER_COUNT = range(4)


class LaneRows(NamedTuple):
    """Rows of sixteen lanes in a flat array, one for each holding, from `at` on."""

    values: Reals
    at: int


class BoardHoldings(NamedTuple):
    """A player's holdings on a board, by their two items each, from `first` on."""

    items: Items
    first: int
    size: int


class StrengthGroups(NamedTuple):
    """Holdings of equal strength on a board: rows of the layout's groups."""

    rows: I32
    first: int
    size: int


@inlined
def _clear(table: Reals) -> None:
    for i in range(0, len(table), LANES):
        store(table, i, spread(0.0, table))


@kernel
def write_showdowns(
    reach: LaneRows, theirs: BoardHoldings, own: BoardHoldings, groups: StrengthGroups, table: Reals, out: LaneRows
) -> None:
    """Write for each holding the reach of those that it beats, less the reach of those that beat it, in 16 lanes."""
    values = out.values
    _clear(table)
    passed, j = spread(0.0, values), 0
    for g in range(groups.first, groups.first + groups.size):
        for half in range(2):  # first the weaker ones, then those not stronger; the result is their sum
            limit = groups.rows[g, WEAKER_COUNT] if half == 0 else groups.rows[g, NOT_STRONGER_COUNT]
            while j < limit:
                passed = passed + _pass(reach, theirs, j, table)
                j += 1
            for i in range(groups.rows[g, START], groups.rows[g, END]):
                at = out.at + i * LANES
                beaten = _allowed(passed, own, i, table)
                store(values, at, beaten if half == 0 else load(values, at) + beaten)
    while j < theirs.size:
        passed = passed + _pass(reach, theirs, j, table)
        j += 1
    for i in range(own.size):
        at = out.at + i * LANES
        store(values, at, load(values, at) - _allowed(passed, own, i, table))


@kernel
def write_folds(
    reach: LaneRows, theirs: BoardHoldings, own: BoardHoldings, same: I32, same_first: int, table: Reals, out: LaneRows
) -> None:
    """Write for each holding the reach of all holdings that it does not exclude, in 16 lanes."""
    _clear(table)
    total = spread(0.0, out.values)
    for j in range(theirs.size):
        total = total + _pass(reach, theirs, j, table)
    for i in range(own.size):
        possible = _allowed(total, own, i, table)
        twin = same[same_first + i]
        if twin >= 0:
            possible = possible + load(reach.values, reach.at + twin * LANES)
        store(out.values, out.at + i * LANES, possible)


@inlined
def _pass(reach: LaneRows, theirs: BoardHoldings, j: int, table: Reals) -> Any:
    """Add a holding's reach to the table under both its items; return the reach."""
    lanes = load(reach.values, reach.at + j * LANES)
    a = np.int64(theirs.items[theirs.first + 2 * j]) * LANES
    b = np.int64(theirs.items[theirs.first + 2 * j + 1]) * LANES
    store(table, a, load(table, a) + lanes)
    store(table, b, load(table, b) + lanes)
    return lanes


@inlined
def _allowed(total: Any, own: BoardHoldings, i: int, table: Reals) -> Any:
    """Return a total reach, less that of holdings that share an item with one holding."""
    a = np.int64(own.items[own.first + 2 * i]) * LANES
    b = np.int64(own.items[own.first + 2 * i + 1]) * LANES
    return total - load(table, a) - load(table, b)


@kernel
def write_products(reach: LaneRows, their_count: int, utility: F32, first: int, count: int, out: LaneRows) -> None:
    """Write for each holding its row of the utility matrix [count, their_count] times the reach, in 16 lanes."""
    nothing = spread(0.0, out.values)
    i = 0
    while i + 4 <= count:  # four rows at once, so that no sum waits for the one before
        row = first + i * their_count
        a, b, c, d = nothing, nothing, nothing, nothing
        for j in range(their_count):
            r = load(reach.values, reach.at + j * LANES)
            a = multiply_add(r, spread(utility[row + j], reach.values), a)
            b = multiply_add(r, spread(utility[row + their_count + j], reach.values), b)
            c = multiply_add(r, spread(utility[row + 2 * their_count + j], reach.values), c)
            d = multiply_add(r, spread(utility[row + 3 * their_count + j], reach.values), d)
        at = out.at + i * LANES
        store(out.values, at, a)
        store(out.values, at + LANES, b)
        store(out.values, at + 2 * LANES, c)
        store(out.values, at + 3 * LANES, d)
        i += 4
    while i < count:
        row = first + i * their_count
        a = nothing
        for j in range(their_count):
            a = multiply_add(load(reach.values, reach.at + j * LANES), spread(utility[row + j], reach.values), a)
        store(out.values, out.at + i * LANES, a)
        i += 1
