"""Answers of a trainer, as values; its questions are plans (`riverboat.training.plans`)."""

from dataclasses import dataclass

from riverboat.training.plans import NETWORK, RunPlan
from riverboat.training.progress import Epoch, Stage
from riverboat.training.rounds import Round


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadJob:
    """A job that was given up."""

    name: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatus:
    """The status of a run."""

    run_id: str
    plan: RunPlan | None  # None if this version refuses it; the message says why
    stage: Stage
    samples_done: int
    jobs_done: int
    jobs_retried: int  # that were begun more than once
    jobs_dead: int  # that were given up
    jobs_stale: int  # whose stale shards, made by other code, were made again
    dead: tuple[DeadJob, ...]  # the first of those that were given up
    epochs: tuple[Epoch, ...]
    rounds: tuple[Round, ...] = ()  # of a run in rounds
    round_count: int = 0
    seconds_left: float | None  # of the current stage; None if unknown
    model: str  # the name of the network, once there is one
    message: str  # for people: why the run waits, or why it failed


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """A network that was trained, or what a run in rounds has made."""

    name: str
    deck: str  # empty, like the street, unless this is a value network
    street: str
    hash: str
    byte_count: int
    samples: int
    train_loss: float
    held_out_loss: float  # on validation boards
    card: str  # JSON
    test_loss: float | None = None  # on test boards; None if there were none
    test_mean_absolute_error: float | None = None  # pots
    test_samples: int = 0
    test_boards: int = 0
    kind: str = NETWORK
    suffix: str = ".onnx"  # of the file
