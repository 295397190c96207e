"""Jobs that were sent and are not done yet, and which of them seem to be lost."""

from collections.abc import Callable, Mapping


class UnderWay:
    """Follows the jobs of one run.

    A job that a worker has begun is lost if it is not done some time later. One that nobody has begun may just wait
    behind others: it is lost if for that time no job at all was begun or done.
    """

    def __init__(self, lost_seconds: float, clock: Callable[[], float]) -> None:
        self._lost_seconds, self._clock = lost_seconds, clock
        self._since: dict[str, float] = {}  # when each was sent or begun
        self._begun: Mapping[str, int] = {}
        self._over_count = 0
        self._moved = clock()  # when anything has happened

    def __contains__(self, name: str) -> bool:
        return name in self._since

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._since)

    def sent(self, name: str) -> None:
        """A job was sent."""
        self._since[name] = self._moved = self._clock()

    def look(self, over: set[str], begun: Mapping[str, int]) -> None:
        """What is over by now, and how often each job was begun."""
        now = self._clock()
        if begun != self._begun or len(over) != self._over_count:
            self._moved = now
        for name in [name for name in self._since if name in over]:
            del self._since[name]
        for name in self._since:
            if begun.get(name) != self._begun.get(name):
                self._since[name] = now
        self._begun, self._over_count = begun, len(over)

    def lost(self) -> list[str]:
        """Those that seem to be lost."""
        limit = self._clock() - self._lost_seconds
        return [
            name
            for name, since in self._since.items()
            if since < limit and (name in self._begun or self._moved < limit)
        ]
