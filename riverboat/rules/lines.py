"""Lines: the betting below a public state, without any cards.

A line is a path of bets, calls, folds and deals; it does not say which cards are dealt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import IllegalAction, TooLarge
from riverboat.rules.bet_sizes import MOST_SIZES, BetSizes
from riverboat.rules.betting import ACT, CALL, CHANCE, FOLD, HEAD, PHASE, STREET, legal, next_street, play, write_raises
from riverboat.rules.depth import Depth, cut_below, kind_of
from riverboat.rules.public_state import PublicState
from riverboat.rules.sized_raises import size_table

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

MOST_NODES = 1_000_000
MOST_BYTES = 200_000_000  # of the states of all lines
_FIRST_STACK = 1024  # states that can wait while lines are counted; the stack grows when it is full
_MOST_COUNTED = 3_000_000  # lines that are counted only to say how large a tree would be
_UNCOUNTABLE = 2**62  # nodes: larger counts are not exact


class LineArrays(NamedTuple):
    """The arrays of a betting tree, in its order, as kernels take them."""

    states: I64
    kind: I64
    parent: I64
    action: I64
    first_child: I64
    child_count: I64


@dataclass(frozen=True, slots=True, eq=False)
class BettingTree:
    """The betting below a state without any boards: L lines, parents before children; the root is line 0."""

    root: PublicState
    states: I64  # [L, state size]
    kind: I64  # [L]: ACT, CHANCE, FOLDED, SHOWDOWN or LEAF
    parent: I64  # [L], -1 for the root
    action: I64  # [L]: as in PublicTree
    first_child: I64  # [L], the children follow one another
    child_count: I64  # [L]; one after a deal

    @property
    def arrays(self) -> LineArrays:
        """The lines as kernels take them."""
        return LineArrays(
            states=self.states,
            kind=self.kind,
            parent=self.parent,
            action=self.action,
            first_child=self.first_child,
            child_count=self.child_count,
        )

    def columns(self, block: int) -> I64:
        """Return one number for each seat of every line [L, P]; see betting.py."""
        count = self.root.player_count
        return self.states[:, HEAD + block * count : HEAD + (block + 1) * count]

    def state(self, line: int, board: Sequence[int]) -> PublicState:
        """Return the state at a line when these board cards have been dealt."""
        return PublicState(self.root.variant, self.root.rules, self.states[line], tuple(board))


def check_root(root: PublicState) -> None:
    """Raise unless a tree can start at `root`."""
    if root.is_over:
        raise IllegalAction("the hand is over: there is no tree below it")


def expand_betting(
    root: PublicState, sizes: BetSizes, depth: Depth | None = None, limit: int = MOST_NODES
) -> BettingTree:
    """Return the betting below `root`, with raises of these sizes, down to a depth or to the end of the hand."""
    check_root(root)
    line_count = _checked_count(root, sizes, depth, limit)
    table = size_table(sizes, root.variant)
    lines = _expand_lines(root.rules, root.flat, table, cut_below(root, depth), line_count)
    lines.states.flags.writeable = False
    return BettingTree(root, *lines)


def _checked_count(root: PublicState, sizes: BetSizes, depth: Depth | None, limit: int) -> int:
    """Return the number of lines; raise TooLarge if there are too many."""
    weights = [1] * len(root.variant.streets)
    count = count_lines(root, sizes, depth, weights, limit, limit)
    if count > limit:
        raise TooLarge(f"the betting has {size_of(root, sizes, depth, weights)} lines; the limit is {limit:,}")
    if count * root.flat.nbytes > MOST_BYTES:
        raise TooLarge(
            f"the tree's {count:,} lines take {count * root.flat.nbytes:,} bytes; the limit is {MOST_BYTES:,}"
        )
    return count


def count_lines(
    root: PublicState, sizes: BetSizes, depth: Depth | None, weights: Sequence[int], limit: int, most_lines: int
) -> int:
    """Return the number of lines below `root`, each counted as many times as the weight of its street.

    Counting stops beyond `limit`, and after `most_lines` lines; the result is then too small.
    """
    table = size_table(sizes, root.variant)
    counts = np.array(weights, np.float64)
    total = _count_lines(root.rules, root.flat, table, cut_below(root, depth), counts, float(limit), most_lines)
    return int(min(total, float(_UNCOUNTABLE)))


def size_of(root: PublicState, sizes: BetSizes, depth: Depth | None, weights: Sequence[int]) -> str:
    """Return the size of a tree that is too large, in words; a huge one is not counted to the end."""
    count = count_lines(root, sizes, depth, weights, _UNCOUNTABLE, _MOST_COUNTED)
    return f"{count:,}" if count < _UNCOUNTABLE else "more than 10^18"


@kernel
def _write_actions(rules: I64, state: I64, sizes: I64, out: I64) -> int:
    """Write the actions of a node in the tree to `out`; return how many. A CHANCE has one line, written as CALL."""
    if state[PHASE] == CHANCE:
        out[0] = CALL
        return 1
    count = 0
    if legal(rules, state, FOLD):
        out[0] = FOLD
        count = 1
    out[count] = CALL
    return count + 1 + write_raises(rules, state, sizes, out[count + 1 :])


@kernel
def _step(rules: I64, state: I64, action: int) -> None:
    if state[PHASE] == CHANCE:
        next_street(rules, state)
    else:
        play(rules, state, action)


@kernel
def _count_lines(rules: I64, root: I64, sizes: I64, cut: Depth, weights: F64, limit: float, most_lines: int) -> float:
    """Return the result of `count_lines`; go depth first, so that few states wait."""
    waiting = np.empty((_FIRST_STACK, root.size), np.int64)
    actions = np.empty(MOST_SIZES + 2, np.int64)
    waiting[0] = root
    count, total, lines = 1, 0.0, 0
    state = np.empty(root.size, np.int64)
    while count > 0 and total <= limit and lines <= most_lines:
        count -= 1
        state[:] = waiting[count]
        total += weights[state[STREET]]
        lines += 1
        if lines == 1 or kind_of(state, cut) in (ACT, CHANCE):
            for i in range(_write_actions(rules, state, sizes, actions)):
                if count == len(waiting):
                    more = np.empty((2 * count, root.size), np.int64)
                    more[:count] = waiting
                    waiting = more
                waiting[count] = state
                _step(rules, waiting[count], actions[i])
                count += 1
    return total


@kernel
def _expand_lines(rules: I64, root: I64, sizes: I64, cut: Depth, most: int) -> LineArrays:
    """Return all lines, breadth first; there must be at most `most`."""
    states = np.empty((most, root.size), np.int64)
    parent, action = np.full(most, -1, np.int64), np.zeros(most, np.int64)
    first, count, kind = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    actions = np.empty(MOST_SIZES + 2, np.int64)
    states[0] = root
    done, end = 0, 1
    while done < end:
        kind[done] = root[PHASE] if done == 0 else kind_of(states[done], cut)
        if kind[done] in (ACT, CHANCE):
            first[done] = end
            count[done] = _write_actions(rules, states[done], sizes, actions)
            for i in range(count[done]):
                states[end] = states[done]
                _step(rules, states[end], actions[i])
                parent[end], action[end] = done, actions[i]
                end += 1
        done += 1
    return LineArrays(
        states=states[:end],
        kind=kind[:end],
        parent=parent[:end],
        action=action[:end],
        first_child=first[:end],
        child_count=count[:end],
    )
