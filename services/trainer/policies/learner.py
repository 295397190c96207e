"""The interface of a learner, and the measures of a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from riverboat.policies.game_states import StreetStates
from riverboat.policies.policy import LearnedPolicy
from riverboat.services.trainer.policies.plan import PolicyPlan
from riverboat.services.trainer.rounds.kind import TellMessage

F32 = NDArray[np.float32]
FLOOR = 1e-3  # of a chance in a logarithm: a model that rules out what the blueprint does is not infinitely wrong


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StreetLesson:
    """The data from which a learner makes the model of a street."""

    plan: PolicyPlan
    street: int
    states: StreetStates  # to learn from
    held_out: StreetStates  # to measure the model on
    threads: int


class Learnt(NamedTuple):
    """The model of a street."""

    data: bytes  # the model, as its learner reads it
    held_out: F32  # its chances for the states that were held out [N, A]
    facts: Mapping[str, float]  # about the model, such as its size


class Learner(Protocol):
    """Learns models and puts them together."""

    suffix: str  # of the file

    def learn(self, lesson: StreetLesson, tell: TellMessage) -> Learnt:
        """Return the model of a street."""
        ...

    def file(self, about: LearnedPolicy, models: list[bytes]) -> bytes:
        """Return the file of a policy; `about` is a policy whose models do not matter."""
        ...


def fidelity(chances: F32, labels: F32) -> dict[str, float]:
    """Return measures of how near a model's chances [N, A] are to the blueprint's.

    `accuracy` is how often both prefer the same choice, `kl` the log-loss minus the part that no model can avoid.
    """
    floored = np.maximum(chances, FLOOR)
    entropy = -(labels * np.log(np.maximum(labels, FLOOR))).sum(axis=1).mean(dtype=np.float64)
    log_loss = -(labels * np.log(floored)).sum(axis=1).mean(dtype=np.float64)
    return {
        "accuracy": float((chances.argmax(axis=1) == labels.argmax(axis=1)).mean()),
        "log_loss": float(log_loss),
        "kl": float(log_loss - entropy),
        "brier": float(((chances - labels) ** 2).sum(axis=1).mean(dtype=np.float64)),
    }
