"""A worker: it solves a job, stores the shard and reports it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import structlog

from riverboat.errors import RiverboatError, Unavailable
from riverboat.services.trainer.generation.jobs import do_job
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.generation.shards import ShardState, put_shard, shard_state
from riverboat.services.trainer.store import ObjectStore
from riverboat.situations.labels import Care, LeafMaker
from riverboat.training.jobs import EXACT, Job
from riverboat.training.progress import Stage

MOST_ATTEMPTS = 4  # per job; then it is given up
_WAIT_SECONDS = 1.0
_RETRY_SECONDS = 0.2
T = TypeVar("T")
log = structlog.get_logger()


class OtherCode(RiverboatError):
    """A worker's code is not the trainer's: another worker must do the job."""


@dataclass(frozen=True, slots=True, eq=False)
class Worker:
    """Solves jobs, one at a time."""

    store: ObjectStore
    ledger: RunLedger
    leaf_values: Callable[[str, Job], LeafMaker]  # through a network, by its name
    network_hash: Callable[[str], str]  # of a network's file, by its name
    care: Care
    code: str  # hash of the code that this process runs
    machine: str

    def do(self, run_id: str, number: int, job: Job) -> None:
        """Do a job, unless the store already has its shard.

        Whatever happens, the job ends as done or given up, except that OtherCode leaves it to another worker.
        """
        stage, expected = self._patiently(lambda: self.ledger.tally.greet(run_id, self.code, self.machine))
        if stage not in (Stage.GENERATING, Stage.PAUSED):
            return  # it was cancelled or dropped, or all samples are complete and a network learns from them
        if expected != self.code:
            raise self._other_code(job, expected)
        attempt = 0
        try:
            start, origin = time.perf_counter(), self._origin(job)
            state = self._patiently(lambda: shard_state(self.store, job, origin))
            if state is not ShardState.WHOLE:  # a finished job that is delivered again is not solved again
                attempt = self._patiently(lambda: self.ledger.tally.begin(run_id, number))
                if attempt > MOST_ATTEMPTS:
                    self._give_up(run_id, number, f"{MOST_ATTEMPTS} workers began it and none finished it")
                    return
                self._make(job, origin, start)
        except Exception as error:  # a job that fails must not stop later jobs
            self._fail(run_id, number, job, attempt, error)
            return
        self._finish(run_id, number, job, state is ShardState.STALE)
        log.info("job_done", job=job.name, seconds=round(time.perf_counter() - start, 2), attempt=attempt)

    def _origin(self, job: Job) -> Origin:
        network = "" if job.leaf == EXACT else self._patiently(lambda: self.network_hash(job.leaf))
        return Origin(self.code, network)

    def _other_code(self, job: Job, expected: str) -> OtherCode:
        log.error("worker_code_differs", job=job.name, code=self.code, expected=expected, machine=self.machine)
        return OtherCode(f"this worker runs code {self.code}, but the trainer runs {expected}: update this checkout")

    def _finish(self, run_id: str, number: int, job: Job, was_stale: bool) -> None:
        if was_stale:
            log.info("shard_stale", job=job.name, code=self.code)
        counts = self._patiently(
            lambda: self.ledger.tally.finish(run_id, number, job.count, self.code, was_stale=was_stale)
        )
        if not counts:  # the trainer was updated meanwhile
            log.error("result_refused", job=job.name, code=self.code, reason="the trainer runs other code now")

    def _make(self, job: Job, origin: Origin, start: float) -> None:
        leaf_values = None if job.leaf == EXACT else self._patiently(lambda: self.leaf_values(job.leaf, job))
        core_start = time.process_time()
        samples = do_job(job, self.care, leaf_values)
        seconds, core_seconds = time.perf_counter() - start, time.process_time() - core_start
        self._patiently(lambda: put_shard(self.store, job, samples, origin, seconds, core_seconds))

    def _fail(self, run_id: str, number: int, job: Job, attempt: int, error: Exception) -> None:
        log.warning("job_failed", job=job.name, attempt=attempt, error=repr(error))
        is_known = isinstance(error, RiverboatError)  # a retry gives the same error
        if is_known or not 0 < attempt < MOST_ATTEMPTS:
            self._give_up(run_id, number, str(error) if is_known else repr(error))
            return
        time.sleep(_RETRY_SECONDS * attempt)
        self.do(run_id, number, job)

    def _give_up(self, run_id: str, number: int, reason: str) -> None:
        self._patiently(lambda: self.ledger.tally.give_up(run_id, number, reason))

    def _patiently(self, ask: Callable[[], T]) -> T:
        """Return the answer of `ask`, which is called until Redis or the store answers: finished work is not lost."""
        while True:
            try:
                return ask()
            except Unavailable as error:
                log.warning("worker_waiting", reason=str(error))
                time.sleep(_WAIT_SECONDS)
