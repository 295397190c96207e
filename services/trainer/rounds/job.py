"""The worker that does jobs of runs in rounds."""

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from riverboat.errors import NotFound, RiverboatError
from riverboat.services.trainer.generation.ledger import RunLedger, read_plan
from riverboat.services.trainer.generation.worker import OtherCode
from riverboat.services.trainer.rounds.checkpoints import has_result, put_error, put_result, read_state
from riverboat.services.trainer.rounds.kind import RoundsKind
from riverboat.services.trainer.store import ObjectStore
from riverboat.training.progress import Stage
from riverboat.training.rounds import RoundsPlan, read_settings

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, eq=False)
class RoundWorker:
    """Does jobs of runs in rounds, one at a time."""

    store: ObjectStore
    ledger: RunLedger
    find_kind: Callable[[str], RoundsKind]
    code_of: Callable[[str], str]  # hash of the code of a kind, by its name
    machine: str

    def do(self, run_id: str, number: int, job: int, code: str) -> None:
        """Do job `job` of round `number`, unless it is done or the round is over.

        Raise OtherCode if this worker's code is not `code`, the trainer's: then another worker must do it.
        """
        try:
            record = self.ledger.record(run_id)
            checkpoint = read_state(self.store, run_id)
        except NotFound:
            return  # dropped
        plan = read_plan(record.texts["plan"])
        is_due = record.texts["stage"] == Stage.RUNNING.value and checkpoint.number == number
        if not isinstance(plan, RoundsPlan) or not is_due or has_result(self.store, run_id, number, job):
            return
        own = self.code_of(plan.kind)
        if own != code:
            log.error("worker_code_differs", job=job, code=own, expected=code, machine=self.machine)
            raise OtherCode(f"this worker runs code {own}, but the trainer runs {code}: update this checkout")
        kind = self.find_kind(plan.kind)
        try:
            result = kind.job(read_settings(kind.plan, plan.settings), checkpoint.state, number, job)
        except Exception as error:  # a job that fails must not stop later jobs
            log.warning("job_failed", job=job, attempt=1, error=repr(error))
            put_error(self.store, run_id, number, job, str(error) if isinstance(error, RiverboatError) else repr(error))
            return
        put_result(self.store, run_id, number, job, result)
