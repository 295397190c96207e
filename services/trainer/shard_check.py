"""The check of all shards of a run before a network learns from them."""

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from riverboat.errors import NotFound
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.generation.samples import DamagedShard
from riverboat.services.trainer.generation.shards import StaleShard, read_shard
from riverboat.services.trainer.store import ObjectStore
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import Stage

_NAMED = 5  # shards that messages name
_BETWEEN_LOOKS = 500  # shards, after which the stage of the run is asked for
log = structlog.get_logger()


@dataclass(slots=True)
class ShardReport:
    """The damaged and stale shards of a run."""

    damaged: int = 0
    stale: int = 0
    most_damaged: int = 0  # how often one shard was, at most
    first: tuple[str, ...] = ()  # names of the first that were wrong


def check_shards(
    ledger: RunLedger,
    store: ObjectStore,
    run_id: str,
    plan: TrainingPlan,
    origin: Origin,
    is_closed: Callable[[], bool],
) -> ShardReport | None:
    """Read all shards of a run, and reopen the jobs of those that are damaged or of another origin.

    Return None if the run was stopped meanwhile.
    """
    given_up = set(ledger.tally.given_up(run_id, plan.job_count))
    report = ShardReport()
    for number, job in enumerate(plan.jobs()):
        if is_closed() or (number % _BETWEEN_LOOKS == 0 and ledger.stage(run_id) is not Stage.GENERATING):
            return None
        if number in given_up:
            continue
        try:
            read_shard(store, job.name, origin)
        except (DamagedShard, NotFound, StaleShard) as error:
            is_damaged = not isinstance(error, StaleShard)
            log.warning("shard_refused", shard=job.name, reason=str(error))
            times = ledger.tally.open_again(run_id, number, job.count, is_damaged=is_damaged)
            _count(report, job.name, is_damaged, times)
    return report


def _count(report: ShardReport, name: str, is_damaged: bool, times: int) -> None:
    report.damaged += is_damaged
    report.stale += not is_damaged
    if times > report.most_damaged:
        report.most_damaged = times
        report.first = (name, *report.first)[:_NAMED]  # the worst comes first
    elif len(report.first) < _NAMED:
        report.first += (name,)
