"""An agent that asks a resolver, and decides by rollouts where a resolver cannot help."""

import time
from abc import abstractmethod
from math import inf, isfinite

import grpc
import numpy as np

from riverboat.arena.bot import Bot
from riverboat.clients.analysis.coverage import HasNetwork, estimated_streets, game_name, instead_words
from riverboat.clients.analysis.effort import AS_PLANNED, Effort
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.shared_resolver import shared_resolver
from riverboat.clients.remote.backoff import PASSING, Backoff
from riverboat.clients.remote.refusals import reason_of
from riverboat.marks import fallback
from riverboat.rules.state import PublicState, View
from riverboat.rules.variant import Variant
from riverboat.streets import is_cut

_SECONDS = 12.0  # for a decision without a clock; then the resolver answers with its strategy so far
_CLOCK_SHARE = 0.7  # of a clock that solving may use; the rest is for rollouts and the way back
_LEAST_SECONDS = 0.3  # for one answer, even if the clock has less left
_PATIENCE_SECONDS = 8.0  # to wait for a resolver that is gone; less than a table's clock
_PLAYERS = 2
_told: set[tuple[Variant, tuple[int, ...]]] = set()  # games and streets without a network, once logged


class SolvingAgent(Bot):
    """Plays the re-solved strategy.

    It decides by rollouts, and marks the decision as a fallback, if more than two players were dealt in (even when all
    but two have folded) or if the resolver does not answer for a while. If a deadline cut the solution short, the
    decision is marked as partial.
    """

    def __init__(self, rng: np.random.Generator, own_mistakes: float = 0.0, effort: Effort = AS_PLANNED) -> None:
        super().__init__(rng)
        self._effort = effort
        self._own_mistakes = own_mistakes  # probability of an action that the strategy did not choose
        self._give_up = inf  # when the decision must be made
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
                self._tell_once(view.public)
                return self._resolve(view)
            except grpc.RpcError as error:
                if error.code() not in PASSING or time.monotonic() > give_up:
                    log.warning("resolver_unavailable", reason=reason_of(error), instead="rollouts")
                    return self._by_rollouts(view, _why(error))
                time.sleep(backoff.next_seconds())

    def estimated_streets(self, variant: Variant, has_network: HasNetwork) -> tuple[int, ...]:
        """Return the streets on which it looks ahead only to the next deal although no network values what follows."""
        return estimated_streets(variant, self._effort, has_network)

    def _tell_once(self, public: PublicState) -> None:
        """Log once per game and process what the agent does where no network fits."""
        variant = public.variant
        streets = self.estimated_streets(variant, shared_resolver().has_network) if is_cut(public.streets_left) else ()
        if public.street in streets and (variant, streets) not in _told:
            _told.add((variant, streets))
            log.warning("network_missing", game=game_name(variant), instead=instead_words(streets))

    def _start_clock(self, view: View) -> None:
        if view.seconds_left is None and shared_resolver().is_patient:
            self._stop_clock()
            return
        seconds = max(_SECONDS, 2 * (self._effort.seconds or 0.0))
        if view.seconds_left is not None:
            seconds = min(seconds, _CLOCK_SHARE * view.seconds_left)
        self._give_up = time.monotonic() + seconds

    def _stop_clock(self) -> None:
        """Lift the time limit: a measurement asks for the agent's strategy, and waits for the answer."""
        self._give_up = inf

    def _time_left(self) -> float | None:
        """Return the seconds that the resolver's next answer may take; None without a clock."""
        return max(_LEAST_SECONDS, self._give_up - time.monotonic()) if isfinite(self._give_up) else None

    def _by_rollouts(self, view: View, reason: str) -> int:
        self._knows_reach = False
        return fallback(self._rollout.act(view), reason)


def _why(error: grpc.RpcError) -> str:
    """Return the reason for a fallback. All players can read it, so a connection error's address is left out."""
    if error.code() in (*PASSING, grpc.StatusCode.DEADLINE_EXCEEDED):
        return f"no answer from the resolver ({error.code().name})"
    return f"the resolver refuses: {reason_of(error)}"
