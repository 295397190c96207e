"""Local search for one tree as a whole: each question is chosen again, given all others, while the tree improves.

The objective is the squared distance of the leaves' chances from the states', summed, plus a price for each leaf. A
pass goes down the tree. At a node it computes, for each state, the cost of the leaf that the state would reach on the
left and on the right, and chooses the question that sends the states best; at a node above two leaves, or at a leaf, it
chooses by the cost of the two new leaves. Then leaves are fitted again, and branches that are not worth their price are
cut off. A start may use only a random part of the features, so that different starts end in different trees.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.equity.sampler import next_unit

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
LEAF = -1
_NONE = -1
_BIN_COUNT = 256


class BinTree(NamedTuple):
    """A tree of questions about bins, in preorder."""

    feature: I64  # [N]; LEAF for none
    cut: I64  # [N]: the answer is yes up to this bin
    right: I64  # [N]
    values: F64  # [N, A]; of leaves


class SearchRules(NamedTuple):
    """The limits of a tree."""

    price: float  # of a leaf
    leaf_size: int
    depth: int
    feature_share: float  # of the features that a question is chosen from, at random


def single_leaf(chances: F32) -> BinTree:
    """Return the tree without questions."""
    one = np.array([LEAF])
    return BinTree(one, one.copy() * 0, one.copy() * 0, chances.mean(axis=0, dtype=np.float64)[None])


def searched(
    tree: BinTree, binned: U8, chances: F32, rules: SearchRules, seed: int, most_passes: int
) -> tuple[BinTree, float]:
    """Improve a tree until passes no longer help; return the best and its objective per state."""
    random = np.array([seed + 1], np.uint64)
    best, best_score = tree, np.inf
    for _ in range(most_passes):
        walked, sums = _pass(tree, binned, chances, rules, random)
        tree, score = pruned(walked, sums, rules)
        if score >= best_score * (1 - 1e-5):
            if score < best_score:
                best, best_score = tree, score
            break
        best, best_score = tree, score
    squares = float((chances.astype(np.float64) ** 2).sum())
    return best, (best_score + squares) / len(chances)


def _pass(
    tree: BinTree, binned: U8, chances: F32, rules: SearchRules, random: NDArray[np.uint64]
) -> tuple[BinTree, F64]:
    room = min(2 ** (rules.depth + 1), 2 * (len(binned) // max(1, rules.leaf_size)) + 3)
    out = BinTree(np.empty(room, np.int64), np.empty(room, np.int64), np.zeros(room, np.int64), np.empty((room, 0)))
    sums = np.zeros((room, chances.shape[1] + 1))
    count = write_pass(tree, binned, chances, rules, random, out, sums)
    return BinTree(out.feature[:count], out.cut[:count], out.right[:count], tree.values), sums[:count]


def pruned(tree: BinTree, sums: F64, rules: SearchRules) -> tuple[BinTree, float]:
    """Return a tree without the questions that are not worth their price, and its objective without the states' own
    squares; `sums` [N, A + 1] has the sum of chances and the number of states at each leaf.
    """
    sums = sums.copy()
    count = len(tree.feature)
    cost, is_leaf, size = np.zeros(count), tree.feature == LEAF, np.ones(count, np.int64)
    for node in range(count - 1, -1, -1):
        if not is_leaf[node]:
            left, right = node + 1, tree.right[node]
            sums[node] = sums[left] + sums[right]
        own = rules.price - (sums[node, :-1] ** 2).sum() / sums[node, -1]
        if is_leaf[node]:
            cost[node] = own
        elif cost[left] + cost[right] < own - 1e-9:
            cost[node], size[node] = cost[left] + cost[right], 1 + size[left] + size[right]
        else:
            cost[node], is_leaf[node] = own, True
    kept, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        kept.append(node)
        if not is_leaf[node]:
            waiting += [int(tree.right[node]), node + 1]
    nodes = np.array(kept)
    place = {node: new for new, node in enumerate(kept)}
    leaves = is_leaf[nodes]
    right = np.array([0 if is_leaf[node] else place[int(tree.right[node])] for node in kept])
    values = sums[nodes, :-1] / sums[nodes, -1:]
    return BinTree(
        np.where(leaves, LEAF, tree.feature[nodes]), np.where(leaves, 0, tree.cut[nodes]), right, values
    ), float(cost[0])


@kernel
def write_pass(
    tree: BinTree, binned: U8, chances: F32, rules: SearchRules, random: NDArray[np.uint64], out: BinTree, sums: F64
) -> int:
    """Write a tree whose questions are better given the old one's leaves; return its number of nodes.

    A node of the old tree is known by its number, a new leaf by -1.
    """
    n, features = binned.shape
    order = np.arange(n)
    spare = np.empty(n, np.int64)
    stack = np.empty((4 * (rules.depth + 2), 5), np.int64)  # old node, first, last, depth, whose right child it is
    stack[0] = 0, 0, n, 0, _NONE
    top, count = 1, 0
    gain = np.empty(n)
    room = np.zeros((_BIN_COUNT, chances.shape[1] + 1))
    allowed = np.empty(features, np.bool_)
    while top:
        top -= 1
        old, first, last, depth, parent = stack[top]
        if parent >= 0:
            out.right[parent] = count
        rows = order[first:last]
        for f in range(features):
            allowed[f] = next_unit(random) < rules.feature_share
        allowed[int(next_unit(random) * features)] = True
        left_old, right_old = _NONE, _NONE
        feature, cut = LEAF, 0
        if depth < rules.depth and rows.size >= 2 * rules.leaf_size:
            inner = old >= 0 and tree.feature[old] != LEAF
            if inner:
                left_old, right_old = old + 1, tree.right[old]
                inner = tree.feature[left_old] != LEAF or tree.feature[right_old] != LEAF
            if inner:
                _write_gains(tree, left_old, right_old, binned, chances, rows, gain)
                feature, cut = _best_sending(tree, old, binned, rows, gain, allowed, rules.leaf_size)
            else:
                left_old, right_old = _NONE, _NONE
                feature, cut = _best_split(binned, chances, rows, allowed, rules.leaf_size, rules.price, room)
        node = count
        count += 1
        out.feature[node], out.cut[node], out.right[node] = feature, cut, 0
        if feature == LEAF:
            sums[node] = 0
            for row in rows:
                for a in range(chances.shape[1]):
                    sums[node, a] += chances[row, a]
            sums[node, chances.shape[1]] = rows.size
            continue
        yes, no = first, 0
        for place in range(first, last):
            row = order[place]
            if binned[row, feature] <= cut:
                order[yes] = row
                yes += 1
            else:
                spare[no] = row
                no += 1
        order[yes:last] = spare[:no]
        stack[top] = right_old, yes, last, depth + 1, node
        stack[top + 1] = left_old, first, yes, depth + 1, _NONE
        top += 2
    return count


@kernel
def _write_gains(tree: BinTree, left: int, right: int, binned: U8, chances: F32, rows: I64, gain: F64) -> None:
    """Write for each row how much less it costs on the right than on the left."""
    for i in range(rows.size):
        row = rows[i]
        costs = 0.0
        for side in range(2):
            node = left if side == 0 else right
            while tree.feature[node] != LEAF:
                node = node + 1 if binned[row, tree.feature[node]] <= tree.cut[node] else tree.right[node]
            cost = 0.0
            for a in range(chances.shape[1]):
                cost += (chances[row, a] - tree.values[node, a]) ** 2
            costs = cost if side == 0 else costs - cost
        gain[i] = costs


@kernel
def _best_sending(
    tree: BinTree, old: int, binned: U8, rows: I64, gain: F64, allowed: NDArray[np.bool_], leaf_size: int
) -> tuple[int, int]:
    """Return the question that sends rows best to the two old subtrees; the old question if nothing is better."""
    best_feature, best_cut, best = tree.feature[old], tree.cut[old], 0.0
    sums, counts = np.empty(_BIN_COUNT), np.empty(_BIN_COUNT, np.int64)
    yes = 0
    for i in range(rows.size):
        if binned[rows[i], best_feature] > best_cut:
            best += gain[i]
        else:
            yes += 1
    if min(yes, rows.size - yes) < leaf_size:
        best = -np.inf  # the question no longer splits the states that reach this node
    for f in range(binned.shape[1]):
        if not allowed[f]:
            continue
        sums[:] = 0.0
        counts[:] = 0
        total = 0.0
        for i in range(rows.size):
            bin_ = binned[rows[i], f]
            sums[bin_] += gain[i]
            counts[bin_] += 1
            total += gain[i]
        seen = 0
        for b in range(_BIN_COUNT - 1):
            seen += counts[b]
            total -= sums[b]
            if counts[b] and seen >= leaf_size and rows.size - seen >= leaf_size and total > best + 1e-9:
                best_feature, best_cut, best = f, b, total
    if best == -np.inf:
        return LEAF, 0
    return best_feature, best_cut


@kernel
def _best_split(
    binned: U8, chances: F32, rows: I64, allowed: NDArray[np.bool_], leaf_size: int, price: float, room: F64
) -> tuple[int, int]:
    """Return the question whose two leaves cost least, or LEAF if it is not worth its price."""
    choices = chances.shape[1]
    whole = np.zeros(choices)
    for row in rows:
        for a in range(choices):
            whole[a] += chances[row, a]
    before = 0.0
    for a in range(choices):
        before += whole[a] ** 2 / rows.size
    best_feature, best_cut, best = LEAF, 0, before + price
    left = np.empty(choices)
    for f in range(binned.shape[1]):
        if not allowed[f]:
            continue
        room[:] = 0
        for row in rows:
            bin_ = binned[row, f]
            for a in range(choices):
                room[bin_, a] += chances[row, a]
            room[bin_, choices] += 1
        left[:] = 0
        seen = 0.0
        for b in range(_BIN_COUNT - 1):
            if room[b, choices] == 0:
                continue
            seen += room[b, choices]
            rest = rows.size - seen
            score = 0.0
            for a in range(choices):
                left[a] += room[b, a]
                if rest > 0:
                    score += left[a] ** 2 / seen + (whole[a] - left[a]) ** 2 / rest
            if seen >= leaf_size and rest >= leaf_size and score > best:
                best_feature, best_cut, best = f, b, score
    return best_feature, best_cut
