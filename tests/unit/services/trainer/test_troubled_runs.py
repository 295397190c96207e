"""Runs that cannot start or continue, shards of other code, and workers whose code differs from the trainer's."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from celery.exceptions import Reject
from redis import Redis

from riverboat.errors import IllegalAction, NotFound, Unavailable
from riverboat.rpc.convert.trainer import decode_run, encode_run
from riverboat.services.trainer.generation.connection import run_key
from riverboat.services.trainer.generation.job_queue import receive
from riverboat.services.trainer.generation.shards import ShardState, shard_state
from riverboat.services.trainer.generation.worker import OtherCode
from riverboat.services.trainer.store import RUNS, SHARDS, checkpoint_name
from riverboat.services.trainer.trainer import Trainer
from riverboat.training.jobs import Job
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import Stage
from tests.unit.services.trainer.bench import CODE, MOST_RUNS, PLAN, Bench, until


def refused_run(bench: Bench, redis_url: str) -> str:
    """Write a run that version 0.1 has accepted: 100,000,000 samples in jobs of one."""
    run_id = bench.ledger.open_run(PLAN)
    redis = Redis.from_url(redis_url, decode_responses=True)
    plan: dict[str, Any] = json.loads(redis.hget(run_key(run_id), "plan") or "")
    redis.hset(run_key(run_id), "plan", json.dumps({**plan, "samples": 100_000_000, "job_size": 1}))
    return run_id


def test_a_run_with_a_refused_plan_fails_with_a_reason_and_can_be_dropped(bench: Bench, redis_url: str) -> None:
    run_id = refused_run(bench, redis_url)
    bench.store.put(RUNS, checkpoint_name(run_id), b"a checkpoint")
    conductor = bench.conductor()
    trainer = Trainer(bench.ledger, bench.store, conductor, MOST_RUNS)
    conductor.go_on()
    status = until(conductor, run_id, lambda status: status.stage.is_over)
    assert (status.stage, status.plan) == (Stage.FAILED, None)
    assert "the limit is 1,000,000" in status.message
    assert f"riverboat runs --drop {run_id}" in status.message
    assert run_id in [run.run_id for run in trainer.runs()], "others are still listed with it"
    assert decode_run(encode_run(status)) == status
    with pytest.raises(IllegalAction, match="the limit is 1,000,000"):
        trainer.resume(run_id)
    assert trainer.drop(run_id) == status
    assert not bench.store.has(RUNS, checkpoint_name(run_id))
    with pytest.raises(NotFound):
        trainer.drop(run_id)
    conductor.close()
    another = bench.conductor()
    another.go_on()
    assert run_id not in bench.ledger.run_ids()
    another.close()


def test_a_run_under_way_is_not_dropped_and_what_it_made_stays(bench: Bench) -> None:
    bench.ahead = 1
    conductor = bench.conductor()
    trainer = Trainer(bench.ledger, bench.store, conductor, MOST_RUNS)
    run_id = trainer.plan(PLAN).run_id
    status = until(conductor, run_id, lambda status: status.stage.is_over)
    other = bench.ledger.open_run(PLAN)
    with pytest.raises(IllegalAction, match="cancel it first"):
        trainer.drop(other)
    trainer.cancel(other)
    trainer.drop(other)
    assert trainer.drop(run_id) == status
    assert len(bench.shard_names()) == PLAN.job_count
    conductor.close()


def test_a_run_whose_network_is_gone_fails_before_its_first_job(bench: Bench) -> None:
    status = bench.finished(
        TrainingPlan(deck="24", street="turn", samples=100, leaf="24-river-gone", recipe=PLAN.recipe)
    )
    assert status.stage is Stage.FAILED
    assert "24-river-gone.onnx is not in the store" in status.message
    assert bench.sent == []


def test_a_run_says_that_it_waits_for_the_store(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    remove, is_away = bench.store.remove, [True]

    def away(folder: str, name: str) -> None:
        if is_away:
            raise Unavailable("the store does not answer: no such volume")
        remove(folder, name)

    monkeypatch.setattr(bench.store, "remove", away)
    conductor = bench.conductor()
    run_id = bench.ledger.open_run(PLAN)
    conductor.start(run_id)
    until(conductor, run_id, lambda status: status.message == "waiting: the store does not answer: no such volume")
    is_away.clear()
    status = until(conductor, run_id, lambda status: status.stage.is_over)
    assert (status.stage, status.message) == (Stage.DONE, "")
    conductor.close()


def test_a_shard_that_is_always_damaged_ends_the_run(bench: Bench, tmp_path: Path) -> None:
    name = PLAN.job(2).name

    def damage(run_id: str, number: int, job: Job) -> None:
        bench.worker.do(run_id, number, job)
        if job.name == name:
            (tmp_path / SHARDS / f"{name}.safetensors").write_bytes(b"nothing")

    bench.on_send = damage
    status = bench.finished()
    assert status.stage is Stage.FAILED
    assert f"{name} was damaged 4 times; look at the store" in status.message
    assert bench.sent.count(name) == 4


def test_shards_of_older_code_are_made_again_and_counted(bench: Bench) -> None:
    older = bench.worker_with("older code")
    bench.code, bench.worker = "older code", older
    bench.finished()
    before = {name: bench.store.get(SHARDS, f"{name}.safetensors") for name in bench.shard_names()}
    bench.code, bench.worker = CODE, bench.worker_with(CODE)
    status = bench.finished()
    assert (status.stage, status.jobs_stale) == (Stage.DONE, PLAN.job_count)
    after = {name: bench.store.get(SHARDS, f"{name}.safetensors") for name in bench.shard_names()}
    assert before.keys() == after.keys()
    assert not [name for name in after if after[name] == before[name]]
    assert bench.finished().jobs_stale == 0, "those of the same code are used again"


def test_labels_through_another_file_of_the_same_name_are_stale(bench: Bench) -> None:
    name = bench.stored_network()
    job, network = Job("24", "turn", 0, 1, name), bench.worker.network_hash(name)
    assert len(network) == 64
    assert bench.worker._origin(job).network == network
    assert bench.worker._origin(PLAN.job(0)).network == ""


def test_a_trainer_that_was_updated_begins_its_runs_anew(bench: Bench) -> None:
    """Jobs done by the previous code do not count: all samples of a run come from the same code."""
    conductor, _, run_id = bench.waiting_run()
    bench.worker.do(run_id, 0, PLAN.job(0))
    conductor.close()
    bench.code = "newer code"
    another = bench.conductor()
    another.start(run_id)
    status = until(another, run_id, lambda status: "1 jobs were done by other code" in status.message)
    assert status.jobs_done == 0
    with pytest.raises(OtherCode):
        bench.worker.do(run_id, 0, PLAN.job(0))
    bench.worker_with("newer code").do(run_id, 0, PLAN.job(0))
    status = until(another, run_id, lambda status: status.jobs_done == 1)
    assert status.jobs_stale == 1
    another.close()


def test_a_worker_with_other_code_is_named_and_gets_no_jobs(bench: Bench) -> None:
    """On machines with mixed checkouts, the matching ones do all the work."""
    stranger, refused = bench.worker_with("older code", "machine-7"), []

    def mixed(run_id: str, number: int, job: Job) -> None:
        if number % 2 and bench.sent.count(job.name) == 1:
            with pytest.raises(
                OtherCode, match="runs code older code, but the trainer runs code-of-the-trainer"
            ) as caught:
                stranger.do(run_id, number, job)
            refused.append(str(caught.value))
            messages.append(bench.conductor().status(run_id).message)
        else:
            bench.worker.do(run_id, number, job)

    messages: list[str] = []
    bench.on_send, bench.lost_seconds = mixed, 0.2
    conductor = bench.conductor()
    run_id = bench.ledger.open_run(PLAN)
    conductor.start(run_id)
    until(conductor, run_id, lambda status: messages.append(status.message) or status.stage.is_over)  # type: ignore[func-returns-value]
    conductor.close()
    assert len(refused) == 2
    assert any("get no jobs: machine-7 (older code); update them" in message for message in messages)
    assert conductor.status(run_id).samples_done == 100


def test_a_result_of_other_code_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trainer is updated while a worker solves: the result does not count, and the job is done again."""
    run_id, job = bench.adopted(bench.ledger.open_run(PLAN)), PLAN.job(0)
    begin = bench.ledger.tally.begin

    def updated_meanwhile(run_id: str, number: int) -> int:
        attempt = begin(run_id, number)
        bench.ledger.tally.adopt(run_id, "newer code", "")
        return attempt

    monkeypatch.setattr(bench.ledger.tally, "begin", updated_meanwhile)
    bench.worker.do(run_id, 0, job)
    assert bench.conductor().status(run_id).jobs_done == 0
    newer = bench.worker_with("newer code")
    assert shard_state(bench.store, job, newer._origin(job)) is ShardState.STALE
    monkeypatch.undo()
    newer.do(run_id, 0, job)
    status = bench.conductor().status(run_id)
    assert (status.jobs_done, status.jobs_stale) == (1, 1)


def test_a_job_that_a_worker_may_not_do_goes_back_into_the_queue() -> None:
    slept: list[float] = []

    def do(run_id: str, number: int, job: Job) -> None:
        raise OtherCode("update this checkout")

    solve: Callable[..., None] = receive(Celery("test"), do, slept.append)
    with pytest.raises(Reject) as caught:
        solve("run", 3, {"deck": "24", "street": "river", "seed": 3, "count": 10})
    assert caught.value.requeue
    assert slept
    assert slept[0] > 0


def test_a_million_jobs_are_never_in_memory(bench: Bench) -> None:
    """Conducting a run of a million jobs takes a few kilobytes."""
    plan = TrainingPlan(deck="24", street="river", samples=1_000_000, job_size=1, recipe=PLAN.recipe)
    bench.ahead = 16
    bench.on_send = lambda run_id, number, job: None
    conductor = bench.conductor()
    run_id = bench.ledger.open_run(plan)
    tracemalloc.start()
    try:
        conductor.start(run_id)
        bench.wait_for_looks(5)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        conductor.close()
    bench.ledger.change_stage(run_id, [Stage.GENERATING], Stage.CANCELLED)
    assert len(bench.sent) == 16
    assert peak < 3_000_000
