"""Re-solves at every decision, and carries its range and the opponent's values through the hand."""

from functools import partial as with_arguments

import numpy as np

from riverboat.arena.bot import MakeBot, Strategy
from riverboat.clients.analysis.effort import AS_PLANNED, Effort, parse_effort
from riverboat.clients.analysis.remote_solves import RemoteSolution, RemoteSolves
from riverboat.clients.bots.agents.reading_agent import ReadingAgent
from riverboat.clients.bots.agents.solving_agent import SolvingAgent
from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.shared_resolver import shared_resolver
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index
from riverboat.marks import partial
from riverboat.resolving.player import ContinualDecision, ContinualPlayer
from riverboat.rules.state import View
from riverboat.solving.subgame import F64

READING = "reading"  # the parameter of agents that guess the opponent's range
_WAYS = (
    "write resolver:equity, resolver:cut, resolver:NAME with a network (riverboat models lists them), resolver:1000 "
    "(iterations), resolver:2s (seconds), several of these joined by +, or resolver:reading"
)


class ResolvingAgent(SolvingAgent):
    """Plays by continual re-solving (`riverboat/resolving`); a resolver does the solving.

    The view is all it needs, so it can start in the middle of a hand.
    """

    def __init__(self, rng: np.random.Generator, own_mistakes: float = 0.0, effort: Effort = AS_PLANNED) -> None:
        super().__init__(rng, own_mistakes, effort)
        self._solves: RemoteSolves | None = None
        self._player: ContinualPlayer | None = None
        self._reach: F64 = np.ones(())

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Return a maker of agents with the effort that the parameter describes; see `parse_effort`.

        "reading" makes agents that guess the opponent's range from how it bets.
        """
        if parameter == READING:
            return ReadingAgent
        try:
            return with_arguments(cls, effort=parse_effort(parameter))
        except InvalidInput as error:
            raise InvalidInput("", f"{error.reason}; {_WAYS}") from None

    def strategy(self, view: View) -> Strategy | None:
        """Return the strategy for every holding; None where more than two players were dealt in."""
        if view.public.player_count != 2:
            return None
        self._stop_clock()
        decision = self._decide(view)
        return Strategy(decision.actions, decision.strategy)

    def reach(self) -> F64 | None:
        """Return the probability of this agent's decisions so far with each holding [H]; None if it is not known."""
        return self._reach if self._knows_reach else None

    def _resolve(self, view: View) -> int:
        decision = self._decide(view)
        chances = decision.strategy[:, holding_index(view.public.variant.deck, view.holding)]
        place = int(self.rng.choice(len(chances), p=chances / chances.sum()))
        self._reach = self._reach * decision.strategy[place]
        action = decision.actions[place]
        self._tell(view, decision)
        cut_short = self._solves.cut_short if self._solves else ""
        return partial(action, cut_short) if cut_short else action

    def _tell(self, view: View, decision: ContinualDecision) -> None:
        """Log how far a decision was solved."""
        if not isinstance(decision.solution, RemoteSolution):
            return
        cost = decision.solution.resolved.cost
        log.debug(
            "decision_solved",
            street=view.public.street,
            iterations=cost.iterations,
            exploitability=f"{cost.exploitability / view.public.pot:.4f}",
            scope=cost.scope,
            seconds=f"{cost.total_seconds:.2f}",
            leaf=cost.leaf or "none",
        )

    def _decide(self, view: View) -> ContinualDecision:
        if self._player is None or self._solves is None:
            self._solves = RemoteSolves(shared_resolver(), self._effort, self._time_left)
            self._player = ContinualPlayer(self._solves, view.seat, self._own_mistakes)
        self._solves.begin()
        return self._player.decide(view)
