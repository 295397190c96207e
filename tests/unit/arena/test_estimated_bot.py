"""Strategies that are estimated from answers."""

import numpy as np
import pytest

from riverboat.arena.asked_bot import AskedBot, UnknownStrategy
from riverboat.arena.bot import Bot, IllegalBotAction
from riverboat.arena.bots import CallBot
from riverboat.arena.estimated_bot import EstimatedBot, says_strategy
from riverboat.arena.exploit import exploit
from riverboat.errors import InvalidInput
from riverboat.holdings import live_holdings
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View, start_random
from riverboat.rules.variant import LEDUC
from tests.unit.arena.bots import RandomBot

RNG = np.random.default_rng(0)


class KingsBet(Bot):
    """A bot that bets kings three times out of four, and checks or calls otherwise; it does not say so."""

    def act(self, view: View) -> int:
        limits = view.public.raise_limits
        return limits[0] if limits and view.holding[0] >> 2 == 11 and self.rng.random() < 0.75 else CALL


class Failing(Bot):
    """A bot that cannot act."""

    def act(self, view: View) -> int:
        raise ZeroDivisionError("no idea")


class Illegal(Bot):
    """A bot that folds where checking is free."""

    def act(self, view: View) -> int:
        return FOLD


def a_view() -> View:
    hand = start_random(LEDUC, [13, 13], np.random.default_rng(1)).play(CALL).play(CALL)
    return hand.view(hand.public.actor or 0)


def test_frequencies_are_estimated_for_every_holding() -> None:
    view, answers = a_view(), 400
    strategy = EstimatedBot("kings", KingsBet, np.random.default_rng(3), answers)(view)
    live = live_holdings(LEDUC.deck, view.public.board)
    kings = np.array([card >> 2 == 11 for card in LEDUC.deck.cards])
    assert strategy.chances.sum(axis=0) == pytest.approx(1)
    assert not strategy.is_exact
    bets = strategy.chances[strategy.actions.index(4)]
    assert bets[live & kings] == pytest.approx(0.75, abs=5 * np.sqrt(0.75 * 0.25 / answers))
    assert not bets[live & ~kings].any()


def test_the_same_situation_is_asked_about_once() -> None:
    ask, view = EstimatedBot("random", RandomBot, np.random.default_rng(3), 3), a_view()
    assert ask(view) is ask(view)


def test_an_estimate_approaches_the_exact_exploitability() -> None:
    exact = exploit(LEDUC, 13, AskedBot("random", RandomBot, RNG))
    estimated = exploit(LEDUC, 13, EstimatedBot("random", RandomBot, np.random.default_rng(3), 60))
    assert (exact.is_exact, estimated.is_exact) == (True, False)
    assert estimated.chips == pytest.approx(exact.chips, abs=0.3)


def test_answers_are_checked() -> None:
    with pytest.raises(UnknownStrategy, match="the bot raised ZeroDivisionError: no idea"):
        EstimatedBot("the bot", Failing, np.random.default_rng(3), 1)(a_view())
    with pytest.raises(IllegalBotAction, match=r"'the bot'.*played -1"):
        EstimatedBot("the bot", Illegal, np.random.default_rng(3), 1)(a_view())
    with pytest.raises(InvalidInput, match="at least 1"):
        EstimatedBot("the bot", CallBot, np.random.default_rng(3), 0)


def test_who_says_a_strategy() -> None:
    assert says_strategy(CallBot, a_view(), RNG)
    assert not says_strategy(KingsBet, a_view(), RNG)
