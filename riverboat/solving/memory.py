"""Everything a solver keeps in memory, counted before it is taken."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from riverboat.errors import TooLarge
from riverboat.solving.lanes import LANES
from riverboat.solving.layout import Layout, dense_boards, lay_out
from riverboat.solving.regrets import Store
from riverboat.solving.subgame import ACT, F64, Reals, Subgame
from riverboat.solving.traverse import Shared, Work


@dataclass(slots=True, eq=False)
class Memory:
    """A subgame with its layout, regrets and room to work."""

    subgame: Subgame
    layout: Layout
    store: Store
    works: list[Work]  # one for each thread
    shared: Shared
    pair_weight: float

    def root_values(self, player: int) -> F64:
        """Counterfactual values at the root from the last walk [H]."""
        level = self.layout.levels[0]
        values = np.zeros(self.subgame.holding_count)
        holdings = self.layout.holdings(0, player)
        start = player * level.width
        values[holdings] = self.works[0].root_value[0][start : start + len(holdings)]
        return values


class Precision(Enum):
    """What regrets and sums are kept in, and everything else is computed in."""

    SHORT = "16 bits"  # with a scale for each sixteen; computed in float32
    SINGLE = "float32"
    DOUBLE = "float64"

    @property
    def real(self) -> type:
        """What is computed in."""
        return np.float64 if self is Precision.DOUBLE else np.float32

    @property
    def row_bytes(self) -> int:
        """What sixteen numbers take."""
        return {"16 bits": 2 * LANES + 4, "float32": 4 * LANES, "float64": 8 * LANES}[self.value]


def count_rows(subgame: Subgame) -> int:
    """How many rows of regrets a subgame needs, before anything is laid out."""
    lines, level = subgame.lines, subgame.lines.levels()
    total = 0
    for player in (0, 1):
        own = (lines.kind == ACT) & (lines.player == player)
        actions = np.bincount(level[own], lines.child_count[own], int(level.max()) + 1).astype(np.int64)
        live = (subgame.boards.live & (subgame.weights[player] > 0)).sum(axis=1)
        total += int((actions[subgame.boards.level] * -(-live // LANES)).sum())
    return total


def utility_bytes(subgame: Subgame) -> int:
    """How much the utilities take of boards where players are all-in early, for both players."""
    live = [(subgame.boards.live & (weights > 0)).sum(axis=1) for weights in subgame.weights]
    return int((2 * 4 * live[0].astype(np.int64) * live[1])[dense_boards(subgame)].sum())


def bytes_of(row_count: int, precision: Precision, predictive: bool) -> int:
    """How much so many rows of regrets and sums take."""
    predictions = np.dtype(precision.real).itemsize * LANES if predictive else 0
    return row_count * (2 * precision.row_bytes + predictions)


def bytes_needed(subgame: Subgame, precision: Precision, predictive: bool) -> int:
    """How much a solver for a subgame takes: regrets, strategies and utilities."""
    return bytes_of(count_rows(subgame), precision, predictive) + utility_bytes(subgame)


def take(
    subgame: Subgame,
    *,
    precision: Precision = Precision.SINGLE,
    predictive: bool = False,
    threads: int = 1,
    limit: int | None = None,
) -> Memory:
    """Memory for a solver, with nothing learnt yet; TooLarge if regrets would take more than `limit` bytes.

    The subgame is checked first, and the bytes are counted before any are taken.
    """
    subgame.check()
    needed = bytes_needed(subgame, precision, predictive)
    if limit is not None and needed > limit:
        raise TooLarge(f"regrets, strategies and utilities would take {needed:,} bytes; the limit is {limit:,}")
    layout = lay_out(subgame)
    shared = _shared(layout, subgame, precision.real)
    first = _work(layout, None, precision.real)
    works = [first, *(_work(layout, first, precision.real) for _ in range(threads - 1))]
    return Memory(subgame, layout, _store(layout, precision, predictive), works, shared, subgame.pair_weight())


def _store(layout: Layout, precision: Precision, predictive: bool) -> Store:
    rows = layout.row_count
    kind, scales = (np.int16, rows) if precision is Precision.SHORT else (precision.real, 0)
    acts = sum(len(layout.levels[level].acts) for level in layout.boards.level)
    return Store(
        regrets=np.zeros(rows * LANES, kind),
        regret_scales=np.zeros(scales, np.float32),
        sums=np.zeros(rows * LANES, kind),
        sum_scales=np.zeros(scales, np.float32),
        predictions=np.zeros(rows * LANES if predictive else 0, precision.real),
        locked=np.zeros(acts, np.uint8),
    )


def _shared(layout: Layout, subgame: Subgame, real: type) -> Shared:
    width = layout.levels[0].width
    reach: Reals = np.zeros(2 * width, real)
    for player in (0, 1):
        holdings = layout.holdings(0, player)
        reach[player * width : player * width + len(holdings)] = subgame.weights[player, holdings]
    leaves = 2 * layout.leaf_count * layout.leaf_width
    return Shared(
        reach,
        np.zeros(leaves, real),
        np.zeros(leaves, real),
        layout.leaf_width,
        np.zeros(0, real),
        -1,
    )


def _work(layout: Layout, first: Work | None, real: type) -> Work:
    """Room for one thread; what all threads share comes from the first one's."""
    levels = layout.levels

    def room(*sizes: int) -> tuple[Reals, ...]:
        return tuple(np.zeros(size, real) for size in sizes)

    slots = max(len(level.root_lines) + int(level.row_counts.max()) + 1 for level in levels)
    lines = max(level.line_count for level in levels)
    reach, value, strategy, columns, table = room(
        slots * LANES, lines * LANES, layout.most_actions * LANES, LANES * LANES, layout.item_count * LANES
    )
    gates = [2 * len(level.gate_lines) * level.width for level in levels]
    ones = int((layout.boards.level == 1).sum())
    roots = [2 * len(level.root_lines) * level.width * (ones if i == 1 else 1) for i, level in enumerate(levels)]
    gate_reach, root_value = room(*gates), room(*roots)
    if first is not None:
        gate_reach = (first.gate_reach[0], *gate_reach[1:])
        root_value = (root_value[0], *first.root_value[1:2], *root_value[2:])
    showdowns = [len(level.showdown_slots) * level.width for level in levels]
    folds = [len(level.fold_slots) * level.width for level in levels]
    return Work(
        reach,
        value,
        strategy,
        columns,
        table,
        showdown_reach=room(*showdowns),
        showdown_value=room(*showdowns),
        fold_reach=room(*folds),
        fold_value=room(*folds),
        gate_reach=gate_reach,
        gate_value=room(*gates),
        root_value=root_value,
    )
