"""The server that a command asks: at --server, in the environment, started in this folder, or a private one.

A server's errors leave these blocks as `Refused`, one line in which fields have the names that `names` gives them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path

import grpc

from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.settings import DEFAULT_SERVER
from riverboat.clients.local.agents import check_own_agents
from riverboat.clients.local.private_services import private_game_manager, private_oracle, private_resolver
from riverboat.clients.local.readiness import Waiting, silently
from riverboat.clients.local.running_services import running_service
from riverboat.clients.local.services import GAMEMANAGER, ORACLE, RESOLVER, TRAINER, ClientT, ServiceProgram
from riverboat.clients.local.settings import server_in_environment
from riverboat.clients.local.stack import DEFAULT_FOLDER, Stack
from riverboat.clients.local.trainer_folder import trainer_in
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.refusals import FieldNames, refusal_of
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.clients.remote.trainer import TrainerClient


def oracle(server: str | None, names: FieldNames, waiting: Waiting = silently) -> AbstractContextManager[OracleClient]:
    """Connect to the oracle at `server` or in RIVERBOAT_ORACLE_SERVER, or to a private one."""
    return _chosen(ORACLE, server, names, waiting, private_oracle)


def resolver(
    server: str | None, names: FieldNames, waiting: Waiting = silently, own: Mapping[str, str] | None = None
) -> AbstractContextManager[ResolverClient]:
    """Connect to the resolver at `server` or in RIVERBOAT_RESOLVER_SERVER, or to a private one with settings `own`."""
    return _chosen(RESOLVER, server, names, waiting, partial(private_resolver, own or {}))


def game_manager(
    server: str | None, names: FieldNames, agents: Sequence[str], waiting: Waiting = silently
) -> AbstractContextManager[GameManagerClient]:
    """Connect to the game manager at `server` or in RIVERBOAT_GAMEMANAGER_SERVER, or to a private one with `agents`."""
    return _chosen(GAMEMANAGER, server, names, waiting, partial(_private_games, agents))


def running_game_manager(
    server: str | None, names: FieldNames, waiting: Waiting = silently
) -> AbstractContextManager[GameManagerClient]:
    """Connect to a game manager that already runs: at `server`, in the environment, or at its usual port."""
    address = server or server_in_environment(GAMEMANAGER.name) or DEFAULT_SERVER
    return game_manager(address, names, (), waiting)


def trainer(
    server: str | None,
    folder: Path,
    worker_count: int,
    names: FieldNames,
    *,
    conducts: bool = True,
    waiting: Waiting = silently,
) -> AbstractContextManager[TrainerClient]:
    """Connect to the trainer at `server` or in RIVERBOAT_TRAINER_SERVER, or to a folder's, with this many workers.

    Without `conducts` it answers questions, and no run goes on.
    """
    return _chosen(TRAINER, server, names, waiting, partial(trainer_in, folder, worker_count, conducts))


def started_here(name: str) -> str | None:
    """Return the address of a service that riverboat up started in this folder and that still runs; else None."""
    running = Stack(DEFAULT_FOLDER).alive().get(name)
    return running.address if running else None


@contextmanager
def _chosen(
    service: ServiceProgram[ClientT],
    server: str | None,
    names: FieldNames,
    waiting: Waiting,
    private: Callable[[Waiting], AbstractContextManager[ClientT]],
) -> Iterator[ClientT]:
    """Yield a client of the service at `server` or in the environment, or of a private one."""
    address = server or server_in_environment(service.name) or started_here(service.name)
    chosen = running_service(service, address, waiting) if address else private(waiting)
    with _refusals(service, address, names), chosen as client:
        yield client


@contextmanager
def _private_games(agents: Sequence[str], waiting: Waiting) -> Iterator[GameManagerClient]:
    """Yield a client of a private game manager, which has a resolver if one of the agents needs it."""
    check_own_agents(agents)
    with ExitStack() as stack:
        solver = stack.enter_context(resolver(None, {}, waiting)) if any(map(needs_resolver, agents)) else None
        address = solver.address if solver else ""
        games = stack.enter_context(private_game_manager(agents, address, waiting))
        games.resolver = solver
        yield games


@contextmanager
def _refusals(service: ServiceProgram[ClientT], address: str | None, names: FieldNames) -> Iterator[None]:
    """Turn a server's error into one line for people."""
    try:
        yield
    except grpc.RpcError as error:
        where = address or "its socket"
        raise refusal_of(error, service=service.noun, address=where, names=names) from None
