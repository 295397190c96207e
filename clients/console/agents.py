"""Agents that commands ask in this process: by name or from a file, with a resolver if they need one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from riverboat.arena.bot import MakeBot
from riverboat.clients.bots.agents.registry import find_agent, needs_resolver
from riverboat.clients.bots.bot_files import load_bot
from riverboat.clients.bots.shared_resolver import lend_resolver
from riverboat.clients.console.servers import resolver


def agent_maker(agent: str, class_name: str | None = None) -> MakeBot:
    """Return what makes an agent's bots, by its name or by a Python file."""
    return load_bot(Path(agent), class_name) if agent.endswith(".py") else find_agent(agent)


@contextmanager
def resolver_for(agent: str, server: str | None) -> Iterator[None]:
    """Lend an agent a resolver if it asks one."""
    if not needs_resolver(agent):
        yield
        return
    with resolver(server, {}) as client, lend_resolver(client):
        yield
