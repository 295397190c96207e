"""Re-solves the rest of the hand at every decision."""

import time
from functools import partial

import grpc
import numpy as np

from riverboat.arena.bot import Bot, MakeBot
from riverboat.clients.analysis.tracker import NAMES_APART, Tracker
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.shared_resolver import shared_resolver
from riverboat.clients.remote.backoff import PASSING, Backoff
from riverboat.contracts.resolver import EQUITY, is_network_name
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index
from riverboat.marks import fallback
from riverboat.rules.state import View
from riverboat.solving.subgame import F64

_SECONDS = 12.0  # for one answer of the resolver, which then says the best so far: less than a table's clock
_PATIENCE_SECONDS = 8.0  # for a resolver that is gone: less than a table's clock
_PLAYERS = 2


class ResolvingAgent(Bot):
    """Tracks both ranges through a hand, and plays the strategy that re-solving gives.

    The view is all it needs, so it can start in the middle of a hand. It decides by rollouts, and marks the decision as
    a fallback, if more than two players were dealt in (even when all but two have folded) or if the resolver does not
    answer for a while. If a deadline cut the solution short, the decision is marked as partial.
    """

    def __init__(self, rng: np.random.Generator, own_mistakes: float = 0.0, leaf: str = "") -> None:
        super().__init__(rng)
        self._own_mistakes = own_mistakes  # probability of an action that the strategy did not choose
        self._leaf = leaf  # values below a cut: "equity", names of networks, or "" for the resolver's default
        self._rollout = Rollout(rng)
        self._tracker: Tracker | None = None
        self._knows_reach = True  # until rollouts decide

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Return a maker of agents that use no network ("equity"), or named networks where they fit, joined by "+"."""
        if parameter != EQUITY and not all(map(is_network_name, parameter.split(NAMES_APART))):
            ways = "resolver:equity, or resolver:NAME with the name of a network (riverboat models lists them)"
            raise InvalidInput("", f"{parameter[:30]!r} says nothing; write {ways}")
        return partial(cls, leaf=parameter)

    def reach(self) -> F64 | None:
        """Return the probability of this agent's decisions so far with each holding [H]; None if it is not known."""
        return self._tracker.reach if self._tracker and self._knows_reach else None

    def act(self, view: View) -> int:
        """Return an action drawn from the re-solved strategy."""
        if view.public.player_count != _PLAYERS:
            return self._by_rollouts(view, f"{view.public.player_count} players were dealt in; re-solving is for two")
        backoff, give_up = Backoff(), time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                return self._resolve(view)
            except grpc.RpcError as error:
                if error.code() not in PASSING or time.monotonic() > give_up:
                    log.warning("resolver_unavailable", reason=error.details(), instead="rollouts")
                    return self._by_rollouts(view, f"the resolver does not help ({error.code().name})")
                time.sleep(backoff.next_seconds())

    def _by_rollouts(self, view: View, reason: str) -> int:
        self._knows_reach = False
        return fallback(self._rollout.act(view), reason)

    def _resolve(self, view: View) -> int:
        if self._tracker is None:
            self._tracker = Tracker(shared_resolver(), view.seat, self._own_mistakes, leaf=self._leaf, timeout=_SECONDS)
        holding = holding_index(view.public.variant.deck, view.holding)
        return self._tracker.decide(view, holding, int(self.rng.integers(2**63)))
