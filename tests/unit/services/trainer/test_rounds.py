"""Runs in rounds: the loop, its jobs, what a kill leaves behind, and the trainer's verbs."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from riverboat.errors import IllegalAction, InvalidInput, NotFound
from riverboat.services.trainer.artefacts import get_artefact, list_artefacts
from riverboat.services.trainer.generation.worker import OtherCode
from riverboat.services.trainer.rounds.checkpoints import Checkpoint, put_result, read_state, write_state
from riverboat.services.trainer.rounds.job import RoundWorker
from riverboat.services.trainer.rounds.kind_code import code_of
from riverboat.services.trainer.rounds.kinds import KINDS, find_kind
from riverboat.services.trainer.rounds.loop import JobFailed, RoundsRun
from riverboat.services.trainer.store import MODELS, RUNS, ObjectStore
from riverboat.services.trainer.trainer import Trainer
from riverboat.training.progress import Stage
from riverboat.training.rounds import Round, RoundsPlan
from tests.reference.sums import KIND, SumsPlan
from tests.unit.services.trainer.bench import MOST_RUNS, Bench, until

RUN = "0a1b2c3d"


class Killed(BaseException):
    """Stands for SIGKILL: nothing catches it."""


@dataclass
class Line:
    """A run whose jobs are done as soon as they are sent, unless a test replaces that."""

    store: ObjectStore
    plan: SumsPlan = field(default_factory=SumsPlan)
    sent: list[tuple[int, int]] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    do: Callable[[int, int], None] | None = None
    lost_seconds: float = 60.0

    def run(self) -> RoundsRun:
        return RoundsRun(
            run_id=RUN,
            kind=KIND,
            plan=self.plan,
            store=self.store,
            send=self._send,
            tell=self.rounds.append,
            say=lambda message: None,
            ahead=2,
            lost_seconds=self.lost_seconds,
            threads=1,
        )

    def finish(self, number: int, job: int) -> None:
        put_result(self.store, RUN, number, job, KIND.job(self.plan, b"", number, job))

    def _send(self, number: int, job: int) -> None:
        self.sent.append((number, job))
        (self.do or self.finish)(number, job)


@pytest.fixture
def store(tmp_path: Path) -> ObjectStore:
    return ObjectStore(str(tmp_path))


def total(rounds: int, jobs: int) -> float:
    return float(sum((number + job) ** 2 for number in range(rounds) for job in range(jobs)))


def test_a_run_adds_what_its_jobs_found(store: ObjectStore) -> None:
    line = Line(store)
    name = line.run().finish()
    assert json.loads(get_artefact(store, name)) == total(3, 4)
    assert [each.measures["total"] for each in line.rounds] == [total(count, 4) for count in (1, 2, 3)]
    assert line.sent == [(number, job) for number in range(3) for job in range(4)]
    assert store.names(RUNS, ".result") == []
    (answer,) = list_artefacts(store)
    assert (answer.name, answer.kind, answer.suffix) == (name, "sums", ".txt")
    assert json.loads(answer.card)["run"] == RUN


def test_rounds_may_have_no_jobs(store: ObjectStore) -> None:
    line = Line(store, SumsPlan(jobs=0))
    assert json.loads(get_artefact(store, line.run().finish())) == 0
    assert line.sent == []


@pytest.mark.parametrize("last", range(12))
def test_a_killed_run_ends_with_the_same_bytes(store: ObjectStore, last: int) -> None:
    line = Line(store)

    def die_after(number: int, job: int) -> None:
        if len(line.sent) > last:
            raise Killed
        line.finish(number, job)

    line.do = die_after
    with pytest.raises(Killed):
        line.run().finish()
    line.do = None
    assert json.loads(get_artefact(store, line.run().finish())) == total(3, 4)
    assert len(line.sent) == 13  # only the job that was lost is done again


def test_a_lost_job_is_sent_again(store: ObjectStore) -> None:
    line = Line(store, SumsPlan(rounds=1, jobs=1), lost_seconds=0.0)
    line.do = lambda number, job: line.finish(number, job) if len(line.sent) == 3 else None
    line.run().finish()
    assert line.sent == [(0, 0)] * 3


def worker(bench: Bench, code: str = "") -> RoundWorker:
    return RoundWorker(bench.store, bench.ledger, find_kind, lambda kind: code or code_of(kind), "here")


@pytest.fixture
def sums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "sums", lambda: KIND)


@pytest.mark.usefixtures("sums")
def test_a_job_that_fails_ends_the_run_and_is_tried_again_when_it_is_resumed(bench: Bench) -> None:
    run_id = bench.ledger.open_run(RoundsPlan("sums", {"fails": "2"}))
    line = Line(bench.store, SumsPlan(fails=2))
    line.do = lambda number, job: worker(bench).do(RUN, number, job, code_of("sums"))
    bench.ledger._redis.rename(f"riverboat:trainer:run:{run_id}", f"riverboat:trainer:run:{RUN}")
    for _ in range(2):
        with pytest.raises(JobFailed, match=r"job 2 of round 1: fails: job 2 was told to fail"):
            line.run().finish()
    assert line.sent.count((0, 2)) == 2


@pytest.mark.usefixtures("sums")
def test_a_worker_does_only_jobs_of_the_round_under_way(bench: Bench) -> None:
    run_id = bench.ledger.open_run(RoundsPlan("sums", {}))
    code = code_of("sums")
    worker(bench).do(run_id, 0, 0, code)  # it has not begun
    write_state(bench.store, run_id, Checkpoint(1, b"0.0"))
    for number in (0, 2):
        worker(bench).do(run_id, number, 0, code)
    worker(bench).do("ffffffff", 1, 0, code)
    assert bench.store.names(RUNS, ".result") == []
    worker(bench).do(run_id, 1, 3, code)
    assert bench.store.names(RUNS, ".result") == [f"{run_id}-1-3.result"]
    assert read_state(bench.store, run_id) == Checkpoint(1, b"0.0")


@pytest.mark.usefixtures("sums")
def test_a_worker_with_other_code_leaves_a_job_to_others(bench: Bench) -> None:
    run_id = bench.ledger.open_run(RoundsPlan("sums", {}))
    write_state(bench.store, run_id, Checkpoint(0, b"0.0"))
    with pytest.raises(OtherCode, match=r"this worker runs code mine, but the trainer runs theirs"):
        worker(bench, "mine").do(run_id, 0, 0, "theirs")
    assert bench.store.names(RUNS, ".result") == []


@pytest.mark.usefixtures("sums")
def test_the_trainer_completes_settings_and_refuses_wrong_ones(bench: Bench) -> None:
    conductor = bench.conductor()
    trainer = Trainer(bench.ledger, bench.store, conductor, MOST_RUNS)
    assert [kind.name for kind in trainer.kinds()] == list(KINDS)
    before = bench.ledger.run_ids()
    with pytest.raises(InvalidInput, match=r"rounds\.settings\.jobs: must be between 0 and 100, not 101"):
        trainer.plan(RoundsPlan("sums", {"jobs": "101"}))
    with pytest.raises(
        InvalidInput, match=r"rounds\.kind: no kind of run is called 'sum'; the kinds are network, .*sums"
    ):
        trainer.plan(RoundsPlan("sum", {}))
    assert bench.ledger.run_ids() == before
    bench.rounds = "import time; time.sleep(600)"
    status = trainer.plan(RoundsPlan("sums", {"rounds": "9"}))
    assert (status.stage, status.round_count) == (Stage.RUNNING, 9)
    assert isinstance(status.plan, RoundsPlan)
    assert status.plan.settings["jobs"] == "4"
    assert trainer.pause(status.run_id).stage is Stage.PAUSED
    assert trainer.resume(status.run_id).stage is Stage.RUNNING
    assert trainer.cancel(status.run_id).stage is Stage.CANCELLED
    with pytest.raises(IllegalAction):
        trainer.pause(status.run_id)
    trainer.drop(status.run_id)
    with pytest.raises(NotFound):
        conductor.status(status.run_id)
    conductor.close()


@pytest.mark.usefixtures("sums")
def test_a_process_that_fails_fails_the_run_with_its_reason(bench: Bench) -> None:
    bench.rounds = "import sys; sys.exit(1)"
    conductor = bench.conductor()
    run_id = bench.ledger.open_run(RoundsPlan("sums", {}))
    bench.ledger.set_message(run_id, "job 2 of round 1: no")
    conductor.start(run_id)
    status = until(conductor, run_id, lambda status: status.stage.is_over)
    conductor.close()
    assert (status.stage, status.message) == (Stage.FAILED, "job 2 of round 1: no")


def test_a_damaged_artefact_is_refused(store: ObjectStore) -> None:
    name = Line(store).run().finish()
    store.put(MODELS, f"{name}.txt", b"1.0")
    with pytest.raises(NotFound, match="damaged"):
        get_artefact(store, name)
    store.put(MODELS, "odd-00000000.card.json", b"{}")
    assert [answer.name for answer in list_artefacts(store)] == [name]
