"""An estimate of the time left, from the recent rate of work."""

from collections import deque
from collections.abc import Callable

_KEPT = 200  # changes from which the rate is computed


class RemainingTime:
    """Records the progress of some work, and estimates the time left."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._changes: deque[tuple[float, int]] = deque(maxlen=_KEPT)  # the time, and the amount done by then
        self._total = 0

    def update(self, done: int, total: int) -> None:
        """Record the amount of work done, and the whole amount."""
        self._total = total
        if not self._changes or self._changes[-1][1] != done:
            self._changes.append((self._clock(), done))

    @property
    def seconds(self) -> float | None:
        """The estimate; None while the rate is unknown."""
        if len(self._changes) < 2:
            return None
        (begin, before), (_, done) = self._changes[0], self._changes[-1]
        rate = (done - before) / max(self._clock() - begin, 1e-9)
        return (self._total - done) / rate if rate > 0 else None
