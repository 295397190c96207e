"""Conducting runs, with a real Redis and jobs done at once."""

import base64
import json
import sys
from pathlib import Path

import pytest
from redis import Redis

from riverboat.errors import IllegalAction, InvalidInput, NotFound, TooLarge, Unavailable
from riverboat.services.trainer.generation.job_queue import QUEUE_KEYS, queue_app, send
from riverboat.services.trainer.generation.worker import MOST_ATTEMPTS
from riverboat.services.trainer.store import SHARDS
from riverboat.services.trainer.trainer import Trainer
from riverboat.training.jobs import Job
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import Stage
from tests.processes import free_port
from tests.unit.services.trainer.bench import GOOD, MOST_RUNS, PLAN, Bench, until


def test_every_job_is_in_the_data_once(bench: Bench) -> None:
    status = bench.finished()
    assert status.stage is Stage.DONE
    assert (status.samples_done, status.jobs_done, status.jobs_retried) == (100, 4, 0)
    assert bench.shard_names() == sorted(job.name for job in PLAN.jobs())
    assert len(bench.sent) == 4


def test_what_is_lost_is_sent_again(bench: Bench) -> None:
    bench.lost_seconds = 0.3

    def lose_first(run_id: str, number: int, job: Job) -> None:
        if bench.sent.count(job.name) == 1 and number % 2:
            bench.ledger.tally.begin(run_id, number)  # a worker is killed after it has begun
        else:
            bench.worker.do(run_id, number, job)

    bench.on_send = lose_first
    status = bench.finished()
    assert status.stage is Stage.DONE
    assert status.jobs_retried == 2
    assert bench.shard_names() == sorted(job.name for job in PLAN.jobs())


def test_only_so_many_are_sent_at_a_time(bench: Bench) -> None:
    bench.ahead = 2
    bench.on_send = lambda run_id, number, job: None  # without workers
    conductor = bench.conductor()
    run_id = bench.ledger.open_run(PLAN)
    conductor.start(run_id)
    until(conductor, run_id, lambda _: len(bench.sent) == 2)
    bench.wait_for_looks()
    assert len(bench.sent) == 2
    conductor.close()


def test_paused_resumed_and_cancelled(bench: Bench) -> None:
    conductor, trainer, run_id = bench.waiting_run()
    assert trainer.pause(run_id).stage is Stage.PAUSED
    bench.worker.do(run_id, 0, PLAN.job(0))
    bench.wait_for_looks()
    assert len(bench.sent) == 1
    assert trainer.resume(run_id).stage is Stage.GENERATING
    until(conductor, run_id, lambda _: len(bench.sent) == 2)
    assert trainer.cancel(run_id).stage is Stage.CANCELLED
    bench.worker.do(run_id, 1, PLAN.job(1))  # a job that was in the queue
    assert trainer.cancel(run_id).jobs_done == 1
    with pytest.raises(IllegalAction):
        trainer.pause(run_id)
    with pytest.raises(NotFound):
        trainer.cancel("nobody")
    conductor.close()


def test_only_so_many_runs_are_under_way(bench: Bench) -> None:
    bench.on_send = lambda run_id, number, job: None  # without workers
    conductor = bench.conductor()
    others = sum(not stage.is_over for stage, _ in bench.ledger.summaries().values())
    trainer = Trainer(bench.ledger, bench.store, conductor, others + 2)
    first, second = trainer.plan(PLAN).run_id, trainer.plan(PLAN).run_id
    trainer.pause(second)
    with pytest.raises(TooLarge, match=f"{others + 2} runs are under way"):
        trainer.plan(PLAN)
    bench.ledger.change_stage(first, [Stage.GENERATING], Stage.FAILED)
    third = trainer.plan(PLAN).run_id
    with pytest.raises(TooLarge):
        trainer.resume(first)
    trainer.cancel(third)
    assert trainer.resume(first).stage is Stage.GENERATING
    for run_id in (first, second):
        trainer.cancel(run_id)
    conductor.close()


