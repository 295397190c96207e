"""How far a training run has come."""

from dataclasses import dataclass
from enum import Enum

from riverboat.training.plans import TrainingPlan


class Stage(Enum):
    """What a run is doing."""

    GENERATING = "generating"
    PAUSED = "paused"
    LEARNING = "learning"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def is_over(self) -> bool:
        """Whether the run has ended."""
        return self in (Stage.DONE, Stage.CANCELLED, Stage.FAILED)


def stage_of(text: str) -> Stage:
    """Return the stage with this value; FAILED for any other text, so that a run of a newer version is left alone."""
    try:
        return Stage(text)
    except ValueError:
        return Stage.FAILED


@dataclass(frozen=True, slots=True)
class Epoch:
    """The losses of an epoch: Huber losses, in pots."""

    number: int  # from 1
    train_loss: float
    held_out_loss: float  # on validation boards, which choose the epoch


@dataclass(frozen=True, slots=True)
class DeadJob:
    """A job that was given up."""

    name: str
    error: str


@dataclass(frozen=True, slots=True)
class RunStatus:
    """The status of a run."""

    run_id: str
    plan: TrainingPlan | None  # None if this version refuses it; the message says why
    stage: Stage
    samples_done: int
    jobs_done: int
    jobs_retried: int  # that were begun more than once
    jobs_dead: int  # that were given up
    jobs_stale: int  # whose stale shards, made by other code, were made again
    dead: tuple[DeadJob, ...]  # the first of those that were given up
    epochs: tuple[Epoch, ...]
    seconds_left: float | None  # of the current stage; None if unknown
    model: str  # the name of the network, once there is one
    message: str  # for people: what the run waits for, or what went wrong


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A network that was trained."""

    name: str
    deck: str
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
