"""An agent that asks a resolver, and lets rollouts decide where that cannot help."""

import time
from abc import abstractmethod

import grpc
import numpy as np

from riverboat.arena.bot import Bot
from riverboat.clients.analysis.tracker import NAMES_APART
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.event_log import log
from riverboat.clients.remote.backoff import PASSING, Backoff
from riverboat.contracts.resolver import EQUITY, is_network_name
from riverboat.marks import fallback
from riverboat.rules.state import View

SECONDS = 12.0  # for one answer of the resolver, which then says the best so far: less than a table's clock
_PATIENCE_SECONDS = 8.0  # for a resolver that is gone: less than a table's clock
_PLAYERS = 2


def names_networks(parameter: str) -> bool:
    """Whether an agent's parameter says what lies below a cut: "equity", or names of networks joined by "+"."""
    return parameter == EQUITY or all(map(is_network_name, parameter.split(NAMES_APART)))


class SolvingAgent(Bot):
    """Plays what re-solving says.

    It decides by rollouts, and marks the decision as a fallback, if more than two players were dealt in (even when all
    but two have folded) or if the resolver does not answer for a while. If a deadline cut the solution short, the
    decision is marked as partial.
    """

    def __init__(self, rng: np.random.Generator, own_mistakes: float = 0.0, leaf: str = "") -> None:
        super().__init__(rng)
        self._own_mistakes = own_mistakes  # probability of an action that the strategy did not choose
        self._leaf = leaf  # values below a cut: "equity", names of networks, or "" for the resolver's default
        self._rollout = Rollout(rng)
        self._knows_reach = True  # until rollouts decide

    @abstractmethod
    def _resolve(self, view: View) -> int:
        """Return an action drawn from the re-solved strategy."""

    def act(self, view: View) -> int:
        """Return an action drawn from the re-solved strategy, or by rollouts."""
        if view.public.player_count != _PLAYERS:
            return self._by_rollouts(view, f"{view.public.player_count} players were dealt in; re-solving is for two")
        backoff, give_up = Backoff(), time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                return self._resolve(view)
            except grpc.RpcError as error:
                if error.code() not in PASSING or time.monotonic() > give_up:
                    log.warning("resolver_unavailable", reason=error.details(), instead="rollouts")
                    return self._by_rollouts(view, f"no answer from the resolver ({error.code().name})")
                time.sleep(backoff.next_seconds())

    def _by_rollouts(self, view: View, reason: str) -> int:
        self._knows_reach = False
        return fallback(self._rollout.act(view), reason)
