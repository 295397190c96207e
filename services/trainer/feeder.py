"""The jobs of a run to send next: a few at a time, in order, never all in memory."""

import time

import structlog

from riverboat.services.trainer.generation.tally import JobTally, RunSnapshot
from riverboat.services.trainer.sent_jobs import SentJobs
from riverboat.training.plans import TrainingPlan

log = structlog.get_logger()


class Feeder:
    """Keeps at most `ahead` jobs of one run under way, so that the queue stays short."""

    def __init__(self, tally: JobTally, run_id: str, plan: TrainingPlan, ahead: int, lost_seconds: float) -> None:
        self._tally, self._run_id, self._job_count, self._ahead = tally, run_id, plan.job_count, ahead
        self._sent = SentJobs(lost_seconds, time.monotonic)
        self._next = 0  # every open job before it is under way
        self.strangers = 0  # machines with other code that were already logged

    def snapshot(self) -> RunSnapshot:
        """Return where the run stands."""
        snapshot = self._tally.snapshot(self._run_id, self._sent.numbers)
        self._sent.update(snapshot)
        return snapshot

    def due(self) -> list[int]:
        """Return the jobs to send: those that seem to be lost, then as many open ones as fit."""
        lost = self._sent.lost()
        for number in lost:
            log.warning("job_resent", run=self._run_id, job=number)
        room = self._ahead - len(self._sent.numbers)
        if room <= 0 or self._next >= self._job_count:
            return lost
        return [*lost, *self._tally.open_jobs(self._run_id, self._next, self._job_count, room)]

    def sent(self, number: int) -> None:
        """Note that a job was sent."""
        self._sent.add(number)
        self._next = max(self._next, number + 1)
