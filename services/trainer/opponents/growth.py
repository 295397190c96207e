"""Growing one tree of chances from binned features: the split that tells most about moves first."""

import heapq
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.opponents.styles import LEAF, MoveTree

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

BIN_COUNT = 64
_PRIOR = 10.0  # moves that the chances of a leaf's parent count for


class _Split(NamedTuple):
    gain: float
    feature: int
    bin: int  # the last one on the left


class _Grown(NamedTuple):
    """A node while the tree grows."""

    rows: I32
    counts: I32  # [F, BIN_COUNT, A]
    split: _Split
    chances: F64  # [A]


def grow_tree(bins: U8, choices: U8, rows: I32, choice_count: int, most_leaves: int, least: int) -> MoveTree:
    """Return the tree of some rows of bins [M, F]; its cuts are bins. A leaf has at least `least` rows."""
    counts = np.zeros((bins.shape[1], BIN_COUNT, choice_count), np.int32)
    count_bins(bins, choices, rows, counts)
    uniform = np.full(choice_count, 1 / choice_count)
    nodes = [_node(rows, counts, least, uniform)]
    children: dict[int, tuple[int, int]] = {}
    waiting = [(-nodes[0].split.gain, 0)]
    while waiting and len(children) < most_leaves - 1:
        gain, place = heapq.heappop(waiting)
        if gain >= 0:
            break
        node = nodes[place]
        left = bins[node.rows, node.split.feature] <= node.split.bin
        parts = node.rows[left], node.rows[~left]
        small = int(len(parts[1]) < len(parts[0]))
        fewer = np.zeros_like(counts)
        count_bins(bins, choices, parts[small], fewer)
        both = (fewer, node.counts - fewer) if small == 0 else (node.counts - fewer, fewer)
        children[place] = (len(nodes), len(nodes) + 1)
        for part, part_counts in zip(parts, both, strict=True):
            nodes.append(_node(part, part_counts, least, node.chances))
            heapq.heappush(waiting, (-nodes[-1].split.gain, len(nodes) - 1))
        nodes[place] = node._replace(rows=rows[:0], counts=counts[:0])
    return _in_preorder(nodes, children)


def _node(rows: I32, counts: I32, least: int, parent: F64) -> _Grown:
    totals = counts[0].sum(0)
    feature, cut, gain = best_split(counts, least)
    chances = (totals + _PRIOR * parent) / (totals.sum() + _PRIOR)
    return _Grown(rows, counts, _Split(gain, feature, cut), chances)


def _in_preorder(nodes: list[_Grown], children: dict[int, tuple[int, int]]) -> MoveTree:
    feature: list[int] = []
    cut: list[float] = []
    right: list[int] = []
    values: list[F64] = []
    waiting: list[tuple[int, int]] = [(0, -1)]  # a node, and the parent whose right child it is
    while waiting:
        place, parent = waiting.pop()
        if parent >= 0:
            right[parent] = len(feature)
        if place in children:
            split = nodes[place].split
            waiting += [(children[place][1], len(feature)), (children[place][0], -1)]
            feature.append(split.feature)
            cut.append(split.bin)
            right.append(0)
        else:
            feature.append(LEAF)
            cut.append(0)
            right.append(len(values))
            values.append(nodes[place].chances)
    return MoveTree(
        np.array(feature, np.int16), np.array(cut, np.float32), np.array(right, np.int32), np.array(values, np.float32)
    )


@kernel
def count_bins(bins: U8, choices: U8, rows: I32, out: I32) -> None:
    """Add rows to counts [F, BIN_COUNT, A]: how often each move came with each bin."""
    for row in rows:
        choice = choices[row]
        for f in range(bins.shape[1]):
            out[f, bins[row, f], choice] += 1


@kernel
def best_split(counts: I32, least: int) -> tuple[int, int, float]:
    """Return the feature and bin that tell most about moves, and how much; no gain if nothing may be split."""
    best_feature, best_bin, best_gain = 0, 0, 0.0
    choice_count = counts.shape[2]
    whole = np.zeros(choice_count, np.float64)
    for b in range(BIN_COUNT):
        for a in range(choice_count):
            whole[a] += counts[0, b, a]
    total = whole.sum()
    before = _disorder(whole, total)
    left, right = np.empty(choice_count), np.empty(choice_count)
    for f in range(counts.shape[0]):
        left[:] = 0
        for b in range(BIN_COUNT - 1):
            added = 0
            for a in range(choice_count):
                left[a] += counts[f, b, a]
                added += counts[f, b, a]
            if added == 0:
                continue
            on_left = left.sum()
            if on_left < least:
                continue
            if total - on_left < least:
                break
            right[:] = whole - left
            gain = before - _disorder(left, on_left) - _disorder(right, total - on_left)
            if gain > best_gain:
                best_feature, best_bin, best_gain = f, b, gain
    return best_feature, best_bin, best_gain - 2.0 if best_gain > 2.0 else 0.0


@kernel
def _disorder(counts: F64, total: float) -> float:
    """Return the entropy of some counts, times their sum."""
    out = total * np.log(total) if total > 0 else 0.0
    for count in counts:
        if count > 0:
            out -= count * np.log(count)
    return out
