"""Which jobs of a run to send next: a few at a time, in order, without ever holding all of them."""

import time

import structlog

from riverboat.services.trainer.generation.tally import Look, Tally
from riverboat.services.trainer.sent_jobs import UnderWay
from riverboat.training.plans import TrainingPlan

log = structlog.get_logger()


class Feeder:
    """Keeps so many jobs of one run under way, and no more: a queue never grows without end."""

    def __init__(self, tally: Tally, run_id: str, plan: TrainingPlan, ahead: int, lost_seconds: float) -> None:
        self._tally, self._run_id, self._job_count, self._ahead = tally, run_id, plan.job_count, ahead
        self._under_way = UnderWay(lost_seconds, time.monotonic)
        self._next = 0  # every open job before it is under way
        self.strangers = 0  # machines with other code that were named already

    def look(self) -> Look:
        """Return where the run stands."""
        look = self._tally.look(self._run_id, self._under_way.numbers)
        self._under_way.look(look)
        return look

    def due(self) -> list[int]:
        """Return the jobs to send: those that seem to be lost, then as many open ones as there is room for."""
        lost = self._under_way.lost()
        for number in lost:
            log.warning("job sent again", run=self._run_id, job=number)
        room = self._ahead - len(self._under_way.numbers)
        if room <= 0 or self._next >= self._job_count:
            return lost
        return [*lost, *self._tally.open_jobs(self._run_id, self._next, self._job_count, room)]

    def sent(self, number: int) -> None:
        """A job was sent."""
        self._under_way.sent(number)
        self._next = max(self._next, number + 1)
