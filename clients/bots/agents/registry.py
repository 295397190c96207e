"""The built-in agents by name."""

from collections.abc import Iterable, Mapping
from functools import partial

import numpy as np

from clients.bots.agents.always_call import AlwaysCall
from clients.bots.agents.always_fold import AlwaysFold
from clients.bots.agents.always_raise import AlwaysRaise
from clients.bots.agents.hybrid import STREETS, Hybrid
from clients.bots.agents.random import Random
from clients.bots.agents.resolver import Resolver
from clients.bots.agents.rollout import Rollout
from riverboat.arena.bot import MakeBot
from riverboat.errors import InvalidInput, NotFound

AGENTS: Mapping[str, MakeBot] = {
    "always-call": AlwaysCall,
    "always-fold": AlwaysFold,
    "always-raise": AlwaysRaise,
    "random": Random,
    "rollout": Rollout,
    "resolver": Resolver,
    "hybrid": Hybrid,
}
_RESOLVING = ("resolver", "hybrid")  # those that ask a resolver


def find_agent(name: str) -> MakeBot:
    """The agent called `name`; a hybrid may say when it re-solves, like hybrid:0.5 or hybrid:flop+river.

    resolver:equity uses no network; resolver:24-turn-96ef5c20 uses that one where it fits, and + joins several.
    """
    if name in AGENTS:
        return AGENTS[name]
    kind, colon, how = name.partition(":")
    if kind == "resolver" and colon:
        return _resolver(how)
    if kind == "hybrid" and colon:
        return _hybrid(how)
    raise NotFound(f"no agent is called {name[:30]!r}; there are {', '.join(AGENTS)}")


def _resolver(leaf: str) -> MakeBot:
    """One with equity, or with networks of these names, below every cut."""
    try:
        return Resolver.with_parameter(leaf)
    except InvalidInput as error:
        raise NotFound(error.reason) from None


def _hybrid(how: str) -> MakeBot:
    """A hybrid that re-solves with a probability, or on some streets."""
    try:
        found = partial(Hybrid, chance=float(how)) if how[:1].isdigit() else partial(Hybrid, streets=how.split("+"))
        found(np.random.default_rng(0))
    except (ValueError, InvalidInput):
        ways = f"hybrid:0.5 (how often), or hybrid:flop+river (of {', '.join(STREETS)})"
        raise NotFound(f"'hybrid:{how[:20]}' says nothing; write {ways}") from None
    return found


def find_agents(names: Iterable[str]) -> dict[str, MakeBot]:
    """Agents by their names."""
    return {name: find_agent(name) for name in names}


def needs_resolver(name: str) -> bool:
    """Whether an agent asks a resolver."""
    return name.partition(":")[0] in _RESOLVING


def plays_alone(name: str) -> MakeBot:
    """What an agent can be warmed up with: itself, or the rollouts that stand in for a resolver."""
    return Rollout if needs_resolver(name) else find_agent(name)
