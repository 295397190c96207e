"""Public trees: what can happen from a public state on, as flat arrays. No private card is near them.

The betting is expanded once, without cards, into lines; then every line is repeated for each board it can be
reached with. A hand in which nobody can bet any more ends where that happens: as a showdown, on the board
that is there, with the rest of the board to come.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import IllegalAction, InvalidInput, TooLarge
from riverboat.rules.bet_sizes import MOST_SIZES, BetSizes
from riverboat.rules.betting import (
    ACT,
    ACTIONS,
    ACTOR,
    BLOCKS,
    CALL,
    CHANCE,
    FOLD,
    HEAD,
    OUT,
    PAID,
    PHASE,
    POT,
    SHOWDOWN,
    STACKS,
    STREET,
    legal,
    next_street,
    play,
    write_raises,
)
from riverboat.rules.sized_raises import size_table
from riverboat.rules.state import PublicState

I64 = NDArray[np.int64]
I32 = NDArray[np.int32]

LEAF = 4  # a phase of nodes: cut here, with a seat to act or a board to come
MOST_NODES = 1_000_000
MOST_BYTES = 200_000_000  # of the states of all lines
_FIRST_STACK = 1024  # states that are waiting while lines are counted, at first
_MOST_COUNTED = 3_000_000  # lines that are counted just to say how large a tree would be


@dataclass(frozen=True, slots=True)
class Depth:
    """Where to cut: at `level` of `street`. Level 0 is the deal that begins it, level 1 the first decision."""

    street: int
    level: int


@dataclass(frozen=True, slots=True, eq=False)
class Subtree:
    """Which tree: from where, with which raises, how deep, and how many boards after each (None for all)."""

    root: PublicState
    sizes: BetSizes
    depth: Depth | None
    boards: int | None
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class PublicTree:
    """A tree of N nodes, parents before children; the root is node 0."""

    root: PublicState
    states: I64  # [L, state size], of each line of betting
    line: I32  # [N], which line a node is on
    kind: NDArray[np.int8]  # [N]: ACT, CHANCE, FOLDED, SHOWDOWN or LEAF
    parent: I32  # [N], -1 for the root
    action: I64  # [N]: FOLD, CALL or what was raised to on the way here from the parent; CALL after a deal
    first_child: I32  # [N], the children follow one another
    child_count: I32  # [N]
    board: I32  # [N], which row of boards
    boards: NDArray[np.uint8]  # [K, cards of a whole board], the first board_sizes of each are dealt
    board_sizes: NDArray[np.int8]  # [K]

    @property
    def node_count(self) -> int:
        """N."""
        return len(self.kind)

    @property
    def actor(self) -> NDArray[np.int8]:
        """[N]: the seat that acts; -1 where nobody does."""
        return self.column(ACTOR).astype(np.int8)

    @property
    def street(self) -> NDArray[np.int8]:
        """[N]."""
        return self.column(STREET).astype(np.int8)

    @property
    def pot(self) -> I64:
        """[N], chips."""
        return self.column(POT)

    @property
    def paid(self) -> I64:
        """[N, P], chips that each seat has paid in the hand."""
        return self.columns(PAID)

    @property
    def folded(self) -> NDArray[np.bool_]:
        """[N, P]."""
        return self.columns(OUT) > 0

    def column(self, place: int, part: slice = slice(None)) -> I64:
        """One number of the states of some nodes; see betting.py."""
        numbers: I64 = self.states[self.line[part], place]
        return numbers

    def columns(self, block: int, part: slice = slice(None)) -> I64:
        """One number for each seat of some nodes [n, P]."""
        count = self.root.player_count
        first = HEAD + block * count
        numbers: I64 = self.states[self.line[part], first : first + count]
        return numbers

    def state(self, node: int) -> PublicState:
        """The state of a node."""
        index = self.board[node]
        board = tuple(self.boards[index, : self.board_sizes[index]].tolist())
        return PublicState(self.root.variant, self.root.rules, self.states[self.line[node]], board)


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

    def columns(self, block: int) -> I64:
        """One number for each seat of every line [L, P]; see betting.py."""
        count = self.root.player_count
        return self.states[:, HEAD + block * count : HEAD + (block + 1) * count]

    def state(self, line: int, board: Sequence[int]) -> PublicState:
        """The state at a line, if these cards have been dealt by then."""
        return PublicState(self.root.variant, self.root.rules, self.states[line], tuple(board))


def expand_betting(
    root: PublicState, sizes: BetSizes, depth: Depth | None = None, limit: int = MOST_NODES
) -> BettingTree:
    """The betting below `root`, with these raises, down to a depth or to the end of the hand."""
    if root.is_over:
        raise IllegalAction("the hand is over: there is no tree below it")
    where = _cut(root, depth)
    line_count = _count_lines_below(root, sizes, depth, limit)
    states, parent, action, first, count, kind = _expand_lines(
        root.rules, root.flat, size_table(sizes, root.variant), where.street, where.level, line_count
    )
    states.flags.writeable = False
    return BettingTree(root, states, kind, parent, action, first, count)


def _count_lines_below(root: PublicState, sizes: BetSizes, depth: Depth | None, limit: int) -> int:
    """How many lines there are, if they are few enough."""
    weights = [1] * len(root.variant.streets)
    count = _count(root, sizes, depth, weights, limit, limit)
    if count > limit:
        counted = _count(root, sizes, depth, weights, 2**62, _MOST_COUNTED)
        raise TooLarge(f"the betting has {_about(counted)} lines; the limit is {limit:,}")
    if count * root.flat.nbytes > MOST_BYTES:
        raise TooLarge(
            f"the tree's {count:,} lines take {count * root.flat.nbytes:,} bytes; the limit is {MOST_BYTES:,}"
        )
    return count


def count_nodes(
    root: PublicState, sizes: BetSizes, depth: Depth | None = None, boards: int | None = None, limit: int = MOST_NODES
) -> int:
    """How many nodes the tree would have; more than `limit` means that counting stopped there."""
    return _count(root, sizes, depth, _board_counts(root, boards), limit, limit)


def _count(
    root: PublicState, sizes: BetSizes, depth: Depth | None, weights: Sequence[int], limit: int, most_lines: int
) -> int:
    where = _cut(root, depth)
    table = size_table(sizes, root.variant)
    counts = np.array(weights, np.float64)
    total = _count_lines(root.rules, root.flat, table, where.street, where.level, counts, float(limit), most_lines)
    return int(min(total, 2.0**62))


def expand(
    root: PublicState,
    sizes: BetSizes,
    depth: Depth | None = None,
    boards: int | None = None,
    rng: np.random.Generator | None = None,
    limit: int = MOST_NODES,
) -> PublicTree:
    """The tree below `root`, with these raises, down to a depth or to the end of the hand.

    `boards` limits how many boards follow each board, sampled by `rng`; without it all of them do. All nodes
    on one board are followed by the same boards.
    """
    if root.is_over:
        raise IllegalAction("the hand is over: there is no tree below it")
    if boards is not None and (boards < 1 or rng is None):
        raise InvalidInput("boards", "must be at least 1, with a generator to sample them")
    size = count_nodes(root, sizes, depth, boards, limit)
    if size > limit:
        counted = _count(root, sizes, depth, _board_counts(root, boards), 2**62, _MOST_COUNTED)
        raise TooLarge(f"the tree has {_about(counted)} nodes; the limit is {limit:,}")
    lines = expand_betting(root, sizes, depth, limit)
    every, lengths, follows = _boards(root, lines.states, boards, rng)
    nodes = _repeat_lines(
        lines.kind, lines.parent, lines.action, lines.first_child, lines.child_count, follows[0], follows[1], size
    )
    return PublicTree(root, lines.states, *nodes, every, lengths)


def _about(count: int) -> str:
    return f"{count:,}" if count < 2**62 else "more than 10^18"


def _cut(root: PublicState, depth: Depth | None) -> Depth:
    """Where to cut, with levels of the root's street counted from the root."""
    last = len(root.variant.streets)
    if depth is None:
        return Depth(last, 0)
    if not root.street <= depth.street <= last or depth.level < 0:
        raise InvalidInput("depth", f"must be on street {root.street} or later, at level 0 or deeper")
    return Depth(depth.street, depth.level + (root.action_count if depth.street == root.street else 0))


