"""The lines of a subgame, level by level, as kernels read them."""

import numpy as np

from riverboat.solving.layout import Level, padded
from riverboat.solving.subgame import ACT, CHANCE, FOLDED, I32, I64, LEAF, SHOWDOWN, Lines


def level_of(lines: Lines, line_level: I32, local: I32, level: int, width: int) -> Level:
    """Return the lines of one level, whose boards have room for `width` holdings."""
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
    root_lines = local[np.array(roots)]
    wins = np.where(lines.player[folds] == 1, lines.stake[folds], -lines.stake[folds])
    return Level(
        acts=np.array(acts, np.int32).reshape(-1, 6),
        showdown_slots=lane_slots(showdowns),
        showdown_lines=local[showdowns],
        showdown_stakes=lines.stake[showdowns],
        fold_slots=lane_slots(folds),
        fold_lines=local[folds],
        fold_stakes=np.concatenate([wins, -wins]),
        gate_slots=lane_slots(gates),
        gate_lines=local[gates],
        gate_stakes=np.ones(len(gates)),
        leaf_slots=np.concatenate([slots[0, leaves], slots[1, leaves]]),
        leaf_lines=local[leaves],
        root_lines=root_lines,
        root_rows=np.tile(np.pad(root_lines, (0, padded(len(roots)) - len(roots)), mode="edge"), 2),
        row_counts=np.array(rows, np.int64),
        line_count=len(own),
        width=width,
    )
