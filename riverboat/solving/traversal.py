"""One walk through a subgame: reaches go down, values come up.

A board is entered (both players' reaches at its lines, terminals evaluated), then the boards that follow it, then it
is left (values, and with them regrets). A block of sixteen holdings goes through all lines of a level while it is in
the fastest cache.
"""

from typing import NamedTuple

import numpy as np

from riverboat.compiled.kernels import inlined, kernel
from riverboat.compiled.lanes import LANES, larger, load, multiply_add, spread, store, transpose, transpose_rows
from riverboat.solving.layout import (
    CHILD,
    COUNT,
    ENTER,
    EVENT_ACTION,
    EVENT_BOARD,
    LEAVE,
    LINE,
    PLAYER,
    REACH_SLOT,
    ROW,
    BoardTable,
    Level,
)
from riverboat.solving.regrets import AVERAGE, Rule, Store, add_to_regrets, add_to_sums, write_strategy
from riverboat.solving.subgame import F64, I32, I64, Reals
from riverboat.solving.terminals import (
    BoardHoldings,
    LaneRows,
    StrengthGroups,
    write_folds,
    write_products,
    write_showdowns,
)

BOTH = 2  # players
# The purpose of a walk: regrets of the player and sums of the other, only regrets, only sums, the value of a strategy,
# the value of the best response, or just reaches.
UPDATE, LEARN, ADD, EVALUATE, BEST, REACH = range(6)
POSITIVE, NEGATIVE, DECAY = range(3)  # columns of Steps.rule


class Work(NamedTuple):
    """The working memory of one thread; an array by player has player 0's part first, then player 1's."""

    reach: Reals  # [slots * 16]
    value: Reals  # [lines * 16]
    strategy: Reals  # [actions * 16]
    columns: Reals  # [256]
    table: Reals  # [items * 16]
    showdown_reach: tuple[Reals, ...]  # by level: [2, batches, width, 16]
    showdown_value: tuple[Reals, ...]
    fold_reach: tuple[Reals, ...]
    fold_value: tuple[Reals, ...]
    gate_reach: tuple[Reals, ...]  # by level: [2, batches, width, 16]; that of level 0 is shared by all threads
    gate_value: tuple[Reals, ...]
    root_value: tuple[Reals, ...]  # by level: [2, batches, width, 16]; at level 1 for every board, and shared


class Shared(NamedTuple):
    """The part of a walk that all threads share."""

    root_reach: Reals  # [2, width]
    leaf_reach: Reals  # [2, leaves, leaf width]
    leaf_value: Reals  # [2, leaves, leaf width]
    leaf_width: int
    captured: Reals  # [2, lines of the level, width]: values on one board
    captured_board: int  # -1 for none


class Steps(NamedTuple):
    """Instructions for a series of walks."""

    player: I64  # [n]: whose values are wanted: 0, 1 or BOTH
    purpose: I64  # [n]: UPDATE and so on
    rule: F64  # [n, 1 or K, 3]: the numbers of a Rule, for all boards or for each
    source: int  # CURRENT or AVERAGE
    floor: bool
    predictive: bool


Levels = tuple[Level, ...]


class Arrays(NamedTuple):
    """Everything that a walk reads and writes."""

    levels: Levels
    boards: BoardTable
    data: Store
    work: Work
    shared: Shared


class Task(NamedTuple):
    """The work of one step on every board."""

    source: int  # CURRENT or AVERAGE
    purpose: int  # UPDATE and so on
    rule: Rule