def _board_counts(root: PublicState, boards: int | None) -> list[int]:
    """How many boards there are on each street, from the root's on; 0 before it."""
    sizes = root.variant.board_sizes
    counts = [0] * root.street + [1]
    for street in range(root.street, len(sizes) - 1):
        left = len(root.variant.deck.cards) - sizes[street]
        ways = comb(left, sizes[street + 1] - sizes[street])
        counts.append(counts[-1] * (ways if boards is None else min(ways, boards)))
    return counts


@kernel
def _kind(state: I64, end_street: int, end_level: int) -> int:
    """The phase of a node, or LEAF where the tree is cut."""
    if state[PHASE] == ACT:
        street, level = state[STREET], state[ACTIONS] + 1
    elif state[PHASE] == CHANCE:
        if _betting_is_over(state):
            return SHOWDOWN
        street, level = state[STREET] + 1, 0
    else:
        return int(state[PHASE])
    cut = street > end_street or (street == end_street and level >= end_level)
    return LEAF if cut else int(state[PHASE])


@kernel
def _betting_is_over(state: I64) -> bool:
    """Whether at most one of those in the hand has chips left."""
    count = (state.size - HEAD) // BLOCKS
    able = 0
    for seat in range(count):
        able += state[HEAD + OUT * count + seat] == 0 and state[HEAD + STACKS * count + seat] > 0
    return able < 2


