"""Conducts runs: feeds the queue, watches what comes back, and lets the network learn when all samples are there.

All that counts is in the ledger and the store, so a conductor that is killed goes on where it was.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from subprocess import Popen
from threading import Event, Lock, Thread

import structlog

from riverboat.errors import InvalidInput, RiverboatError, Unavailable
from riverboat.services.trainer.feeder import Feeder
from riverboat.services.trainer.generation.ledger import Ledger, read_plan
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.models import network_hash
from riverboat.services.trainer.pace import Pace
from riverboat.services.trainer.shard_check import Checked, check_shards
from riverboat.services.trainer.store import RUNS, Store, checkpoint_name
from riverboat.training.jobs import EXACT, Job
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import DeadJob, RunStatus, Stage, stage_of

_TICK_SECONDS = 0.2
_WAIT_SECONDS = 1.0
_STOP_SECONDS = 10.0
_MOST_DEAD = 0.01  # of all jobs: a run with more fails
_MOST_DAMAGED = 3  # times that a shard is made again
_MOST_FALLS = 3  # of learning, in the same epoch
_UNDER_WAY = tuple(stage for stage in Stage if not stage.is_over)
EXIT_PASSING = 75  # of a learner that did not reach Redis or the store: it may be started again
log = structlog.get_logger()


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """What a conductor works with."""

    ledger: Ledger
    store: Store
    send: Callable[[str, int, Job], None]
    learn: Callable[[str], Popen[bytes]]  # a process in which the network of a run learns
    ahead: int  # jobs that wait or are being done at a time
    lost_seconds: float  # after which a job that nobody has finished is sent again
    code: str  # hash of the code that samples must be made by: the trainer's own


class Conductor:
    """Conducts each run in a thread of its own."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._threads: dict[str, Thread] = {}
        self._paces: dict[str, Pace] = {}
        self._falls: dict[str, tuple[int, int]] = {}  # epochs that were there when learning was killed, how often
        self._closed = Event()
        self._learning = Lock()  # one network learns at a time: it takes all the machine has

    def go_on(self) -> None:
        """Take up all runs that are not over."""
        self._means.ledger.convert_old_runs()
        for run_id, (stage, _) in self._means.ledger.summaries().items():
            if not stage.is_over:
                self.start(run_id)

    def start(self, run_id: str) -> None:
        """Conduct a run."""
        self._paces[run_id] = Pace(time.monotonic)
        thread = Thread(target=self._conduct, args=[run_id], name=f"run {run_id}", daemon=True)
        self._threads[run_id] = thread
        thread.start()

    def close(self) -> None:
        """Leave all runs as they are."""
        self._closed.set()
        for thread in self._threads.values():
            thread.join(_STOP_SECONDS)

    def drop(self, run_id: str) -> None:
        """Forget a run that is over, with its checkpoint; its shards and its network stay."""
        if thread := self._threads.pop(run_id, None):
            thread.join(_STOP_SECONDS)
        self._paces.pop(run_id, None)
        self._falls.pop(run_id, None)
        self._means.ledger.drop(run_id)
        self._means.store.remove(RUNS, checkpoint_name(run_id))

    def status(self, run_id: str) -> RunStatus:
        """A run as it stands."""
        record = self._means.ledger.record(run_id)
        stage, message = stage_of(record.texts["stage"]), record.texts["message"]
        plan: TrainingPlan | None = None
        try:
            plan = read_plan(record.texts["plan"])
        except InvalidInput as error:
            message = message or cannot_start(run_id, error)
        pace = self._paces.get(run_id)
        numbers = sorted(record.errors)
        return RunStatus(
            run_id,
            plan,
            stage,
            record.counters["samples_done"],
            record.counters["jobs_done"],
            record.counters["jobs_retried"],
            record.counters["jobs_dead"],
            record.counters["jobs_stale"],
            tuple(DeadJob(plan.job(n).name if plan else str(n), record.errors[n]) for n in numbers),
            record.epochs,
            None if pace is None or stage.is_over else pace.seconds_left(),
            record.texts["model"],
            message,
        )

    # In the thread of a run

    def _conduct(self, run_id: str) -> None:
        while not self._closed.is_set():
            try:
                stage = self._means.ledger.stage(run_id)
                if stage.is_over:
                    return
                if stage is Stage.LEARNING:
                    self._learn_in_turn(run_id)
                else:
                    self._generate(run_id)
            except Unavailable as error:
                log.warning("waiting", run=run_id, reason=str(error))
                with suppress(Unavailable):  # the store is away, and Redis may be as well
                    self._means.ledger.set_message(run_id, f"waiting: {error}")
                self._closed.wait(_WAIT_SECONDS)
            except RiverboatError as error:
                log.warning("run_cannot_go_on", run=run_id, reason=str(error))
                self._end(run_id, Stage.FAILED, cannot_start(run_id, error))  # which a run that was dropped ignores
                return
            except Exception as error:
                log.exception("run failed", run=run_id)
                self._end(run_id, Stage.FAILED, repr(error))
                return

    def _origin(self, plan: TrainingPlan) -> Origin:
        network = "" if plan.leaf == EXACT else network_hash(self._means.store, plan.leaf)
        return Origin(self._means.code, network)

    def _generate(self, run_id: str) -> None:
        """Feed the queue until every job is done or given up."""
        plan = self._means.ledger.plan(run_id)
        origin = self._origin(plan)
        self._adopt(run_id, origin)
        feeder = Feeder(self._means.ledger.tally, run_id, plan, self._means.ahead, self._means.lost_seconds)
        while not self._closed.is_set():
            look = feeder.look()
            if look.stage not in (Stage.GENERATING, Stage.PAUSED):
                return
            self._paces[run_id].tell(look.done + look.dead, plan.job_count)
            if look.stage is Stage.GENERATING:
                if look.dead > _MOST_DEAD * plan.job_count:
                    self._fail_for_dead_jobs(run_id, look.dead)
                    return
                if look.done + look.dead >= plan.job_count:
                    self._check(run_id, plan, origin)
                    return
                for number in feeder.due():
                    self._means.send(run_id, number, plan.job(number))
                    feeder.sent(number)
                self._name_strangers(run_id, look.strangers, feeder)
            self._closed.wait(_TICK_SECONDS)

    def _adopt(self, run_id: str, origin: Origin) -> None:
        """Expect samples of our own code; what was done by other code is done again."""
        dropped = self._means.ledger.tally.adopt(run_id, origin.code, origin.network)
        message = ""
        if dropped >= 0:
            self._means.store.remove(RUNS, checkpoint_name(run_id))
        if dropped > 0:
            message = f"{dropped:,} jobs were done by other code and are checked again"
            log.warning("run_begins_anew", run=run_id, code=origin.code, jobs=dropped)
        if message or self._means.ledger.message(run_id).startswith("waiting: "):
            self._means.ledger.set_message(run_id, message)

    def _name_strangers(self, run_id: str, count: int, feeder: Feeder) -> None:
        """Say which machines have other code, whenever their number changes."""
        if count == feeder.strangers:
            return
        feeder.strangers = count
        strangers = self._means.ledger.tally.strangers(run_id)
        if strangers:
            log.error("worker_code_differs", run=run_id, machines=strangers, expected=self._means.code)
        names = ", ".join(strangers[:5])
        said = f"workers with other code than the trainer's ({self._means.code}) get no jobs: {names}; update them"
        self._means.ledger.set_message(run_id, said if strangers else "")

    def _fail_for_dead_jobs(self, run_id: str, count: int) -> None:
        first = self.status(run_id).dead[0]
        self._end(run_id, Stage.FAILED, f"{count} jobs were given up, the first: {first.name}: {first.error}")

    def _check(self, run_id: str, plan: TrainingPlan, origin: Origin) -> None:
        """All jobs are over: are their shards what they should be?"""
        ledger = self._means.ledger
        checked = check_shards(ledger, self._means.store, run_id, plan, origin, self._closed.is_set)
        if checked is None:
            return
        if checked.most_damaged > _MOST_DAMAGED:
            reason = f"{checked.first[0]} was damaged {checked.most_damaged} times; look at the store"
            self._end(run_id, Stage.FAILED, reason)
        elif checked.first:
            ledger.change_stage(run_id, [Stage.GENERATING], Stage.GENERATING, _said(checked))
        elif ledger.change_stage(run_id, [Stage.GENERATING], Stage.LEARNING):
            self._paces[run_id] = Pace(time.monotonic)

    def _learn_in_turn(self, run_id: str) -> None:
        if not self._learning.acquire(timeout=_WAIT_SECONDS):
            self._means.ledger.set_message(run_id, "waits for another network to learn")
            return
        try:
            self._means.ledger.set_message(run_id, "")
            self._learn(run_id)
        finally:
            self._learning.release()

    def _learn(self, run_id: str) -> None:
        """Let the network learn in a process, which goes on where another was stopped."""
        ledger, epochs = self._means.ledger, self._means.ledger.plan(run_id).recipe.epochs
        process = self._means.learn(run_id)
        try:
            while process.poll() is None:
                if self._closed.is_set() or ledger.stage(run_id) is not Stage.LEARNING:
                    return
                self._paces[run_id].tell(ledger.epoch_count(run_id), epochs)
                self._closed.wait(_TICK_SECONDS)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(_STOP_SECONDS)
        if process.returncode and ledger.stage(run_id) is Stage.LEARNING:
            if process.returncode < 0 or process.returncode == EXIT_PASSING:
                self._after_fall(run_id, process.returncode)
            else:
                self._after_failure(run_id)

    def _after_fall(self, run_id: str, code: int) -> None:
        """Learning was killed, or something was away: it goes on from its checkpoint, but not again and again."""
        epochs = self._means.ledger.epoch_count(run_id)
        before, count = self._falls.get(run_id, (epochs, 0))
        self._falls[run_id] = epochs, count + 1 if before == epochs else 1
        if self._falls[run_id][1] > _MOST_FALLS:
            self._end(run_id, Stage.FAILED, f"learning was killed {_MOST_FALLS + 1} times in the same epoch")
            return
        log.warning("learning goes on", run=run_id, code=code, epochs=epochs)
        self._means.ledger.set_message(run_id, "learning was interrupted, and goes on from its checkpoint")
        self._closed.wait(_WAIT_SECONDS)

    def _after_failure(self, run_id: str) -> None:
        """Learning has failed: because of shards that were damaged meanwhile, or for good."""
        ledger = self._means.ledger
        reason = ledger.message(run_id) or "the network did not learn; the trainer's log says why"
        ledger.change_stage(run_id, [Stage.LEARNING], Stage.GENERATING, reason)
        record = ledger.record(run_id)
        origin = Origin(record.texts["code"], record.texts["network"])  # of its samples, whatever we are by now
        self._check(run_id, read_plan(record.texts["plan"]), origin)
        if ledger.stage(run_id) is Stage.LEARNING:
            self._end(run_id, Stage.FAILED, reason)

    def _end(self, run_id: str, stage: Stage, message: str) -> None:
        """Write down that a run is over, however long that takes: otherwise everybody would wait for it for ever."""
        while not self._closed.is_set():
            try:
                self._means.ledger.change_stage(run_id, [*_UNDER_WAY], stage, message)
                return
            except Unavailable:
                log.warning("not written down yet", run=run_id, stage=stage.value, message=message)
                self._closed.wait(_WAIT_SECONDS)


def cannot_start(run_id: str, error: RiverboatError) -> str:
    """Return why a run cannot go on, and what an operator may do."""
    return f"it cannot go on: {error}; riverboat runs --drop {run_id} forgets it"


def _said(checked: Checked) -> str:
    counts = [f"{count:,} {kind}" for count, kind in ((checked.damaged, "damaged"), (checked.stale, "stale")) if count]
    return f"{' and '.join(counts)}, made again: {', '.join(checked.first)}"
