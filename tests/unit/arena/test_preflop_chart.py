"""Charts of what strategies do before the flop."""

import numpy as np
import pytest

from riverboat.arena.bot import Strategy
from riverboat.arena.preflop_chart import PreflopChart, preflop_view
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, holdings_of_class
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.variant import no_limit

GAME = no_limit(50, 100, deck="24")


def aces_raise() -> PreflopChart:
    """Return the chart of a button that raises aces to 300 half the time and to 500 otherwise, and folds nines."""
    view, classes = preflop_view(GAME, 10_000, ()), holdings_of_class(GAME.deck)
    chances = np.zeros((5, holdings_of(GAME.deck).count))
    chances[1] = 1
    chances[:, classes["99"]] = np.array([[1.0], [0], [0], [0], [0]])
    chances[:, classes["AA"]] = np.array([[0.0], [0], [0.5], [0.5], [0]])
    return PreflopChart(view.public, (), Strategy((FOLD, CALL, 300, 500, 700), chances))


def test_shares_by_class() -> None:
    chart = aces_raise()
    assert chart.raises == (300, 500)
    raises, folds = chart.by_class(chart.raises), chart.by_class([FOLD])
    assert {label for label, share in raises.items() if share} == {"AA"}
    assert (raises["AA"], chart.by_class([300])["AA"], folds["99"]) == pytest.approx((1, 0.5, 1))
    assert len(raises) == 36


def test_shares_of_all_holdings() -> None:
    chart = aces_raise()
    assert (chart.played, chart.raised) == pytest.approx((1 - 6 / 276, 6 / 276))


def test_views_are_those_of_the_player_to_act() -> None:
    assert preflop_view(GAME, 10_000, ()).seat == 1
    view = preflop_view(GAME, 10_000, (300,))
    assert (view.seat, view.actions, view.public.to_call) == (0, (300,), 200)
    for line in ((CALL, CALL), (FOLD,)):
        with pytest.raises(InvalidInput, match="before the flop"):
            preflop_view(GAME, 10_000, line)
