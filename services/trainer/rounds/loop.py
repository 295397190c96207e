"""The loop of a run in rounds: jobs for the workers, then a step from their results, then a checkpoint."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from riverboat.errors import NotFound, RiverboatError
from riverboat.services.trainer.artefacts import get_artefact, put_artefact
from riverboat.services.trainer.rounds.checkpoints import (
    Checkpoint,
    forget_error,
    forget_round,
    has_result,
    read_error,
    read_result,
    read_state,
    write_state,
)
from riverboat.services.trainer.rounds.kind import RoundsKind, TellMessage
from riverboat.services.trainer.store import ObjectStore
from riverboat.training.rounds import Round

_LOOK_SECONDS = 0.05


class JobFailed(RiverboatError):
    """A job of a round cannot be done."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RoundsRun:
    """A run under way, with its store and its functions."""

    run_id: str
    kind: RoundsKind
    plan: Any
    store: ObjectStore
    send: Callable[[int, int], None]  # a job by its round and number, to the queue
    tell: Callable[[Round], None]
    say: TellMessage
    ahead: int  # jobs in the queue or being done
    lost_seconds: float  # after which an unfinished job is sent again
    threads: int

    def finish(self) -> str:
        """Go through all remaining rounds; return the name of the artefact."""
        checkpoint = self._begin()
        while checkpoint.number < self.kind.round_count(self.plan):
            checkpoint = self._round(checkpoint)
        return put_artefact(self.store, self.kind.name, self.kind.export(self.plan, checkpoint.state), self.run_id)

    def _begin(self) -> Checkpoint:
        try:
            checkpoint = read_state(self.store, self.run_id)
        except NotFound:
            checkpoint = Checkpoint(
                0, self.kind.begin(self.plan, self.say, lambda name: get_artefact(self.store, name))
            )
            write_state(self.store, self.run_id, checkpoint)
        if checkpoint.number < self.kind.round_count(self.plan):
            for job in range(self.kind.job_count(self.plan, checkpoint.number)):
                forget_error(self.store, self.run_id, checkpoint.number, job)
        return checkpoint

    def _round(self, checkpoint: Checkpoint) -> Checkpoint:
        number = checkpoint.number
        job_count = self.kind.job_count(self.plan, number)
        self._do_jobs(number, job_count)
        results = [read_result(self.store, self.run_id, number, job) for job in range(job_count)]
        state, measures = self.kind.learn(self.plan, checkpoint.state, number, results, self.threads, self.say)
        following = Checkpoint(number + 1, state)
        self.tell(Round(number + 1, measures))  # again after a restart, with the same numbers
        write_state(self.store, self.run_id, following)
        forget_round(self.store, self.run_id, number, job_count)
        return following

    def _do_jobs(self, number: int, job_count: int) -> None:
        """Send the jobs of a round until all are done; raise JobFailed if one fails."""
        waiting = [job for job in range(job_count) if not has_result(self.store, self.run_id, number, job)]
        sent: dict[int, float] = {}
        while waiting:
            now = time.monotonic()
            for job in waiting[: self.ahead]:
                if job not in sent or now - sent[job] > self.lost_seconds:
                    self.send(number, job)
                    sent[job] = now
            time.sleep(_LOOK_SECONDS)
            for job in [job for job in waiting if job in sent]:
                if has_result(self.store, self.run_id, number, job):
                    waiting.remove(job)
                elif reason := read_error(self.store, self.run_id, number, job):
                    raise JobFailed(f"job {job} of round {number + 1}: {reason}")
