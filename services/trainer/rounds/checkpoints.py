"""The checkpoints of a run in rounds: its state after each round, and results of the round under way."""

import json
from dataclasses import dataclass

from riverboat.errors import NotFound
from riverboat.services.trainer.store import RUNS, ObjectStore, checkpoint_name

_RESULT, _ERROR = "result", "error"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a run before a round."""

    number: int  # of the round, from 0
    state: bytes


def read_state(store: ObjectStore, run_id: str) -> Checkpoint:
    """Return the checkpoint of a run; NotFound if the run has not begun."""
    header, _, state = store.get(RUNS, checkpoint_name(run_id)).partition(b"\n")
    return Checkpoint(int(json.loads(header)["round"]), state)


def write_state(store: ObjectStore, run_id: str, checkpoint: Checkpoint) -> None:
    """Store the checkpoint of a run."""
    header = json.dumps({"round": checkpoint.number}).encode()
    store.put(RUNS, checkpoint_name(run_id), header + b"\n" + checkpoint.state)


def put_result(store: ObjectStore, run_id: str, number: int, job: int, data: bytes) -> None:
    """Store the result of a job."""
    store.put(RUNS, _name(run_id, number, job, _RESULT), data)


def put_error(store: ObjectStore, run_id: str, number: int, job: int, reason: str) -> None:
    """Store the reason why a job could not be done."""
    store.put(RUNS, _name(run_id, number, job, _ERROR), reason.encode())


def has_result(store: ObjectStore, run_id: str, number: int, job: int) -> bool:
    """Return whether a job is done."""
    return store.has(RUNS, _name(run_id, number, job, _RESULT))


def read_error(store: ObjectStore, run_id: str, number: int, job: int) -> str:
    """Return the reason why a job could not be done; empty if it has not failed."""
    try:
        return store.get(RUNS, _name(run_id, number, job, _ERROR)).decode()
    except NotFound:
        return ""


def read_result(store: ObjectStore, run_id: str, number: int, job: int) -> bytes:
    """Return the result of a job."""
    return store.get(RUNS, _name(run_id, number, job, _RESULT))


def forget_round(store: ObjectStore, run_id: str, number: int, job_count: int) -> None:
    """Remove the results and errors of a round."""
    for job in range(job_count):
        forget_error(store, run_id, number, job)
        store.remove(RUNS, _name(run_id, number, job, _RESULT))


def forget_error(store: ObjectStore, run_id: str, number: int, job: int) -> None:
    """Remove the error of a job, so that it is tried again."""
    store.remove(RUNS, _name(run_id, number, job, _ERROR))


def _name(run_id: str, number: int, job: int, suffix: str) -> str:
    return f"{run_id}-{number}-{job}.{suffix}"
