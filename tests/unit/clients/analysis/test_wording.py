"""Sentences of explanations with made-up numbers."""

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import parse_cards
from riverboat.clients.analysis.comparison import Comparison, RangePart
from riverboat.clients.analysis.explanation import Choice, Explanation, Response
from riverboat.clients.analysis.wording import joined, pot_odds, share_words, why
from riverboat.rules.betting import CALL, FOLD
from tests.unit.clients.analysis.hands import played

FLOP, RIVER = [250, 0], [250, 0, 0, 0, 0, 0]
COMPARISON = Comparison(
    0.64, 0.33, 0.03,
    (RangePart("high cards", 0.4), RangePart("pairs of nines", 0.2), RangePart("draws", 0.04)),
    (RangePart("two pair", 0.18), RangePart("straights", 0.1), RangePart("flushes", 0.05)),
)  # fmt: skip


def explanation(
    choices: Sequence[tuple[int, float, float]],  # action, frequency, EV
    *,
    actions: Sequence[int] = RIVER,
    equity: float = 0.655,
    comparison: Comparison = COMPARISON,
    response: tuple[float, float, float] = (0.41, 0.33, 0.5),
    exploitability: float = 0.1,
) -> Explanation:
    _, public = played(actions)
    best = max(ev for _, _, ev in choices)
    weighed = tuple(
        Choice(action, often, often, ev, best - ev, Response(*response) if action > CALL else None)
        for action, often, ev in choices
    )
    return Explanation(
        public=public,
        seat=public.actor or 0,
        holding=parse_cards("KsQd"),
        taken=None,
        choices=weighed,
        ranges=np.ones((2, 276)),
        equity=equity,
        comparison=comparison,
        exploitability=exploitability,
    )


def sentences(explained: Explanation) -> list[str]:
    parts = re.split(r"(?<=\.) ", why(explained, "Bob"))
    assert len(parts) == 2, parts
    assert all(part.endswith(".") for part in parts)
    return parts


