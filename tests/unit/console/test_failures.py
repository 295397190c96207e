import pytest

from clients.console.failures import _in_our_words


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("hero.text: 'x' is no range", "HOLDING: 'x' is no range"),
        ("opponents[2].text: bad", "--vs 3: bad"),
        ("opponents[2]: bad", "--vs 3: bad"),
        ("opponents: there must be 1 to 9", "opponents: there must be 1 to 9"),
        ("rollouts.rollout_count: must be", "--rollouts: must be"),
        ("hands[0]: a hand has 5", "HAND 1: a hand has 5"),
        ("hands: too many", "HAND: too many"),
        ("stud.mine: bad", "--stud MINE: bad"),
        ("deck: no such deck", "--deck: no such deck"),
        ("a sentence without a field", "a sentence without a field"),
        ("12 deals are too many: ask for rollouts", "12 deals are too many: ask for rollouts"),
    ],
)
def test_fields_are_named_as_on_the_command_line(message: str, expected: str) -> None:
    names = {
        "hero": "HOLDING",
        "opponents": "opponents",
        "opponents[]": "--vs {}",
        "hands": "HAND {}",
        "rollouts.rollout_count": "--rollouts",
        "stud.mine": "--stud MINE",
    }
    assert _in_our_words(message, names) == expected
