"""Everything that the page needs, started at once: an oracle, a game manager, a resolver and an agent host."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from riverboat.clients.bots.agents.names import AGENT_NAMES
from riverboat.clients.local.agents import host_command, wait_for_agents
from riverboat.clients.local.connections import oracle, resolver, trainer
from riverboat.clients.local.private_services import PrivateServices, private_services
from riverboat.clients.local.readiness import Waiting, silently
from riverboat.clients.local.running_services import running_service
from riverboat.clients.local.services import AGENT_HOST, GAMEMANAGER, ORACLE, RESOLVER
from riverboat.clients.local.settings import server_in_environment
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.clients.remote.trainer import TrainerClient

_TABLES = "1000"
_OF_RUNS = ("runs", "models")  # folders that a trainer makes


@dataclass(slots=True, eq=False)
class Laboratory:
    """The servers of one page. The oracle and the resolver are waited for, or started, at the first question."""

    games: GameManagerClient
    _stack: ExitStack
    _folder: Path  # of training data
    _services: PrivateServices | None = None  # None where the game manager was already running
    _clients: dict[str, Any] = field(default_factory=dict)
    _asking: threading.RLock = field(default_factory=threading.RLock)

    def trainer(self) -> TrainerClient | None:
        """Return a client of the trainer; None where there is none and the data folder has no runs."""
        with self._asking:
            has_runs = any((self._folder / name).is_dir() for name in _OF_RUNS)
            if "trainer" not in self._clients and (has_runs or server_in_environment("trainer")):
                chosen = trainer(None, self._folder, 0, {}, conducts=False)
                self._clients["trainer"] = self._stack.enter_context(chosen)
            return self._clients.get("trainer")

    def oracle(self) -> OracleClient:
        """Return a client of the oracle."""
        with self._asking:
            if "oracle" not in self._clients:
                ready = self._services.ready(ORACLE, _silent) if self._services else None
                self._clients["oracle"] = ready or self._stack.enter_context(oracle(None, {}))
            client: OracleClient = self._clients["oracle"]
            return client

    def resolver(self) -> ResolverClient:
        """Return a client of the resolver."""
        with self._asking:
            if "resolver" not in self._clients:
                if self._services:
                    self.oracle()  # a resolver answers before the servers that it asks do
                    self._clients["resolver"] = self._services.ready(RESOLVER, _silent)
                else:
                    self._clients["resolver"] = self._stack.enter_context(resolver(None, {}))
            client: ResolverClient = self._clients["resolver"]
            return client


def _silent(_: str) -> None:
    """Say nothing: nobody waits at a terminal."""


@contextmanager
def running_laboratory(server: str, folder: Path, waiting: Waiting = silently) -> Iterator[Laboratory]:
    """Yield the laboratory around a game manager that is already running."""
    with ExitStack() as stack:
        games = stack.enter_context(running_service(GAMEMANAGER, server, waiting))
        yield Laboratory(games, stack, folder)


@contextmanager
def private_laboratory(folder: Path, waiting: Waiting = silently) -> Iterator[Laboratory]:
    """Start all four; stop them on exit. Tables are ready in seconds, while oracle and resolver may still load."""
    with private_services() as services, ExitStack() as stack:
        with waiting("starting a game manager, agents, an oracle and a resolver…") as say:
            # All its browsers are one client to the game manager.
            room = {"tables": _TABLES, "client_tables": _TABLES, "journal": str(services.folder / "journal.jsonl")}
            services.start(GAMEMANAGER, grace_seconds="0", **room)
            services.start(ORACLE, grace_seconds="0")
            asked = {"oracle_server": services.address(ORACLE), "gamemanager_server": services.address(GAMEMANAGER)}
            services.start(RESOLVER, grace_seconds="0", **asked)
            arguments, environment = host_command(
                services.address(GAMEMANAGER), AGENT_NAMES, services.address(RESOLVER)
            )
            services.start_program(AGENT_HOST, arguments, environment)
            games = services.ready(GAMEMANAGER, say)
            games.is_own = True
            say("waiting for the agents…")
            wait_for_agents(games, AGENT_NAMES, services.check, AGENT_HOST.start_seconds)
        yield Laboratory(games, stack, folder, services)
