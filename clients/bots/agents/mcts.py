"""The agent mcts: it models its opponents and searches."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from riverboat.arena.bot import Bot, MakeBot
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.opponent_models.shelf import nearest_models
from riverboat.errors import InvalidInput
from riverboat.marks import fallback
from riverboat.opponents.models import OpponentModels
from riverboat.rules.state import View
from riverboat.search.problems import WorldSettings, problem_of
from riverboat.search.search import SearchSettings, search

F64 = NDArray[np.float64]
_HOLDEM = "52"
_BLIND = "blind"
_ITERATIONS = 20_000
_TEMPERATURE = 0.1  # big blinds


class MctsAgent(Bot):
    """Draws cards and styles for its opponents, searches the rest of the hand, and plays one of the best moves."""

    def __init__(self, rng: np.random.Generator, iterations: int = _ITERATIONS, infers: bool = True) -> None:
        super().__init__(rng)
        self._iterations, self._infers = iterations, infers
        self._rollout = Rollout(rng)

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Return a maker of agents with so many iterations a decision, or "blind" to what moves say about cards."""
        if parameter == _BLIND:
            return partial(cls, infers=False)
        if not parameter.isdigit() or not 100 <= int(parameter) <= 10_000_000:
            raise InvalidInput("", f"{parameter[:20]!r} is no number of iterations; write mcts:5000, or mcts:{_BLIND}")
        return partial(cls, iterations=int(parameter))

    def act(self, view: View) -> int:
        """Return one of the actions that the search finds best."""
        public = view.public
        if public.variant.deck.name != _HOLDEM:
            return fallback(self._rollout.act(view), "opponents are modelled in hold'em with 52 cards")
        models = nearest_models(public.player_count)
        problem = problem_of(
            view, models.cards, self._styles(models, view), self.rng, WorldSettings(infers=self._infers)
        )
        result = search(problem, SearchSettings(iterations=self._iterations), self.rng)
        chances = result.chances(_TEMPERATURE * public.variant.big_blind)
        return int(result.actions[int(self.rng.choice(len(chances), p=chances))])

    def _styles(self, models: OpponentModels, view: View) -> F64:
        """Return how likely each seat has each style [P, C]."""
        return np.tile(models.styles.shares, (view.public.player_count, 1))
