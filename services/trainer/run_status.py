"""The status of a run, from its record in the ledger."""

from riverboat.contracts.trainer import DeadJob, RunStatus
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.services.trainer.generation.ledger import RunLedger, read_plan
from riverboat.services.trainer.remaining_time import RemainingTime
from riverboat.services.trainer.rounds.kinds import count_rounds
from riverboat.training.plans import RunPlan, TrainingPlan
from riverboat.training.progress import stage_of
from riverboat.training.rounds import RoundsPlan


def run_status(ledger: RunLedger, run_id: str, remaining: RemainingTime | None) -> RunStatus:
    """Return the status of a run; without a plan if this version cannot read it."""
    record = ledger.record(run_id)
    stage, message = stage_of(record.texts["stage"]), record.texts["message"]
    plan: RunPlan | None = None
    round_count = 0
    try:
        plan = read_plan(record.texts["plan"])
        round_count = count_rounds(plan) if isinstance(plan, RoundsPlan) else 0
    except InvalidInput as error:
        message = message or cannot_start(run_id, error)
    return RunStatus(
        run_id=run_id,
        plan=plan,
        stage=stage,
        samples_done=record.counters["samples_done"],
        jobs_done=record.counters["jobs_done"],
        jobs_retried=record.counters["jobs_retried"],
        jobs_dead=record.counters["jobs_dead"],
        jobs_stale=record.counters["jobs_stale"],
        dead=tuple(
            DeadJob(name=_job_name(plan, number), error=record.errors[number]) for number in sorted(record.errors)
        ),
        epochs=record.epochs,
        rounds=record.rounds,
        round_count=round_count,
        seconds_left=None if remaining is None or stage.is_over else remaining.seconds,
        model=record.texts["model"],
        message=message,
    )


def cannot_start(run_id: str, error: RiverboatError) -> str:
    """Return the reason why a run cannot continue, with the command that an operator may use."""
    return f"it cannot continue: {error}; riverboat runs --drop {run_id} forgets it"


def _job_name(plan: RunPlan | None, number: int) -> str:
    return plan.job(number).name if isinstance(plan, TrainingPlan) else str(number)
