"""Go through the rounds of a run: python -m riverboat.services.trainer.rounds RUN. The trainer starts this."""

import sys

import structlog

from riverboat.errors import InvalidInput, RiverboatError, Unavailable
from riverboat.rpc.logs import configure_logs
from riverboat.services.trainer.generation.job_queue import queue_app, send_round_job
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.process_watch import EXIT_PASSING
from riverboat.services.trainer.rounds.kind_code import code_of
from riverboat.services.trainer.rounds.kinds import find_kind
from riverboat.services.trainer.rounds.loop import RoundsRun
from riverboat.services.trainer.settings import TrainerSettings
from riverboat.services.trainer.store import ObjectStore
from riverboat.training.progress import Stage
from riverboat.training.rounds import RoundsPlan, read_settings

log = structlog.get_logger()


def main(run_id: str) -> int:
    """Go through all rounds; return 0 once the artefact is in the store."""
    settings = TrainerSettings()
    configure_logs(settings.log_level, settings.log_format)
    ledger, store = RunLedger(settings.redis), ObjectStore(settings.store)
    app = queue_app(settings.redis, settings.lost_seconds)
    try:
        plan = ledger.plan(run_id)
        if not isinstance(plan, RoundsPlan):
            raise InvalidInput("plan", f"run {run_id} is not in rounds")
        kind, code = find_kind(plan.kind), code_of(plan.kind)
        run = RoundsRun(
            run_id=run_id,
            kind=kind,
            plan=read_settings(kind.plan, plan.settings),
            store=store,
            send=lambda number, job: send_round_job(app, run_id, number, job, code),
            tell=lambda each: ledger.add_round(run_id, each),
            say=lambda message: ledger.set_message(run_id, message),
            ahead=settings.ahead,
            lost_seconds=settings.lost_seconds,
            threads=settings.learning_threads,
        )
        ledger.set_model(run_id, run.finish())
        ledger.change_stage(run_id, [Stage.RUNNING], Stage.DONE)
    except Unavailable as error:
        log.warning("rounds_interrupted", run=run_id, reason=str(error))
        return EXIT_PASSING
    except RiverboatError as error:
        log.error("rounds_failed", run=run_id, reason=str(error))
        ledger.change_stage(run_id, [Stage.RUNNING], Stage.RUNNING, str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
