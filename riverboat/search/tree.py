"""The search tree and its iterations, compiled.

A node is a sequence of moves and of what deals mean to the searching player. Own nodes are walked by UCT with the
spread of results as its unit, opponents' nodes by their model, deals by chance. Each iteration adds one node, plays on
to the end of the hand without a tree, and takes the result back to the root.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.equity.sampler import next_unit
from riverboat.opponents.features import FEATURE_COUNT, record_move
from riverboat.rules.betting import ACT, ACTOR, CHANCE, HIGH, PHASE, STREET, TO_CALL, next_street, play
from riverboat.rules.variant import MOST_SEATS
from riverboat.search.playing import ALL_IN_SIZE, action_of, draw_move, draw_world, size_to, value_of
from riverboat.search.problem import Problem

F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

MOST_DEPTH = 400
MOST_MOVES = ALL_IN_SIZE + 3  # of the searching player
_NONE = -1
MEAN, MAXIMUM = 0, 1  # ways of taking results back
_OTHERS, _OWN = 0, 1  # kinds of nodes


class SearchTree(NamedTuple):
    """N nodes in flat arrays; node 0 is the decision."""

    size: I64  # [1]: nodes in use
    key: I32  # [N]: the move or deal that leads to a node
    first: I32  # [N]: the first child; _NONE for none
    sibling: I32  # [N]: the parent's next child
    visits: I64  # [N]
    kind: I32  # [N]: whether the searching player moves here
    mean: F64  # [N]: of the results, in chips over folding at once
    squares: F64  # [N]: sum of squared differences from the mean
    value: F64  # [N]: taken back by the means of children, or by the best one


def new_tree(room: int) -> SearchTree:
    """Return a tree with room for so many nodes."""
    none = np.full(room, _NONE, np.int32)
    return SearchTree(
        size=np.ones(1, np.int64),
        key=none.copy(),
        first=none.copy(),
        sibling=none,
        visits=np.zeros(room, np.int64),
        kind=np.zeros(room, np.int32),
        mean=np.zeros(room),
        squares=np.zeros(room),
        value=np.zeros(room),
    )


@kernel
def iterate(problem: Problem, tree: SearchTree, count: int, explore: float, backup: int, random: U64) -> int:
    """Search for some iterations; return how many were played."""
    state, record = problem.state.copy(), problem.record.copy()
    styles, holdings = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    path = np.empty(MOST_DEPTH, np.int64)
    row, room, moves = np.empty(FEATURE_COUNT), np.empty(20), np.empty(MOST_MOVES, np.int64)
    played = 0
    for _ in range(count):
        board = draw_world(problem, random, styles, holdings)
        if board < 0:
            continue
        state[:], record[:] = problem.state, problem.record
        depth, node, path[0] = 1, 0, 0
        while state[PHASE] == ACT or state[PHASE] == CHANCE:
            if state[PHASE] == CHANCE:
                next_street(problem.rules, state)
                if node != _NONE and state[PHASE] == ACT:
                    node, depth = _go_on(tree, node, -2 - problem.outcomes[board, state[STREET]], path, depth)
                continue
            seat = state[ACTOR]
            if node != _NONE and seat == problem.seat:
                tree.kind[node] = _OWN
                choice = _choose(problem, tree, state, node, moves, explore, random)
            else:
                choice = draw_move(
                    problem, state, record, styles[seat], holdings[seat], board, random, row, room
                )  # fmt: skip
            action = action_of(problem, state, choice)
            if node != _NONE:
                node, depth = _go_on(tree, node, choice, path, depth)
            record_move(problem.rules, state, record, action)
            play(problem.rules, state, action)
        _take_back(tree, path, depth, value_of(problem, state, holdings, board), backup)
        played += 1
    return played


@kernel
def _go_on(tree: SearchTree, node: int, key: int, path: I64, depth: int) -> tuple[int, int]:
    """Return the child of a node and the path's length; _NONE below a node that was added in this iteration."""
    is_new = tree.visits[node] == 0 and node > 0
    if is_new or depth == MOST_DEPTH:
        return _NONE, depth
    child = tree.first[node]
    while child != _NONE and tree.key[child] != key:
        child = tree.sibling[child]
    if child == _NONE:
        if tree.size[0] == len(tree.key):
            return _NONE, depth
        child = tree.size[0]
        tree.size[0] += 1
        tree.key[child], tree.sibling[child], tree.first[node] = key, tree.first[node], child
    path[depth] = child
    return child, depth + 1


@kernel
def write_moves(problem: Problem, state: I64, moves: I64) -> int:
    """Write the moves that are searched at a decision; return how many. Sizes that are the same bet come up once."""
    faces_bet = state[TO_CALL] > 0
    moves[0], count, last = 0, 1, -1
    if faces_bet:
        moves[1], count = 1, 2
    first = count
    if state[HIGH] > 0:
        for size in range(ALL_IN_SIZE + 1):
            to = size_to(problem.rules, state, size)
            if problem.sizes[size] and to != last:
                moves[count], last = first + size, to
                count += 1
    return count


@kernel
def _choose(problem: Problem, tree: SearchTree, state: I64, node: int, moves: I64, explore: float, random: U64) -> int:
    """Return the next move to try: one that was hardly tried, at random, or the one with the highest bound.

    Where one move, like a fold, has the same result each time, the spread says little about the others: so each move
    is tried at least as often as the square root of the node's visits.
    """
    count = write_moves(problem, state, moves)
    # The spread at the root: that of a node with few, equal results would end its exploration.
    spread = np.sqrt(tree.squares[0] / max(1, tree.visits[0])) + 1e-9
    logs = 2.0 * np.log(tree.visits[node] + 1.0)
    best, best_bound, untried = 0, -np.inf, 0
    least = np.sqrt(tree.visits[node])
    for place in range(count):
        child = tree.first[node]
        while child != _NONE and tree.key[child] != moves[place]:
            child = tree.sibling[child]
        if child == _NONE or tree.visits[child] < least:
            untried += 1
            if next_unit(random) * untried < 1.0:  # each of them is as likely as the others
                best = place
        elif untried == 0:
            bound = tree.value[child] + explore * spread * np.sqrt(logs / tree.visits[child])
            if bound > best_bound:
                best, best_bound = place, bound
    return int(moves[best])


@kernel
def _take_back(tree: SearchTree, path: I64, depth: int, result: float, backup: int) -> None:
    """Add a result to all nodes of a path."""
    for at in range(depth - 1, -1, -1):
        node = path[at]
        tree.visits[node] += 1
        before = result - tree.mean[node]
        tree.mean[node] += before / tree.visits[node]
        tree.squares[node] += before * (result - tree.mean[node])
        tree.value[node] = tree.mean[node] if backup == MEAN else _best_or_mean(tree, node)


@kernel
def _best_or_mean(tree: SearchTree, node: int) -> float:
    """Return the value of the best child of an own node, and of others the mean of children as often as they came."""
    child = tree.first[node]
    best, total, visits = -np.inf, 0.0, 0
    while child != _NONE:
        if tree.visits[child] > 0:
            best = max(best, tree.value[child])
            total += tree.visits[child] * tree.value[child]
            visits += tree.visits[child]
        child = tree.sibling[child]
    if visits == 0:
        return float(tree.mean[node])
    return float(best if tree.kind[node] == _OWN else total / visits)
