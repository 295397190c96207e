"""Memory for solvers, and solutions that can be asked about: some of the latest, for a while."""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from riverboat.contracts.resolver import SolveQuestion
from riverboat.errors import NotFound, TooLarge
from riverboat.services.resolver.spots import PreparedSpot
from riverboat.solving.capture import Captured, captured
from riverboat.solving.cfr import Solver
from riverboat.solving.subgame import Subgame
from riverboat.solving.traverse import EVALUATE

_MOST_BOARDS = 2  # whose values are kept: who walks through a solution stays on a board for a while


def bytes_of_values(subgame: Subgame) -> int:
    """How much the values take that are kept of a solution, and while they are worked out."""
    lines = int(np.bincount(subgame.lines.levels()).max())
    live = sum(int((subgame.boards.live & (weights > 0)).sum(axis=1).max()) for weights in subgame.weights)
    return 4 * lines * live * (_MOST_BOARDS + 2)


@dataclass(slots=True, eq=False)
class Solution:
    """A spot and what was learnt about it; whoever walks through it holds the lock."""

    question: SolveQuestion
    spot: PreparedSpot
    solver: Solver
    byte_count: int
    exploitability: float = float("nan")
    users: int = 0  # who solve it further or read many nodes: it stays meanwhile
    is_released: bool = False  # nobody wants it any more
    lock: Lock = field(default_factory=Lock)
    _values: OrderedDict[int, tuple[Captured, Captured]] = field(default_factory=OrderedDict)

    def values(self, board: int) -> tuple[Captured, Captured]:
        """Both players' counterfactual values at all lines on a board."""
        if board not in self._values:
            self._values[board] = captured(self.solver, 0, EVALUATE, board), captured(self.solver, 1, EVALUATE, board)
            while len(self._values) > _MOST_BOARDS:
                self._values.popitem(last=False)
        return self._values[board]

    def forget_values(self) -> None:
        """What was known is no longer so: more has been learnt."""
        self._values.clear()


class Solutions:
    """Solutions by handle, which nobody can guess, and how much memory is taken by all and by those being solved."""

    def __init__(self, most: int, byte_limit: int, expire_seconds: int, clock: Callable[[], float]) -> None:
        self.byte_limit, self.expire_seconds = byte_limit, expire_seconds
        self._most, self._clock = most, clock
        self._kept: OrderedDict[str, tuple[Solution, float]] = OrderedDict()
        self._reserved = 0  # bytes of what is being solved
        self._lock = Lock()

    @property
    def count(self) -> int:
        """How many are kept."""
        return len(self._kept)

    @property
    def taken_bytes(self) -> int:
        """Of those that are kept and those that are being solved."""
        with self._lock:
            return self._reserved + self._kept_bytes()

    def reserve(self, byte_count: int) -> None:
        """Make room for a solver before it is made; solutions that were used the longest ago may have to go."""
        if byte_count > self.byte_limit:
            raise TooLarge(
                f"it would take {byte_count / 1e9:.3f} GB ({byte_count:,} bytes); the limit is {self.byte_limit:,}. "
                "Fewer bet sizes, narrower ranges, 16 bits or a cut make it smaller"
            )
        with self._lock:
            self._drop_expired()
            taken = self._reserved + sum(kept.byte_count for kept, _ in self._kept.values() if kept.users)
            if taken + byte_count > self.byte_limit:
                raise TooLarge(
                    f"it would take {byte_count:,} bytes, and others that are being solved take {taken:,} of "
                    f"{self.byte_limit:,}: try again later"
                )
            self._reserved += byte_count
            while self._reserved + self._kept_bytes() > self.byte_limit and self._drop_oldest():
                pass

    def free(self, byte_count: int) -> None:
        """Nothing is being solved in so many bytes any more."""
        with self._lock:
            self._reserved -= byte_count

    def keep(self, solution: Solution) -> str:
        """A handle for a solution, whose bytes are no longer reserved; the oldest may have to go."""
        handle = secrets.token_hex(12)
        with self._lock:
            self._drop_expired()
            while len(self._kept) >= self._most and self._drop_oldest():
                pass
            self._kept[handle] = (solution, self._clock())
            self._reserved -= solution.byte_count
        return handle

    def find(self, handle: str) -> Solution:
        """The solution with a handle."""
        with self._lock:
            return self._find(handle)

    @contextmanager
    def in_use(self, handle: str) -> Iterator[Solution]:
        """The solution with a handle, which stays while somebody solves it further or reads many nodes."""
        with self._lock:
            solution = self._find(handle)
            solution.users += 1
        try:
            yield solution
        finally:
            with self._lock:
                solution.users -= 1

    def _find(self, handle: str) -> Solution:
        self._drop_expired()
        if handle not in self._kept or self._kept[handle][0].is_released:
            raise NotFound(f"no solution has the handle {handle[:30]!r}: it may have expired")
        solution, _ = self._kept.pop(handle)
        self._kept[handle] = (solution, self._clock())
        return solution

    def release(self, handle: str) -> bool:
        """Forget a solution, as soon as nobody solves on; whether it was there."""
        with self._lock:
            if handle not in self._kept or self._kept[handle][0].is_released:
                return False
            self._kept[handle][0].is_released = True
            self._drop_expired()
            return True

    def _kept_bytes(self) -> int:
        return sum(solution.byte_count for solution, _ in self._kept.values())

    def _drop_oldest(self) -> bool:
        """Forget the solution that was used the longest ago; False if there is none to forget."""
        for handle, (solution, _) in self._kept.items():
            if not solution.users:
                del self._kept[handle]
                return True
        return False

    def _drop_expired(self) -> None:
        limit = self._clock() - self.expire_seconds
        for handle, (solution, used) in list(self._kept.items()):
            if not solution.users and (solution.is_released or used < limit):
                del self._kept[handle]
