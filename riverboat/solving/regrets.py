"""Strategies from regrets, and regrets from values, at a player's own lines, one block at a time.

Regrets and sums are kept in rows of sixteen holdings, as floats, or as 16-bit integers with a scale for each row.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import inlined
from riverboat.compiled.lanes import LANES, larger, load, multiply_add, positive_or, read_row, spread, store, write_row
from riverboat.solving.subgame import F32, Reals

CURRENT, AVERAGE = 0, 1  # which strategy
RegretRows = NDArray[Any]  # [rows * 16], float32, float64 or int16
_TINY = 1e-30  # smaller sums count as zero


class Store(NamedTuple):
    """Regrets and strategy sums of every action at every node; see layout.py for rows."""

    regrets: RegretRows
    regret_scales: F32  # [rows], or empty
    sums: RegretRows  # strategies added up
    sum_scales: F32
    predictions: Reals  # the last regrets [rows * 16], or empty
    locked: NDArray[np.uint8]  # [boards' acts]: 1 where the strategy is fixed; it is kept as the regrets then


class Rule(NamedTuple):
    """How one iteration changes regrets and sums."""

    positive: float  # factor of positive regrets so far
    negative: float  # factor of all other regrets so far
    decay: float  # factor of the sums so far
    floor: bool  # whether regrets stay at 0 or above
    predictive: bool  # whether the last regrets are counted twice


@inlined
def write_strategy(
    rows: RegretRows, scales: F32, predictions: Reals, predictive: bool, row: int, count: int, out: Reals
) -> None:
    """Write the strategy at one line for one block: `count` rows of 16 into `out`, by regrets or by sums."""
    zero = spread(0.0, out)
    total = zero
    for a in range(count):
        x = read_row(rows, scales, row + a)
        if predictive:
            x = x + load(predictions, (row + a) * LANES)
        x = larger(x, zero)
        store(out, a * LANES, x)
        total = total + x
    enough = total - spread(_TINY, out)
    scale = positive_or(enough, spread(1.0, out) / total, zero)
    even = positive_or(enough, zero, spread(1 / count, out))
    for a in range(count):
        store(out, a * LANES, multiply_add(load(out, a * LANES), scale, even))


@inlined
def add_to_sums(sums: RegretRows, scales: F32, decay: float, row: int, count: int, reach: Reals, reach_at: int) -> None:
    """Add the reach of each action, which is the player's own reach times the strategy, to the sums."""
    for a in range(count):
        old = read_row(sums, scales, row + a)
        write_row(sums, scales, row + a, multiply_add(old, spread(decay, reach), load(reach, reach_at + a * LANES)))


@inlined
def add_to_regrets(
    regrets: RegretRows,
    scales: F32,
    predictions: Reals,
    rule: Rule,
    row: int,
    count: int,
    values: Reals,
    values_at: int,
    value_at: int,
) -> None:
    """Add to the regrets each action's value, less the strategy's value."""
    zero = spread(0.0, values)
    positive, negative = spread(rule.positive, values), spread(rule.negative, values)
    value = load(values, value_at)
    for a in range(count):
        old = read_row(regrets, scales, row + a)
        regret = load(values, values_at + a * LANES) - value
        new = multiply_add(old, positive_or(old, positive, negative), regret)
        if rule.floor:
            new = larger(new, zero)
        write_row(regrets, scales, row + a, new)
        if rule.predictive:
            store(predictions, (row + a) * LANES, regret)
