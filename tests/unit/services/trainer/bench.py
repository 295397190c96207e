"""A conductor with a real Redis that does jobs at once instead of queueing them."""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from riverboat.contracts.trainer import RunStatus
from riverboat.errors import NotFound
from riverboat.nets.layout import LAYOUT, About
from riverboat.services.trainer.conductor import Conductor, Resources
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.generation.tally import RunSnapshot
from riverboat.services.trainer.generation.worker import Worker
from riverboat.services.trainer.models import make_card, network_hash, put_model
from riverboat.services.trainer.store import SHARDS, ObjectStore
from riverboat.services.trainer.trainer import Trainer
from riverboat.situations.labels import Care, LeafMaker
from riverboat.training.jobs import Job
from riverboat.training.plans import Recipe, TrainingPlan
from riverboat.training.progress import Stage

MOST_RUNS = 1000
CODE = "code-of-the-trainer"
PLAN = TrainingPlan(deck="24", street="river", samples=100, job_size=25, recipe=Recipe(epochs=1, width=8, depth=1))
GOOD = [sys.executable, "-c", "pass"]


def no_network(name: str, job: Job) -> LeafMaker:
    raise NotFound(f"{name} is not there")


@dataclass
class Bench:
    """A conductor that does jobs at once, unless a test replaces that."""

    ledger: RunLedger
    store: ObjectStore
    sent: list[str] = field(default_factory=list)
    code: str = CODE
    looks: int = 0
    ahead: int = 100
    lost_seconds: float = 60.0
    learn: list[str] = field(default_factory=lambda: GOOD)
    on_send: Callable[[str, int, Job], None] | None = None
    rounds: str = "pass"  # a program that goes through the rounds of a run

    def __post_init__(self) -> None:
        self.worker = self.worker_with(CODE)
        take = self.ledger.tally.snapshot

        def counted(run_id: str, under_way: Sequence[int]) -> RunSnapshot:
            self.looks += 1
            return take(run_id, under_way)

        self.ledger.tally.snapshot = counted  # type: ignore[method-assign]

    def worker_with(self, code: str, machine: str = "this machine") -> Worker:
        hash_of = partial(network_hash, self.store)
        return Worker(self.store, self.ledger, no_network, hash_of, Care(iterations=5), code, machine)

    def conductor(self) -> Conductor:
        return Conductor(
            Resources(
                ledger=self.ledger,
                store=self.store,
                send=self._send,
                learn=self._learn,
                ahead=self.ahead,
                lost_seconds=self.lost_seconds,
                code=self.code,
                go_round=self._go_round,
            )
        )

    def wait_for_looks(self, count: int = 3) -> None:
        """Let the conductor look so many times: what it would do by itself, it has done by then."""
        before = self.looks
        for _ in range(6000):
            if self.looks >= before + count:
                return
            time.sleep(0.005)
        raise AssertionError("the conductor has stopped looking")

    def _send(self, run_id: str, number: int, job: Job) -> None:
        self.sent.append(job.name)
        (self.on_send or self.worker.do)(run_id, number, job)

    def _learn(self, run_id: str) -> "subprocess.Popen[bytes]":
        if self.learn is GOOD:
            self.ledger.change_stage(run_id, [Stage.LEARNING], Stage.DONE)
        return subprocess.Popen(self.learn)

    def _go_round(self, run_id: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([sys.executable, "-c", self.rounds, run_id])

    def finished(self, plan: TrainingPlan = PLAN) -> RunStatus:
        """Conduct a run to its end."""
        conductor = self.conductor()
        run_id = self.ledger.open_run(plan)
        conductor.start(run_id)
        try:
            return until(conductor, run_id, lambda status: status.stage.is_over)
        finally:
            conductor.close()

    def waiting_run(self) -> tuple[Conductor, Trainer, str]:
        """Plan a run whose first job was sent, without workers."""
        self.ahead = 1
        self.on_send = lambda run_id, number, job: None
        conductor = self.conductor()
        trainer = Trainer(self.ledger, self.store, conductor, MOST_RUNS)
        run_id = trainer.plan(PLAN).run_id
        until(conductor, run_id, lambda _: len(self.sent) == 1)
        return conductor, trainer, run_id

    def adopted(self, run_id: str) -> str:
        """Plan a run that expects samples of our code, as a conductor does."""
        self.ledger.tally.adopt(run_id, CODE, "")
        return run_id

    def stored_network(self) -> str:
        """Store a network file that nobody loads, for labels through it; return its name."""
        data = b"a network for the river"
        about = About(
            layout=LAYOUT, deck="24", street="river", data="", code="", samples=100, train_loss=0.01, held_out_loss=0.02
        )
        return put_model(self.store, data, make_card(data, about, [], {}), b"")

    def shard_names(self) -> list[str]:
        """Return the names of all shards in the store."""
        return [name.removesuffix(".safetensors") for name in self.store.names(SHARDS, ".safetensors")]


def until(conductor: Conductor, run_id: str, holds: Callable[[RunStatus], bool]) -> RunStatus:
    """Wait until a run is as wanted; return it."""
    for _ in range(1500):
        status = conductor.status(run_id)
        if holds(status):
            return status
        time.sleep(0.02)
    raise AssertionError(f"it stays {status}")
