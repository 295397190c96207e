"""The settings of self-play: sampling, discounts and pruning."""

from dataclasses import dataclass
from enum import IntEnum
from math import inf

from riverboat.errors import InvalidInput


class Sampling(IntEnum):
    """The choices that a walk samples besides the board."""

    NOTHING = 0  # all holdings, all actions
    ACTIONS = 1  # all holdings, one of the opponent's actions
    HOLDINGS = 2  # external sampling: one holding each, one of the opponent's actions


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlayRecipe:
    """The settings of self-play."""

    sampling: Sampling = Sampling.NOTHING
    boards: int = 20  # in an epoch
    repeats: int = 1  # walks on each board for each player
    alpha: float = 1.0  # epoch t's positive regrets are multiplied by t^alpha / (t^alpha + 1)
    beta: float = 1.0  # its negative regrets by t^beta / (t^beta + 1)
    gamma: float = 1.0  # sums are multiplied by (t / (t + 1))^gamma
    prune_below: float = -inf  # chips: see `Walk`

    def __post_init__(self) -> None:
        for name in ("boards", "repeats"):
            if getattr(self, name) < 1:
                raise InvalidInput(name, f"must be at least 1, not {getattr(self, name)}")
        if not self.prune_below < 0:
            raise InvalidInput("prune_below", f"must be below 0, not {self.prune_below}")
