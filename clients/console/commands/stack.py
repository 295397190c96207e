"""riverboat up, down and status: the services as background processes on this machine."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import grpc
import typer
from rich.table import Table
from rich.text import Text

from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.output import note, out, print_json, waiting
from riverboat.clients.local.stack import HOST, MANAGER, ORACLE, ORDER, RESOLVER, Running, Stack, free_address
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.oracle import OracleClient
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.rpc.connections.channels import open_channel
from riverboat.rpc.connections.problems import connection_problem

_START_SECONDS = 300  # the first start compiles kernels
_ANSWER_SECONDS = 1.0
_AGENT_SECONDS = 0.1
_DEFAULT_FOLDER = Path(".riverboat")

Folder = Annotated[Path, typer.Option("--folder", file_okay=False, help="Where ports, logs and state are kept.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (up, down, status):
        app.command()(command)


def up(
    folder: Folder = _DEFAULT_FOLDER,
    oracle_port: Annotated[int, typer.Option(min=0, max=65535, help="Of the oracle; 0 for any.")] = 50051,
    gamemanager_port: Annotated[int, typer.Option(min=0, max=65535, help="Of the game manager; 0 for any.")] = 50052,
    resolver_port: Annotated[int, typer.Option(min=0, max=65535, help="Of the resolver; 0 for any.")] = 50053,
    as_json: AsJson = False,
) -> None:
    """Start all services in the background.

    That is an oracle, a game manager, a resolver and a host of agents, as processes of this machine. Their ports, logs
    and state are in one folder; riverboat status says what runs, riverboat down stops it. If some of them have ended,
    those are started again. Everybody on this machine may play; only your own programs may offer agents: they find the
    key for that by themselves.

    riverboat up

    riverboat up --folder /tmp/boat --oracle-port 0 --gamemanager-port 0 --resolver-port 0
    """
    stack = Stack(folder)
    with stack.exclusively():
        if stack.alive():
            with waiting("starting…") as say:
                ended = _bring_back(stack, say)
            _show(stack, as_json)
            if not as_json:
                note(f"started again: {', '.join(ended)}")
            return
        oracle = free_address("--oracle-port", oracle_port)
        manager = free_address("--gamemanager-port", gamemanager_port)
        resolver = free_address("--resolver-port", resolver_port)
        with waiting("starting…") as say:
            _start(stack, {ORACLE: oracle, MANAGER: manager, RESOLVER: resolver, HOST: manager}, say)
    _show(stack, as_json)
    if not as_json:
        servers = {"ORACLE": oracle, "GAMEMANAGER": manager, "RESOLVER": resolver}
        note("for commands without --server, so that they use these and start none:")
        note("export " + " ".join(f"RIVERBOAT_{name}_SERVER={address}" for name, address in servers.items()))


def _bring_back(stack: Stack, say: Callable[[str], None]) -> list[str]:
    """Start those again that have ended, where they were; which ones. The others go on."""
    known, alive = stack.known(), stack.alive()
    ended = [name for name in ORDER if name in known and name not in alive]
    if not ended:
        names = ", ".join(f"{name} (process {running.pid})" for name, running in alive.items())
        raise Refused(f"already up in {stack.folder}: {names}; riverboat down --folder {stack.folder} stops it")
    for name in ended:
        say(f"starting {name} again…")
        _wait(stack, stack.start(name, known[name].address), say)
    return ended


def _start(stack: Stack, addresses: dict[str, str], say: Callable[[str], None]) -> None:
    """Start all, and wait until they answer; stop all if one does not."""
    try:
        for name in (ORACLE, MANAGER, RESOLVER):
            stack.start(name, addresses[name])
        for name in ORDER:
            if name == HOST:  # it would look for its game manager in vain before
                stack.start(name, addresses[name])
            say(f"waiting for {name}…")
            _wait(stack, stack.known()[name], say)
    except BaseException:  # also Ctrl-C: no half of it stays behind
        stack.stop(say)
        raise


def _wait(stack: Stack, running: Running, say: Callable[[str], None]) -> None:
    start = time.monotonic()
    while not _answers(running):
        stack.check(running.name)
        _check_tls(running)
        passed = time.monotonic() - start
        if passed > _START_SECONDS:
            raise Refused(f"{running.name} was not ready after {_START_SECONDS} seconds; see {stack.log(running.name)}")
        if passed > 3 * _ANSWER_SECONDS:
            say(f"{running.name} compiles its kernels, once, for about half a minute…")


def _check_tls(running: Running) -> None:
    """Refuse at once where certificates do not fit: it will not get better."""
    with open_channel(running.address) as channel:
        if problem := connection_problem(channel, running.address):
            raise Refused(problem)


def _answers(running: Running) -> bool:
    """Whether a process does its work; for an agent host, whether agents are on offer."""
    with open_channel(running.address) as channel:
        try:
            if running.name == ORACLE:
                return OracleClient(channel, running.address).answers(_ANSWER_SECONDS)
            if running.name == RESOLVER:
                return ResolverClient(channel, running.address).answers(_ANSWER_SECONDS)
            link = GameManagerClient(channel, running.address, is_own=False)
            if running.name == MANAGER:
                return link.answers(_ANSWER_SECONDS)
            offered = bool(link.agents())
            time.sleep(0 if offered else _AGENT_SECONDS)
            return offered
        except grpc.RpcError:
            time.sleep(_AGENT_SECONDS)
            return False


def down(folder: Folder = _DEFAULT_FOLDER) -> None:
    """Stop what riverboat up has started.

    The journal with all tables stays, and the next riverboat up goes on with them.

    riverboat down
    """
    stack = Stack(folder)
    if not stack.folder.is_dir():
        raise Refused(f"nothing to stop: there is no folder {folder}")
    with stack.exclusively(), waiting("stopping…") as say:
        stopped = stack.stop(say)
    out.print(f"stopped {', '.join(stopped)}" if stopped else "nothing was running", markup=False, soft_wrap=True)
    if stack.journal.exists():
        note(f"tables are kept in {stack.journal}")


def status(folder: Folder = _DEFAULT_FOLDER, as_json: AsJson = False) -> None:
    """Say what is running, and where.

    Exit code 1 unless everything is.

    riverboat status
    """
    stack = Stack(folder)
    rows = _show(stack, as_json)
    if any(row["status"] != "running" for row in rows):
        raise typer.Exit(1)


def _show(stack: Stack, as_json: bool) -> list[dict[str, Any]]:
    known, alive = stack.known(), stack.alive()
    rows: list[dict[str, Any]] = []
    for name in ORDER:
        running = alive.get(name)
        word = "stopped" if name not in known else "ended"
        if running:
            word = "running" if _answers(running) else "does not answer"
        where = {"address": running.address if running else None, "pid": running.pid if running else None}
        log = str(stack.log(name)) if stack.log(name).exists() else None
        rows.append({"service": name, "status": word, **where, "log": log})
    if as_json:
        print_json(rows)
        return rows
    table = Table("service", "status", "address", "process", box=None, padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(row["service"], row["status"], Text(row["address"] or ""), str(row["pid"] or ""))
    out.print(table)
    note(f"logs and state in {stack.folder}" if stack.folder.is_dir() else f"nothing was started in {stack.folder}")
    return rows
