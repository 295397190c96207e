"""The tally of jobs with a real Redis: by number, atomic, whoever repeats a step."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis

from riverboat.errors import InvalidInput, NotFound
from riverboat.services.trainer.generation.connection import RUNS, run_key
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import Epoch, Stage

PLAN = TrainingPlan(deck="24", street="river", samples=1000, job_size=10)
CODE = "code"
MANY = 1_000_000


@pytest.fixture(scope="module")
def redis(redis_url: str) -> "Redis":
    return Redis.from_url(redis_url, decode_responses=True)


@pytest.fixture(scope="module")
def ledger(redis_url: str) -> RunLedger:
    return RunLedger(redis_url)


def opened(ledger: RunLedger, plan: TrainingPlan = PLAN) -> str:
    run_id = ledger.open_run(plan)
    ledger.tally.adopt(run_id, CODE, "")
    return run_id


STEPS = st.lists(st.tuples(st.sampled_from(["finish", "give_up", "open_again"]), st.integers(0, 19)), max_size=40)


@given(STEPS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_counters_and_bits_say_the_same_whatever_happens(ledger: RunLedger, steps: list[tuple[str, int]]) -> None:
    """Compared with sets of numbers; steps are repeated, as when workers are killed."""
    run_id, done, dead = opened(ledger), set[int](), set[int]()
    for step, number in steps:
        for _ in range(2):
            if step == "finish":
                assert ledger.tally.finish(run_id, number, 10, CODE)
                done, dead = done | {number}, dead - {number}
            elif step == "give_up":
                ledger.tally.give_up(run_id, number, "because")
                dead = dead if number in done else dead | {number}
            else:
                ledger.tally.open_again(run_id, number, 10, is_damaged=False)
                done = done - {number}
    record, snapshot = ledger.record(run_id), ledger.tally.snapshot(run_id, range(20))
    assert (snapshot.done, snapshot.dead, record.counters["samples_done"]) == (len(done), len(dead), 10 * len(done))
    assert snapshot.over == tuple(number in done | dead for number in range(20))
    assert ledger.tally.open_jobs(run_id, 0, 20, 100) == sorted(set(range(20)) - done - dead)
    assert ledger.tally.given_up(run_id, 20) == sorted(dead) == sorted(record.errors)
    ledger.tally.forgive(run_id)
    assert ledger.tally.open_jobs(run_id, 0, 20, 100) == sorted(set(range(20)) - done)


@given(st.sets(st.integers(0, 299)), st.integers(0, 299), st.integers(1, 50))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_open_jobs_are_found_in_order(
    ledger: RunLedger, redis: "Redis", open_: set[int], first: int, most: int
) -> None:
    run_id = opened(ledger)
    bits = np.array([number not in open_ for number in range(300)])
    redis.set(run_key(run_id, "over"), np.packbits(bits).tobytes())
    expected = sorted(number for number in open_ | set(range(300, 320)) if number >= first)[:most]
    assert ledger.tally.open_jobs(run_id, first, 320, most) == expected


def test_a_look_does_not_grow_with_jobs(ledger: RunLedger, redis: "Redis") -> None:
    """With a million jobs done: bytes from Redis, and its memory for the run."""
    run_id = opened(ledger, TrainingPlan(deck="24", street="river", samples=MANY, job_size=1))
    sizes = []
    for count in (0, MANY):
        redis.hset(run_key(run_id), mapping={"jobs_done": count, "samples_done": count})
        redis.set(run_key(run_id, "over"), b"\xff" * (count // 8))
        before = int(redis.info("stats")["total_net_output_bytes"])
        snapshot = ledger.tally.snapshot(run_id, range(16))
        ledger.record(run_id)
        assert ledger.tally.open_jobs(run_id, 0, MANY, 16) == ([] if count else list(range(16)))
        sizes.append(int(redis.info("stats")["total_net_output_bytes"]) - before)
        assert snapshot.done == count
    assert sizes[1] < sizes[0] + 1000
    assert sum(redis.memory_usage(key) or 0 for key in redis.keys(run_key(run_id) + "*")) < 300_000


def test_samples_of_other_code_do_not_count(ledger: RunLedger, redis: "Redis") -> None:
    run_id = opened(ledger)
    assert ledger.tally.greet(run_id, "older", "machine-7") == (Stage.GENERATING, CODE)
    assert ledger.tally.strangers(run_id) == ["machine-7 (older)"]
    assert ledger.tally.snapshot(run_id, []).strangers == 1
    assert not ledger.tally.finish(run_id, 0, 10, "older")
    assert ledger.tally.snapshot(run_id, [0]).over == (False,)
    assert ledger.tally.greet(run_id, CODE, "machine-8") == (Stage.GENERATING, CODE)
    redis.zadd(run_key(run_id, "strangers"), {"machine-7 (older)": 1.0})  # it came long ago
    assert ledger.tally.snapshot(run_id, []).strangers == 0
    assert ledger.tally.strangers(run_id) == []


def test_a_run_begins_anew_with_other_code_or_another_network(ledger: RunLedger) -> None:
    run_id = opened(ledger)
    for number in range(3):
        ledger.tally.finish(run_id, number, 10, CODE)
    assert ledger.tally.adopt(run_id, CODE, "") == -1
    assert ledger.tally.adopt(run_id, CODE, "another network") == 3
    assert ledger.tally.adopt(run_id, "newer", "another network") == 0
    assert ledger.tally.snapshot(run_id, range(3)).over == (False,) * 3
    assert not ledger.tally.finish(run_id, 0, 10, CODE)


def test_nothing_that_comes_late_brings_a_dropped_run_back(ledger: RunLedger, redis: "Redis") -> None:
    run_id = opened(ledger)
    ledger.drop(run_id)
    assert ledger.tally.greet(run_id, CODE, "machine") == (None, "")
    assert ledger.tally.begin(run_id, 1) == 0
    ledger.tally.finish(run_id, 1, 10, CODE)
    ledger.tally.give_up(run_id, 2, "late")
    ledger.tally.forgive(run_id)
    ledger.tally.adopt(run_id, "newer", "")
    ledger.set_message(run_id, "late")
    ledger.set_model(run_id, "late")
    ledger.add_epoch(run_id, Epoch(1, 0.1, 0.1))
    assert not ledger.change_stage(run_id, list(Stage), Stage.FAILED, "late")
    assert redis.keys(run_key(run_id) + "*") == []
    for ask in (ledger.record, ledger.stage, ledger.plan, ledger.drop):
        with pytest.raises(NotFound):
            ask(run_id)
    with pytest.raises(NotFound):
        ledger.tally.snapshot(run_id, [])


def old_run(redis: "Redis", run_id: str, stage: str, **plan: object) -> str:
    """Write a run as version 0.1 did."""
    text = json.dumps({**asdict(PLAN), **plan})
    redis.hset(run_key(run_id), mapping={"plan": text, "stage": stage, "opened": 1.0})
    names = [f"24-river-exact-v1-{number:010d}-10" for number in range(4)]
    redis.hset(run_key(run_id, "done"), mapping=dict.fromkeys(names[:3], "1.5"))
    redis.hset(run_key(run_id, "begun"), mapping=dict.fromkeys(names, 1))
    redis.hset(run_key(run_id, "dead"), names[3], "no luck")
    redis.rpush(RUNS, run_id)
    return run_id


def test_runs_of_version_0_1_are_read(ledger: RunLedger, redis: "Redis") -> None:
    """Finished runs keep their counts; runs under way begin again, because older code made their shards."""
    over, learning = old_run(redis, "old-over", "done"), old_run(redis, "old-learning", "learning")
    for _ in range(2):
        ledger.convert_old_runs()
    counters = ledger.record(over).counters
    assert (counters["jobs_done"], counters["samples_done"], counters["jobs_dead"]) == (3, 30, 1)
    assert ledger.stage(over) is Stage.DONE
    assert (ledger.stage(learning), ledger.record(learning).counters["jobs_done"]) == (Stage.GENERATING, 0)
    assert redis.keys(run_key("old-") + "*:done") == []


def test_plans_that_this_version_refuses_say_why(ledger: RunLedger, redis: "Redis") -> None:
    run_id = old_run(redis, "old-many", "generating", samples=100_000_000, job_size=1)
    with pytest.raises(InvalidInput, match="the limit is 1,000,000"):
        ledger.plan(run_id)
    redis.hset(run_key(run_id), "plan", '{"newer": true}')
    with pytest.raises(InvalidInput, match="cannot be read"):
        ledger.plan(run_id)
    redis.hset(run_key(run_id), "stage", "of a newer version")
    assert ledger.stage(run_id) is Stage.FAILED
