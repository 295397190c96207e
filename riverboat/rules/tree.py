"""Public trees: everything that can happen from a public state on, as flat arrays without any private card.

The betting is expanded once, without cards, into lines (`lines.py`); then every line is repeated on each board it
can be reached with. Where nobody can bet any more the tree ends in a showdown, on the board so far, with the rest
of the board to come.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput, TooLarge
from riverboat.rules.bet_sizes import BetSizes
from riverboat.rules.betting import ACTOR, CHANCE, HEAD, OUT, PAID, POT, STREET
from riverboat.rules.depth import LEAF, Depth
from riverboat.rules.lines import MOST_NODES, BettingTree, LineArrays, check_root, count_lines, expand_betting, size_of
from riverboat.rules.public_state import PublicState

__all__ = [
    "LEAF",
    "MOST_NODES",
    "BettingTree",
    "Depth",
    "PublicTree",
    "Subtree",
    "count_nodes",
    "expand",
    "expand_betting",
]

I64 = NDArray[np.int64]
I32 = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Subtree:
    """A tree to expand: its root, bet sizes and depth, and how many boards follow each board (None for all)."""

    root: PublicState
    sizes: BetSizes
    depth: Depth | None
    boards: int | None
    seed: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PublicTree:
    """A tree of N nodes, parents before children; the root is node 0."""

    root: PublicState
    states: I64  # [L, state size], of each line of betting
    line: I32  # [N], the line that a node is on
    kind: NDArray[np.int8]  # [N]: ACT, CHANCE, FOLDED, SHOWDOWN or LEAF
    parent: I32  # [N], -1 for the root
    action: I64  # [N]: that led here from the parent: FOLD, CALL or the chips raised to; CALL after a deal
    first_child: I32  # [N], the children follow one another
    child_count: I32  # [N]
    board: I32  # [N], a row of boards
    boards: NDArray[np.uint8]  # [K, cards of a whole board], the first board_sizes of each are dealt
    board_sizes: NDArray[np.int8]  # [K]

    @property
    def node_count(self) -> int:
        """Number of nodes, N."""
        return len(self.kind)

    @property
    def actor(self) -> NDArray[np.int8]:
        """The seat that acts at each node [N]; -1 where nobody does."""
        return self.column(ACTOR).astype(np.int8)

    @property
    def street(self) -> NDArray[np.int8]:
        """The street of each node [N]."""
        return self.column(STREET).astype(np.int8)

    @property
    def pot(self) -> I64:
        """The pot at each node, in chips [N]."""
        return self.column(POT)

    @property
    def paid(self) -> I64:
        """Chips that each seat has paid in the hand at each node [N, P]."""
        return self.columns(PAID)

    @property
    def folded(self) -> NDArray[np.bool_]:
        """Whether each seat has folded at each node [N, P]."""
        return self.columns(OUT) > 0

    def column(self, place: int, part: slice = slice(None)) -> I64:
        """Return one number of the state of each node in `part` [n]; `place` is one of betting.py's."""
        numbers: I64 = self.states[self.line[part], place]
        return numbers

    def columns(self, block: int, part: slice = slice(None)) -> I64:
        """Return one number for each seat of each node in `part` [n, P]; `block` is one of betting.py's."""
        count = self.root.player_count
        first = HEAD + block * count
        numbers: I64 = self.states[self.line[part], first : first + count]
        return numbers

    def state(self, node: int) -> PublicState:
        """Return the state of a node."""
        index = self.board[node]
        board = tuple(self.boards[index, : self.board_sizes[index]].tolist())
        return PublicState(self.root.variant, self.root.rules, self.states[self.line[node]], board)


def count_nodes(
    root: PublicState, sizes: BetSizes, depth: Depth | None = None, boards: int | None = None, limit: int = MOST_NODES
) -> int:
    """Return how many nodes the tree would have; more than `limit` means that counting stopped there."""
    return count_lines(root, sizes, depth, _board_counts(root, boards), limit, limit)


