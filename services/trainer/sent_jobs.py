"""Jobs that were sent and are not done yet, and those that seem to be lost."""

from collections.abc import Callable

from riverboat.services.trainer.generation.tally import RunSnapshot


class SentJobs:
    """The jobs of one run that are under way, by number.

    A job that a worker has begun counts as lost if it is not done after `lost_seconds`. A job that nobody has begun may
    just be waiting behind others: it counts as lost if no job at all was begun or done for that long.
    """

    def __init__(self, lost_seconds: float, clock: Callable[[], float]) -> None:
        self._lost_seconds, self._clock = lost_seconds, clock
        self._since: dict[int, float] = {}  # when each was sent or begun
        self._attempts: dict[int, int] = {}  # of each that was begun
        self._moves = 0
        self._moved = clock()  # when a job was last begun, done or sent

    def __contains__(self, number: int) -> bool:
        return number in self._since

    @property
    def numbers(self) -> list[int]:
        """The jobs under way, in the order in which they were sent first."""
        return list(self._since)

    def add(self, number: int) -> None:
        """Note that a job was sent."""
        self._since[number] = self._moved = self._clock()

    def update(self, snapshot: RunSnapshot) -> None:
        """Record the state of the jobs; the snapshot has them in the order of `numbers`."""
        now = self._clock()
        if snapshot.moves != self._moves:
            self._moves, self._moved = snapshot.moves, now
        for number, is_over, attempts in zip(self.numbers, snapshot.over, snapshot.attempts, strict=True):
            if is_over:
                del self._since[number]
                self._attempts.pop(number, None)
            elif attempts != self._attempts.get(number, 0):
                self._since[number], self._attempts[number] = now, attempts

    def lost(self) -> list[int]:
        """Return the jobs that seem to be lost."""
        limit = self._clock() - self._lost_seconds
        return [
            number
            for number, since in self._since.items()
            if since < limit and (number in self._attempts or self._moved < limit)
        ]