@kernel
def _write_actions(rules: I64, state: I64, sizes: I64, out: I64) -> int:
    """The actions of a node in the tree; after a CHANCE there is one line, written as CALL."""
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
def _count_lines(
    rules: I64,
    root: I64,
    sizes: I64,
    end_street: int,
    end_level: int,
    weights: NDArray[np.float64],
    limit: float,
    most_lines: int,
) -> float:
    """How many nodes: every line counts as many times as there are boards on its street.

    Counting stops beyond `limit` nodes, and after `most_lines` lines; what it has then is less than there is.
    """
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
        if lines == 1 or _kind(state, end_street, end_level) in (ACT, CHANCE):
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
def _expand_lines(
    rules: I64, root: I64, sizes: I64, end_street: int, end_level: int, most: int
) -> tuple[I64, I64, I64, I64, I64, I64]:
    """All lines, breadth first: states, parents, actions, first children, numbers of children, kinds."""
    states = np.empty((most, root.size), np.int64)
    parent, action = np.full(most, -1, np.int64), np.zeros(most, np.int64)
    first, count, kind = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    actions = np.empty(MOST_SIZES + 2, np.int64)
    states[0] = root
    done, end = 0, 1
    while done < end:
        kind[done] = root[PHASE] if done == 0 else _kind(states[done], end_street, end_level)
        if kind[done] in (ACT, CHANCE):
            first[done] = end
            count[done] = _write_actions(rules, states[done], sizes, actions)
            for i in range(count[done]):
                states[end] = states[done]
                _step(rules, states[end], actions[i])
                parent[end], action[end] = done, actions[i]
                end += 1
        done += 1
    return states[:end], parent[:end], action[:end], first[:end], count[:end], kind[:end]


def _boards(
    root: PublicState, states: I64, boards: int | None, rng: np.random.Generator | None
) -> tuple[NDArray[np.uint8], NDArray[np.int8], tuple[I64, I64]]:
    """All boards that lines reach, how long each is, and which follow each (first, how many)."""
    sizes = root.variant.board_sizes
    rows: list[tuple[int, ...]] = [root.board]
    first, count = [0], [0]
    done = 0
    last = sizes[int(states[:, STREET].max())]
    while done < len(rows):
        board = rows[done]
        if len(board) < last:
            more = sizes[sizes.index(len(board)) + 1] - len(board) if len(board) in sizes else 0
            following = _following(root, board, more, boards, rng)
            first[done], count[done] = len(rows), len(following)
            rows.extend((*board, *cards) for cards in following)
            first.extend([0] * len(following))
            count.extend([0] * len(following))
        done += 1
    table = np.zeros((len(rows), sizes[-1]), np.uint8)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    lengths = np.array([len(row) for row in rows], np.int8)
    return table, lengths, (np.array(first, np.int64), np.array(count, np.int64))


def _following(
    root: PublicState, board: Sequence[int], more: int, boards: int | None, rng: np.random.Generator | None
) -> list[tuple[int, ...]]:
    rest = [card for card in root.variant.deck.cards if card not in board]
    if boards is None or rng is None or boards >= comb(len(rest), more):
        return list(combinations(rest, more))
    sampled: set[tuple[int, ...]] = set()
    while len(sampled) < boards:
        sampled.add(tuple(sorted(rng.choice(rest, more, replace=False).tolist())))
    return sorted(sampled)


@kernel
def _repeat_lines(
    kinds: I64, parents: I64, actions: I64, firsts: I64, counts: I64, next_first: I64, next_count: I64, size: int
) -> tuple[I32, NDArray[np.int8], I32, I64, I32, I32, I32]:
    """Nodes, breadth first: line, kind, parent, action, first child, number of children, board."""
    line, board, parent = np.zeros(size, np.int32), np.zeros(size, np.int32), np.full(size, -1, np.int32)
    kind, action = np.zeros(size, np.int8), np.zeros(size, np.int64)
    first_child, child_count = np.zeros(size, np.int32), np.zeros(size, np.int32)
    done, end = 0, 1
    while done < end:
        at = line[done]
        kind[done], action[done] = kinds[at], actions[at]
        if kinds[at] == CHANCE:
            child_count[done] = next_count[board[done]]
        else:
            child_count[done] = counts[at]
        first_child[done] = end if child_count[done] else 0
        for i in range(child_count[done]):
            parent[end] = done
            line[end] = firsts[at] if kinds[at] == CHANCE else firsts[at] + i
            board[end] = next_first[board[done]] + i if kinds[at] == CHANCE else board[done]
            end += 1
        done += 1
    return line, kind, parent, action, first_child, child_count, board
