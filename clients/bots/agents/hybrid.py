"""Re-solves some decisions, and makes the others by rollouts."""

from collections.abc import Collection
from functools import partial

import numpy as np

from riverboat.arena.bot import Bot, MakeBot, Strategy, mixed
from riverboat.clients.analysis.coverage import HasNetwork
from riverboat.clients.bots.agents.resolver import ResolvingAgent
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.errors import InvalidInput
from riverboat.rules.state import View
from riverboat.rules.variant import Variant
from riverboat.streets import RIVER, STREETS, TURN

# Streets by the number of streets that follow: a game with fewer than four has the last ones.
_STREETS = {name: streets_left for streets_left, name in enumerate(reversed(STREETS))}
LATE = (TURN, RIVER)
_ROLLOUTS = 0.25  # assumed chance that a decision by rollouts deviates from the strategy


class Hybrid(Bot):
    """Re-solves on some streets, or, with `chance`, every decision with that probability."""

    def __init__(self, rng: np.random.Generator, streets: Collection[str] = LATE, chance: float | None = None) -> None:
        super().__init__(rng)
        unknown = sorted(set(streets) - set(_STREETS))
        if unknown:
            raise InvalidInput("streets", f"{unknown[0][:20]!r} must be one of {', '.join(_STREETS)}")
        if chance is not None and not 0 <= chance <= 1:
            raise InvalidInput("chance", f"must be from 0 to 1, not {chance}")
        self._streets_left, self._chance = {_STREETS[street] for street in streets}, chance
        self._rollout = Rollout(rng)
        self._resolver = ResolvingAgent(rng, own_mistakes=_ROLLOUTS)

    @classmethod
    def with_parameter(cls, parameter: str) -> MakeBot:
        """Return a maker of hybrids that re-solve with a probability ("0.5"), or on some streets ("flop+river")."""
        try:
            if parameter[:1].isdigit():
                made = partial(cls, chance=float(parameter))
            else:
                made = partial(cls, streets=parameter.split("+"))
            made(np.random.default_rng(0))
        except (ValueError, InvalidInput):
            ways = f"hybrid:0.5 (its chance to re-solve, 0 to 1), or hybrid:flop+river (of {', '.join(STREETS)})"
            raise InvalidInput("", f"{parameter[:30]!r} is an unknown parameter; write {ways}") from None
        return made

    def act(self, view: View) -> int:
        """Return an action by re-solving or by rollouts."""
        return (self._resolver if self._resolves(view) else self._rollout).act(view)

    def strategy(self, view: View) -> Strategy | None:
        """Return the strategy of the agent that decides here, or the mixture of both; None if one cannot report it."""
        if self._chance is None:
            return (self._resolver if self._resolves(view) else self._rollout).strategy(view)
        by_resolver, by_rollouts = self._resolver.strategy(view), self._rollout.strategy(view)
        if by_resolver is None or by_rollouts is None:
            return None
        return mixed(by_resolver, by_rollouts, self._chance)

    def estimated_streets(self, variant: Variant, has_network: HasNetwork) -> tuple[int, ...]:
        """Return the streets on which it re-solves only to the next deal although no network values what follows."""
        last = len(variant.streets) - 1
        streets = self._resolver.estimated_streets(variant, has_network)
        if self._chance is not None:
            return streets if self._chance else ()
        return tuple(street for street in streets if last - street in self._streets_left)

    def _resolves(self, view: View) -> bool:
        if self._chance is not None:
            return bool(self.rng.random() < self._chance)
        return view.public.streets_left in self._streets_left