def test_betting_on_the_river() -> None:
    first, second = sentences(explanation([(CALL, 0.28, 300), (300, 0.72, 312)]))
    assert first == (
        "You beat 64 % of Bob's range (mostly high cards and pairs of nines), "
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
    assert first.startswith("You are ahead of 64 % of Bob's range (")
    assert first.endswith("and level with 3 %, and win 66 % of the pot on average if nobody bets again.")
    assert "leaves you ahead of 50 % of what stays in" in second


def test_about_the_same() -> None:
    """EVs within 1 % of the pot, or within the exploitability, count as equal."""
    _, second = sentences(explanation([(CALL, 0.4, 300), (300, 0.6, 304)]))
    assert second.endswith(
        "so betting 300 (60 % of the time) and checking (40 % of the time) are worth about the same."
    )
    _, second = sentences(explanation([(CALL, 0.4, 300), (300, 0.6, 330)], exploitability=31))
    assert "about the same" in second
    _, second = sentences(explanation([(CALL, 0, 280), (300, 0.6, 304), (500, 0.4, 302)]))
    assert second.endswith(
        "so betting 300 (60 % of the time) and betting 500 (40 % of the time) are worth about the same, 24 chips more "
        "than checking."
    )


def test_calling_by_pot_odds() -> None:
    explained = explanation([(FOLD, 0, 0), (CALL, 1, 451), (2100, 0, 300)], actions=[*RIVER, 400])
    _, second = sentences(explained)
    assert second == (
        "A call of 400 needs 31 % of the pot and your hand has 66 %, "
        "so calling 400 (always) is worth 451 chips more than folding."
    )


def test_folding() -> None:
    explained = explanation([(FOLD, 0.999, 0), (CALL, 0.001, -140)], actions=[*RIVER, 400], equity=0.2)
    _, second = sentences(explained)
    assert second == (
        "A call of 400 needs 31 % of the pot and your hand has 20 %, "
        "so folding (almost always) is worth 140 chips more than calling 400."
    )


def test_raising() -> None:
    explained = explanation([(FOLD, 0, 0), (CALL, 0.1, 451), (2100, 0.9, 500)], actions=[*RIVER, 400])
    _, second = sentences(explained)
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
    assert "needs 31 % of the pot and your hand has 20 %, but later bets win more, so calling" in second


def test_nothing_to_decide() -> None:
    _, second = sentences(explanation([(CALL, 1, 100)]))
    assert second == "There is nothing to decide: you can only check."


@pytest.mark.parametrize(
    ("comparison", "words"),
    [
        (Comparison(1, 0, 0, (RangePart("high cards", 1),), ()), "You beat all of Bob's range."),
        (Comparison(0, 1, 0, (), (RangePart("straights", 1),)), "You lose to all of Bob's range."),
        (Comparison(0, 0, 1, (), ()), "You tie with all of Bob's range."),
        (Comparison(0.997, 0, 0.003, (RangePart("a", 1),), ()), "You beat nearly all of Bob's range."),
        (
            Comparison(0.999, 0.001, 0, (RangePart("high cards", 0.999),), (RangePart("flushes", 0.001),)),
            "You beat more than 99 % of Bob's range (all high cards) and lose to less than 1 % (all flushes).",
        ),
        (
            Comparison(
                0.5, 0.5, 0, (RangePart("a", 0.12), RangePart("b", 0.1), RangePart("c", 0.28)), (RangePart("d", 0.3),)
            ),
            "You beat 50 % of Bob's range (most often a and b) and lose to 50 % (all d).",
        ),
    ],
)
def test_how_a_holding_compares(comparison: Comparison, words: str) -> None:
    assert sentences(explanation([(CALL, 1, 100)], comparison=comparison))[0] == words


def test_shares() -> None:
    assert [share_words(share) for share in (0, 0.001, 0.5, 0.999, 1)] == [
        "0 %", "less than 1 %", "50 %", "more than 99 %", "100 %",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "sentence"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_joined(words: list[str], sentence: str) -> None:
    assert joined(words) == sentence


# A bet of half the pot on the flop and on the river: the price of a call is a quarter of the pot after it.
FACING = {"flop": [250, 0, 0, 250], "river": [250, 0, 0, 0, 0, 0, 0, 250]}
CHANCES = st.floats(0, 1, allow_nan=False)
EVS = st.floats(-400, 900, allow_nan=False)


@given(
    place=st.sampled_from(sorted(FACING)),
    equity=CHANCES,
    call_ev=EVS,
    raise_ev=EVS,
    often=st.tuples(CHANCES, CHANCES, CHANCES).filter(lambda shares: sum(shares) > 0.01),
    exploitability=st.floats(0, 30),
)
def test_the_reason_implies_the_action_that_is_recommended(
    place: str, equity: float, call_ev: float, raise_ev: float, often: tuple[float, float, float], exploitability: float
) -> None:
    shares = [share / sum(often) for share in often]
    explained = explanation(
        [(FOLD, shares[0], 0), (CALL, shares[1], call_ev), (900, shares[2], raise_ev)],
        actions=FACING[place],
        equity=equity,
        exploitability=exploitability,
    )
    if place == "river":  # nobody bets after a call there: its value is what the price says
        call_ev = equity * 1000 - 250
        explained = explanation(
            [(FOLD, shares[0], 0), (CALL, shares[1], call_ev), (900, shares[2], raise_ev)],
            actions=FACING[place],
            equity=equity,
            exploitability=exploitability,
        )
    reason, _, advice = sentences(explained)[1].partition(", so ")
    recommended = advice.partition(" worth ")[0]
    price, but = re.search(r"needs .*? of the pot and your hand has [^,;]*", reason), "but later" in reason
    assert price
    is_enough, is_near = equity > pot_odds(explained.public), "about the price" in reason
    if is_enough and not but and not is_near:
        assert "folding" not in recommended
    if not is_enough and not but and not is_near:
        assert "calling" not in recommended
    if place == "river":
        assert not but
    if "cost more" in reason:
        assert "calling" not in recommended or call_ev >= explained.best.ev - explained.slack
    assert all(f"({share} %)" not in advice for share in range(101)), "a frequency says what it is a share of"
