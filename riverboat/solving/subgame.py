"""Subgames, which solvers solve: a tree of betting lines, the boards they are played on, two ranges, and payoffs.

Betting does not depend on which cards are dealt, so the tree is kept in two parts: lines, the betting without
cards, and boards, what chance deals. A node is a line on a board. Nothing here knows what a card is: a holding is
one or two items, and two holdings exclude each other when they share one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput, in_field

ACT, CHANCE, FOLDED, SHOWDOWN, LEAF = range(5)  # kinds of lines
MOST_ITEMS = 200
_LEAST_WEIGHT = 1e-6  # so that sums of weights and their products fit into float32

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Reals = NDArray[np.floating]  # float32, or float64 where a solver is asked for it
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
# Of a board, for holdings of player 0 and of player 1: player 0's winnings per chip at stake [rows, columns]; 0 where
# holdings exclude each other
UtilityOf = Callable[[int, I32, I32], F32]


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The betting: L lines, parents before children, children in a row; the root is line 0.

    A line ends with a fold (FOLDED), a comparison of holdings (SHOWDOWN) or a cut (LEAF); a CHANCE line has one
    child, which is played on every board that follows.
    """

    kind: NDArray[np.int8]  # [L]
    player: NDArray[np.int8]  # [L]: the player who acts, or who has folded; -1 for nobody
    parent: I32  # [L], -1 for the root
    first_child: I32  # [L]
    child_count: I32  # [L]
    action: I64  # [L]: a label for the action that led here
    stake: F64  # [L]: chips that change hands at the end of the line, one way or the other

    @property
    def count(self) -> int:
        """Number of lines, L."""
        return len(self.kind)

    def levels(self) -> I32:
        """Return how many deals are above each line [L]."""
        level = np.zeros(self.count, np.int32)
        for line in range(1, self.count):
            above = self.parent[line]
            level[line] = level[above] + (self.kind[above] == CHANCE)
        return level


