from math import inf

import numpy as np
import pytest

from riverboat.arena.result import margins_of
from riverboat.arena.running_score import RunningScore


def test_sums_give_what_all_hands_give() -> None:
    chips = np.random.default_rng(1).normal(3, 900, 500)
    winnings = RunningScore()
    for won in chips:
        winnings.add(float(won))
    mbb, margin = winnings.mbb(100)
    assert mbb == pytest.approx(10 * chips.mean())
    (expected,) = margins_of(np.array([10 * chips.mean()]), np.array([10 * chips.std(ddof=1)]), len(chips))
    assert margin == pytest.approx(float(expected))
    assert winnings.deviation == pytest.approx(chips.std(ddof=1))


def test_too_few_hands_have_no_interval() -> None:
    winnings = RunningScore()
    assert winnings.mbb(100) == (0.0, inf)
    winnings.add(-50)
    assert winnings.mbb(100) == (-500.0, inf)
    winnings.add(-50)
    assert winnings.mbb(100) == (-500.0, inf)  # two equal hands say nothing about how much hands differ
