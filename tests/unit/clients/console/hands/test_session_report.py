"""A review of many hands: the decisions by what they cost, in the terminal and as a page."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from riverboat.cards import parse_cards
from riverboat.clients.analysis.review import Grade, Reviewed
from riverboat.clients.console.hands.review_page import review_page
from riverboat.clients.console.hands.session_report import explain_command, plan_words, print_by_cost
from riverboat.clients.console.hands.session_review import CostlyDecision, ReviewPlan, SeatToReview, by_cost
from riverboat.clients.console.views.explanation import Names
from riverboat.rules.betting import CALL
from tests.unit.clients.analysis.hands import CHECKED_DOWN, played
from tests.unit.clients.analysis.test_wording import explanation

NAMES = Names(("<b>Ann</b>", "Bob"))


def decision(hand: int, lost: float, grade: Grade) -> CostlyDecision:
    """Return a check on the river that lost this many chips."""
    explained = explanation([(CALL, 0.28, 300), (300, 0.72, 300 + lost)])
    decisions, _ = played(CHECKED_DOWN)
    at = SeatToReview(number=hand, seat=explained.seat, holding=parse_cards("KsQd"), decisions=decisions, names=NAMES)
    taken = explained.choice(CALL)
    return CostlyDecision(at, 2, Reviewed(explained, taken, explained.best, grade))


DECISIONS = [
    decision(1, 12, Grade.SMALL), decision(2, 400, Grade.BLUNDER), decision(3, 1, Grade.FINE),
    decision(4, 60, Grade.MISTAKE),
]  # fmt: skip


def test_the_most_costly_come_first_and_fine_ones_cost_nothing() -> None:
    assert [one.at.number for one in by_cost(DECISIONS)] == [2, 4, 1]
    assert by_cost(DECISIONS)[0].blinds_lost == pytest.approx(4)


def test_the_table_and_the_command_that_explains(capsys: pytest.CaptureFixture[str]) -> None:
    print_by_cost(DECISIONS, Path("my hands.phhs"))
    text = capsys.readouterr().out
    rows = [line.split() for line in text.splitlines()]
    assert [row[0] for row in rows[2:5]] == ["2", "4", "1"]
    assert "3 of 4 decisions cost 4.7 big blinds in all" in text
    assert explain_command(DECISIONS[1], Path("my hands.phhs")) == (
        "riverboat explain 'my hands.phhs' --hand 2 --player Bob --decision 2"
        if DECISIONS[1].at.seat
        else "riverboat explain 'my hands.phhs' --hand 2 --player '<b>Ann</b>' --decision 2"
    )


def test_all_fine(capsys: pytest.CaptureFixture[str]) -> None:
    print_by_cost([DECISIONS[2]], Path("x"))
    assert "all 1 decisions are fine" in capsys.readouterr().out


def test_a_plan_in_words() -> None:
    plan = ReviewPlan([DECISIONS[0].at], {"have more than two players": 2})
    assert plan_words(plan)[1] == "left out: 2 hands have more than two players"
    assert plan_words(plan)[0].startswith("1 hand, ")


def test_the_page_has_every_decision_with_its_reasons_and_trusts_no_name() -> None:
    tags = list[str]()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append(tag)

    text = review_page("Review <1>", "4 hands", by_cost(DECISIONS))
    Reader().feed(text)
    assert tags.count("section") == 3
    assert "b" not in tags, "names are escaped"
    assert "script" not in tags
    assert "connect-src" not in text
    assert "is worth 400 chips more than checking" in text
    assert text.index("hand 2") < text.index("hand 4") < text.index("hand 1,")
