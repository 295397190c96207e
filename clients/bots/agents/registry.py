"""The built-in agents by name."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from types import ModuleType

from riverboat.arena.bot import MakeBot
from riverboat.clients.bots.agents.names import CLASSES, SHORT, needs_resolver
from riverboat.clients.bots.parameters import with_parameter
from riverboat.errors import NotFound, in_field
from riverboat.tables.agent_names import LONGEST_NAME, names_instead, split_agent_name


class _Agents(Mapping[str, MakeBot]):
    """The classes of the agents by name; a class is loaded on first use."""

    def __getitem__(self, name: str) -> MakeBot:
        module, class_name = CLASSES[name]
        make_bot: MakeBot = getattr(import_module(f"riverboat.clients.bots.agents.{module}"), class_name)
        return make_bot

    def __iter__(self) -> Iterator[str]:
        return iter(CLASSES)

    def __len__(self) -> int:
        return len(CLASSES)


AGENTS = _Agents()


def agent_modules() -> tuple[ModuleType, ...]:
    """Return the modules of all agents, loaded."""
    modules = dict.fromkeys(module for module, _ in CLASSES.values())
    return tuple(import_module(f"riverboat.clients.bots.agents.{module}") for module in modules)


def find_agent(name: str) -> MakeBot:
    """Return the maker of an agent's bots; the name may have a parameter.

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
    """Return the makers of several agents' bots, by name."""
    return {name: find_agent(name) for name in names}


def plays_alone(name: str) -> MakeBot:
    """Return the agent that compiles an agent's kernels: itself, rollouts instead of a resolver, or a short search."""
    if name in SHORT:
        return find_agent(SHORT[name])
    return AGENTS["rollout"] if needs_resolver(name) else find_agent(name)
