"""The winnings of local best response against an agent, with their confidence interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from riverboat.arena.bot import F64
from riverboat.arena.result import margins_of

_MBB = 1000  # thousandths of a big blind


@dataclass(frozen=True, slots=True, eq=False)
class ResponseScore:
    """The deals that a response has played, each once in each seat."""

    big_blind: int  # chips
    chips: F64  # [D, 2]: the response's winnings in each deal, by its seat

    @property
    def hand_count(self) -> int:
        """The hands played so far: two for each deal."""
        return self.chips.size

    @property
    def mean_chips(self) -> tuple[float, float]:
        """The mean over both seats in chips a hand, and half of its 95 % confidence interval."""
        return _mean_of(self.chips.mean(axis=1))

    @property
    def mbb(self) -> tuple[float, float]:
        """The mean over both seats in mbb/hand, and half of its 95 % confidence interval."""
        return self._score(self.chips.mean(axis=1))

    @property
    def by_seat(self) -> tuple[tuple[float, float], ...]:
        """The mean in mbb/hand, and half of its 95 % confidence interval, for each seat of the response."""
        return tuple(self._score(won) for won in self.chips.T)

    def _score(self, won: F64) -> tuple[float, float]:
        mean, margin = _mean_of(won)
        return mean * _MBB / self.big_blind, margin * _MBB / self.big_blind


def _mean_of(won: F64) -> tuple[float, float]:
    if len(won) < 2:
        return float(won.mean()) if len(won) else 0.0, inf
    mean, deviation = won.mean(keepdims=True), won.std(ddof=1, keepdims=True)
    return float(mean[0]), float(margins_of(mean, deviation, len(won))[0])


def score_of(big_blind: int, deals: Sequence[F64]) -> ResponseScore:
    """Return the score of some deals, which may be none."""
    return ResponseScore(big_blind, np.array(deals, np.float64).reshape(-1, 2))
