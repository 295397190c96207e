"""What a worker does with a job: solve it, store the shard, say so."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import structlog

from riverboat.errors import RiverboatError, Unavailable
from riverboat.situations.labels import Care, LeafMaker
from riverboat.training.plans import EXACT, Job
from riverboat.training.progress import Stage
from services.trainer.generating.jobs import code_version, do_job
from services.trainer.generating.ledger import Ledger
from services.trainer.generating.shards import has_whole_shard, put_shard
from services.trainer.store import Store

MOST_ATTEMPTS = 4  # of a job, before it is given up
_WAIT_SECONDS = 1.0
_AGAIN_SECONDS = 0.2
T = TypeVar("T")
log = structlog.get_logger()


@dataclass(frozen=True, slots=True, eq=False)
class Worker:
    """Does jobs, one at a time."""

    store: Store
    ledger: Ledger
    leaf_values: Callable[[str, Job], LeafMaker]  # through a network, by its name
    care: Care

    def do(self, run_id: str, job: Job) -> None:
        """Do a job, unless its shard is there already. Whatever goes wrong, the job is done or given up in the end."""
        if self._patiently(lambda: self.ledger.stage(run_id)) not in (Stage.GENERATING, Stage.PAUSED):
            return  # it was cancelled, or all samples are there and a network learns from them
        start = time.perf_counter()
        if self._patiently(lambda: has_whole_shard(self.store, job)):  # a copy of a job that is done counts for nothing
            self._finish(run_id, job, start, 0)
            return
        attempt = self._patiently(lambda: self.ledger.begin(run_id, job.name))
        if attempt > MOST_ATTEMPTS:
            reason = f"{MOST_ATTEMPTS} workers that began it did not come to its end"
            self._patiently(lambda: self.ledger.give_up(run_id, job.name, reason))
            return
        try:
            self._make(job, start)
        except Exception as error:  # a job that cannot be done must not stop those after it
            self._fail(run_id, job, attempt, error)
            return
        self._finish(run_id, job, start, attempt)

    def _finish(self, run_id: str, job: Job, start: float, attempt: int) -> None:
        seconds = time.perf_counter() - start
        self._patiently(lambda: self.ledger.finish(run_id, job.name, seconds))
        log.info("job done", job=job.name, seconds=round(seconds, 2), attempt=attempt)

    def _make(self, job: Job, start: float) -> None:
        through = None if job.leaf == EXACT else self._patiently(lambda: self.leaf_values(job.leaf, job))
        core_start = time.process_time()
        samples = do_job(job, self.care, through)
        seconds, core_seconds = time.perf_counter() - start, time.process_time() - core_start
        self._patiently(lambda: put_shard(self.store, job, samples, code_version(), seconds, core_seconds))

    def _fail(self, run_id: str, job: Job, attempt: int, error: Exception) -> None:
        log.warning("job failed", job=job.name, attempt=attempt, error=repr(error))
        known = isinstance(error, RiverboatError)  # trying again gives the same
        if known or attempt >= MOST_ATTEMPTS:
            text = str(error) if known else repr(error)
            self._patiently(lambda: self.ledger.give_up(run_id, job.name, text))
            return
        time.sleep(_AGAIN_SECONDS * attempt)
        self.do(run_id, job)

    def _patiently(self, ask: Callable[[], T]) -> T:
        """Ask until Redis or the store answers: what is done already is worth waiting for."""
        while True:
            try:
                return ask()
            except Unavailable as error:
                log.warning("waiting", reason=str(error))
                time.sleep(_WAIT_SECONDS)
