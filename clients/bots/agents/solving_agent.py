"""An agent that asks a resolver, and lets rollouts decide where that cannot help."""

import time
from abc import abstractmethod

import grpc
import numpy as np

from riverboat.arena.bot import Bot
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.event_log import log
from riverboat.clients.remote.backoff import PASSING, Backoff
from riverboat.clients.remote.refusals import reason_of
from riverboat.marks import fallback
from riverboat.rules.state import View

_SECONDS = 12.0  # for a decision without a clock, after which the resolver says the best so far
_CLOCK_SHARE = 0.7  # of a clock, that may be used up before the rest is left for rollouts and the way back
_LEAST_SECONDS = 0.3  # for one answer, whatever is left
_PATIENCE_SECONDS = 8.0  # for a resolver that is gone: less than a table's clock
_PLAYERS = 2


class SolvingAgent(Bot):
    """Plays what re-solving says.

    It decides by rollouts, and marks the decision as a fallback, if more than two players were dealt in (even when all
    but two have folded) or if the resolver does not answer for a while. If a deadline cut the solution short, the
    decision is marked as partial.
    """

    def __init__(self, rng: np.random.Generator, own_mistakes: float = 0.0) -> None:
        super().__init__(rng)
        self._own_mistakes = own_mistakes  # probability of an action that the strategy did not choose
        self._give_up = 0.0  # when the decision must be made
        self._rollout = Rollout(rng)
        self._knows_reach = True  # until rollouts decide

    @abstractmethod
    def _resolve(self, view: View) -> int:
        """Return an action drawn from the re-solved strategy."""

    def act(self, view: View) -> int:
        """Return an action drawn from the re-solved strategy, or by rollouts."""
        if view.public.player_count != _PLAYERS:
            return self._by_rollouts(view, f"{view.public.player_count} players were dealt in; re-solving is for two")
        self._start_clock(view)
        backoff, give_up = Backoff(), min(time.monotonic() + _PATIENCE_SECONDS, self._give_up)
        while True:
            try:
                return self._resolve(view)
            except grpc.RpcError as error:
                if error.code() not in PASSING or time.monotonic() > give_up:
                    log.warning("resolver_unavailable", reason=reason_of(error), instead="rollouts")
                    return self._by_rollouts(view, f"no answer from the resolver ({error.code().name})")
                time.sleep(backoff.next_seconds())

    def _start_clock(self, view: View) -> None:
        seconds = _SECONDS if view.seconds_left is None else min(_SECONDS, _CLOCK_SHARE * view.seconds_left)
        self._give_up = time.monotonic() + seconds

    def _time_left(self) -> float:
        """Return the seconds that the resolver's next answer may take."""
        return max(_LEAST_SECONDS, self._give_up - time.monotonic())

    def _by_rollouts(self, view: View, reason: str) -> int:
        self._knows_reach = False
        return fallback(self._rollout.act(view), reason)
