"""How long something still takes, from how it went lately."""

from collections import deque
from collections.abc import Callable

_KEPT = 200


class Pace:
    """Hears how much is done, and tells the time left."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque(maxlen=_KEPT)  # when how much was done
        self._total = 0

    def tell(self, done: int, total: int) -> None:
        """So much is done of so much."""
        self._total = total
        if not self._seen or self._seen[-1][1] != done:
            self._seen.append((self._clock(), done))

    def seconds_left(self) -> float | None:
        """None as long as nothing can be said."""
        if len(self._seen) < 2:
            return None
        (begin, before), (_, done) = self._seen[0], self._seen[-1]
        rate = (done - before) / max(self._clock() - begin, 1e-9)
        return (self._total - done) / rate if rate > 0 else None
