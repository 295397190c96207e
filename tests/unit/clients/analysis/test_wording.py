"""Sentences of explanations that were made by hand."""

import re
from collections.abc import Sequence

import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.clients.analysis.comparison import Group, Standing
from riverboat.clients.analysis.explanation import Choice, Explanation, Response
from riverboat.clients.analysis.wording import action_words, chips_words, share_words, why
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import PublicState
from tests.unit.clients.analysis.hands import played

FLOP, RIVER = [250, 0], [250, 0, 0, 0, 0, 0]
STANDING = Standing(
    0.64, 0.33, 0.03,
    (Group("high cards", 0.4), Group("pairs of nines", 0.2), Group("draws", 0.04)),
    (Group("two pair", 0.18), Group("straights", 0.1), Group("flushes", 0.05)),
)  # fmt: skip


def explanation(
    choices: Sequence[tuple[int, float, float]],  # action, frequency, EV
    *,
    actions: Sequence[int] = RIVER,
    equity: float = 0.655,
    standing: Standing = STANDING,
    response: tuple[float, float, float] = (0.41, 0.33, 0.5),
    exploitability: float = 0.1,
) -> Explanation:
    _, public = played(actions)
    best = max(ev for _, _, ev in choices)
    found = tuple(
        Choice(action, often, often, ev, best - ev, Response(*response) if action > CALL else None)
        for action, often, ev in choices
    )
    return Explanation(
        public, public.actor or 0, parse_cards("KsQd"), None, found, np.ones((2, 276)), equity, standing, exploitability
    )


def sentences(found: Explanation) -> list[str]:
    parts = re.split(r"(?<=\.) ", why(found, "Bob"))
    assert len(parts) == 2, parts
    assert all(part.endswith(".") for part in parts)
    return parts


def test_betting_on_the_river() -> None:
    first, second = sentences(explanation([(CALL, 0.28, 300), (300, 0.72, 312)]))
    assert first == (
        "You beat 64 % of what Bob can have here (mostly high cards and pairs of nines), "
        "lose to 33 % (mostly two pair and straights) and tie with 3 %."
    )
    assert second == (
        "A bet of 300 folds out 41 % (a third of it better than your hand) and you beat 50 % of what stays in, "
        "so betting 300 (72 % of the time) is worth 12 chips more than checking."
    )


def test_checking() -> None:
    _, second = sentences(explanation([(CALL, 1, 340), (300, 0, 312)], response=(0.1, 0.0, 0.2)))
    assert second == (
        "A bet of 300 folds out 10 % (none of it better than your hand) and you beat 20 % of what stays in, "
        "so checking (always) is worth 28 chips more than betting 300."
    )


def test_before_the_river_it_is_ahead_and_a_share_on_average() -> None:
    first, second = sentences(explanation([(CALL, 0.2, 300), (300, 0.8, 312)], actions=FLOP))
    assert first.startswith("You are ahead of 64 % of what Bob can have here (")
    assert first.endswith("and level with 3 %, and win 66 % of the pot on average if nobody bets any more.")
    assert "leaves you ahead of 50 % of what stays in" in second


def test_about_the_same() -> None:
    """What is within a hundredth of the pot, or within the exploitability, is not told apart."""
    _, second = sentences(explanation([(CALL, 0.4, 300), (300, 0.6, 304)]))
    assert second.endswith("so betting 300 (60 %) and checking (40 %) are worth about the same.")
    _, second = sentences(explanation([(CALL, 0.4, 300), (300, 0.6, 330)], exploitability=31))
    assert "about the same" in second
    _, second = sentences(explanation([(CALL, 0, 280), (300, 0.6, 304), (500, 0.4, 302)]))
    assert second.endswith(
        "so betting 300 (60 %) and betting 500 (40 %) are worth about the same, 24 chips more than checking."
    )


