"""Conducts runs: feeds the queue, watches what comes back, and lets the network learn when all samples are there.

All that counts is in the ledger and the store, so a conductor that is killed goes on where it was.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from subprocess import Popen
from threading import Event, Lock, Thread

import structlog

from riverboat.errors import NotFound, Unavailable
from riverboat.training.plans import Job, Plan, samples_in
from riverboat.training.progress import RunStatus, Stage
from services.trainer.generating.ledger import Ledger
from services.trainer.generating.samples import DamagedShard
from services.trainer.generating.shards import read_shard
from services.trainer.pace import Pace
from services.trainer.store import Store
from services.trainer.under_way import UnderWay

_TICK_SECONDS = 0.2
_WAIT_SECONDS = 1.0
_STOP_SECONDS = 10.0
_MOST_DEAD = 0.01  # of all jobs: a run with more fails
_MOST_FALLS = 3  # of learning, in the same epoch
_UNDER_WAY = tuple(stage for stage in Stage if not stage.is_over)
EXIT_PASSING = 75  # of a learner that did not reach Redis or the store: it may be started again
log = structlog.get_logger()


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """What a conductor works with."""

    ledger: Ledger
    store: Store
    send: Callable[[str, Job], None]
    learn: Callable[[str], Popen[bytes]]  # a process in which the network of a run learns
    ahead: int  # jobs that wait or are being done at a time
    lost_seconds: float  # after which a job that nobody has finished is sent again


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
        for run_id in self._means.ledger.run_ids():
            if not self._means.ledger.stage(run_id).is_over:
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

    def status(self, run_id: str) -> RunStatus:
        """A run as it stands."""
        ledger = self._means.ledger
        plan, stage = ledger.plan(run_id), ledger.stage(run_id)
        done, epochs = ledger.done(run_id), ledger.epochs(run_id)
        pace = self._paces.get(run_id)
        return RunStatus(
            run_id,
            plan,
            stage,
            sum(map(samples_in, done)),
            len(done),
            len(ledger.retried(run_id)),
            ledger.dead(run_id),
            epochs,
            None if pace is None or stage.is_over else pace.seconds_left(),
            ledger.model(run_id),
            ledger.message(run_id),
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
                self._closed.wait(_WAIT_SECONDS)
            except Exception as error:
                log.exception("run failed", run=run_id)
                self._end(run_id, Stage.FAILED, repr(error))
                return

    def _generate(self, run_id: str) -> None:
        """Feed the queue until every job is done or given up."""
        means, plan = self._means, self._means.ledger.plan(run_id)
        jobs = {job.name: job for job in plan.jobs()}
        under_way = UnderWay(means.lost_seconds, time.monotonic)
        while not self._closed.is_set():
            stage = means.ledger.stage(run_id)
            if stage not in (Stage.GENERATING, Stage.PAUSED):
                return
            over = {*means.ledger.done(run_id), *(dead.name for dead in means.ledger.dead(run_id))}
            self._paces[run_id].tell(len(over), len(jobs))
            under_way.look(over, means.ledger.begun(run_id))
            if stage is Stage.GENERATING:
                if len(over) >= len(jobs):
                    self._check(run_id, plan)
                    return
                self._feed(run_id, jobs, over, under_way)
            self._closed.wait(_TICK_SECONDS)

    def _feed(self, run_id: str, jobs: dict[str, Job], over: set[str], under_way: UnderWay) -> None:
        """Send what fits, and again what was lost: only so many at a time, so that a queue never grows without end."""
        for name in under_way.lost():
            log.warning("job sent again", run=run_id, job=name)
            self._means.send(run_id, jobs[name])
            under_way.sent(name)
        for name, job in jobs.items():
            if under_way.count >= self._means.ahead:
                return
            if name not in over and name not in under_way:
                self._means.send(run_id, job)
                under_way.sent(name)

    def _check(self, run_id: str, plan: Plan) -> None:
        """All jobs are over: are their shards what they should be?"""
        ledger = self._means.ledger
        dead = {job.name for job in ledger.dead(run_id)}
        if len(dead) > _MOST_DEAD * plan.job_count:
            first = ledger.dead(run_id)[0]
            self._end(run_id, Stage.FAILED, f"{len(dead)} jobs were given up, the first: {first.name}: {first.error}")
            return
        damaged = [job.name for job in plan.jobs() if job.name not in dead and not self._is_whole(job.name)]
        for name in damaged:
            ledger.begin_again(run_id, name)
        if damaged:
            said = f"damaged, made again: {', '.join(damaged[:5])}"
            ledger.change_stage(run_id, [Stage.GENERATING], Stage.GENERATING, said)
        elif ledger.change_stage(run_id, [Stage.GENERATING], Stage.LEARNING):
            self._paces[run_id] = Pace(time.monotonic)

    def _is_whole(self, name: str) -> bool:
        try:
            read_shard(self._means.store, name)
        except (DamagedShard, NotFound) as error:
            log.warning("shard refused", shard=name, reason=str(error))
            return False
        return True

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
        ledger = self._means.ledger
        process = self._means.learn(run_id)
        try:
            while process.poll() is None:
                if self._closed.is_set() or ledger.stage(run_id) is not Stage.LEARNING:
                    return
                plan = ledger.plan(run_id)
                self._paces[run_id].tell(len(ledger.epochs(run_id)), plan.recipe.epochs)
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
        epochs = len(self._means.ledger.epochs(run_id))
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
        reason = self._means.ledger.message(run_id) or "the network did not learn; the trainer's log says why"
        self._means.ledger.change_stage(run_id, [Stage.LEARNING], Stage.GENERATING, reason)
        self._check(run_id, self._means.ledger.plan(run_id))
        if self._means.ledger.stage(run_id) is Stage.LEARNING:
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
