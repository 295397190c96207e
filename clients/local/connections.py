"""The server that a command asks: the one at --server or in the environment, or a private one started for it.

A server's errors leave these blocks as `Refused`, one line in which fields are called by `names`.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import grpc

from riverboat.clients.bots.agents.registry import needs_resolver
from riverboat.clients.bots.settings import DEFAULT_SERVER
from riverboat.clients.local.agents import check_own_agents
from riverboat.clients.local.gamemanager import GameLink, game_refusal
from riverboat.clients.local.private_services import private_game_manager, private_oracle, private_resolver
from riverboat.clients.local.readiness import Waiting, silently
from riverboat.clients.local.resolver import resolver_refusal
from riverboat.clients.local.running_services import running_service
from riverboat.clients.local.services import GAMEMANAGER, ORACLE, RESOLVER, TRAINER
from riverboat.clients.local.settings import server_in_environment
from riverboat.clients.local.trainer import TrainerLink, trainer_refusal
from riverboat.clients.local.trainer_folder import trainer_in
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.refusals import Names, refusal_of
from riverboat.clients.remote.resolver import ResolverLink

_ITS_SOCKET = "its socket"  # where a private server listens


@contextmanager
def oracle(server: str | None, names: Names, waiting: Waiting = silently) -> Iterator[OracleClient]:
    """The oracle at `server` or in RIVERBOAT_ORACLE_SERVER, or a private one."""
    address = server or server_in_environment(ORACLE.name)
    try:
        with running_service(ORACLE, address, waiting) if address else private_oracle(waiting) as client:
            yield client
    except grpc.RpcError as error:
        raise refusal_of(error, address or _ITS_SOCKET, names) from None


@contextmanager
def resolver(server: str | None, names: Names, waiting: Waiting = silently) -> Iterator[ResolverLink]:
    """The resolver at `server` or in RIVERBOAT_RESOLVER_SERVER, or a private one."""
    address = server or server_in_environment(RESOLVER.name)
    try:
        with running_service(RESOLVER, address, waiting) if address else private_resolver(waiting) as client:
            yield client
    except grpc.RpcError as error:
        raise resolver_refusal(error, address or _ITS_SOCKET, names) from None


@contextmanager
def game_manager(
    server: str | None, names: Names, agents: Sequence[str], waiting: Waiting = silently
) -> Iterator[GameLink]:
    """The game manager at `server` or in RIVERBOAT_GAMEMANAGER_SERVER, or a private one whose host offers `agents`."""
    address = server or server_in_environment(GAMEMANAGER.name)
    try:
        with running_service(GAMEMANAGER, address, waiting) if address else _private_games(agents, waiting) as client:
            yield client
    except grpc.RpcError as error:
        raise game_refusal(error, address or _ITS_SOCKET, names) from None


@contextmanager
def _private_games(agents: Sequence[str], waiting: Waiting) -> Iterator[GameLink]:
    """A private game manager, with a resolver if one of the agents asks it."""
    check_own_agents(agents)
    if any(map(needs_resolver, agents)):
        with (
            resolver(None, {}, waiting) as solver,
            private_game_manager(agents, solver.address, waiting) as games,
        ):
            yield games
    else:
        with private_game_manager(agents, waiting=waiting) as games:
            yield games


def running_game_manager(
    server: str | None, names: Names, waiting: Waiting = silently
) -> AbstractContextManager[GameLink]:
    """A game manager that runs already: at `server`, in the environment, or at its usual port."""
    address = server or server_in_environment(GAMEMANAGER.name) or DEFAULT_SERVER
    return game_manager(address, names, (), waiting)


@contextmanager
def trainer(
    server: str | None,
    folder: Path,
    worker_count: int,
    names: Names,
    *,
    conducts: bool = True,
    waiting: Waiting = silently,
) -> Iterator[TrainerLink]:
    """The trainer at `server` or in RIVERBOAT_TRAINER_SERVER, or the one of a folder, with so many workers.

    Without `conducts` it answers questions, and no run goes on.
    """
    address = server or server_in_environment(TRAINER.name)
    try:
        if address:
            with running_service(TRAINER, address, waiting) as client:
                yield client
        else:
            with trainer_in(folder, worker_count, conducts, waiting) as client:
                yield client
    except grpc.RpcError as error:
        raise trainer_refusal(error, address or _ITS_SOCKET, names) from None
