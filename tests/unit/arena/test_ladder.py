"""Scores of a ladder: both sides of a pairing, means and the ranking."""

import numpy as np
import pytest

from riverboat.arena.ladder import Ladder, pairs_of
from riverboat.arena.result import MatchResult


def result(one: str, two: str, mbb: list[float]) -> MatchResult:
    """Return a match in which the first bot won these mbb/hand in each deal."""
    chips = np.array([[2 * won / 10, -2 * won / 10] for won in mbb])
    return MatchResult((one, two), 100, chips, len(mbb), plain=2 * chips)


def test_both_sides_of_a_pairing() -> None:
    ladder = Ladder("abc", {("a", "b"): result("a", "b", [100, 300]), ("a", "c"): result("a", "c", [-50, -50])})
    won, lost = ladder.score("a", "b"), ladder.score("b", "a")
    assert won
    assert lost
    assert [won.mbb, lost.mbb] == pytest.approx([200, -200])
    assert won.margin == pytest.approx(lost.margin)
    assert ladder.score("b", "c") is None
    assert ladder.mean("a") == pytest.approx(75)
    assert ladder.ranking == ["a", "c", "b"]


def test_agents_that_have_not_played_come_last() -> None:
    ladder = Ladder("xab", {("a", "b"): result("a", "b", [1, -2])})
    assert ladder.ranking == ["b", "a", "x"]
    assert pairs_of("xab") == [("x", "a"), ("x", "b"), ("a", "b")]


def test_the_deviation_that_scoring_saves() -> None:
    assert result("a", "b", [100, 300]).deviation_saved == pytest.approx(0.5)
    assert result("a", "b", [100]).deviation_saved is None
    assert result("a", "b", [100, 100]).deviation_saved is None
