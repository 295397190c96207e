import pytest

from riverboat.clients.analysis.actions import action_words, chips_words, played_words, playing_words
from riverboat.rules.betting import CALL, FOLD
from tests.unit.clients.analysis.hands import played

_, RIVER = played([250, 0, 0, 0, 0, 0])
FACING = RIVER.play(400)
FACING_ALL_IN = RIVER.play(9750)


def test_chips() -> None:
    assert [chips_words(chips) for chips in (0.001, 0.25, 1, 1.25, 12.4, -1234.5, 0.0)] == [
        "0", "0.25", "1", "1.2", "12", "-1,234", "0",
    ]  # fmt: skip


def test_actions_as_orders() -> None:
    words = [action_words(RIVER, action) for action in (CALL, 300, 9750)]
    assert words == ["check", "bet 300", "bet 9,750 (all-in)"]
    assert [action_words(FACING, action) for action in (FOLD, CALL, 900)] == ["fold", "call 400", "raise to 900"]
    assert action_words(FACING_ALL_IN, CALL) == "call 9,750 (all-in)"


def test_actions_as_reports() -> None:
    words = [played_words(RIVER, action) for action in (CALL, 300, 9750)]
    assert words == ["checks", "bets 300", "bets 9,750 (all-in)"]
    assert [played_words(FACING, action) for action in (FOLD, CALL, 900)] == ["folds", "calls 400", "raises to 900"]
    assert played_words(FACING_ALL_IN, CALL) == "calls 9,750 (all-in)"


def test_actions_to_weigh() -> None:
    assert [playing_words(RIVER, action) for action in (CALL, 9750)] == ["checking", "betting 9,750"]
    weighed = [playing_words(FACING, action) for action in (FOLD, CALL, 900)]
    assert weighed == ["folding", "calling 400", "raising to 900"]


@pytest.mark.parametrize("words", [action_words, played_words, playing_words])
def test_chips_may_be_written_otherwise(words: object) -> None:
    assert callable(words)
    assert words(FACING, 900, lambda chips: f"{chips / 100:.2f} €").endswith(" 9.00 €")


def test_every_wording_agrees_with_the_rules_on_all_in() -> None:
    for state in (RIVER, FACING, FACING_ALL_IN):
        seat = state.actor or 0
        for action in (CALL, *(state.raise_limits or ())):
            is_all_in = not state.play(action).stacks[seat]
            assert action_words(state, action).endswith("(all-in)") is is_all_in
            assert played_words(state, action).endswith("(all-in)") is is_all_in
