"""What is known about runs, in Redis: plans, which jobs were begun and done, which were given up.

Everything is written so that doing it twice changes nothing, for a worker may be killed anywhere.
"""

import json
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any
from uuid import uuid4

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from riverboat.errors import NotFound, Unavailable
from riverboat.training.plans import Plan, Recipe
from riverboat.training.progress import DeadJob, Epoch, Stage

_PREFIX = "riverboat:trainer:"
_RUNS = _PREFIX + "runs"
_RETRIES = 3
# What Redis answers while its memory or its disk is full, or while it is a copy of another.
_CANNOT_WRITE = ("OOM", "MISCONF", "READONLY", "command not allowed when used memory")
# In one step, so that nobody who pauses or cancels meanwhile is overruled.
_CHANGE_STAGE = """
local now = redis.call('HGET', KEYS[1], 'stage')
for i = 3, #ARGV do
  if ARGV[i] == now then
    redis.call('HSET', KEYS[1], 'stage', ARGV[1], 'message', ARGV[2])
    return 1
  end
end
return 0
"""


class Ledger:
    """The book of all runs."""

    def __init__(self, url: str) -> None:
        retry = Retry(ExponentialBackoff(cap=1.0, base=0.05), _RETRIES)
        self._redis: Any = redis.Redis.from_url(url, retry=retry, decode_responses=True)

    def close(self) -> None:
        """No more questions."""
        self._redis.close()

    def ping(self) -> None:
        """Unavailable if Redis does not answer."""
        with _failures():
            self._redis.ping()

    def waiting(self, keys: Sequence[str]) -> int:
        """How many jobs wait in some lists of the queue."""
        with _failures():
            return sum(int(self._redis.llen(key)) for key in keys)

    # Runs

    def open_run(self, plan: Plan) -> str:
        """A new run; its id."""
        run_id = uuid4().hex[:8]
        with _failures():
            entry = {"plan": json.dumps(asdict(plan)), "stage": Stage.GENERATING.value, "opened": time.time()}
            self._redis.hset(_run(run_id), mapping=entry)
            self._redis.rpush(_RUNS, run_id)
        return run_id

    def run_ids(self) -> list[str]:
        """All runs, oldest first."""
        with _failures():
            return list(self._redis.lrange(_RUNS, 0, -1))

    def plan(self, run_id: str) -> Plan:
        """What was planned."""
        found = json.loads(self._field(run_id, "plan"))
        return Plan(**{**found, "recipe": Recipe(**found["recipe"])})

    def stage(self, run_id: str) -> Stage:
        """What a run is doing."""
        return Stage(self._field(run_id, "stage"))

    def stages(self) -> dict[str, Stage]:
        """What all runs are doing."""
        with _failures():
            run_ids = self.run_ids()
            pipe = self._redis.pipeline(transaction=False)
            for run_id in run_ids:
                pipe.hget(_run(run_id), "stage")
            return {run_id: Stage(value) for run_id, value in zip(run_ids, pipe.execute(), strict=True)}

    def _field(self, run_id: str, name: str) -> str:
        with _failures():
            found = self._redis.hget(_run(run_id), name)
        if found is None:
            raise NotFound(f"there is no run {run_id[:30]!r}")
        return str(found)

    def set_stage(self, run_id: str, stage: Stage, message: str = "") -> None:
        """A run goes on to something else."""
        with _failures():
            self._redis.hset(_run(run_id), mapping={"stage": stage.value, "message": message})

    def change_stage(self, run_id: str, before: Collection[Stage], after: Stage, message: str = "") -> bool:
        """A run goes on to something else, if it is still at one of the stages before; whether it was."""
        with _failures():
            values = [after.value, message, *(stage.value for stage in before)]
            return bool(self._redis.eval(_CHANGE_STAGE, 1, _run(run_id), *values))

    def set_model(self, run_id: str, name: str) -> None:
        """A run has its network."""
        with _failures():
            self._redis.hset(_run(run_id), "model", name)

    def model(self, run_id: str) -> str:
        """The name of a run's network, or nothing."""
        with _failures():
            return str(self._redis.hget(_run(run_id), "model") or "")

    def set_message(self, run_id: str, message: str) -> None:
        """There is something to say about a run."""
        with _failures():
            self._redis.hset(_run(run_id), "message", message)

    def message(self, run_id: str) -> str:
        """What there is to say about a run."""
        with _failures():
            return str(self._redis.hget(_run(run_id), "message") or "")

    # Jobs

    def begin(self, run_id: str, job: str) -> int:
        """A worker begins a job: for the how manieth time."""
        with _failures():
            return int(self._redis.hincrby(_run(run_id, "begun"), job, 1))

    def finish(self, run_id: str, job: str, seconds: float) -> None:
        """A job is done; if it was so before, or was given up, that does not count any more."""
        with _failures():
            self._redis.hsetnx(_run(run_id, "done"), job, f"{seconds:.3f}")
            self._redis.hdel(_run(run_id, "dead"), job)

    def give_up(self, run_id: str, job: str, error: str) -> None:
        """A job will not be tried again, unless it is done."""
        with _failures():
            if self._redis.hexists(_run(run_id, "done"), job):
                return
            self._redis.hset(_run(run_id, "dead"), job, error[:2000])

    def begin_again(self, run_id: str, job: str) -> None:
        """A job that was done must be done again: its shard is damaged."""
        with _failures():
            self._redis.hdel(_run(run_id, "done"), job)

    def forgive(self, run_id: str) -> None:
        """Jobs that were given up may be tried again."""
        with _failures():
            if names := self._redis.hkeys(_run(run_id, "dead")):
                self._redis.hdel(_run(run_id, "begun"), *names)
                self._redis.hdel(_run(run_id, "dead"), *names)

    def done(self, run_id: str) -> dict[str, float]:
        """The jobs that are done, and the seconds they took."""
        with _failures():
            return {job: float(seconds) for job, seconds in self._redis.hgetall(_run(run_id, "done")).items()}

    def begun(self, run_id: str) -> dict[str, int]:
        """The jobs that were begun, and how often."""
        with _failures():
            return {job: int(count) for job, count in self._redis.hgetall(_run(run_id, "begun")).items()}

    def retried(self, run_id: str) -> dict[str, int]:
        """The jobs that were begun more than once, and how often."""
        return {job: count for job, count in self.begun(run_id).items() if count > 1}

    def dead(self, run_id: str) -> tuple[DeadJob, ...]:
        """The jobs that were given up."""
        with _failures():
            found = self._redis.hgetall(_run(run_id, "dead"))
        return tuple(DeadJob(name, error) for name, error in sorted(found.items()))

    # Learning

    def add_epoch(self, run_id: str, epoch: Epoch) -> None:
        """An epoch of learning is over; the same one may be done again after a restart."""
        with _failures():
            self._redis.hset(_run(run_id, "epochs"), str(epoch.number), json.dumps(asdict(epoch)))

    def epochs(self, run_id: str) -> tuple[Epoch, ...]:
        """All epochs so far."""
        with _failures():
            found = self._redis.hvals(_run(run_id, "epochs"))
        return tuple(sorted((Epoch(**json.loads(text)) for text in found), key=lambda epoch: epoch.number))


def _run(run_id: str, part: str = "") -> str:
    return f"{_PREFIX}run:{run_id}" + (f":{part}" if part else "")


@contextmanager
def _failures() -> Iterator[None]:
    """What Redis says, in our own words."""
    try:
        yield
    except (
        redis.exceptions.ConnectionError,
        redis.exceptions.TimeoutError,
        redis.exceptions.BusyLoadingError,
    ) as error:
        raise Unavailable(f"Redis does not answer: {error}") from None
    except redis.exceptions.ResponseError as error:
        if not str(error).startswith(_CANNOT_WRITE):
            raise
        raise Unavailable(f"Redis cannot write: {error}") from None
