"""Ask an agent for its strategy, and check the answer."""

import numpy as np

from riverboat.arena.bot import MakeBot, Strategy
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.holdings import holdings_of, live_holdings
from riverboat.rules.state import View

_CLOSE = 1e-3  # how far from 1 the chances of a holding may add up


class UnknownStrategy(RiverboatError):
    """An agent that cannot report its strategy in a situation."""


class AskedBot:
    """Answers for an agent in both seats of a game for two, with one bot in each seat."""

    def __init__(self, name: str, make_bot: MakeBot, rng: np.random.Generator) -> None:
        self._name = name
        self._bots = [make_bot(child) for child in rng.spawn(2)]

    def __call__(self, view: View) -> Strategy:
        """Return the agent's strategy; its chances add up to one for every holding that the board allows."""
        bot = self._bots[view.seat]
        strategy: Strategy | None = bot.strategy(view) if hasattr(bot, "strategy") else None
        if strategy is None:
            reason = "cannot report its strategy for all holdings here, so nothing exact can be computed"
            raise UnknownStrategy(f"{self._name} {reason}")
        _check(view, strategy)
        return strategy


def _check(view: View, strategy: Strategy) -> None:
    """Raise InvalidInput unless this is a strategy for the situation."""
    deck = view.public.variant.deck
    expected = len(strategy.actions), holdings_of(deck).count
    if strategy.chances.shape != expected:
        raise InvalidInput("strategy", f"must be {list(expected)}, not {list(strategy.chances.shape)}")
    for action in strategy.actions:
        if not view.public.can_play(action):
            raise InvalidInput("strategy", f"has an action that is not legal: {action}")
    live = [0] if strategy.ignores_cards else live_holdings(deck, view.public.board)
    chances = strategy.chances[:, live]
    if not ((chances >= 0).all() and (abs(chances.sum(axis=0) - 1) < _CLOSE).all()):
        raise InvalidInput("strategy", "must not be negative, and must add up to one for every holding")
