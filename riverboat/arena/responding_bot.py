"""Bots that respond to an agent whose strategy is known or estimated, so that they can play real hands against it."""

import numpy as np

from riverboat.arena.best_play import best_plays
from riverboat.arena.bot import F64, Bot, MakeBot
from riverboat.arena.exploit import Ask, Exploit
from riverboat.arena.local_best_response import LocalResponse, choose
from riverboat.arena.ranged_hand import RangedHand
from riverboat.holdings import live_holdings
from riverboat.rules.betting import CALL
from riverboat.rules.state import View

_UNEXPECTED = 0.02  # share of its weight that a holding keeps after an action that its strategy never takes


class LocalResponder(Bot):
    """Local best response as a bot for one hand; it follows the agent's range by the strategy that `ask` returns."""

    def __init__(self, rng: np.random.Generator, response: LocalResponse, ask: Ask) -> None:
        super().__init__(rng)
        self._response, self._ask = response, ask
        self._weights: F64 | None = None
        self._seen = 0  # actions of the hand

    def act(self, view: View) -> int:
        """Return the action that wins most if nobody bets after it."""
        hand = RangedHand(
            public=view.public,
            actions=view.actions,
            seat=view.seat,
            holding=view.holding,
            weights=self._follow(view),
        )
        return choose(self._response, self._ask, hand, self.rng)

    def _follow(self, view: View) -> F64:
        """Return the agent's range at the decision in a view [H]."""
        live = live_holdings(view.public.variant.deck, (*view.holding, *view.public.board)).astype(np.float64)
        weights = live if self._weights is None else self._weights * live
        turns = [state for state in view.states() if state.actor is not None]
        for place in range(self._seen, len(view.actions)):
            public, action = turns[place], view.actions[place]
            if public.actor != view.seat:
                hand = RangedHand(
                    public=public,
                    actions=view.actions[:place],
                    seat=view.seat,
                    holding=view.holding,
                    weights=weights,
                )
                weights = weights * self._chances(hand.view(), action)
        self._seen, self._weights = len(view.actions), weights / weights.max()
        return self._weights

    def _chances(self, view: View, action: int) -> F64:
        """Return how likely each holding took an action [H]; never 0, because the strategy may be an estimate."""
        strategy = self._ask(view)
        if action not in strategy.actions:
            return np.ones(strategy.chances.shape[1])
        chances: F64 = strategy.chances[strategy.actions.index(action)]
        return (1 - _UNEXPECTED) * chances + _UNEXPECTED


class BestResponder(Bot):
    """A best response in a small game as a bot; in situations that it never reaches by itself, it checks and calls."""

    def __init__(self, rng: np.random.Generator, plays: dict[tuple[object, ...], int]) -> None:
        super().__init__(rng)
        self._plays = plays

    def act(self, view: View) -> int:
        """Return the best response's action."""
        return self._plays.get(_place(view), CALL)


def best_responder(exploit: Exploit) -> MakeBot:
    """Return a maker of bots that play the best response in both seats."""
    plays = {_place(play.view): play.action for seat in (0, 1) for play in best_plays(exploit, seat)}
    return lambda rng: BestResponder(rng, plays)


def local_responder(response: LocalResponse, ask: Ask) -> MakeBot:
    """Return a maker of bots that play local best response."""
    return lambda rng: LocalResponder(rng, response, ask)


def _place(view: View) -> tuple[object, ...]:
    return view.seat, tuple(sorted(view.holding)), view.actions, view.public.board
