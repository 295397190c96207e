"""What terminals are worth, sixteen at a time: one in each lane.

All terminals of a board share the order of its holdings, so one walk through it, in which each step is a vector of
sixteen reaches, does for sixteen terminals. Holdings that exclude each other are taken out by keeping, for every
item, the reach of the holdings that have it; the holding that has both items was then taken out twice.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.compiled.lanes import LANES, load, multiply_add, spread, store
from riverboat.solving.subgame import F32, I32, Reals

Items = NDArray[np.uint8]  # two for each holding


@kernel
def write_showdowns(
    reach: Reals,
    reach_at: int,
    their_items: Items,
    their_first: int,
    their_count: int,
    items: Items,
    first: int,
    count: int,
    groups: I32,
    group_first: int,
    group_count: int,
    table: Reals,
    out: Reals,
    out_at: int,
) -> None:
    """For each holding the reach of what it beats less the reach of what beats it, in 16 lanes.

    Reaches and results are [holdings, 16] from `reach_at` and `out_at` on; groups are those of layout.py.
    """
    nothing = spread(0.0, out)
    for i in range(0, len(table), LANES):
        store(table, i, nothing)
    passed, j = nothing, 0
    for g in range(group_first, group_first + group_count):
        start, end, below, upto = groups[g, 0], groups[g, 1], groups[g, 2], groups[g, 3]
        for half in range(2):  # first what is weaker, then what is not stronger; their sum is wanted
            limit = below if half == 0 else upto
            while j < limit:
                r = load(reach, reach_at + j * LANES)
                a = np.int64(their_items[their_first + 2 * j]) * LANES
                b = np.int64(their_items[their_first + 2 * j + 1]) * LANES
                passed = passed + r
                store(table, a, load(table, a) + r)
                store(table, b, load(table, b) + r)
                j += 1
            for i in range(start, end):
                a = np.int64(items[first + 2 * i]) * LANES
                b = np.int64(items[first + 2 * i + 1]) * LANES
                at = out_at + i * LANES
                beaten = passed - load(table, a) - load(table, b)
                store(out, at, beaten if half == 0 else load(out, at) + beaten)
    while j < their_count:
        r = load(reach, reach_at + j * LANES)
        a = np.int64(their_items[their_first + 2 * j]) * LANES
        b = np.int64(their_items[their_first + 2 * j + 1]) * LANES
        passed = passed + r
        store(table, a, load(table, a) + r)
        store(table, b, load(table, b) + r)
        j += 1
    for i in range(count):
        a = np.int64(items[first + 2 * i]) * LANES
        b = np.int64(items[first + 2 * i + 1]) * LANES
        at = out_at + i * LANES
        store(out, at, load(out, at) - (passed - load(table, a) - load(table, b)))


@kernel
def write_folds(
    reach: Reals,
    reach_at: int,
    their_items: Items,
    their_first: int,
    their_count: int,
    items: Items,
    first: int,
    count: int,
    same: I32,
    same_first: int,
    table: Reals,
    out: Reals,
    out_at: int,
) -> None:
    """For each holding the reach of all holdings that it does not exclude, in 16 lanes."""
    nothing = spread(0.0, out)
    for i in range(0, len(table), LANES):
        store(table, i, nothing)
    total = nothing
    for j in range(their_count):
        r = load(reach, reach_at + j * LANES)
        a = np.int64(their_items[their_first + 2 * j]) * LANES
        b = np.int64(their_items[their_first + 2 * j + 1]) * LANES
        total = total + r
        store(table, a, load(table, a) + r)
        store(table, b, load(table, b) + r)
    for i in range(count):
        a = np.int64(items[first + 2 * i]) * LANES
        b = np.int64(items[first + 2 * i + 1]) * LANES
        possible = total - load(table, a) - load(table, b)
        twin = same[same_first + i]
        if twin >= 0:
            possible = possible + load(reach, reach_at + twin * LANES)
        store(out, out_at + i * LANES, possible)


@kernel
def write_products(
    reach: Reals, reach_at: int, their_count: int, utility: F32, first: int, count: int, out: Reals, out_at: int
) -> None:
    """For each holding its row of the utility matrix [count, their_count] times the reach, in 16 lanes."""
    nothing = spread(0.0, out)
    i = 0
    while i + 4 <= count:  # four rows at once, so that no sum waits for the one before
        row = first + i * their_count
        a, b, c, d = nothing, nothing, nothing, nothing
        for j in range(their_count):
            r = load(reach, reach_at + j * LANES)
            a = multiply_add(r, spread(utility[row + j], reach), a)
            b = multiply_add(r, spread(utility[row + their_count + j], reach), b)
            c = multiply_add(r, spread(utility[row + 2 * their_count + j], reach), c)
            d = multiply_add(r, spread(utility[row + 3 * their_count + j], reach), d)
        at = out_at + i * LANES
        store(out, at, a)
        store(out, at + LANES, b)
        store(out, at + 2 * LANES, c)
        store(out, at + 3 * LANES, d)
        i += 4
    while i < count:
        row = first + i * their_count
        a = nothing
        for j in range(their_count):
            a = multiply_add(load(reach, reach_at + j * LANES), spread(utility[row + j], reach), a)
        store(out, out_at + i * LANES, a)
        i += 1