def test_calling_by_pot_odds() -> None:
    found = explanation([(FOLD, 0, 0), (CALL, 1, 451), (2100, 0, 300)], actions=[*RIVER, 400])
    _, second = sentences(found)
    assert second == (
        "A call of 400 needs 31 % of the pot and your hand has 66 %, "
        "so calling 400 (always) is worth 451 chips more than folding."
    )


def test_folding() -> None:
    found = explanation([(FOLD, 0.999, 0), (CALL, 0.001, -140)], actions=[*RIVER, 400], equity=0.2)
    _, second = sentences(found)
    assert second == (
        "A call of 400 needs 31 % of the pot and your hand has 20 %, "
        "so folding (nearly always) is worth 140 chips more than calling 400."
    )


def test_raising() -> None:
    found = explanation([(FOLD, 0, 0), (CALL, 0.1, 451), (2100, 0.9, 500)], actions=[*RIVER, 400])
    _, second = sentences(found)
    assert second == (
        "A call of 400 needs 31 % of the pot and your hand has 66 %; a raise to 2,100 folds out 41 % (a third of it "
        "better than your hand) and you beat 50 % of what stays in, "
        "so raising to 2,100 (90 % of the time) is worth 49 chips more than calling 400."
    )


def test_bets_that_are_still_to_come_are_named() -> None:
    facing = [250, 0, 0, 400]
    _, second = sentences(explanation([(FOLD, 1, 0), (CALL, 0, -60)], actions=facing, equity=0.4))
    assert "needs 31 % of the pot and your hand has 40 %, but later bets cost more than that, so folding" in second
    _, second = sentences(explanation([(FOLD, 0, 0), (CALL, 1, 60)], actions=facing, equity=0.2))
    assert "needs 31 % of the pot and your hand has 20 %, but more is won by later bets, so calling" in second


def test_nothing_to_decide() -> None:
    _, second = sentences(explanation([(CALL, 1, 100)]))
    assert second == "There is nothing to decide: you can only check."


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        (Standing(1, 0, 0, (Group("high cards", 1),), ()), "You beat everything that Bob can have here."),
        (Standing(0, 1, 0, (), (Group("straights", 1),)), "You lose to everything that Bob can have here."),
        (Standing(0, 0, 1, (), ()), "You tie with everything that Bob can have here."),
        (Standing(0.997, 0, 0.003, (Group("a", 1),), ()), "You beat nearly everything that Bob can have here."),
        (
            Standing(0.999, 0.001, 0, (Group("high cards", 0.999),), (Group("flushes", 0.001),)),
            "You beat more than 99 % of what Bob can have here (all of it high cards) "
            "and lose to less than 1 % (all of it flushes).",
        ),
        (
            Standing(0.5, 0.5, 0, (Group("a", 0.12), Group("b", 0.1), Group("c", 0.28)), (Group("d", 0.3),)),
            "You beat 50 % of what Bob can have here (most often a and b) and lose to 50 % (all of it d).",
        ),
    ],
)
def test_how_it_stands(standing: Standing, said: str) -> None:
    assert sentences(explanation([(CALL, 1, 100)], standing=standing))[0] == said


def test_shares_and_chips() -> None:
    assert [share_words(share) for share in (0, 0.001, 0.5, 0.999, 1)] == [
        "0 %", "less than 1 %", "50 %", "more than 99 %", "100 %",
    ]  # fmt: skip
    assert [chips_words(chips) for chips in (0.001, 0.25, 1, 1.25, 12.4, -1234.5, 0.0)] == [
        "0", "0.25", "1", "1.2", "12", "-1,234", "0",
    ]  # fmt: skip


def test_actions() -> None:
    _, river = played(RIVER)
    facing: PublicState = river.play(400)
    words = [action_words(river, action) for action in (CALL, 300, 9750)]
    assert words == ["check", "bet 300", "bet 9,750 (all-in)"]
    assert [action_words(facing, action) for action in (FOLD, CALL, 900)] == ["fold", "call 400", "raise to 900"]
