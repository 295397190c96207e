"""The built-in agents by name."""

from collections.abc import Iterable, Mapping

from clients.bots.agents.always_call import AlwaysCall
from clients.bots.agents.always_fold import AlwaysFold
from clients.bots.agents.always_raise import AlwaysRaise
from clients.bots.agents.random import Random
from clients.bots.agents.rollout import Rollout
from riverboat.arena.bot import MakeBot
from riverboat.errors import NotFound

AGENTS: Mapping[str, MakeBot] = {
    "always-call": AlwaysCall,
    "always-fold": AlwaysFold,
    "always-raise": AlwaysRaise,
    "random": Random,
    "rollout": Rollout,
}


def find_agent(name: str) -> MakeBot:
    """The agent called `name`."""
    try:
        return AGENTS[name]
    except KeyError:
        raise NotFound(f"no agent is called {name[:30]!r}; there are {', '.join(AGENTS)}") from None


def find_agents(names: Iterable[str]) -> dict[str, MakeBot]:
    """Agents by their names."""
    return {name: find_agent(name) for name in names}
