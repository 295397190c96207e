"""The result of a match, with confidence intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from riverboat.marks import DecisionCounts

# 97.5 % quantiles of Student's t for 1 to 9 degrees of freedom; from there on a series is as exact.
_T = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)
_Z = 1.959964
_FEW_DEALS = 30


def t_quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t, to four digits: half of a 95 % interval, in standard errors."""
    if freedom <= len(_T):
        return _T[freedom - 1]
    # The series around the normal distribution: Abramowitz and Stegun, 26.7.5.
    z, z3, z5, z7 = (_Z**power for power in (1, 3, 5, 7))
    terms = (z3 + z) / 4, (5 * z5 + 16 * z3 + 3 * z) / 96, (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))


def margins_of(means: NDArray[np.float64], deviations: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return half of the 95 % confidence interval of each mean of `count` deals, two or more.

    It is infinite where all of a few deals went the same way, because they say nothing about how much deals differ.
    """
    is_unknown = (deviations == 0) & (means != 0) & (count < _FEW_DEALS)
    margins: NDArray[np.float64] = np.where(is_unknown, inf, t_quantile(count - 1) * deviations / sqrt(count))
    return margins


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One bot's winnings, in thousandths of a big blind per hand."""

    bot: str
    mbb: float
    margin: float  # half of the 95 % confidence interval; infinite if it cannot be known yet


@dataclass(frozen=True, slots=True, eq=False)
class MatchResult:
    """The deals of a match that have been played.

    A deal with all its rotations is one sample: its hands share their cards, so they are not independent.
    """

    bots: Sequence[str]
    big_blind: int  # chips
    chips: NDArray[np.float64]  # [D, P]: each bot's score in each deal, all rotations together
    wanted_count: int  # deals of the whole match
    decisions: Sequence[DecisionCounts] = ()  # by bot, in all deals so far
    plain: NDArray[np.float64] | None = None  # [D, P]: the chips that changed hands, with all their luck

    @property
    def deal_count(self) -> int:
        """D, the deals played so far."""
        return len(self.chips)

    @property
    def hand_count(self) -> int:
        """The hands played so far: each deal as often as there are players."""
        return self.chips.size

    @property
    def done(self) -> float:
        """How much of the match has been played, 0..1."""
        return self.deal_count / self.wanted_count

    @property
    def mbb(self) -> NDArray[np.float64]:
        """Thousandths of a big blind per hand, for each deal and bot [D, P]."""
        return self.chips * (1000 / (self.big_blind * len(self.bots)))

    @property
    def deviation_saved(self) -> float | None:
        """The share of the standard deviation that scoring has removed from the first bot's chips, 1 for all of it.

        It is negative if scoring added some, and None if it cannot be known: too few deals, or chips that never differ.
        """
        if self.plain is None or self.deal_count < 2:
            return None
        plain = float(self.plain[:, 0].std(ddof=1))
        return 1 - float(self.chips[:, 0].std(ddof=1)) / plain if plain else None

    @property
    def scores(self) -> tuple[PlayerScore, ...]:
        """Each bot's winnings, with 95 % confidence intervals."""
        count, mbb = self.deal_count, self.mbb
        means = mbb.mean(axis=0)
        margins = np.full(len(self.bots), inf)
        if count > 1:
            margins = margins_of(means, mbb.std(axis=0, ddof=1), count)
        return tuple(map(PlayerScore, self.bots, means.tolist(), margins.tolist()))
