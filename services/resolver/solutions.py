"""The memory of solvers, and the latest solutions, kept for a while so that clients can read their nodes."""

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
from riverboat.solving.traversal import EVALUATE

_MOST_BOARDS = 2  # whose values are kept: a walk through a solution stays on a board for a while


def bytes_of_values(subgame: Subgame) -> int:
    """Return the bytes that a solution's kept values take, including while they are computed."""
    lines = int(np.bincount(subgame.lines.levels()).max())
    live = sum(int((subgame.boards.live & (weights > 0)).sum(axis=1).max()) for weights in subgame.weights)
    return 4 * lines * live * (_MOST_BOARDS + 2)


@dataclass(slots=True, eq=False, kw_only=True)
class KeptSolution:
    """A spot and its solver. Hold the lock while reading or solving."""

    question: SolveQuestion
    spot: PreparedSpot
    solver: Solver
    byte_count: int
    exploitability: float = float("nan")
    users: int = 0  # calls that solve it further or read many nodes; it stays while there are any
    is_released: bool = False  # its client has released it
    lock: Lock = field(default_factory=Lock)
    _values: OrderedDict[int, tuple[Captured, Captured]] = field(default_factory=OrderedDict)

    def values(self, board: int) -> tuple[Captured, Captured]:
        """Return both players' counterfactual values at all lines on a board."""
        if board not in self._values:
            self._values[board] = captured(self.solver, 0, EVALUATE, board), captured(self.solver, 1, EVALUATE, board)
            while len(self._values) > _MOST_BOARDS:
                self._values.popitem(last=False)
        return self._values[board]

    def forget_values(self) -> None:
        """Drop the kept values: the strategies have changed."""
        self._values.clear()


class Solutions:
    """Solutions by handle, which cannot be guessed, and the memory of all of them and of spots being solved."""

    def __init__(self, most: int, byte_limit: int, expire_seconds: int, clock: Callable[[], float]) -> None:
        self.byte_limit, self.expire_seconds = byte_limit, expire_seconds
        self._most, self._clock = most, clock
        self._kept: OrderedDict[str, tuple[KeptSolution, float]] = OrderedDict()
        self._reserved = 0  # bytes of spots being solved
        self._lock = Lock()

    @property
    def count(self) -> int:
        """Number of solutions kept."""
        return len(self._kept)

    @property
    def taken_bytes(self) -> int:
        """Bytes of solutions that are kept and of spots being solved."""
        with self._lock:
            return self._reserved + self._kept_bytes()

    def reserve(self, byte_count: int) -> None:
        """Reserve memory for a solver before it is created; drop the least recently used solutions to make room."""
        if byte_count > self.byte_limit:
            raise TooLarge(
                f"the solver needs {byte_count / 1e9:.3f} GB ({byte_count:,} bytes); the limit is {self.byte_limit:,} "
                "bytes. Use fewer bet sizes, narrower ranges, 16 bits or a cut"
            )
        with self._lock:
            self._drop_expired()
            taken = self._reserved + sum(kept.byte_count for kept, _ in self._kept.values() if kept.users)
            if taken + byte_count > self.byte_limit:
                raise TooLarge(
                    f"the solver needs {byte_count:,} bytes, but spots being solved take {taken:,} of "
                    f"{self.byte_limit:,} bytes; try again later"
                )
            self._reserved += byte_count
            while self._reserved + self._kept_bytes() > self.byte_limit and self._drop_oldest():
                pass

    def free(self, byte_count: int) -> None:
        """Release bytes that were reserved."""
        with self._lock:
            self._reserved -= byte_count

    def keep(self, solution: KeptSolution) -> str:
        """Keep a solution, whose bytes are no longer reserved, and return its handle; the oldest may be dropped."""
        handle = secrets.token_hex(12)
        with self._lock:
            self._drop_expired()
            while len(self._kept) >= self._most and self._drop_oldest():
                pass
            self._kept[handle] = (solution, self._clock())
            self._reserved -= solution.byte_count
        return handle

    def find(self, handle: str) -> KeptSolution:
        """Return the solution with a handle."""
        with self._lock:
            return self._find(handle)

    @contextmanager
    def in_use(self, handle: str) -> Iterator[KeptSolution]:
        """Yield the solution with a handle, and keep it while it is solved further or many nodes are read."""
        with self._lock:
            solution = self._find(handle)
            solution.users += 1
        try:
            yield solution
        finally:
            with self._lock:
                solution.users -= 1

    def _find(self, handle: str) -> KeptSolution:
        self._drop_expired()
        if handle not in self._kept or self._kept[handle][0].is_released:
            raise NotFound(f"no solution has the handle {handle[:30]!r}: it may have expired")
        solution, _ = self._kept.pop(handle)
        self._kept[handle] = (solution, self._clock())
        return solution

    def release(self, handle: str) -> bool:
        """Forget a solution as soon as nobody uses it; return whether there was one."""
        with self._lock:
            if handle not in self._kept or self._kept[handle][0].is_released:
                return False
            self._kept[handle][0].is_released = True
            self._drop_expired()
            return True

    def _kept_bytes(self) -> int:
        return sum(solution.byte_count for solution, _ in self._kept.values())

    def _drop_oldest(self) -> bool:
        """Drop the least recently used solution; return False if there is none to drop."""
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
