"""The tally of a run's jobs in Redis, done, under way or given up: counters, and a bit for each job by number.

Every write may be repeated without effect, because a worker may be killed anywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from riverboat.errors import NotFound
from riverboat.services.trainer.generation import scripts
from riverboat.services.trainer.generation.connection import failures, run_key
from riverboat.training.progress import Stage, stage_of

PARTS = ("over", "given_up", "errors", "attempts", "remade", "strangers", "epochs")  # keys of a run beside its hash
_MOST_ERRORS = 20  # errors of given-up jobs kept for a run
_LONGEST_ERROR = 500  # characters
_MOST_STRANGERS = 100  # machines with other code, remembered for a run
_STRANGER_SECONDS = 60  # that one is remembered after it requested a job


@dataclass(frozen=True, slots=True)
class RunSnapshot:
    """The state of a run, with its jobs under way in the order of the query."""

    stage: Stage
    done: int  # jobs
    dead: int  # jobs that were given up
    moves: int  # grows whenever a job is begun, done or given up
    strangers: int  # machines whose workers have other code and asked for jobs lately
    over: tuple[bool, ...]  # of each job under way
    attempts: tuple[int, ...]  # of each job under way


class JobTally:
    """The jobs of all runs."""

    def __init__(self, client: Any) -> None:
        self._redis = client
        self._scripts = {
            name: client.register_script(getattr(scripts, name))
            for name in ("ADOPT", "GREET", "BEGIN", "FINISH", "GIVE_UP", "OPEN_AGAIN", "FORGIVE", "LOOK", "PLACES")
        }

    def _run(self, script: str, run_id: str, parts: Sequence[str], *values: object) -> Any:
        keys = [run_key(run_id), *(run_key(run_id, part) for part in parts)]
        with failures():
            return self._scripts[script](keys=keys, args=values)

    def adopt(self, run_id: str, code: str, network: str) -> int:
        """Expect samples of this code, through the network with this hash; start again if either was another before.

        Return how many done jobs were dropped; -1 if nothing has changed.
        """
        return int(self._run("ADOPT", run_id, PARTS, code, network))

    def greet(self, run_id: str, code: str, machine: str) -> tuple[Stage | None, str]:
        """Return the stage of a run (None if there is none) and the code that it expects of workers."""
        stage, expected = self._run("GREET", run_id, ["strangers"], code, machine, _MOST_STRANGERS)
        return (stage_of(stage) if stage else None), str(expected)

    def strangers(self, run_id: str) -> list[str]:
        """Return the machines whose workers have other code, each with its hash."""
        with failures():
            return list(self._redis.zrange(run_key(run_id, "strangers"), 0, -1))

    def begin(self, run_id: str, number: int) -> int:
        """Start an attempt at a job; return its number."""
        return int(self._run("BEGIN", run_id, ["attempts"], number))

    def finish(self, run_id: str, number: int, samples: int, code: str, was_stale: bool = False) -> bool:
        """Count a job as done, once, even if it was given up before; False if it was made by other code."""
        parts = ["over", "given_up", "errors", "attempts"]
        return bool(self._run("FINISH", run_id, parts, number, samples, code, int(was_stale)))

    def give_up(self, run_id: str, number: int, error: str) -> None:
        """Count a job as given up, unless it is done."""
        parts = ["over", "given_up", "errors", "attempts"]
        self._run("GIVE_UP", run_id, parts, number, error[:_LONGEST_ERROR], _MOST_ERRORS)

    def open_again(self, run_id: str, number: int, samples: int, *, is_damaged: bool) -> int:
        """Reopen a job whose shard is damaged or stale; return how often the shard was damaged."""
        return int(self._run("OPEN_AGAIN", run_id, ["over", "given_up", "remade"], number, samples, int(is_damaged)))

    def forgive(self, run_id: str) -> None:
        """Reopen the jobs that were given up."""
        self._run("FORGIVE", run_id, ["over", "given_up", "errors", "remade"])

    def snapshot(self, run_id: str, under_way: Sequence[int]) -> RunSnapshot:
        """Return the state of a run; the cost grows with the jobs under way, not with all jobs."""
        stage, done, dead, moves, strangers, *rest = self._run(
            "LOOK", run_id, ["over", "attempts", "strangers"], _STRANGER_SECONDS, *under_way
        )
        if not stage:
            raise NotFound(f"there is no run {run_id[:30]!r}; riverboat runs lists them")
        over, attempts = tuple(map(bool, rest[::2])), tuple(map(int, rest[1::2]))
        return RunSnapshot(
            stage=stage_of(stage),
            done=int(done),
            dead=int(dead),
            moves=int(moves),
            strangers=int(strangers),
            over=over,
            attempts=attempts,
        )

    def open_jobs(self, run_id: str, first: int, end: int, most: int) -> list[int]:
        """Return the numbers of the next jobs that are neither done nor given up."""
        return self._places(run_id, "over", 0, first, end, most)

    def given_up(self, run_id: str, end: int) -> list[int]:
        """Return the numbers of jobs that were given up."""
        return self._places(run_id, "given_up", 1, 0, end, end)

    def _places(self, run_id: str, part: str, bit: int, first: int, end: int, most: int) -> list[int]:
        with failures():
            places = self._scripts["PLACES"](keys=[run_key(run_id, part)], args=[bit, first, end, most])
        return [int(place) for place in places]
