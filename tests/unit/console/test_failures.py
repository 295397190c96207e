import pytest

from clients.console.failures import _in_our_words


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("hero.text: 'x' is no range", "HAND: 'x' is no range"),
        ("opponents[2].text: bad", "--vs: bad"),
        ("opponents: there must be 1 to 9", "--vs: there must be 1 to 9"),
        ("opponent_counts: must be different", "--opponents: must be different"),
        ("rollouts.rollout_count: must be", "--rollouts: must be"),
        ("hands[0]: a hand has 5", "hands[0]: a hand has 5"),
        ("a sentence without a field", "a sentence without a field"),
        ("12 deals are too many: ask for rollouts", "12 deals are too many: ask for rollouts"),
    ],
)
def test_fields_are_named_as_on_the_command_line(message: str, expected: str) -> None:
    assert _in_our_words(message) == expected
