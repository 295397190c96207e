"""Board sampling: an iteration visits only some of the boards, and each iteration visits different ones.

The boards that can follow a board form a shuffled circle, and each draw takes the next few. If `count` of `size` boards
are drawn, their chances are multiplied by size / count. After `size` draws every board has been drawn equally often, so
over these draws the chances average to exactly one for every two holdings. Then the circle is shuffled again.
"""

from dataclasses import dataclass, field

import numpy as np

from riverboat.solving.layout import children_of, events_of
from riverboat.solving.subgame import F64, I32, I64, Boards


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The boards of one iteration."""

    boards: I64  # [S]: the root and the drawn boards
    events: I32  # [E, 2]: as in layout.py
    event_first: I64
    chance: F64  # [K]: of drawn boards: multiplied as the module says
    visits: I64  # [K]: how often each board has been drawn, this time included


@dataclass(slots=True, eq=False)
class _Circle:
    """The boards after one board, in the order in which they are drawn."""

    order: I64
    turn: int = 0  # number of the next draw, not the street


@dataclass(slots=True, eq=False)
class BoardSampler:
    """Draws at most `count` of the boards after each board; `count` is at least 1."""

    boards: Boards
    count: int
    rng: np.random.Generator
    _visits: I64 = field(init=False)
    _circles: list[_Circle] = field(init=False)

    def __post_init__(self) -> None:
        self._visits = np.zeros(self.boards.count, np.int64)
        self._circles = [_Circle(np.array(after, np.int64)) for after in children_of(self.boards.parent)]

    def next(self) -> Sample:
        """Return the boards of the next iteration."""
        children, chance = self._take()
        taken = np.array([0, *(board for after in children for board in after)], np.int64)
        events, first = events_of(children)
        return Sample(taken, events, first, chance, self._visits.copy())

    def start_at(self, iteration: int) -> None:
        """Continue as if this many iterations had drawn each board equally often; shuffle every circle again."""
        self._visits[0] = iteration
        for board, circle in enumerate(self._circles):
            size = max(1, len(circle.order))
            self._visits[circle.order] = self._visits[board] * min(self.count, size) // size
            circle.order, circle.turn = self.rng.permutation(circle.order), 0

    def _take(self) -> tuple[list[list[int]], F64]:
        """Draw boards street by street; return the boards drawn after each board, and the chance of every board [K]."""
        chance = self.boards.chance.copy()
        children: list[list[int]] = [[] for _ in self._circles]
        waiting = [0]
        for board in waiting:  # the loop appends the drawn boards, and so comes to their children
            self._visits[board] += 1
            after, stands_for = self._turn(self._circles[board])
            chance[after] *= stands_for
            children[board] = after
            waiting += after
        return children, chance

    def _turn(self, circle: _Circle) -> tuple[list[int], float]:
        """Return the next boards of a circle in ascending order, and the factor for their chances."""
        size = len(circle.order)
        if size <= self.count:
            return circle.order.tolist(), 1.0
        if circle.turn % size == 0:
            circle.order = self.rng.permutation(circle.order)
        places = (circle.turn * self.count + np.arange(self.count)) % size
        circle.turn += 1
        return np.sort(circle.order[places]).tolist(), size / self.count
