"""The built-in agents by name."""

from collections.abc import Iterable, Mapping

from riverboat.arena.bot import MakeBot
from riverboat.clients.bots.agents.always_call import AlwaysCall
from riverboat.clients.bots.agents.always_fold import AlwaysFold
from riverboat.clients.bots.agents.always_raise import AlwaysRaise
from riverboat.clients.bots.agents.blueprint import BlueprintAgent
from riverboat.clients.bots.agents.evolved import Evolved
from riverboat.clients.bots.agents.habit import HABITS, Habit
from riverboat.clients.bots.agents.hybrid import Hybrid
from riverboat.clients.bots.agents.policy import BoostedAgent, CartAgent, NeuralAgent, OctAgent
from riverboat.clients.bots.agents.random_agent import Random
from riverboat.clients.bots.agents.resolver import ResolvingAgent
from riverboat.clients.bots.agents.rollout import Rollout
from riverboat.clients.bots.evolved_nets.shelf import FOLDER, nets_in
from riverboat.clients.bots.parameters import with_parameter
from riverboat.errors import NotFound, in_field
from riverboat.tables.agent_names import LONGEST_NAME, names_instead, split_agent_name

AGENTS: Mapping[str, MakeBot] = {
    "always-call": AlwaysCall,
    "always-fold": AlwaysFold,
    "always-raise": AlwaysRaise,
    "random": Random,
    "rollout": Rollout,
    "habit": Habit,
    "blueprint": BlueprintAgent,
    "neural": NeuralAgent,
    "boosted": BoostedAgent,
    "oct": OctAgent,
    "cart": CartAgent,
    "evolved": Evolved,
    "resolver": ResolvingAgent,
    "hybrid": Hybrid,
}
# Names that are worth offering: the agents, and parameters that are words.
OFFERED_NAMES = (
    *AGENTS,
    *(f"habit:{habit}" for habit in HABITS),
    *(f"evolved:{name}" for name in nets_in(FOLDER)),
    *("resolver:reading", "resolver:equity"),
)
_RESOLVING = ("resolver", "hybrid")  # those that ask a resolver


def find_agent(name: str) -> MakeBot:
    """Return what makes the bots of an agent, whose name may have a parameter.

    hybrid:0.5 and hybrid:flop+river say when it re-solves. resolver:equity uses no network;
    resolver:24-turn-96ef5c20 uses that network where it fits, and + joins several. habit:pot has that habit;
    evolved:hof has that net; blueprint:52-20000-1a2b3c4d plays the blueprint of that name, as oct, cart, boosted and
    neural play a policy.
    """
    word, parameter = split_agent_name(name)
    if word not in AGENTS or name == f"{word}:":
        raise NotFound(f"no agent is called {name[:LONGEST_NAME]!r}; {names_instead(name, list(AGENTS))}")
    if not parameter:
        return AGENTS[word]
    with in_field(name[:LONGEST_NAME]):
        return with_parameter(AGENTS[word], word, parameter)


def find_agents(names: Iterable[str]) -> dict[str, MakeBot]:
    """Return what makes the bots of some agents, by name."""
    return {name: find_agent(name) for name in names}


def needs_resolver(name: str) -> bool:
    """Return whether an agent asks a resolver."""
    return split_agent_name(name)[0] in _RESOLVING


def plays_alone(name: str) -> MakeBot:
    """Return the agent that compiles an agent's kernels: itself, or the rollouts that stand in for a resolver."""
    return Rollout if needs_resolver(name) else find_agent(name)
