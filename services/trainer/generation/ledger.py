"""The ledger of runs, in Redis: plans, stages, messages and epochs. Their jobs are in the tally."""

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import uuid4

from riverboat.errors import InvalidInput, NotFound
from riverboat.services.trainer.generation import scripts
from riverboat.services.trainer.generation.connection import RUNS, connect, failures, run_key
from riverboat.services.trainer.generation.tally import PARTS, JobTally
from riverboat.training.jobs import samples_in
from riverboat.training.plans import Recipe, RunPlan, TrainingPlan
from riverboat.training.progress import Epoch, Stage, stage_of
from riverboat.training.rounds import Round, RoundsPlan

COUNTERS = ("jobs_done", "samples_done", "jobs_retried", "jobs_dead", "jobs_stale")
_TEXTS = ("plan", "stage", "message", "model", "code", "network")
_ROUNDS = "rounds"
_OLD_PARTS = ("done", "begun", "dead")  # hashes by job names, which version 0.1 kept


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Everything that the ledger has about a run."""

    texts: Mapping[str, str]  # by name; empty if missing
    counters: Mapping[str, int]
    errors: Mapping[int, str]  # of the first few jobs that were given up, by number
    epochs: tuple[Epoch, ...]
    rounds: tuple[Round, ...]


class RunLedger:
    """All runs."""

    def __init__(self, url: str) -> None:
        self._redis: Any = connect(url)
        self.tally = JobTally(self._redis)
        self._change = self._redis.register_script(scripts.CHANGE_STAGE)
        self._write = self._redis.register_script(scripts.WRITE)
        self._drop = self._redis.register_script(scripts.DROP)

    def close(self) -> None:
        """Close the connection."""
        self._redis.close()

    def ping(self) -> None:
        """Raise Unavailable if Redis does not answer."""
        with failures():
            self._redis.ping()

    def waiting(self, keys: Sequence[str]) -> int:
        """Return the number of jobs that wait in some lists of the queue."""
        with failures():
            return sum(int(self._redis.llen(key)) for key in keys)

    # Runs

    def open_run(self, plan: RunPlan) -> str:
        """Open a run; return its id."""
        run_id = uuid4().hex[:8]
        entry: dict[str, Any] = dict.fromkeys(COUNTERS, 0)
        entry |= {"plan": json.dumps(asdict(plan)), "stage": first_stage(plan).value, "opened": time.time()}
        with failures():
            self._redis.hset(run_key(run_id), mapping=entry)
            self._redis.rpush(RUNS, run_id)
        return run_id

    def run_ids(self) -> list[str]:
        """Return the ids of all runs, oldest first."""
        with failures():
            return list(self._redis.lrange(RUNS, 0, -1))

    def drop(self, run_id: str) -> None:
        """Delete a run; NotFound if there is none."""
        if run_id not in self.run_ids():
            raise NotFound(f"there is no run {run_id[:30]!r}; riverboat runs lists them")
        keys = [RUNS, run_key(run_id), *(run_key(run_id, part) for part in (*PARTS, *_OLD_PARTS, _ROUNDS))]
        with failures():
            self._drop(keys=keys, args=[run_id])

    def record(self, run_id: str) -> RunRecord:
        """Return everything about a run in one round trip; NotFound if there is none."""
        with failures():
            pipe = self._redis.pipeline(transaction=False)
            pipe.hmget(run_key(run_id), _TEXTS)
            pipe.hmget(run_key(run_id), COUNTERS)
            pipe.hgetall(run_key(run_id, "errors"))
            pipe.hvals(run_key(run_id, "epochs"))
            pipe.hvals(run_key(run_id, _ROUNDS))
            texts, counters, errors, epochs, rounds = pipe.execute()
        if texts[_TEXTS.index("stage")] is None:
            raise NotFound(f"there is no run {run_id[:30]!r}; riverboat runs lists them")
        return RunRecord(
            {name: text or "" for name, text in zip(_TEXTS, texts, strict=True)},
            {name: int(count or 0) for name, count in zip(COUNTERS, counters, strict=True)},
            {int(number): error for number, error in errors.items()},
            tuple(sorted((Epoch(**json.loads(text)) for text in epochs), key=lambda epoch: epoch.number)),
            tuple(sorted((Round(**json.loads(text)) for text in rounds), key=lambda each: each.number)),
        )

    def plan(self, run_id: str) -> RunPlan:
        """Return the plan of a run; InvalidInput if this version refuses it."""
        return read_plan(self._field(run_id, "plan"))

    def network_plan(self, run_id: str) -> TrainingPlan:
        """Return the plan of a run that trains a value network."""
        return network_plan(self._field(run_id, "plan"))

    def stage(self, run_id: str) -> Stage:
        """Return the stage of a run."""
        return stage_of(self._field(run_id, "stage"))

    def summaries(self) -> dict[str, tuple[Stage, dict[str, int]]]:
        """Return the stages and counters of all runs in one round trip."""
        run_ids = self.run_ids()
        with failures():
            pipe = self._redis.pipeline(transaction=False)
            for run_id in run_ids:
                pipe.hmget(run_key(run_id), "stage", *COUNTERS)
            answers = pipe.execute()
        return {
            run_id: (stage_of(stage or ""), {name: int(n or 0) for name, n in zip(COUNTERS, counts, strict=True)})
            for run_id, (stage, *counts) in zip(run_ids, answers, strict=True)
        }

    def _field(self, run_id: str, name: str) -> str:
        with failures():
            text = self._redis.hget(run_key(run_id), name)
        if text is None:
            raise NotFound(f"there is no run {run_id[:30]!r}; riverboat runs lists them")
        return str(text)

    def change_stage(self, run_id: str, before: Collection[Stage], after: Stage, message: str = "") -> bool:
        """Change the stage of a run if it is at one of the stages before; return whether it was."""
        with failures():
            values = [after.value, message, *(stage.value for stage in before)]
            return bool(self._change(keys=[run_key(run_id)], args=values))

    def set_model(self, run_id: str, name: str) -> None:
        """Record the network of a run."""
        self._put(run_id, "", "model", name)

    def set_message(self, run_id: str, message: str) -> None:
        """Record a message about a run."""
        self._put(run_id, "", "message", message)

    def message(self, run_id: str) -> str:
        """Return the message about a run."""
        with failures():
            return str(self._redis.hget(run_key(run_id), "message") or "")

    def _put(self, run_id: str, part: str, name: str, value: str) -> None:
        with failures():
            self._write(keys=[run_key(run_id), run_key(run_id, part)], args=[name, value])

    # Learning

    def add_epoch(self, run_id: str, epoch: Epoch) -> None:
        """Record an epoch of learning; it may be repeated after a restart."""
        self._put(run_id, "epochs", str(epoch.number), json.dumps(asdict(epoch)))

    def epoch_count(self, run_id: str) -> int:
        """Return the number of finished epochs."""
        with failures():
            return int(self._redis.hlen(run_key(run_id, "epochs")))

    def add_round(self, run_id: str, each: Round) -> None:
        """Record a round; it may be repeated after a restart."""
        self._put(run_id, _ROUNDS, str(each.number), json.dumps(asdict(each)))

    def round_count(self, run_id: str) -> int:
        """Return the number of finished rounds."""
        with failures():
            return int(self._redis.hlen(run_key(run_id, _ROUNDS)))

    # Runs of version 0.1

    def convert_old_runs(self) -> None:
        """Convert runs of version 0.1. Those under way start again: older code made their shards."""
        for run_id in self.run_ids():
            with failures():
                stage, count = self._redis.hmget(run_key(run_id), "stage", COUNTERS[0])
                if stage is not None and count is None:
                    self._convert(run_id, stage_of(stage))

    def _convert(self, run_id: str, stage: Stage) -> None:
        counters = dict.fromkeys(COUNTERS, 0)
        entry: dict[str, Any] = {}
        if stage.is_over:
            for name, _ in self._redis.hscan_iter(run_key(run_id, "done"), count=1000):
                counters["jobs_done"] += 1
                counters["samples_done"] += samples_in(name)
            counters["jobs_dead"] = int(self._redis.hlen(run_key(run_id, "dead")))
        elif stage is Stage.LEARNING:
            entry = {"stage": Stage.GENERATING.value}
        pipe = self._redis.pipeline(transaction=True)
        pipe.hset(run_key(run_id), mapping={**counters, **entry})
        pipe.delete(*(run_key(run_id, part) for part in _OLD_PARTS))
        pipe.execute()


def first_stage(plan: RunPlan) -> Stage:
    """Return the stage that a run begins with."""
    return Stage.RUNNING if isinstance(plan, RoundsPlan) else Stage.GENERATING


def read_plan(text: str) -> RunPlan:
    """Return the plan in a text; InvalidInput if this version refuses it."""
    try:
        fields = json.loads(text)
        if "kind" in fields:
            return RoundsPlan(**fields)
        return TrainingPlan(**{**fields, "recipe": Recipe(**fields["recipe"])})
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput("plan", f"it cannot be read: {error!r}") from None


def network_plan(text: str) -> TrainingPlan:
    """Return the plan of a value network in a text; InvalidInput if it is none."""
    plan = read_plan(text)
    if isinstance(plan, RoundsPlan):
        raise InvalidInput("plan", f"it is a plan of kind {plan.kind}, not of a value network")
    return plan
