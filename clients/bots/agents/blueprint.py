"""Plays a blueprint: a strategy for the whole game that self-play found, with every bet translated to its sizes."""

from functools import partial

import numpy as np

from riverboat.arena.bot import MakeBot, Strategy
from riverboat.blueprint.player import blueprint_chances
from riverboat.clients.bots.agents.shelved_agent import ShelvedAgent
from riverboat.clients.bots.blueprints.shelf import blueprint_named, blueprint_of, fitting_blueprint, why_not
from riverboat.holdings import holding_index
from riverboat.marks import fallback
from riverboat.rules.state import View

_LEFT_THE_TREE = "the betting has left the blueprint's tree"


class BlueprintAgent(ShelvedAgent):
    """Draws from the blueprint's strategy.

    It decides by rollouts, and marks the decision as a fallback, in a game or at a stack that no blueprint covers, and
    after more raises than the blueprint's tree contains.
    """

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Return a maker of agents that play the blueprint of this name, like "52-20000-1a2b3c4d"."""
        return partial(cls, shelved=blueprint_named(parameter))

    def act(self, view: View) -> int:
        """Return an action drawn from the blueprint, or by rollouts."""
        strategy = self._of_blueprint(view)
        if isinstance(strategy, str):
            return fallback(self._rollout.act(view), strategy)
        chances = strategy.chances[:, holding_index(view.public.variant.deck, view.holding)]
        return int(strategy.actions[int(self.rng.choice(len(chances), p=chances / chances.sum()))])

    def strategy(self, view: View) -> Strategy | None:
        """Return the blueprint's strategy, or that of the rollouts that decide in its place."""
        strategy = self._of_blueprint(view)
        return self._rollout.strategy(view) if isinstance(strategy, str) else strategy

    def _of_blueprint(self, view: View) -> Strategy | str:
        """Return the blueprint's strategy, or why there is none."""
        shelved = self._shelved or fitting_blueprint(view.public)
        reason = why_not(shelved, view.public)
        if shelved is None or reason:
            return reason
        chances = blueprint_chances(blueprint_of(shelved), view)
        if chances is None:
            return _LEFT_THE_TREE
        return Strategy(tuple(chances), np.array(list(chances.values())))
