"""Re-solves with a guess at the opponent's range: the agent resolver:reading."""

import numpy as np

from riverboat.arena.bot import Strategy
from riverboat.clients.analysis.effort import Effort
from riverboat.clients.analysis.tracker import Tracker
from riverboat.clients.bots.agents.solving_agent import SolvingAgent
from riverboat.clients.bots.shared_resolver import shared_resolver
from riverboat.holdings import holding_index
from riverboat.rules.state import View
from riverboat.solving.subgame import F64


class ReadingAgent(SolvingAgent):
    """Tracks both ranges through a hand, the opponent's by a model of how it bets, and re-solves between them.

    The view is all it needs, so it can start in the middle of a hand.
    """

    estimates_strategy = True

    def __init__(self, rng: np.random.Generator, own_mistakes: float = 0.0) -> None:
        super().__init__(rng, own_mistakes, Effort(is_cut=True))  # its trees before the turn end at the next deal
        self._tracker: Tracker | None = None
        self._asked: Tracker | None = None  # follows the hands that `strategy` is asked about, in any order

    def reach(self) -> F64 | None:
        """Return the probability of this agent's decisions so far with each holding [H]; None if it is not known."""
        return self._tracker.reach if self._tracker and self._knows_reach else None

    def strategy(self, view: View) -> Strategy | None:
        """Return an estimate of its strategy for every holding; None where more than two players were dealt in."""
        if view.public.player_count != 2:
            return None
        self._stop_clock()
        if self._asked is None:
            self._asked = self._follow(view.seat)
        return Strategy(*self._asked.strategy(view), is_exact=False)

    def _resolve(self, view: View) -> int:
        if self._tracker is None:
            self._tracker = self._follow(view.seat)
        holding = holding_index(view.public.variant.deck, view.holding)
        return self._tracker.decide(view, holding, int(self.rng.integers(2**63)))

    def _follow(self, seat: int) -> Tracker:
        return Tracker(shared_resolver(), seat, self._own_mistakes, time_left=self._time_left)
