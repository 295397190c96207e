"""The cost of reading the progress of a run with many jobs: python -m benchmarks.ledger [JOBS].

The trainer reads the progress of every run under way five times a second. Here all jobs but 16 are done. The peer keeps
jobs as version 0.1 did, in hashes that are read whole. Both are measured in the same run, with a private Redis.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.processes import free_port
from benchmarks.redis_server import redis_server
from benchmarks.timing import milliseconds, seconds
from riverboat.services.trainer.feeder import Feeder
from riverboat.services.trainer.generation.connection import connect, run_key
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.training.plans import TrainingPlan

_AHEAD = 16
_AT_ONCE = 10_000  # jobs in one pipeline while Redis is filled
_LOOKS = 3


@dataclass(frozen=True, slots=True)
class LedgerCost:
    """The cost of one way to keep jobs."""

    look: float  # median seconds of one read
    sent: float  # bytes from Redis for one read
    redis_memory: int  # bytes for the run
    memory: float  # bytes by which the process has grown


def bits(redis: Any, url: str, jobs: int) -> Callable[[], object]:
    """Make a run as the ledger keeps it, all but the last jobs done; return a function that reads its progress."""
    ledger, plan = RunLedger(url), TrainingPlan(deck="24", street="river", samples=jobs, job_size=1)
    run_id = ledger.open_run(plan)
    ledger.tally.adopt(run_id, "code", "")
    done = np.arange(jobs) < jobs - _AHEAD
    redis.set(run_key(run_id, "over"), np.packbits(done).tobytes())
    redis.hset(run_key(run_id), mapping={"jobs_done": int(done.sum()), "samples_done": int(done.sum())})
    feeder = Feeder(ledger.tally, run_id, plan, _AHEAD, 600.0)

    def look() -> None:
        feeder.snapshot()
        for number in feeder.due():
            feeder.sent(number)

    return look


def hashes(redis: Any, jobs: int) -> Callable[[], object]:
    """Make a run in three hashes, as version 0.1 kept it; return a function that reads its progress."""
    plan, key = TrainingPlan(deck="24", street="river", samples=jobs, job_size=1), "hashes"
    for first in range(0, jobs - _AHEAD, _AT_ONCE):
        pipe = redis.pipeline(transaction=False)
        names = [plan.job(number).name for number in range(first, min(first + _AT_ONCE, jobs - _AHEAD))]
        pipe.hset(f"{key}:done", mapping=dict.fromkeys(names, "1.234"))
        pipe.hset(f"{key}:begun", mapping=dict.fromkeys(names, 1))
        pipe.execute()
    held: dict[str, Any] = {"jobs": {job.name: job for job in plan.jobs()}}

    def look() -> None:
        over = {name: float(took) for name, took in redis.hgetall(f"{key}:done").items()}
        held["over"] = {*over, *redis.hgetall(f"{key}:dead")}
        held["begun"] = {name: int(count) for name, count in redis.hgetall(f"{key}:begun").items()}

    return look


def measured(redis: Any, make: Callable[[], Callable[[], object]]) -> LedgerCost:
    """Make a run and read its progress several times; return the cost."""
    redis.flushall()
    empty, before = int(redis.info("memory")["used_memory"]), _memory()
    look = make()
    redis_memory = int(redis.info("memory")["used_memory"]) - empty
    look()
    first = _sent(redis)
    asking = (start := _sent(redis)) - first  # bytes of the measurement itself
    times = [seconds(look) for _ in range(_LOOKS)]
    sent = _sent(redis) - start - asking
    return LedgerCost(sorted(times)[_LOOKS // 2], sent / _LOOKS, redis_memory, _memory() - before)


def _sent(redis: Any) -> int:
    """Return the bytes that Redis has sent so far."""
    return int(redis.info("stats")["total_net_output_bytes"])


def _memory() -> float:
    """Return the bytes of memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def _size(count: float) -> str:
    """Return a number of bytes with a unit."""
    return f"{count / 1e6:,.0f} MB" if count >= 1e6 else f"{count / 1e3:,.1f} kB"


def lines(jobs: int) -> Iterator[str]:
    """Yield the rows of the table."""
    with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder), free_port()) as server:
        redis = connect(server.url)
        redis.config_set("appendonly", "no")  # filling is not measured
        ways = (
            ("counters and bits", partial(bits, redis, server.url, jobs)),
            ("whole hashes (0.1)", partial(hashes, redis, jobs)),
        )
        for name, make in ways:
            cost = measured(redis, make)
            sizes = [_size(count) for count in (cost.sent, cost.redis_memory, cost.memory)]
            yield f"| {name} | {milliseconds(cost.look)} | " + " | ".join(sizes) + " |"


def main(jobs: int) -> None:
    """Print the table."""
    print(f"a run with {jobs:,} jobs\n")
    print("| jobs kept as | one read | transferred from Redis | memory in Redis | memory in the trainer |")
    print("|---|---:|---:|---:|---:|")
    for line in lines(jobs):
        print(line, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
