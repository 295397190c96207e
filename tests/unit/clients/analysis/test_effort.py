"""Parameters of a re-solving agent."""

import pytest

from riverboat.clients.analysis.effort import AS_PLANNED, Effort, parse_effort
from riverboat.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "effort"),
    [
        ("equity", Effort(leaf="equity")),
        ("24-turn-96ef5c20+24-preflop-688e72a7", Effort(leaf="24-turn-96ef5c20+24-preflop-688e72a7")),
        ("cut", Effort(is_cut=True)),
        ("1000", Effort(iterations=1000)),
        ("2s", Effort(seconds=2.0)),
        ("equity+0.5s", Effort(leaf="equity", seconds=0.5)),
    ],
)
def test_words_are_joined_by_a_plus(text: str, effort: Effort) -> None:
    assert parse_effort(text) == effort


_BAD = ["", "fast", "0", "0s", "-2s", "1e9", "2s+100", "100+200", "1s+2s", "601s", "0.04s", "9999999"]


@pytest.mark.parametrize("text", [*_BAD, "equity+24-turn-96ef5c20", "equity+"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_effort(text)


def test_a_flop_is_exact_unless_the_caller_says_what_lies_below_its_cut() -> None:
    assert AS_PLANNED.may_be_exact
    assert parse_effort("3s").may_be_exact
    assert not parse_effort("cut").may_be_exact
    assert not parse_effort("equity").may_be_exact