def two_player_lines(
    *,
    kind: NDArray[np.int8],
    actor: NDArray[np.integer],
    folded: NDArray[np.integer],
    parent: NDArray[np.integer],
    first_child: NDArray[np.integer],
    child_count: NDArray[np.integer],
    action: NDArray[np.integer],
    pot: NDArray[np.integer],
    paid: NDArray[np.integer],
) -> Lines:
    """Return lines from the players' payments [L, 2] and folds [L, 2]; uncalled chips go back."""
    player = actor.astype(np.int8)
    player[kind == FOLDED] = folded[kind == FOLDED].argmax(axis=1)
    stake = (pot - np.abs(paid[:, 0] - paid[:, 1])) / 2
    above, first, count = (array.astype(np.int32) for array in (parent, first_child, child_count))
    return Lines(
        kind=kind,
        player=player,
        parent=above,
        first_child=first,
        child_count=count,
        action=action.astype(np.int64),
        stake=stake,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """The K boards that chance deals, parents before children; board 0 is the root's.

    Of boards that differ only in the names of suits, one is kept. Its `mirrors` stand for the others: they say where
    each holding goes when the names are exchanged.
    """

    level: I32  # [K]: how many deals lead here
    parent: I32  # [K], -1 for the root
    chance: F64  # [K]: the probability of this board after its parent, given two holdings that allow it
    live: NDArray[np.bool_]  # [K, H]: which holdings are possible
    mirrors: tuple[I32, ...]  # K times [M, H]

    @property
    def count(self) -> int:
        """Number of boards, K."""
        return len(self.parent)

    def mirrors_below(self, board: int) -> list[I32]:
        """Return all exchanges that merge boards after this one: strategies on it must not differ under them."""
        below = np.zeros(self.count, np.bool_)
        below[board] = True
        mirrors: dict[bytes, I32] = {}
        for k in range(board + 1, self.count):
            below[k] = below[self.parent[k]]
            if below[k]:
                mirrors |= {mirror.tobytes(): mirror for mirror in self.mirrors[k]}
        return list(mirrors.values())


@dataclass(frozen=True, slots=True, eq=False)
class Subgame:
    """The input of a solver; `check` raises unless it can be solved."""

    lines: Lines
    boards: Boards
    items: NDArray[np.uint8]  # [H, 1 or 2]: the items that a holding is made of
    weights: F32  # [2, H]: both ranges
    strengths: NDArray[np.integer]  # [K, H]: larger wins; a row of zeros where `utility` decides
    utility: UtilityOf | None = None

    @property
    def holding_count(self) -> int:
        """Number of holdings, H."""
        return len(self.items)

    def opposing_weights(self) -> F64:
        """Return for each player's holding the sum of the opponent's weights that it does not exclude [2, H]."""
        live = self.weights.astype(np.float64) * self.boards.live[0]
        opposing: F64 = np.array([compatible(self.items, weights) for weights in live[::-1]]) * self.boards.live[0]
        return opposing

    def pair_weight(self) -> float:
        """Return the sum of the weights of all pairs of holdings that do not exclude each other."""
        return float((self.weights[0].astype(np.float64) * self.opposing_weights()[0]).sum())

    def check(self) -> None:
        """Raise InvalidInput unless this can be solved."""
        with in_field("lines"):
            _check_lines(self.lines)
        _check_items(self.items)
        with in_field("boards"):
            _check_boards(self)
        _check_weights(self)
        _check_showdowns(self)


def compatible(items: NDArray[np.uint8], weights: F64) -> F64:
    """Return for each holding the sum of the weights [H] of those that share no item with it [H]."""
    if items.shape[1] == 1:
        others: F64 = weights.sum() - np.bincount(items[:, 0], weights)[items[:, 0]]
        return others
    of_item = np.zeros(MOST_ITEMS)
    for place in (0, 1):
        np.add.at(of_item, items[:, place], weights)
    rest: F64 = weights.sum() - of_item[items[:, 0]] - of_item[items[:, 1]] + weights
    return rest


def _check_lines(lines: Lines) -> None:
    if lines.count == 0:
        raise InvalidInput("", "there are none")
    for name in ("player", "parent", "first_child", "child_count", "action", "stake"):
        if getattr(lines, name).shape != (lines.count,):
            raise InvalidInput(name, f"must be [{lines.count}]")
    if ((lines.kind < ACT) | (lines.kind > LEAF)).any():
        raise InvalidInput("kind", f"must be {ACT} to {LEAF}")
    if lines.kind[0] not in (ACT, CHANCE):
        raise InvalidInput("kind[0]", "nobody acts at the root: there is nothing to solve")
    inner = (lines.kind == ACT) | (lines.kind == CHANCE)
    for line in np.flatnonzero(inner):
        count, first = int(lines.child_count[line]), int(lines.first_child[line])
        if count < 1 or first <= line or first + count > lines.count:
            raise InvalidInput(f"child_count[{line}]", f"{count} children from {first} on are impossible here")
        if (lines.parent[first : first + count] != line).any():
            raise InvalidInput(f"parent[{first}]", f"must be {line}, whose child it is")
        if lines.kind[line] == CHANCE and count != 1:
            raise InvalidInput(f"child_count[{line}]", f"one line follows a deal, not {count}")
    if (lines.child_count[~inner] != 0).any() or int(lines.child_count.sum()) != lines.count - 1:
        raise InvalidInput("child_count", "every line but the root must be the child of one other")
    acts = (lines.kind == ACT) | (lines.kind == FOLDED)
    if ((lines.player[acts] < 0) | (lines.player[acts] > 1)).any():
        raise InvalidInput("player", "must be 0 or 1")
    ends = ~inner
    if not (np.isfinite(lines.stake[ends]) & (lines.stake[ends] >= 0)).all():
        raise InvalidInput("stake", "must be finite and not negative where a line ends")


def _check_boards(subgame: Subgame) -> None:
    boards, lines = subgame.boards, subgame.lines
    if boards.count == 0 or boards.parent[0] != -1 or boards.level[0] != 0:
        raise InvalidInput("", "the first must be the root's")
    for board in range(1, boards.count):
        above = boards.parent[board]
        if not 0 <= above < board or boards.level[board] != boards.level[above] + 1:
            raise InvalidInput(f"parent[{board}]", f"cannot be {above}")
    deepest = int(lines.levels().max())
    if int(boards.level.max()) != deepest:
        raise InvalidInput("level", f"the lines have {deepest} deals, the boards {int(boards.level.max())}")
    followed = np.bincount(boards.parent[1:], minlength=boards.count) > 0
    if (~followed[boards.level < deepest]).any():
        raise InvalidInput("parent", "a board before the last deal is followed by none")
    if not (boards.chance[1:] > 0).all():
        raise InvalidInput("chance", "must be positive")
    if boards.live.shape != (boards.count, subgame.holding_count):
        raise InvalidInput("live", f"must be [{boards.count}, {subgame.holding_count}]")
    if (boards.live[1:] & ~boards.live[boards.parent[1:]]).any():
        raise InvalidInput("live", "what a board leaves, the one before it must leave too")
    _check_mirrors(boards)


def _check_mirrors(boards: Boards) -> None:
    if len(boards.mirrors) != boards.count:
        raise InvalidInput("mirrors", f"must be {boards.count}, not {len(boards.mirrors)}")
    every = np.arange(boards.live.shape[1])
    for board, mirrors in enumerate(boards.mirrors):
        for mirror in mirrors:
            if not np.array_equal(np.sort(mirror), every):
                raise InvalidInput(f"mirrors[{board}]", "must be permutations of all holdings")
            before = boards.live[boards.parent[board]]
            if board == 0 or not np.array_equal(before[mirror], before):
                raise InvalidInput(f"mirrors[{board}]", "must leave the board before as it is")


def _check_items(items: NDArray[np.uint8]) -> None:
    if items.ndim != 2 or items.shape[1] not in (1, 2):
        raise InvalidInput("items", "must be [H, 1] or [H, 2]")
    used = int(items.max()) + 1 + (len(items) if items.shape[1] == 1 else 0)  # a second item is made up
    if used > MOST_ITEMS:
        raise InvalidInput("items", f"{used} are too many; the limit is {MOST_ITEMS}")


def _check_weights(subgame: Subgame) -> None:
    if subgame.weights.shape != (2, subgame.holding_count):
        raise InvalidInput("weights", f"must be [2, {subgame.holding_count}], not {list(subgame.weights.shape)}")
    for player, weights in enumerate(subgame.weights):
        with in_field(f"weights[{player}]"):
            check_range(weights, subgame.boards.live[0])
    if not subgame.pair_weight() > 1e-12 * float(subgame.weights[0].sum()) * float(subgame.weights[1].sum()):
        raise InvalidInput("weights", "the ranges exclude each other: no two holdings can be dealt together")
    for board, mirrors in enumerate(subgame.boards.mirrors):
        for mirror in mirrors:
            if not np.array_equal(subgame.weights[:, mirror], subgame.weights):
                raise InvalidInput(f"boards.mirrors[{board}]", "the ranges differ under this exchange of suits")


def check_range(weights: F32, live: NDArray[np.bool_]) -> None:
    """Raise InvalidInput unless these are weights of a range with something possible in it."""
    bad = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if len(bad):
        raise InvalidInput(f"[{bad[0]}]", f"must be finite and not negative, not {weights[bad[0]]}")
    if not weights[live].any():  # a sum may be more than a float32 takes
        raise InvalidInput("", "nothing in this range is possible on this board")
    if not _LEAST_WEIGHT <= weights[live].max() <= 1 / _LEAST_WEIGHT:
        limits = f"between {_LEAST_WEIGHT:g} and {1 / _LEAST_WEIGHT:g}"
        raise InvalidInput("", f"the largest weight must be {limits}, not {weights[live].max():g}")


def _check_showdowns(subgame: Subgame) -> None:
    lines, boards = subgame.lines, subgame.boards
    if subgame.strengths.shape != (boards.count, subgame.holding_count):
        raise InvalidInput("strengths", f"must be [{boards.count}, {subgame.holding_count}]")
    if subgame.utility is not None:
        return
    levels = set(lines.levels()[lines.kind == SHOWDOWN].tolist())
    for board in range(boards.count):
        if int(boards.level[board]) in levels and not subgame.strengths[board].any():
            raise InvalidInput(f"strengths[{board}]", "there are none, and no utility either")
