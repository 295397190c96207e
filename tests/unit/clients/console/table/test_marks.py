"""Marks of decisions in the output of commands."""

import pytest

from riverboat.arena.result import PlayerScore
from riverboat.clients.console.views.match_progress import MatchOutcome
from riverboat.clients.console.views.match_result import print_result, result_dict
from riverboat.clients.console.views.tables import marks_of, marks_text
from riverboat.marks import DecisionCounts, Mark
from riverboat.rules.variant import no_limit
from riverboat.tables.entries import HandFinished, MarkedMove
from riverboat.tables.match import MatchScore
from riverboat.tables.records import HandRecord


def outcome(**counts: int) -> MatchOutcome:
    scores = (PlayerScore("resolver", 500, 100), PlayerScore("rollout", -500, 100))
    decisions = (DecisionCounts(**counts), DecisionCounts(decision_count=90))
    result = MatchScore(
        scores=scores, decisions=decisions, hand_count=40, wanted_count=40, timed_out_count=0, is_over=True
    )
    return MatchOutcome("m", result, was_interrupted=False)


def test_a_match_shows_how_each_player_decided(capsys: pytest.CaptureFixture[str]) -> None:
    print_result(outcome(decision_count=80, partial_count=3, fallback_count=2))
    head, resolver, rollout, *rest = (line.split() for line in capsys.readouterr().out.splitlines())
    assert head[-3:] == ["decisions", "partial", "fallback"]
    assert resolver[-3:] == ["80", "3", "2"]
    assert rollout[-3:] == ["90", "0", "0"]
    assert not [line for line in rest if "decide" in line]


def test_many_fallbacks_are_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    print_result(outcome(decision_count=80, fallback_count=20, timed_out_count=4))
    shown = capsys.readouterr()
    words = "resolver did not decide for itself in 24 of 80 decisions (30 %: 20 by a fallback and 4 by the clock)"
    assert words in " ".join((shown.out + shown.err).split())
    score = result_dict(outcome(decision_count=80, partial_count=1, fallback_count=20, timed_out_count=4))["scores"][0]
    assert [score[name] for name in ("decisions", "partial", "fallback", "timed_out")] == [80, 1, 20, 4]


def test_tables_and_hands_show_marks() -> None:
    counts = DecisionCounts(decision_count=40, partial_count=1, fallback_count=3)
    assert marks_text(counts) == " (1 partial, 3 fallback of 40 decisions)"
    assert marks_text(DecisionCounts(decision_count=40)) == ""
    marks = [MarkedMove(2, 1, Mark.FALLBACK, "no \x1b[31mresolver"), MarkedMove(4, 1, Mark.PARTIAL, "")]
    ended = HandFinished((1, -1), "", tuple(marks))
    words = marks_of(
        HandRecord(
            hand_number=1, variant=no_limit(50, 100), names=("ann", "bob"), first_entry=0, entries=(ended,), phh=""
        )
    )
    assert words.startswith("bob: action 3 was a fallback (no ")
    assert words.endswith("; bob: action 5 was cut short by a deadline")
    assert "\x1b" not in words
