"""Stages of a training run, and the losses of its epochs."""

from dataclasses import dataclass
from enum import Enum


class Stage(Enum):
    """The stage of a run."""

    GENERATING = "generating"
    PAUSED = "paused"
    LEARNING = "learning"
    RUNNING = "running"  # a run in rounds
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
