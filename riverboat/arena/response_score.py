"""The winnings of local best response against an agent, with their confidence interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan

import numpy as np

from riverboat.arena.bot import F64
from riverboat.arena.result import margins_of

_MBB = 1000  # thousandths of a big blind


_LEAST_DEALS = 50  # from which on luck is taken out: by fewer, its weight is not known


@dataclass(frozen=True, slots=True, eq=False)
class ResponseScore:
    """The deals that a response has played, each once in each seat."""

    big_blind: int  # chips
    plain: F64  # [D, 2]: what the response won in each deal, by its seat
    luck: F64  # [D, 2, L]: its luck of each kind, which is zero on average

    @property
    def chips(self) -> F64:
        """The winnings without luck [D, 2], each kind by the weight that leaves the deals steadiest."""
        return self.plain - self.luck @ self._weights()

    def _weights(self) -> F64:
        """Return the weight of each kind of luck [L]: least squares over the deals, as for any control variate."""
        kinds = self.luck.shape[-1]
        if len(self.plain) < _LEAST_DEALS or not kinds:
            return np.zeros(kinds)
        won, luck = self.plain.mean(axis=1), self.luck.mean(axis=1)
        weights: F64 = np.linalg.lstsq(luck - luck.mean(axis=0), won - won.mean(), rcond=None)[0]
        return weights

    @property
    def hand_count(self) -> int:
        """The hands played so far: two for each deal."""
        return self.plain.size

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

    @property
    def deviation_saved(self) -> float:
        """The share of the standard deviation of a deal that is gone with luck; NaN where there is none."""
        with_luck = self.plain.mean(axis=1).std() if len(self.plain) else 0.0
        return 1 - float(self.chips.mean(axis=1).std() / with_luck) if with_luck else nan

    def _score(self, won: F64) -> tuple[float, float]:
        mean, margin = _mean_of(won)
        return mean * _MBB / self.big_blind, margin * _MBB / self.big_blind


def _mean_of(won: F64) -> tuple[float, float]:
    if len(won) < 2:
        return float(won.mean()) if len(won) else 0.0, inf
    mean, deviation = won.mean(keepdims=True), won.std(ddof=1, keepdims=True)
    return float(mean[0]), float(margins_of(mean, deviation, len(won))[0])


def score_of(big_blind: int, deals: Sequence[F64]) -> ResponseScore:
    """Return the score of some deals [2, 1 + L], which may be none."""
    by_seat = np.array(deals, np.float64) if len(deals) else np.zeros((0, 2, 1))
    return ResponseScore(big_blind, by_seat[..., 0], by_seat[..., 1:])