@kernel
def descend(player: int, board: int, task: Task, arrays: Arrays) -> None:
    """Compute a player's reaches at all lines on a board; add them to the sums if this walk learns."""
    source, purpose, rule = task
    levels, boards, data, work, shared = arrays
    at = boards.level[board]
    level = levels[at]
    width, roots, rows = level.width, len(level.root_lines), level.row_counts[player]
    leaves, gate_rows = len(level.leaf_lines), (roots + LANES - 1) // LANES * player * levels[max(at - 1, 0)].width
    first, blocks = boards.first[board, player], -(-boards.live_count[board, player] // LANES)
    reach, strategy, acts, adds = work.reach, work.strategy, level.acts, purpose in (UPDATE, ADD)
    average = source == AVERAGE
    chosen, scales = (data.sums, data.sum_scales) if average else (data.regrets, data.regret_scales)
    sums, sum_scales, predictions = data.sums, data.sum_scales, data.predictions
    predictive = rule.predictive and not average
    locked, first_lock = data.locked, boards.lock_first[board]
    gate_reach, showdown_reach, fold_reach = work.gate_reach[at], work.showdown_reach[at], work.fold_reach[at]
    parent_reach, parent_width = work.gate_reach[max(at - 1, 0)], levels[max(at - 1, 0)].width
    store(reach, (roots + rows) * LANES, spread(0.0, reach))
    for block in range(blocks):
        if at == 0:
            store(reach, 0, load(shared.root_reach, player * width + block * LANES))
        else:
            _read_gates(
                gate_rows, roots, parent_width, parent_reach, boards.up, first + block * LANES, work.columns, reach
            )  # fmt: skip
        base = boards.row[board, player] + block * rows
        for n in range(len(acts)):
            if acts[n, PLAYER] != player:
                continue
            row, count, slot = acts[n, ROW], acts[n, COUNT], acts[n, REACH_SLOT] * LANES
            learns = adds and not locked[first_lock + n]
            child = (roots + row) * LANES
            # A count that the compiler knows makes straight code of its loops.
            if count == 2:
                write_strategy(chosen, scales, predictions, predictive, base + row, 2, strategy)
                _spread_reach(reach, slot, child, 2, strategy)
                if learns:
                    add_to_sums(sums, sum_scales, rule.decay, base + row, 2, reach, child)
            elif count == 3:
                write_strategy(chosen, scales, predictions, predictive, base + row, 3, strategy)
                _spread_reach(reach, slot, child, 3, strategy)
                if learns:
                    add_to_sums(sums, sum_scales, rule.decay, base + row, 3, reach, child)
            else:
                write_strategy(chosen, scales, predictions, predictive, base + row, count, strategy)
                _spread_reach(reach, slot, child, count, strategy)
                if learns:
                    add_to_sums(sums, sum_scales, rule.decay, base + row, count, reach, child)
        _write_lanes(player, block, width, level.showdown_slots, reach, showdown_reach)
        _write_lanes(player, block, width, level.fold_slots, reach, fold_reach)
        _write_lanes(player, block, width, level.gate_slots, reach, gate_reach)
        for leaf in range(leaves):
            number = player * (len(shared.leaf_reach) // 2 // shared.leaf_width) + boards.leaf_first[board] + leaf
            weights = load(reach, level.leaf_slots[player * leaves + leaf] * LANES)
            store(shared.leaf_reach, number * shared.leaf_width + block * LANES, weights)


@inlined
def _spread_reach(reach: Reals, slot: int, child: int, count: int, strategy: Reals) -> None:
    """Spread a reach over the actions that follow, by the strategy."""
    own = load(reach, slot)
    for a in range(count):
        store(reach, child + a * LANES, own * load(strategy, a * LANES))


@inlined
def _read_gates(
    first_row: int, roots: int, parent_width: int, parent_reach: Reals, up: I32, at: int, columns: Reals, reach: Reals
) -> None:
    """Copy the reaches of one block of holdings from the lanes of the board above to the first slots."""
    for batch in range((roots + LANES - 1) // LANES):
        transpose_rows(parent_reach, first_row + batch * parent_width, up, at, columns, 0)
        for lane in range(min(LANES, roots - batch * LANES)):
            store(reach, (batch * LANES + lane) * LANES, load(columns, lane * LANES))


@inlined
def _write_lanes(player: int, block: int, width: int, slots: I32, reach: Reals, lanes: Reals) -> None:
    """Copy one block of some slots to lanes."""
    count = len(slots) // 2
    for batch in range(count // LANES):
        first = player * count + batch * LANES
        transpose_rows(reach, 0, slots, first, lanes, first * width + block * LANES * LANES)


@kernel
def evaluate(player: int, board: int, levels: Levels, boards: BoardTable, work: Work) -> None:
    """Compute a player's values at the terminals of a board, per chip at stake."""
    at = boards.level[board]
    level = levels[at]
    width, other = level.width, 1 - player
    showdowns, folds = len(level.showdown_slots) // 2, len(level.fold_slots) // 2
    first, count = boards.first[board, player], boards.live_count[board, player]
    own = BoardHoldings(boards.items, 2 * first, count)
    theirs = BoardHoldings(boards.items, 2 * boards.first[board, other], boards.live_count[board, other])
    groups = StrengthGroups(boards.groups, boards.group_first[board, player], boards.group_count[board, player])
    dense_first = boards.dense_first[board, player]
    for batch in range(showdowns // LANES):
        reach = LaneRows(work.showdown_reach[at], (other * showdowns + batch * LANES) * width)
        out = LaneRows(work.showdown_value[at], (player * showdowns + batch * LANES) * width)
        if dense_first >= 0:
            write_products(reach, theirs.size, boards.dense, dense_first, count, out)
        else:
            write_showdowns(reach, theirs, own, groups, work.table, out)
        _clear_fillings(out.values, out.at, count)
    for batch in range(folds // LANES):
        reach = LaneRows(work.fold_reach[at], (other * folds + batch * LANES) * width)
        out = LaneRows(work.fold_value[at], (player * folds + batch * LANES) * width)
        write_folds(reach, theirs, own, boards.same, first, work.table, out)
        _clear_fillings(out.values, out.at, count)


@kernel
def _clear_fillings(values: Reals, at: int, count: int) -> None:
    for i in range(count, -(-count // LANES) * LANES):
        store(values, at + i * LANES, spread(0.0, values))


@kernel
def ascend(player: int, board: int, task: Task, arrays: Arrays) -> None:
    """Compute a player's values on a board, from the ends of lines to the roots; update regrets if the walk learns."""
    source, purpose, rule = task
    levels, boards, data, work, shared = arrays
    at = boards.level[board]
    level = levels[at]
    width, rows = level.width, level.row_counts[player]
    roots, leaves = len(level.root_lines), len(level.leaf_lines)
    value, strategy, columns, acts = work.value, work.strategy, work.columns, level.acts
    showdown_value, fold_value, gate_value = work.showdown_value[at], work.fold_value[at], work.gate_value[at]
    root_value, root_lines = work.root_value[at], level.root_lines
    average, learns, takes_best = source == AVERAGE, purpose in (UPDATE, LEARN), purpose == BEST
    chosen, scales = (data.sums, data.sum_scales) if average else (data.regrets, data.regret_scales)
    regrets, regret_scales, predictions = data.regrets, data.regret_scales, data.predictions
    predictive = rule.predictive and not average
    locked, first_lock = data.locked, boards.lock_first[board]
    chance = spread(boards.chance[board], value)
    out = boards.place[board] * len(level.root_rows) * width
    for block in range(-(-boards.live_count[board, player] // LANES)):
        _read_lanes(
            player, block, width, level.showdown_lines, level.showdown_stakes, 0,
            showdown_value, columns, value,
        )  # fmt: skip
        _read_lanes(
            player, block, width, level.fold_lines, level.fold_stakes, player * len(level.fold_lines),
            fold_value, columns, value,
        )  # fmt: skip
        _read_lanes(
            player, block, width, level.gate_lines, level.gate_stakes, 0,
            gate_value, columns, value,
        )  # fmt: skip
        for leaf in range(leaves):
            number = player * (len(shared.leaf_value) // 2 // shared.leaf_width) + boards.leaf_first[board] + leaf
            values = load(shared.leaf_value, number * shared.leaf_width + block * LANES)
            store(value, level.leaf_lines[leaf] * LANES, values)
        base = boards.row[board, player] + block * rows
        for n in range(len(acts) - 1, -1, -1):
            count, line, child = acts[n, COUNT], acts[n, LINE] * LANES, acts[n, CHILD] * LANES
            is_own = acts[n, PLAYER] == player
            if not is_own:
                if count == 2:
                    _add_children(value, line, child, 2)
                elif count == 3:
                    _add_children(value, line, child, 3)
                else:
                    _add_children(value, line, child, count)
                continue
            row, is_free = base + acts[n, ROW], not locked[first_lock + n]
            if takes_best and is_free:
                _take_best(value, line, child, count)
                continue
            if count == 2:
                write_strategy(chosen, scales, predictions, predictive, row, 2, strategy)
                _mix_children(value, line, child, 2, strategy)
                if learns and is_free:
                    add_to_regrets(regrets, regret_scales, predictions, rule, row, 2, value, child, line)
            elif count == 3:
                write_strategy(chosen, scales, predictions, predictive, row, 3, strategy)
                _mix_children(value, line, child, 3, strategy)
                if learns and is_free:
                    add_to_regrets(regrets, regret_scales, predictions, rule, row, 3, value, child, line)
            else:
                write_strategy(chosen, scales, predictions, predictive, row, count, strategy)
                _mix_children(value, line, child, count, strategy)
                if learns and is_free:
                    add_to_regrets(regrets, regret_scales, predictions, rule, row, count, value, child, line)
        if board == shared.captured_board:
            for line in range(level.line_count):
                target = (player * level.line_count + line) * width + block * LANES
                store(shared.captured, target, load(value, line * LANES))
        if at > 0:
            for root in range(roots):
                store(value, root_lines[root] * LANES, load(value, root_lines[root] * LANES) * chance)
        for batch in range(len(level.root_rows) // 2 // LANES):
            first = player * (len(level.root_rows) // 2) + batch * LANES
            transpose_rows(value, 0, level.root_rows, first, root_value, out + first * width + block * LANES * LANES)


@inlined
def _add_children(value: Reals, line: int, child: int, count: int) -> None:
    """Add up the values below a line where the other player acts: its strategy is in the reaches already."""
    total = load(value, child)
    for a in range(1, count):
        total = total + load(value, child + a * LANES)
    store(value, line, total)


@inlined
def _take_best(value: Reals, line: int, child: int, count: int) -> None:
    """Take the largest of the values below a line, for each holding."""
    total = load(value, child)
    for a in range(1, count):
        total = larger(total, load(value, child + a * LANES))
    store(value, line, total)


@inlined
def _mix_children(value: Reals, line: int, child: int, count: int, strategy: Reals) -> None:
    """Mix the values below a line by the player's strategy."""
    total = load(value, child) * load(strategy, 0)
    for a in range(1, count):
        total = multiply_add(load(value, child + a * LANES), load(strategy, a * LANES), total)
    store(value, line, total)


@kernel
def _read_lanes(
    player: int,
    block: int,
    width: int,
    lines: I32,
    stakes: F64,
    first_stake: int,
    lanes: Reals,
    columns: Reals,
    value: Reals,
) -> None:
    """Copy the values of terminals for one block from lanes to lines."""
    batches = -(-len(lines) // LANES)
    for batch in range(batches):
        transpose(lanes, ((player * batches + batch) * width + block * LANES) * LANES, columns, 0)
        for lane in range(min(LANES, len(lines) - batch * LANES)):
            i = batch * LANES + lane
            values = load(columns, lane * LANES) * spread(stakes[first_stake + i], value)
            store(value, lines[i] * LANES, values)


@kernel
def collect(player: int, board: int, levels: Levels, boards: BoardTable, work: Work) -> None:
    """Add the values of a board, and of its mirrors, to those of the deals that led to it."""
    at = boards.level[board]
    width, above = levels[at].width, levels[at - 1].width
    batches = len(levels[at].root_rows) // 2 // LANES
    count, first = boards.live_count[board, player], boards.first[board, player]
    source, target = work.root_value[at], work.gate_value[at - 1]
    out = (2 * boards.place[board] + player) * batches * width * LANES
    for batch in range(batches):
        start, end = out + batch * width * LANES, (player * batches + batch) * above * LANES
        _add_rows(source, start, target, end, boards.up, first, count)
        for mirror in range(boards.mirror_count[board]):
            place = boards.mirror_first[board, player] + mirror * count
            _add_rows(source, start, target, end, boards.mirror, place, count)


@inlined
def _add_rows(source: Reals, start: int, target: Reals, end: int, places: I32, first: int, count: int) -> None:
    """Add rows of lanes to those at their places in the order of the board above."""
    for i in range(count):
        at = end + np.int64(places[first + i]) * LANES
        store(target, at, load(target, at) + load(source, start + i * LANES))


@kernel
def clear_gates(player: int, at: int, levels: Levels, work: Work) -> None:
    """Set the values of deals to zero, before they are added up."""
    size = len(levels[at].gate_slots) // 2 * levels[at].width
    work.gate_value[at][player * size : (player + 1) * size] = 0


@kernel
def walk(steps: Steps, events: I32, start: int, end: int, arrays: Arrays) -> None:
    """Walk once for each step, entering and leaving boards in the order of events from `start` up to `end`."""
    levels, boards, _, work, _ = arrays
    for step in range(len(steps.player)):
        player, purpose = steps.player[step], steps.purpose[step]
        has_values = purpose not in (ADD, REACH)
        first, last = (0, 1) if player == BOTH else (player, player)
        for n in range(start, end):
            board, action = events[n, EVENT_BOARD], events[n, EVENT_ACTION]
            at = boards.level[board]
            numbers = steps.rule[step, min(board, steps.rule.shape[1] - 1)]
            rule = Rule(numbers[POSITIVE], numbers[NEGATIVE], numbers[DECAY], steps.floor, steps.predictive)
            task = Task(steps.source, purpose, rule)
            if action == ENTER:
                for p in range(first, last + 1):
                    descend(1 - p, board, task, arrays)
                for p in range(first, last + 1):
                    if has_values:
                        evaluate(p, board, levels, boards, work)
                        clear_gates(p, at, levels, work)
            elif has_values:
                for p in range(first, last + 1):
                    if action == LEAVE:
                        ascend(p, board, task, arrays)
                    else:
                        collect(p, board, levels, boards, work)