def test_a_conductor_goes_on_where_another_was_killed(bench: Bench) -> None:
    first, _, run_id = bench.waiting_run()
    first.close()
    bench.on_send = None
    second = bench.conductor()
    second.go_on()
    assert until(second, run_id, lambda status: status.stage.is_over).stage is Stage.DONE
    second.close()


def test_a_damaged_shard_is_named_and_made_again(bench: Bench, tmp_path: Path) -> None:
    damaged = PLAN.job(2).name
    file = tmp_path / SHARDS / f"{damaged}.safetensors"

    def damage_once(run_id: str, number: int, job: Job) -> None:
        bench.worker.do(run_id, number, job)
        if job.name == damaged and bench.sent.count(damaged) == 1:
            file.write_bytes(b"x" + file.read_bytes()[1:])

    bench.on_send = damage_once
    messages: list[str] = []
    conductor = bench.conductor()
    run_id = bench.ledger.open_run(PLAN)
    conductor.start(run_id)
    until(conductor, run_id, lambda status: messages.append(status.message) or status.stage.is_over)  # type: ignore[func-returns-value]
    conductor.close()
    assert bench.sent.count(damaged) == 2
    assert any(damaged in message for message in messages)


def test_jobs_that_cannot_be_done_end_in_the_dead_letters(bench: Bench) -> None:
    name = bench.stored_network()
    status = bench.finished(
        TrainingPlan(deck="24", street="turn", samples=100, leaf=name, job_size=50, recipe=PLAN.recipe)
    )
    assert status.stage is Stage.FAILED
    assert [dead.error for dead in status.dead] == [f"{name} is not there"] * 2
    assert status.jobs_dead == 2
    assert f"{name} is not there" in status.message


def test_a_job_that_kills_its_workers_is_given_up(bench: Bench) -> None:
    run_id = bench.adopted(bench.ledger.open_run(PLAN))
    for _ in range(MOST_ATTEMPTS):
        bench.ledger.tally.begin(run_id, 0)
    bench.worker.do(run_id, 0, PLAN.job(0))
    (dead,) = bench.conductor().status(run_id).dead
    assert dead.name == PLAN.job(0).name
    assert not bench.shard_names()


def test_learning_that_fails_fails_the_run(bench: Bench) -> None:
    bench.learn = [sys.executable, "-c", "raise SystemExit(1)"]
    status = bench.finished()
    assert status.stage is Stage.FAILED
    assert "did not learn" in status.message


def test_labels_through_a_network_that_is_not_there_are_refused_before_the_first_job(bench: Bench) -> None:
    trainer = Trainer(bench.ledger, bench.store, bench.conductor(), MOST_RUNS)
    before = bench.ledger.run_ids()
    with pytest.raises(InvalidInput, match="no network"):
        trainer.plan(TrainingPlan(deck="24", street="turn", samples=100, leaf="24-river-12345678"))
    assert bench.ledger.run_ids() == before


def test_copies_of_a_job_that_is_done_change_nothing(bench: Bench) -> None:
    """Each kill leaves a copy in the queue, which returns later."""
    run_id, job = bench.adopted(bench.ledger.open_run(PLAN)), PLAN.job(0)
    for _ in range(MOST_ATTEMPTS + 3):
        bench.worker.do(run_id, 0, job)
    bench.ledger.tally.give_up(run_id, 0, "too late")
    status = bench.conductor().status(run_id)
    assert (status.jobs_done, status.samples_done, status.jobs_retried, status.jobs_dead) == (1, job.count, 0, 0)
    assert bench.ledger.tally.open_jobs(run_id, 0, PLAN.job_count, 10) == [1, 2, 3]


def test_a_queue_that_does_not_answer_is_waited_for(bench: Bench) -> None:
    gone = ["once", "twice"]

    def send(run_id: str, number: int, job: Job) -> None:
        if gone:
            raise Unavailable(f"Redis does not answer: {gone.pop()}")
        bench.worker.do(run_id, number, job)

    bench.on_send = send
    assert bench.finished().stage is Stage.DONE


