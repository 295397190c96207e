"""Rate limits: a bucket of requests for each client, which fills up again with time."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_MOST_CLIENTS = 50_000


@dataclass(frozen=True, slots=True)
class Rate:
    """How many requests a client may make: at once, and every second afterwards."""

    burst: float
    per_second: float


class Buckets:
    """A bucket for each client by its name; the longest unused are forgotten."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()  # requests left, and when

    def take(self, client: str) -> bool:
        """Take one request from a client's bucket; return whether there was one."""
        now = self._clock()
        level, since = self._levels.pop(client, (self._rate.burst, now))
        level = min(self._rate.burst, level + (now - since) * self._rate.per_second)
        allowed = level >= 1
        self._levels[client] = (level - allowed, now)
        if len(self._levels) > _MOST_CLIENTS:
            self._levels.popitem(last=False)
        return allowed
