"""Services that one command starts for itself: child processes on unix sockets, which end with the command.

`private_oracle` is the shortest example. A service is started, waited for until it answers, and stopped when the
block ends; if the command is killed, its children notice that their standard input has closed, and end too.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from riverboat.clients.local.agents import host_command, wait_for_agents
from riverboat.clients.local.compilation import SOLVER_PARTS, compile_first
from riverboat.clients.local.processes import ChildProcess, child_process
from riverboat.clients.local.readiness import Say, Waiting, silently, wait_until_ready
from riverboat.clients.local.redis_server import redis_in
from riverboat.clients.local.services import (
    AGENT_HOST,
    GAMEMANAGER,
    ORACLE,
    RESOLVER,
    TRAINER,
    WORKERS,
    ClientT,
    Program,
    ServiceProgram,
    open_service_channel,
    private_settings,
    service_settings,
)
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.clients.remote.trainer import TrainerClient


class PrivateServices:
    """The services of one command, with their sockets and logs in one folder."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self._stack = stack
        self._processes: list[ChildProcess] = []

    def address(self, service: ServiceProgram[ClientT]) -> str:
        """Return where a service listens: by its initial, because the path of a socket has at most 107 bytes."""
        return f"unix:{self.folder / service.name[0]}.sock"

    def start(self, service: ServiceProgram[ClientT], logs: Path | None = None, /, **settings: str) -> None:
        """Start a service, with its log in `logs` or the folder; it is stopped when the block ends."""
        self.start_program(service, (), private_settings(service.name, self.address(service), **settings), logs=logs)

    def start_program(
        self, program: Program, arguments: Sequence[str], environment: dict[str, str], *, logs: Path | None = None
    ) -> None:
        """Start any program, with its arguments and environment; stop it when the block ends."""
        log = (logs or self.folder) / f"{program.name}.log"
        child = child_process(program.title, [program.module, *arguments], log, environment, extras=program.extras)
        self._processes.append(self._stack.enter_context(child))

    def check(self) -> None:
        """Raise Refused with the last line of its log if a process has ended."""
        for process in self._processes:
            process.check()

    def ready(self, service: ServiceProgram[ClientT], say: Say) -> ClientT:
        """Wait until a service answers; return its client."""
        address = self.address(service)
        client = service.client(self._stack.enter_context(open_service_channel(address)), address)
        wait_until_ready(
            service.definite,
            client.answers,
            self.check,
            say,
            seconds=service.start_seconds,
            slow_start=service.slow_start,
        )
        return client


@contextmanager
def private_services() -> Iterator[PrivateServices]:
    """Yield services in a temporary folder whose name is short enough for sockets; remove it on exit."""
    with tempfile.TemporaryDirectory(prefix="riverboat-", ignore_cleanup_errors=True) as folder, ExitStack() as stack:
        yield PrivateServices(Path(folder), stack)


@contextmanager
def private_oracle(waiting: Waiting = silently) -> Iterator[OracleClient]:
    """Start an oracle; stop it on exit."""
    with private_services() as services:
        with waiting("starting an oracle…") as say:
            services.start(ORACLE)
            client = services.ready(ORACLE, say)
        yield client


@contextmanager
def private_resolver(own: Mapping[str, str], waiting: Waiting = silently) -> Iterator[ResolverClient]:
    """Start a resolver with settings `own`, and the oracle and game manager that it asks; stop all three on exit."""
    with private_services() as services:
        with waiting("starting a resolver…") as say:
            if RESOLVER.compiles:
                compile_first(SOLVER_PARTS, say)
            services.start(ORACLE, grace_seconds="0")
            services.start(GAMEMANAGER, grace_seconds="0", journal=str(services.folder / "journal.jsonl"))
            asked = {"oracle_server": services.address(ORACLE), "gamemanager_server": services.address(GAMEMANAGER)}
            services.start(RESOLVER, grace_seconds="0", **asked, **own)
            services.ready(ORACLE, say)  # a resolver answers before the servers that it asks do
            services.ready(GAMEMANAGER, say)
            client = services.ready(RESOLVER, say)
        yield client


@contextmanager
def private_game_manager(
    agents: Sequence[str], resolver_server: str = "", waiting: Waiting = silently
) -> Iterator[GameManagerClient]:
    """Start a game manager, and an agent host for `agents`, some of which may ask a resolver; stop both on exit."""
    with private_services() as services:
        with waiting("starting a game manager…") as say:
            services.start(GAMEMANAGER, grace_seconds="0", journal=str(services.folder / "journal.jsonl"))
            arguments, environment = host_command(services.address(GAMEMANAGER), agents, resolver_server)
            services.start_program(AGENT_HOST, arguments, environment)
            games = services.ready(GAMEMANAGER, say)
            games.is_own = True
            say("waiting for the agents…")
            wait_for_agents(games, agents, services.check)
        yield games


@contextmanager
def private_trainer(
    folder: Path, worker_count: int, conducts: bool, waiting: Waiting = silently
) -> Iterator[TrainerClient]:
    """Start a trainer with its data and logs in a folder, a Redis and workers; stop all of them on exit.

    Without `conducts` it answers questions, and no run goes on.
    """
    with ExitStack() as stack:
        with waiting("starting a Redis…") as say:
            shared = {"redis": stack.enter_context(redis_in(folder / "redis")), "store": str(folder.absolute())}
            services = stack.enter_context(private_services())  # stopped before their Redis
            services.start(TRAINER, folder, conducts=str(conducts), **shared)
            if worker_count:
                own = {"processes": str(worker_count), "until_input_ends": "true", "log_format": "json"}
                services.start_program(WORKERS, (), service_settings(WORKERS.name, **own, **shared), logs=folder)
            client = services.ready(TRAINER, say)
        yield client
