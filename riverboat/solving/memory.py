"""A solver's memory. Its size is computed before it is allocated."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from riverboat.compiled.arrays import aligned_zeros
from riverboat.compiled.lanes import LANES
from riverboat.solving.board_table import dense_boards, lay_out
from riverboat.solving.layout import Layout, padded
from riverboat.solving.regrets import Store
from riverboat.solving.subgame import ACT, CHANCE, F64, FOLDED, LEAF, MOST_ITEMS, SHOWDOWN, Reals, Subgame
from riverboat.solving.traversal import Shared, Work

_SUM_BYTES = 8  # of one of the sums over iterations of what lies below a cut
_PLACE_BYTES = 4 + 4 + 2 + 4 + 4  # of a holding on a board: its place in two orders and one above, items, twin
_GROUP_BYTES = 16  # of holdings that are equally strong on a board


@dataclass(slots=True, eq=False)
class Memory:
    """A subgame with its layout, its regrets and sums, and working memory."""

    subgame: Subgame
    layout: Layout
    store: Store
    works: list[Work]  # one for each thread
    shared: Shared
    pair_weight: float

    def root_values(self, player: int) -> F64:
        """Return the counterfactual values at the root from the last walk [H]."""
        level = self.layout.levels[0]
        values = np.zeros(self.subgame.holding_count)
        holdings = self.layout.holdings(0, player)
        rows = self.works[0].root_value[0].reshape(2, level.width, LANES)
        values[holdings] = rows[player, : len(holdings), 0]
        return values

    def root_reach(self, player: int) -> F64:
        """Return each holding's reach at the root [H]: the subgame's weights; with a gadget, the part that plays."""
        reach = np.zeros(self.subgame.holding_count)
        holdings = self.layout.holdings(0, player)
        start = player * self.layout.levels[0].width
        reach[holdings] = self.shared.root_reach[start : start + len(holdings)]
        return reach


class Precision(Enum):
    """The number type of regrets and sums. Everything else is computed in `real`."""

    SHORT = "16 bits"  # with a scale for each sixteen; computed in float32
    SINGLE = "float32"
    DOUBLE = "float64"

    @property
    def real(self) -> type:
        """The float type of computations."""
        return np.float64 if self is Precision.DOUBLE else np.float32

    @property
    def row_bytes(self) -> int:
        """The bytes of sixteen numbers."""
        return {"16 bits": 2 * LANES + 4, "float32": 4 * LANES, "float64": 8 * LANES}[self.value]


def count_rows(subgame: Subgame) -> int:
    """Return how many rows of regrets a subgame needs, before anything is laid out."""
    lines, level = subgame.lines, subgame.lines.levels()
    total = 0
    for player in (0, 1):
        own = (lines.kind == ACT) & (lines.player == player)
        actions = np.bincount(level[own], lines.child_count[own], int(level.max()) + 1).astype(np.int64)
        live = (subgame.boards.live & (subgame.weights[player] > 0)).sum(axis=1)
        total += int((actions[subgame.boards.level] * -(-live // LANES)).sum())
    return total


def utility_bytes(subgame: Subgame) -> int:
    """Return the bytes of the utilities of boards where players are all-in early, for both players.

    While one board's utilities are fetched, memory holds them three more times.
    """
    live = [(subgame.boards.live & (weights > 0)).sum(axis=1) for weights in subgame.weights]
    pairs = (live[0].astype(np.int64) * live[1])[dense_boards(subgame)]
    return int(4 * (2 * pairs.sum() + 3 * pairs.max(initial=0)))


def bytes_of(row_count: int, precision: Precision, predictive: bool) -> int:
    """Return the bytes that this many rows of regrets and sums take."""
    predictions = np.dtype(precision.real).itemsize * LANES if predictive else 0
    return row_count * (2 * precision.row_bytes + predictions)


def bytes_needed(subgame: Subgame, precision: Precision, predictive: bool, threads: int = 1) -> int:
    """Return the bytes that a solver for a subgame takes, without the estimate below a cut, which counts its own."""
    levels = _level_sizes(subgame)
    real = np.dtype(precision.real).itemsize
    leaves = sum(2 * level.leaves * level.boards * level.width for level in levels)
    return (
        bytes_of(count_rows(subgame), precision, predictive)
        + utility_bytes(subgame)
        + _work_bytes(subgame, levels, real, threads)
        + (2 * real + _SUM_BYTES) * leaves  # reaches and values, and what the values add up to
        + _table_bytes(subgame)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _LevelSize:
    """How many lines of each kind a level has, on how many boards, and how wide its arrays over holdings are."""

    lines: int
    actions: int
    showdowns: int
    folds: int
    gates: int
    roots: int
    leaves: int
    boards: int
    width: int


def _level_sizes(subgame: Subgame) -> list[_LevelSize]:
    lines, boards, line_level = subgame.lines, subgame.boards, subgame.lines.levels()
    live = np.array([(boards.live & (weights > 0)).sum(axis=1) for weights in subgame.weights]).max(axis=0)
    sizes: list[_LevelSize] = []
    for level in range(int(line_level.max()) + 1):
        own = line_level == level
        kinds = np.bincount(lines.kind[own], minlength=LEAF + 1).tolist()
        on = boards.level == level
        sizes.append(
            _LevelSize(
                lines=int(own.sum()),
                actions=int(lines.child_count[own & (lines.kind == ACT)].sum()),
                showdowns=padded(kinds[SHOWDOWN]),
                folds=padded(kinds[FOLDED]),
                gates=kinds[CHANCE],
                roots=sizes[-1].gates if sizes else 1,
                leaves=kinds[LEAF],
                boards=int(on.sum()),
                width=padded(int(live[on].max())) + LANES,
            )
        )
    return sizes


def _work_bytes(subgame: Subgame, levels: list[_LevelSize], real: int, threads: int) -> int:
    """Return the bytes of working memory for all threads; see `_work`."""
    slots = max(level.roots + level.actions + 1 for level in levels)
    lines = max(level.lines for level in levels)
    own = LANES * (slots + lines + int(subgame.lines.child_count.max()) + LANES + MOST_ITEMS)
    shared = 0  # of which all threads have one
    for n, level in enumerate(levels):
        own += (
            4 * (level.showdowns + level.folds + padded(level.gates)) * level.width
        )  # reaches and values of both players
        roots = 2 * padded(level.roots) * level.width
        if n == 1:
            shared += roots * level.boards
        else:
            own += roots
    return real * (threads * own + shared)


def _table_bytes(subgame: Subgame) -> int:
    """Return the bytes of boards and their tables; while tables are put together, memory holds them twice."""
    boards = subgame.boards
    given = boards.live.nbytes + subgame.strengths.nbytes + sum(mirror.nbytes for mirror in boards.mirrors)
    mirrors = np.array([len(mirror) for mirror in boards.mirrors])
    groups = np.array([len(np.unique(row)) for row in subgame.strengths])
    tables = 0
    for weights in subgame.weights:
        live = (boards.live & (weights > 0)).sum(axis=1).astype(np.int64)
        tables += int((_PLACE_BYTES * (live + LANES) + 4 * live * mirrors + _GROUP_BYTES * groups).sum())
    return given + 2 * tables


def allocate(
    subgame: Subgame,
    *,
    precision: Precision = Precision.SINGLE,
    predictive: bool = False,
    threads: int = 1,
) -> Memory:
    """Allocate memory for a solver, with nothing learnt yet; `bytes_needed` says beforehand how much it will be."""
    subgame.check()
    layout = lay_out(subgame)
    shared = _shared(layout, subgame, precision.real)
    first = _work(layout, None, precision.real)
    works = [first, *(_work(layout, first, precision.real) for _ in range(threads - 1))]
    return Memory(
        subgame=subgame,
        layout=layout,
        store=_store(layout, precision, predictive),
        works=works,
        shared=shared,
        pair_weight=subgame.pair_weight(),
    )


def _store(layout: Layout, precision: Precision, predictive: bool) -> Store:
    rows = layout.row_count
    kind, scales = (np.int16, rows) if precision is Precision.SHORT else (precision.real, 0)
    acts = sum(len(layout.levels[level].acts) for level in layout.boards.level)
    return Store(
        regrets=aligned_zeros(rows * LANES, kind),
        regret_scales=aligned_zeros(scales, np.float32),
        sums=aligned_zeros(rows * LANES, kind),
        sum_scales=aligned_zeros(scales, np.float32),
        predictions=aligned_zeros(rows * LANES if predictive else 0, precision.real),
        locked=aligned_zeros(acts, np.uint8),
    )


def _shared(layout: Layout, subgame: Subgame, real: type) -> Shared:
    width = layout.levels[0].width
    reach: Reals = aligned_zeros(2 * width, real)
    for player in (0, 1):
        holdings = layout.holdings(0, player)
        reach[player * width : player * width + len(holdings)] = subgame.weights[player, holdings]
    leaves = 2 * layout.leaf_count * layout.leaf_width
    return Shared(
        root_reach=reach,
        leaf_reach=aligned_zeros(leaves, real),
        leaf_value=aligned_zeros(leaves, real),
        leaf_width=layout.leaf_width,
        captured=aligned_zeros(0, real),
        captured_board=-1,
    )


def _work(layout: Layout, first: Work | None, real: type) -> Work:
    """Allocate working memory for one thread; what all threads share comes from the first one's."""
    levels = layout.levels

    def room(*sizes: int) -> tuple[Reals, ...]:
        return tuple(aligned_zeros(size, real) for size in sizes)

    slots = max(len(level.root_lines) + int(level.row_counts.max()) + 1 for level in levels)
    lines = max(level.line_count for level in levels)
    reach, value, strategy, columns, table = room(
        slots * LANES, lines * LANES, layout.most_actions * LANES, LANES * LANES, layout.item_count * LANES
    )
    gates = [len(level.gate_slots) * level.width for level in levels]
    ones = int((layout.boards.level == 1).sum())
    roots = [len(level.root_rows) * level.width * (ones if i == 1 else 1) for i, level in enumerate(levels)]
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
