"""Train the network of a run: python -m riverboat.services.trainer.learning RUN. The trainer starts this."""

import sys

import structlog
import torch

from riverboat.errors import RiverboatError, Unavailable
from riverboat.rpc.logs import configure_logs
from riverboat.services.trainer.generation.ledger import RunLedger, network_plan
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.learning.learner import Lesson, learn
from riverboat.services.trainer.learning.shard_names import ShardNames
from riverboat.services.trainer.process_watch import EXIT_PASSING
from riverboat.services.trainer.settings import TrainerSettings
from riverboat.services.trainer.store import ObjectStore
from riverboat.training.progress import Stage

log = structlog.get_logger()


def main(run_id: str) -> int:
    """Train the network; return 0 when it is in the store."""
    settings = TrainerSettings()
    configure_logs(settings.log_level, settings.log_format)
    torch.set_num_threads(settings.learning_threads)
    ledger, store = RunLedger(settings.redis), ObjectStore(settings.store)
    try:
        record = ledger.record(run_id)
        plan = network_plan(record.texts["plan"])
        names = ShardNames(plan, ledger.tally.given_up(run_id, plan.job_count))
        origin = Origin(record.texts["code"], record.texts["network"])
        model = learn(Lesson(store, run_id, plan, names, origin), lambda epoch: ledger.add_epoch(run_id, epoch))
        ledger.set_model(run_id, model)
        ledger.change_stage(run_id, [Stage.LEARNING], Stage.DONE)
    except Unavailable as error:
        log.warning("learning_interrupted", run=run_id, reason=str(error))
        return EXIT_PASSING
    except RiverboatError as error:
        log.error("learning_failed", run=run_id, reason=str(error))
        ledger.change_stage(run_id, [Stage.LEARNING], Stage.LEARNING, str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
