"""The conductor of runs: feeds the queue, follows the jobs, and starts learning when all samples are complete.

Everything that counts is in the ledger and the store, so a conductor that is killed continues where it was.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from subprocess import Popen
from threading import Event, Lock, Thread

import structlog

from riverboat.contracts.trainer import RunStatus
from riverboat.errors import RiverboatError, Unavailable
from riverboat.services.trainer.feeder import Feeder
from riverboat.services.trainer.generation.ledger import RunLedger, network_plan
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.models import network_hash
from riverboat.services.trainer.process_watch import MOST_FALLS, STOP_SECONDS, ProcessEnd, ProcessWatch, ReadProgress
from riverboat.services.trainer.remaining_time import RemainingTime
from riverboat.services.trainer.rounds.kinds import count_rounds
from riverboat.services.trainer.run_status import cannot_start, run_status
from riverboat.services.trainer.shard_check import ShardReport, check_shards
from riverboat.services.trainer.store import RUNS, ObjectStore, checkpoint_name
from riverboat.training.jobs import EXACT, Job
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import Stage
from riverboat.training.rounds import RoundsPlan

_TICK_SECONDS = 0.2
_WAIT_SECONDS = 1.0
_MOST_DEAD = 0.01  # of all jobs: a run with more fails
_MOST_DAMAGED = 3  # times that a shard is made again
_UNDER_WAY = tuple(stage for stage in Stage if not stage.is_over)
log = structlog.get_logger()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Resources:
    """The resources of a conductor."""

    ledger: RunLedger
    store: ObjectStore
    send: Callable[[str, int, Job], None]
    learn: Callable[[str], Popen[bytes]]  # a process in which the network of a run learns
    ahead: int  # jobs that are queued or under way at a time
    lost_seconds: float  # after which an unfinished job is sent again
    code: str  # hash of the code that samples must be made by: the trainer's own
    go_round: Callable[[str], Popen[bytes]]  # a process that goes through the rounds of a run


class Conductor:
    """Conducts each run in a thread of its own."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._threads: dict[str, Thread] = {}
        self._remaining: dict[str, RemainingTime] = {}
        self._closed = Event()
        self._watch = ProcessWatch(resources.ledger, self._closed)
        self._learning = Lock()  # one network learns at a time: it uses the whole machine

    def go_on(self) -> None:
        """Continue all runs that are not over."""
        self._resources.ledger.convert_old_runs()
        for run_id, (stage, _) in self._resources.ledger.summaries().items():
            if not stage.is_over:
                self.start(run_id)

    def start(self, run_id: str) -> None:
        """Conduct a run."""
        self._remaining[run_id] = RemainingTime(time.monotonic)
        thread = Thread(target=self._conduct, args=[run_id], name=f"run {run_id}", daemon=True)
        self._threads[run_id] = thread
        thread.start()

    def close(self) -> None:
        """Stop conducting; all runs stay as they are."""
        self._closed.set()
        for thread in self._threads.values():
            thread.join(STOP_SECONDS)

    def drop(self, run_id: str) -> None:
        """Delete the record of a run that is over, with its checkpoint; shards and network stay."""
        if thread := self._threads.pop(run_id, None):
            thread.join(STOP_SECONDS)
        self._remaining.pop(run_id, None)
        self._watch.forget(run_id)
        self._resources.ledger.drop(run_id)
        self._resources.store.remove(RUNS, checkpoint_name(run_id))

    def status(self, run_id: str) -> RunStatus:
        """Return a run as it stands."""
        return run_status(self._resources.ledger, run_id, self._remaining.get(run_id))

    # In the thread of a run

    def _conduct(self, run_id: str) -> None:
        while not self._closed.is_set():
            try:
                stage = self._resources.ledger.stage(run_id)
                if stage.is_over:
                    return
                if isinstance(plan := self._resources.ledger.plan(run_id), RoundsPlan):
                    self._go_round(run_id, plan, stage)
                elif stage is Stage.LEARNING:
                    self._learn_in_turn(run_id)
                else:
                    self._generate(run_id)
            except Unavailable as error:
                log.warning("run_waiting", run=run_id, reason=str(error))
                with suppress(Unavailable):  # the store is away, and Redis may be as well
                    self._resources.ledger.set_message(run_id, f"waiting: {error}")
                self._closed.wait(_WAIT_SECONDS)
            except RiverboatError as error:
                log.warning("run_cannot_continue", run=run_id, reason=str(error))
                self._end(run_id, Stage.FAILED, cannot_start(run_id, error))  # has no effect on a dropped run
                return
            except Exception as error:
                log.exception("run_failed", run=run_id)
                self._end(run_id, Stage.FAILED, repr(error))
                return

    def _origin(self, plan: TrainingPlan) -> Origin:
        network = "" if plan.leaf == EXACT else network_hash(self._resources.store, plan.leaf)
        return Origin(self._resources.code, network)

    def _generate(self, run_id: str) -> None:
        """Feed the queue until every job is done or given up."""
        plan = self._resources.ledger.network_plan(run_id)
        origin = self._origin(plan)
        self._adopt(run_id, origin)
        feeder = Feeder(self._resources.ledger.tally, run_id, plan, self._resources.ahead, self._resources.lost_seconds)
        while not self._closed.is_set():
            snapshot = feeder.snapshot()
            if snapshot.stage not in (Stage.GENERATING, Stage.PAUSED):
                return
            self._remaining[run_id].update(snapshot.done + snapshot.dead, plan.job_count)
            if snapshot.stage is Stage.GENERATING:
                if snapshot.dead > _MOST_DEAD * plan.job_count:
                    self._fail_for_dead_jobs(run_id, snapshot.dead)
                    return
                if snapshot.done + snapshot.dead >= plan.job_count:
                    self._check(run_id, plan, origin)
                    return
                for number in feeder.due():
                    self._resources.send(run_id, number, plan.job(number))
                    feeder.sent(number)
                self._name_strangers(run_id, snapshot.strangers, feeder)
            self._closed.wait(_TICK_SECONDS)

    def _adopt(self, run_id: str, origin: Origin) -> None:
        """Expect samples made by this trainer's code; jobs done by other code are done again."""
        dropped = self._resources.ledger.tally.adopt(run_id, origin.code, origin.network)
        message = ""
        if dropped >= 0:
            self._resources.store.remove(RUNS, checkpoint_name(run_id))
        if dropped > 0:
            message = f"{dropped:,} jobs were done by other code and are checked again"
            log.warning("run_restarted", run=run_id, code=origin.code, jobs=dropped)
        if message or self._resources.ledger.message(run_id).startswith("waiting: "):
            self._resources.ledger.set_message(run_id, message)

    def _name_strangers(self, run_id: str, count: int, feeder: Feeder) -> None:
        """Report the machines whose code differs, whenever their number changes."""
        if count == feeder.strangers:
            return
        feeder.strangers = count
        strangers = self._resources.ledger.tally.strangers(run_id)
        if strangers:
            log.error("workers_refused", run=run_id, machines=strangers, expected=self._resources.code)
        names = ", ".join(strangers[:5])
        warning = (
            f"workers with other code than the trainer's ({self._resources.code}) get no jobs: {names}; update them"
        )
        self._resources.ledger.set_message(run_id, warning if strangers else "")

    def _fail_for_dead_jobs(self, run_id: str, count: int) -> None:
        first = self.status(run_id).dead[0]
        self._end(run_id, Stage.FAILED, f"{count} jobs were given up, the first: {first.name}: {first.error}")

    def _check(self, run_id: str, plan: TrainingPlan, origin: Origin) -> None:
        """Check the shards once all jobs are over, and start learning if they are right."""
        ledger = self._resources.ledger
        report = check_shards(ledger, self._resources.store, run_id, plan, origin, self._closed.is_set)
        if report is None:
            return
        if report.most_damaged > _MOST_DAMAGED:
            reason = f"{report.first[0]} was damaged {report.most_damaged} times; look at the store"
            self._end(run_id, Stage.FAILED, reason)
        elif report.first:
            ledger.change_stage(run_id, [Stage.GENERATING], Stage.GENERATING, _described(report))
        elif ledger.change_stage(run_id, [Stage.GENERATING], Stage.LEARNING):
            self._remaining[run_id] = RemainingTime(time.monotonic)

    def _learn_in_turn(self, run_id: str) -> None:
        if not self._learning.acquire(timeout=_WAIT_SECONDS):
            self._resources.ledger.set_message(run_id, "waiting until another network has finished learning")
            return
        try:
            self._resources.ledger.set_message(run_id, "")
            self._learn(run_id)
        finally:
            self._learning.release()

    def _learn(self, run_id: str) -> None:
        """Train the network in a process, which continues where an earlier one was stopped."""
        ledger = self._resources.ledger
        epochs = ledger.network_plan(run_id).recipe.epochs
        process = self._resources.learn(run_id)
        if self._has_failed(run_id, process, Stage.LEARNING, lambda: (ledger.epoch_count(run_id), epochs)):
            self._after_failure(run_id)

    def _go_round(self, run_id: str, plan: RoundsPlan, stage: Stage) -> None:
        """Go through the rounds of a run in a process, which continues where an earlier one was stopped."""
        if stage is not Stage.RUNNING:
            self._closed.wait(_TICK_SECONDS)
            return
        ledger, count = self._resources.ledger, count_rounds(plan)
        process = self._resources.go_round(run_id)
        if self._has_failed(run_id, process, Stage.RUNNING, lambda: (ledger.round_count(run_id), count)):
            self._end(run_id, Stage.FAILED, ledger.message(run_id) or "a round failed; the trainer's log says why")

    def _has_failed(self, run_id: str, process: Popen[bytes], stage: Stage, progress: ReadProgress) -> bool:
        """Follow a process to its end; return whether the process itself failed."""
        end = self._watch.follow(run_id, process, stage, progress, self._remaining[run_id])
        if end is ProcessEnd.KILLED_TOO_OFTEN:
            self._end(run_id, Stage.FAILED, f"learning was killed {MOST_FALLS + 1} times in the same epoch")
        return end is ProcessEnd.FAILED

    def _after_failure(self, run_id: str) -> None:
        """Remake shards that were damaged while the network learnt; fail the run if there are none."""
        ledger = self._resources.ledger
        reason = ledger.message(run_id) or "the network did not learn; the trainer's log says why"
        ledger.change_stage(run_id, [Stage.LEARNING], Stage.GENERATING, reason)
        record = ledger.record(run_id)
        origin = Origin(record.texts["code"], record.texts["network"])  # of its samples, not of our code
        self._check(run_id, network_plan(record.texts["plan"]), origin)
        if ledger.stage(run_id) is Stage.LEARNING:
            self._end(run_id, Stage.FAILED, reason)

    def _end(self, run_id: str, stage: Stage, message: str) -> None:
        """Record that a run is over; keep trying while Redis does not answer, because clients wait for it."""
        while not self._closed.is_set():
            try:
                self._resources.ledger.change_stage(run_id, [*_UNDER_WAY], stage, message)
                return
            except Unavailable:
                log.warning("run_end_not_recorded", run=run_id, stage=stage.value, message=message)
                self._closed.wait(_WAIT_SECONDS)


def _described(report: ShardReport) -> str:
    counts = [f"{count:,} {kind}" for count, kind in ((report.damaged, "damaged"), (report.stale, "stale")) if count]
    return f"{' and '.join(counts)}, made again: {', '.join(report.first)}"
