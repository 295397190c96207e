"""Solutions that can be asked about: some of the latest, for a while."""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from riverboat.errors import NotFound
from riverboat.solving.cfr import Solver
from services.resolver.spots import BuiltSpot


@dataclass(slots=True, eq=False)
class Solution:
    """A spot and what was learnt about it; whoever walks through it holds the lock."""

    built: BuiltSpot
    solver: Solver
    lock: Lock = field(default_factory=Lock)


class Solutions:
    """Solutions by handle, which nobody can guess."""

    def __init__(self, most: int, expire_seconds: int, clock: Callable[[], float]) -> None:
        self.expire_seconds = expire_seconds
        self._most, self._clock = most, clock
        self._kept: OrderedDict[str, tuple[Solution, float]] = OrderedDict()
        self._lock = Lock()

    def keep(self, solution: Solution) -> str:
        """A handle for a solution; the one that was used the longest ago may have to go."""
        handle = secrets.token_hex(12)
        with self._lock:
            self._drop_expired()
            while len(self._kept) >= self._most:
                self._kept.popitem(last=False)
            self._kept[handle] = (solution, self._clock())
        return handle

    def find(self, handle: str) -> Solution:
        """The solution with a handle."""
        with self._lock:
            self._drop_expired()
            if handle not in self._kept:
                raise NotFound(f"no solution has the handle {handle[:30]!r}: it may have expired")
            solution, _ = self._kept.pop(handle)
            self._kept[handle] = (solution, self._clock())
            return solution

    def release(self, handle: str) -> bool:
        """Forget a solution; whether it was there."""
        with self._lock:
            return self._kept.pop(handle, None) is not None

    def _drop_expired(self) -> None:
        limit = self._clock() - self.expire_seconds
        for handle in [handle for handle, (_, used) in self._kept.items() if used < limit]:
            del self._kept[handle]
