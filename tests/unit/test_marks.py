"""Marks of decisions: actions that carry them, and their counts."""

import pytest

from riverboat.marks import (
    LONGEST_REASON,
    DecisionCounts,
    Mark,
    MarkedAction,
    add_counts,
    count_one,
    fallback,
    mark_of,
    partial,
    warning_of,
    with_mark_of,
)


def test_a_marked_action_is_its_number() -> None:
    assert fallback(300, "why") == 300
    assert hash(partial(0)) == hash(0)
    assert mark_of(fallback(-1, "why")) == (Mark.FALLBACK, "why")
    assert mark_of(partial(0)) == (Mark.PARTIAL, "")
    assert mark_of(300) == mark_of("nothing") == (Mark.AS_INTENDED, "")


def test_a_mark_goes_with_another_number() -> None:
    assert mark_of(with_mark_of(partial(5, "late"), 7)) == (Mark.PARTIAL, "late")
    assert type(with_mark_of(5, 7)) is int


def test_a_reason_is_one_short_line() -> None:
    reason = fallback(0, "two\nlines\x1b[31m " + "x" * 500).reason
    assert reason.startswith("two lines")
    assert reason.isprintable()
    assert len(reason) == LONGEST_REASON


def test_counts_add_up() -> None:
    one = [count_one(Mark.PARTIAL), count_one(Mark.FALLBACK)]
    other = [count_one(Mark.AS_INTENDED, timed_out=True), count_one(Mark.FALLBACK)]
    assert add_counts(one, other) == (DecisionCounts(2, 1, 0, 1), DecisionCounts(2, 0, 2, 0))


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (DecisionCounts(), ""),
        (DecisionCounts(100, 50, 4, 0), ""),  # partial decisions are the player's own
        (DecisionCounts(100, 0, 30, 0), "in 30 of 100 decisions (30 %: 30 by a fallback), so"),
        (DecisionCounts(1000, 0, 40, 10), "in 50 of 1,000 decisions (5 %: 40 by a fallback and 10 by the clock), so"),
    ],
)
def test_a_result_that_is_not_the_player_s_own_says_so(counts: DecisionCounts, words: str) -> None:
    warning = warning_of("resolver", counts)
    assert words in warning
    assert bool(warning) == bool(words)


def test_a_marked_action_shows_its_mark() -> None:
    assert repr(MarkedAction(300, Mark.FALLBACK, "why")) == "300 (fallback: why)"
