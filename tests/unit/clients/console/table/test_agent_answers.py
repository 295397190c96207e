"""`riverboat explain --agent` and `riverboat tree`: what they print, and what they refuse."""

import json

import pytest

from riverboat.clients.console.table.agent_answers import explain_before_the_flop
from riverboat.clients.console.table.preflop_lines import read_line
from riverboat.clients.remote.refusals import Refused
from riverboat.rules.variant import no_limit

GAME = no_limit(50, 100)


def test_any_agent_with_a_strategy_answers(capsys: pytest.CaptureFixture[str]) -> None:
    explain_before_the_flop("always-call", "AhQd", 200, "r300", None, as_json=True)
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"agent": "always-call", "holding": "AhQd", "chances": {"c": 1.0}, "reasons": []}


def test_the_chart_stands_below_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    explain_before_the_flop("always-call", "AhQd", 200, "", None, as_json=False)
    said = capsys.readouterr().out
    assert "100.0 %" in said
    assert "calls, in % of each class" in said


@pytest.mark.parametrize(
    ("holding", "line", "words"),
    [
        (None, "", "--holding"),
        ("AhAh", "", "--holding"),
        ("Ah", "", "--holding"),
        ("AhQd", "r1", "--line"),
        ("AhQd", "c c", "the flop comes"),
        ("AhQd", "jump", "--line"),
    ],
)
def test_nonsense_is_refused_in_one_line(holding: str | None, line: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        explain_before_the_flop("always-call", holding, 200, line, None, as_json=False)


def test_a_line_is_read_as_at_the_table() -> None:
    assert read_line("c, r400", GAME, 20_000) == [0, 400]