def expand(
    root: PublicState,
    sizes: BetSizes,
    depth: Depth | None = None,
    boards: int | None = None,
    rng: np.random.Generator | None = None,
    limit: int = MOST_NODES,
) -> PublicTree:
    """Return the tree below `root`, with raises of these sizes, down to a depth or to the end of the hand.

    `boards` limits how many boards follow each board, sampled by `rng`; without it every possible board follows.
    All nodes on one board are followed by the same boards.
    """
    check_root(root)
    if boards is not None and (boards < 1 or rng is None):
        raise InvalidInput("boards", "must be at least 1 and come with a random generator")
    node_count = count_nodes(root, sizes, depth, boards, limit)
    if node_count > limit:
        size = size_of(root, sizes, depth, _board_counts(root, boards))
        raise TooLarge(f"the tree has {size} nodes; the limit is {limit:,}")
    lines = expand_betting(root, sizes, depth, limit)
    dealt = _boards(root, lines.states, boards, rng)
    nodes = _repeat_lines(lines.arrays, dealt.next_first, dealt.next_count, node_count)
    return PublicTree(root=root, states=lines.states, boards=dealt.cards, board_sizes=dealt.sizes, **nodes._asdict())


def _board_counts(root: PublicState, boards: int | None) -> list[int]:
    """Return how many boards there are on each street, from the root's on; 0 before it."""
    sizes = root.variant.board_sizes
    counts = [0] * root.street + [1]
    for street in range(root.street, len(sizes) - 1):
        left = len(root.variant.deck.cards) - sizes[street]
        ways = comb(left, sizes[street + 1] - sizes[street])
        counts.append(counts[-1] * (ways if boards is None else min(ways, boards)))
    return counts


class _Boards(NamedTuple):
    """All boards that the lines of a tree reach, and which boards follow each."""

    cards: NDArray[np.uint8]  # [K, cards of a whole board]
    sizes: NDArray[np.int8]  # [K], how many of them are dealt
    next_first: I64  # [K], the first board that follows
    next_count: I64  # [K], how many boards follow


def _boards(root: PublicState, states: I64, boards: int | None, rng: np.random.Generator | None) -> _Boards:
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
    return _Boards(table, lengths, np.array(first, np.int64), np.array(count, np.int64))


def _following(
    root: PublicState, board: Sequence[int], more: int, boards: int | None, rng: np.random.Generator | None
) -> list[tuple[int, ...]]:
    """Return sets of `more` cards that may come next: all of them, or `boards` sampled ones."""
    rest = [card for card in root.variant.deck.cards if card not in board]
    if boards is None or rng is None or boards >= comb(len(rest), more):
        return list(combinations(rest, more))
    sampled: set[tuple[int, ...]] = set()
    while len(sampled) < boards:
        sampled.add(tuple(sorted(rng.choice(rest, more, replace=False).tolist())))
    return sorted(sampled)


class _NodeArrays(NamedTuple):
    """The arrays [N] of a public tree, in its order."""

    line: I32
    kind: NDArray[np.int8]
    parent: I32
    action: I64
    first_child: I32
    child_count: I32
    board: I32


@kernel
def _repeat_lines(lines: LineArrays, next_first: I64, next_count: I64, size: int) -> _NodeArrays:
    """Return the nodes, breadth first: every line on each board that it is reached with.

    Board k is followed by `next_count[k]` boards from `next_first[k]` on.
    """
    line, board, parent = np.zeros(size, np.int32), np.zeros(size, np.int32), np.full(size, -1, np.int32)
    kind, action = np.zeros(size, np.int8), np.zeros(size, np.int64)
    first_child, child_count = np.zeros(size, np.int32), np.zeros(size, np.int32)
    done, end = 0, 1
    while done < end:
        at = line[done]
        kind[done], action[done] = lines.kind[at], lines.action[at]
        is_deal = lines.kind[at] == CHANCE
        child_count[done] = next_count[board[done]] if is_deal else lines.child_count[at]
        first_child[done] = end if child_count[done] else 0
        for i in range(child_count[done]):
            parent[end] = done
            line[end] = lines.first_child[at] if is_deal else lines.first_child[at] + i
            board[end] = next_first[board[done]] + i if is_deal else board[done]
            end += 1
        done += 1
    return _NodeArrays(
        line=line,
        kind=kind,
        parent=parent,
        action=action,
        first_child=first_child,
        child_count=child_count,
        board=board,
    )
