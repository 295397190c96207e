"""A player's winnings per hand, from sums: for matches of any length that are played hand by hand."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from riverboat.arena.result import margins_of


@dataclass(slots=True)
class RunningScore:
    """Chips won in hands that are independent of each other."""

    hand_count: int = 0
    total: float = 0.0  # chips
    squares: float = 0.0  # sum of the squares of the chips of each hand

    def add(self, chips: float) -> None:
        """Count a hand."""
        self.hand_count += 1
        self.total += chips
        self.squares += chips * chips

    @property
    def deviation(self) -> float:
        """The standard deviation of a hand, in chips; 0 for fewer than two hands."""
        if self.hand_count < 2:
            return 0.0
        mean = self.total / self.hand_count
        return sqrt(max(0.0, self.squares - self.hand_count * mean * mean) / (self.hand_count - 1))

    def mbb(self, big_blind: int) -> tuple[float, float]:
        """Return thousandths of a big blind per hand, and half of the 95 % confidence interval, infinite if unknown."""
        if self.hand_count == 0:
            return 0.0, inf
        scale = 1000 / big_blind
        mean = scale * self.total / self.hand_count
        if self.hand_count < 2:
            return mean, inf
        (margin,) = margins_of(np.array([mean]), np.array([scale * self.deviation]), self.hand_count)
        return mean, float(margin)
