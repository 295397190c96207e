"""Means, intervals, and Student's t."""

from math import atan, cos, inf, pi, sin, sqrt

import numpy as np
import pytest

from riverboat.arena.result import MatchResult, t_quantile


def t_below(t: float, freedom: int) -> float:
    """Return Student's distribution function at t, by the finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4."""
    angle = atan(t / sqrt(freedom))
    term, total = (cos(angle), 0.0) if freedom % 2 else (1.0, 0.0)
    for k in range(2 if freedom % 2 else 1, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * k / (k + 1)
    total *= sin(angle)
    inside = 2 / pi * (angle + total) if freedom % 2 else total
    return 0.5 + inside / 2


@pytest.mark.parametrize("freedom", [*range(1, 31), 60, 61, 1000])
def test_t_quantile_leaves_two_and_a_half_percent_above(freedom: int) -> None:
    assert t_below(t_quantile(freedom), freedom) == pytest.approx(0.975, abs=2e-5)


def test_scores_by_hand() -> None:
    """Deals of two hands: -150, 50 and 400 chips are -750, 250 and 2000 mbb/hand at a big blind of 100."""
    chips = np.array([[-150.0, 150.0], [50.0, -50.0], [400.0, -400.0]])
    result = MatchResult(("a", "b"), 100, chips, 12)
    assert (result.deal_count, result.hand_count, result.done) == (3, 6, 0.25)
    first, second = result.scores
    assert (first.bot, second.bot) == ("a", "b")
    assert first.mbb == pytest.approx(500) == -second.mbb
    margin = 4.3027 * np.std([-750, 250, 2000], ddof=1) / sqrt(3)
    assert first.margin == pytest.approx(margin) == second.margin


def test_one_deal_says_nothing_about_its_error() -> None:
    assert MatchResult(("a", "b"), 100, np.array([[100.0, -100.0]]), 1).scores[0].margin == inf


def test_a_few_deals_that_are_all_the_same_say_nothing_about_their_error() -> None:
    same = np.array([[100.0, -100.0]])
    for count, margin in ((2, inf), (29, inf), (30, 0.0)):
        assert MatchResult(("a", "b"), 100, np.repeat(same, count, axis=0), 50).scores[0].margin == margin
    assert MatchResult(("a", "b"), 100, np.zeros((2, 2)), 2).scores[0].margin == 0, "neither wins anything"
