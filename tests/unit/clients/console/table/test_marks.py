"""Where commands show how decisions were made."""

import pytest

from riverboat.clients.console.views.match_progress import MatchOutcome
from riverboat.clients.console.views.match_result import print_result, result_dict
from riverboat.clients.console.views.tables import marks_of, marks_text
from riverboat.protos.gamemanager.v1 import matches_pb2, tables_pb2


def outcome(**counts: int) -> MatchOutcome:
    decisions = tables_pb2.DecisionCounts(**counts)
    scores = [
        matches_pb2.Score(name="resolver", mbb=500, margin=100, decisions=decisions),
        matches_pb2.Score(name="rollout", mbb=-500, margin=100, decisions=tables_pb2.DecisionCounts(decision_count=90)),
    ]
    result = matches_pb2.WatchMatchResponse(scores=scores, hand_count=40, wanted_count=40, is_over=True)
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
    counts = tables_pb2.DecisionCounts(decision_count=40, partial_count=1, fallback_count=3)
    assert marks_text(counts) == " (1 partial, 3 fallback of 40 decisions)"
    assert marks_text(tables_pb2.DecisionCounts(decision_count=40)) == ""
    marks = [
        tables_pb2.MarkedDecision(action_number=2, seat=1, mark=tables_pb2.MARK_FALLBACK, reason="no \x1b[31mresolver"),
        tables_pb2.MarkedDecision(action_number=4, seat=1, mark=tables_pb2.MARK_PARTIAL),
    ]
    ended = tables_pb2.TableEvent(hand_ended=tables_pb2.TableEvent.HandEnded(payoffs=[1, -1], marks=marks))
    words = marks_of(tables_pb2.HandRecord(names=["ann", "bob"], events=[ended]))
    assert words.startswith("bob: action 3 was a fallback (no ")
    assert words.endswith("; bob: action 5 was cut short by a deadline")
    assert "\x1b" not in words
