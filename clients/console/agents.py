"""Agents that commands ask in this process: by name or from a file, with a resolver if they need one."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from riverboat.arena.bot import MakeBot
from riverboat.arena.bots import CallBot
from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.agents.registry import find_agent, plays_alone
from riverboat.clients.bots.bot_files import load_bot
from riverboat.clients.bots.bot_runner import warm_up
from riverboat.clients.bots.settings import name_resolver
from riverboat.clients.bots.shared_resolver import lend_resolver
from riverboat.clients.console.servers import resolver
from riverboat.clients.console.views.output import waiting
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.compiled.kernels import must_compile
from riverboat.rules import betting

_MOST_THREADS = 2  # for one spot: more gain little
_ANSWER_MEGABYTES = 1000  # of answers that a resolver keeps during a measurement: the same flops recur


def agent_maker(agent: str, class_name: str | None = None) -> MakeBot:
    """Return the maker of an agent's bots, found by its name or in a Python file."""
    return load_bot(Path(agent), class_name) if agent.endswith(".py") else find_agent(agent)


@contextmanager
def resolver_for(agents: Sequence[str], server: str | None, processes: int = 1) -> Iterator[ResolverClient | None]:
    """Lend agents a resolver if one of them asks one, in this process and in those that it starts.

    A private resolver solves on as many threads as leave a core to each process that asks.
    """
    if not any(map(needs_resolver, agents)):
        yield None
        return
    threads = max(1, min(_MOST_THREADS, (os.cpu_count() or 1) // processes))
    own = {"threads": str(threads), "answer_megabytes": str(_ANSWER_MEGABYTES)}
    with resolver(server, {}, own=own) as client, lend_resolver(client):
        name_resolver(client.address)
        yield client


def networks_with(client: ResolverClient | None, deck: str) -> tuple[str, ...]:
    """Return name and hash of the networks that a resolver uses by default with a deck."""
    used = client.networks().used if client else ()
    return tuple(sorted(f"{network.name} {network.hash}" for network in used if network.deck == deck))


def warm_up_agent(agent: str) -> None:
    """Compile the kernels that an agent plays with, before a clock runs; a user's own bot is not called."""
    compiling = "; the first start compiles them for about half a minute" if must_compile(betting) else ""
    with waiting(f"loading the rules{compiling}…"):
        warm_up(CallBot if agent.endswith(".py") else plays_alone(agent))