def test_sending_to_no_redis_says_so() -> None:
    app = queue_app(f"redis://127.0.0.1:{free_port()}/0", 1.0)
    with pytest.raises(Unavailable, match="Redis does not answer"):
        send(app, "run", 0, PLAN.job(0))


def test_learning_that_is_killed_goes_on_and_a_failed_run_can_be_tried_again(bench: Bench) -> None:
    bench.learn = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
    conductor = bench.conductor()
    trainer = Trainer(bench.ledger, bench.store, conductor, MOST_RUNS)
    run_id = trainer.plan(PLAN).run_id
    status = until(conductor, run_id, lambda status: status.stage.is_over)
    assert status.stage is Stage.FAILED
    assert "learning was killed 4 times" in status.message
    bench.learn = GOOD
    assert trainer.resume(run_id).stage is not Stage.FAILED
    assert until(conductor, run_id, lambda status: status.stage.is_over).stage is Stage.DONE
    assert len(bench.sent) == PLAN.job_count, "no job was done twice"
    conductor.close()


def test_jobs_that_were_given_up_are_tried_again_with_the_run(bench: Bench) -> None:
    conductor = bench.conductor()
    trainer = Trainer(bench.ledger, bench.store, conductor, MOST_RUNS)
    bench.on_send = lambda run_id, number, job: bench.ledger.tally.give_up(run_id, number, "no luck")
    run_id = trainer.plan(PLAN).run_id
    assert until(conductor, run_id, lambda status: status.stage.is_over).stage is Stage.FAILED
    bench.on_send = None
    trainer.resume(run_id)
    status = until(conductor, run_id, lambda status: status.stage.is_over)
    assert (status.stage, status.dead) == (Stage.DONE, ())
    conductor.close()


def test_a_run_that_is_paused_at_its_end_waits(bench: Bench) -> None:
    """A paused run does not read its shards repeatedly, and continues when resumed."""
    conductor, trainer, run_id = bench.waiting_run()
    trainer.pause(run_id)
    for number, job in enumerate(PLAN.jobs()):
        bench.worker.do(run_id, number, job)
    bench.wait_for_looks()
    assert conductor.status(run_id).stage is Stage.PAUSED
    trainer.resume(run_id)
    assert until(conductor, run_id, lambda status: status.stage.is_over).stage is Stage.DONE
    conductor.close()


def test_nobody_who_cancels_is_overruled(bench: Bench) -> None:
    run_id = bench.ledger.open_run(PLAN)
    bench.ledger.change_stage(run_id, [Stage.GENERATING], Stage.CANCELLED)
    assert not bench.ledger.change_stage(run_id, [Stage.GENERATING, Stage.LEARNING], Stage.DONE)
    assert bench.ledger.stage(run_id) is Stage.CANCELLED
    assert bench.ledger.change_stage(run_id, [Stage.CANCELLED], Stage.CANCELLED, "twice")
    assert bench.ledger.message(run_id) == "twice"


def test_the_river_comes_before_the_turn_and_the_flop(redis_url: str) -> None:
    """Each street has its own list in the queue, and workers take from the first non-empty one."""
    url = f"{redis_url}/5"
    app = queue_app(url, 60.0)
    for job in (Job("24", "flop", 0, 1, "24-turn-1"), Job("24", "turn", 0, 1), Job("24", "river", 0, 1)):
        send(app, "run", 7, job)
    waiting = Redis.from_url(url)
    jobs = [json.loads(waiting.lrange(key, 0, -1)[0]) for key in QUEUE_KEYS if waiting.llen(key)]
    assert [message["properties"]["priority"] for message in jobs] == [0, 3, 6]
    bodies = [json.loads(base64.b64decode(message["body"])) for message in jobs]
    assert [arguments[2]["street"] for arguments, *_ in bodies] == ["river", "turn", "flop"]
    assert {arguments[1] for arguments, *_ in bodies} == {7}
