"""Re-solves at every decision, and carries its range and the opponent's values through the hand."""

import logging
import time
from functools import partial as with_arguments

import grpc
import numpy as np

from riverboat.arena.bot import Bot, MakeBot, Strategy
from riverboat.clients.analysis.remote_solves import RemoteSolves
from riverboat.clients.analysis.tracker import NAMES_APART
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.shared_resolver import shared_resolver
from riverboat.clients.remote.backoff import PASSING, Backoff
from riverboat.continual.player import ContinualPlayer, Decision
from riverboat.contracts.resolver import EQUITY, is_network_name
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index
from riverboat.marks import fallback
from riverboat.rules.state import View
from riverboat.solving.subgame import F64

log = logging.getLogger("riverboat.bots")

_SECONDS = 12.0  # for one answer of the resolver, which then says the best so far: less than a table's clock
_PATIENCE_SECONDS = 8.0  # for a resolver that is gone: less than a table's clock
_PLAYERS = 2


class Continual(Bot):
    """Plays what continual re-solving finds (`riverboat/continual`), with a resolver that solves.

    Everything follows from the view, so it goes on in the middle of a hand that it has not seen before. Where it cannot
    re-solve it decides by rollouts and marks the decision as a fallback: if more than two players were dealt in, and if
    the resolver does not answer for a while.
    """

    def __init__(self, rng: np.random.Generator, leaf: str = "") -> None:
        super().__init__(rng)
        self._leaf = leaf  # what lies below a cut: "equity", names of networks, or the resolver's default
        self._rollout = Rollout(rng)
        self._player: ContinualPlayer | None = None
        self._reach: F64 | None = np.ones(())

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Make agents that use no network ("equity"), or networks by name where they fit, joined by "+"."""
        if parameter != EQUITY and not all(map(is_network_name, parameter.split(NAMES_APART))):
            ways = "continual:equity, or continual:NAME with the name of a network (riverboat models lists them)"
            raise InvalidInput("", f"{parameter[:30]!r} says nothing; write {ways}")
        return with_arguments(cls, leaf=parameter)

    def act(self, view: View) -> int:
        """An action by the strategy of re-solving."""
        if view.public.player_count != _PLAYERS:
            return self._by_rollouts(view, f"{view.public.player_count} players were dealt in; re-solving is for two")
        backoff, give_up = Backoff(), time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                return self._by_strategy(view)
            except grpc.RpcError as error:
                if error.code() not in PASSING or time.monotonic() > give_up:
                    log.warning("the resolver does not help (%s), so rollouts decide", error.details())
                    return self._by_rollouts(view, f"the resolver does not help ({error.code().name})")
                time.sleep(backoff.next_seconds())

    def strategy(self, view: View) -> Strategy | None:
        """What it does with every holding; the resolver must answer."""
        if view.public.player_count != _PLAYERS:
            return None
        decision = self._decide(view)
        return Strategy(decision.actions, decision.strategy)

    def reach(self) -> F64 | None:
        """How likely each holding would have decided as this one has."""
        return self._reach

    def _by_strategy(self, view: View) -> int:
        decision = self._decide(view)
        chances = decision.strategy[:, holding_index(view.public.variant.deck, view.holding)]
        place = int(self.rng.choice(len(chances), p=chances / chances.sum()))
        if self._reach is not None:
            self._reach = self._reach * decision.strategy[place]
        return decision.actions[place]

    def _decide(self, view: View) -> Decision:
        if self._player is None:
            self._player = ContinualPlayer(RemoteSolves(shared_resolver(), self._leaf, _SECONDS), view.seat)
        return self._player.decide(view)

    def _by_rollouts(self, view: View, reason: str) -> int:
        self._reach = None
        return fallback(self._rollout.act(view), reason)
