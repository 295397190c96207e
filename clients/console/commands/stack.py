"""riverboat up, down and status: the services as background processes on this machine."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from riverboat.clients.console.options import AsJson
from riverboat.clients.console.views.output import note, out, print_json, waiting
from riverboat.clients.local.services import AGENT_HOST, GAMEMANAGER, ORACLE, RESOLVER
from riverboat.clients.local.settings import PORTS, server_variable
from riverboat.clients.local.stack import DEFAULT_FOLDER, SERVICES, Stack, free_address
from riverboat.clients.local.stack_startup import is_ready, start_all, start_ended
from riverboat.clients.remote.refusals import Refused

Folder = Annotated[
    Path, typer.Option("--folder", file_okay=False, metavar="FOLDER", help="Folder for ports, logs and state.")
]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (up, down, status):
        app.command()(command)


def _port(help_text: str) -> Any:
    return typer.Option(min=0, max=65535, metavar="PORT", help=help_text)


def up(
    folder: Folder = DEFAULT_FOLDER,
    oracle_port: Annotated[int, _port("Port of the oracle; 0 picks a free port.")] = PORTS["oracle"],
    gamemanager_port: Annotated[int, _port("Port of the game manager; 0 picks a free port.")] = PORTS["gamemanager"],
    resolver_port: Annotated[int, _port("Port of the resolver; 0 picks a free port.")] = PORTS["resolver"],
    as_json: AsJson = False,
) -> None:
    """Start the services in the background.

    Starts an oracle, a game manager, a resolver and an agent host on this machine, with their ports, logs and state in
    one folder. riverboat status shows them, riverboat down stops them. If some have ended, riverboat up starts those
    again. Every user of this machine may play. Only your own programs may offer agents: they find the key for it in
    your keyring.

    riverboat up

    riverboat up --folder /tmp/boat --oracle-port 0 --gamemanager-port 0 --resolver-port 0
    """
    stack = Stack(folder)
    with stack.exclusively():
        if stack.alive():
            with waiting("starting…") as say:
                ended = start_ended(stack, say)
            _show(stack, as_json)
            if not as_json:
                note(f"started again: {', '.join(ended)}")
            return
        ports = {ORACLE.name: oracle_port, GAMEMANAGER.name: gamemanager_port, RESOLVER.name: resolver_port}
        servers = {name: free_address(f"--{name}-port", port) for name, port in ports.items()}
        with waiting("starting…") as say:
            start_all(stack, {**servers, AGENT_HOST.name: servers[GAMEMANAGER.name]}, say)
    _show(stack, as_json)
    if not as_json:
        note("to make commands without --server use these services:")
        note("export " + " ".join(f"{server_variable(name)}={address}" for name, address in servers.items()))


def down(folder: Folder = DEFAULT_FOLDER) -> None:
    """Stop the services that riverboat up started.

    The journal with all tables stays; the next riverboat up continues them.

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


def status(folder: Folder = DEFAULT_FOLDER, as_json: AsJson = False) -> None:
    """Show which services run, and where.

    Exit code 0 if all of them run, 1 otherwise.

    riverboat status
    """
    stack = Stack(folder)
    rows = _show(stack, as_json)
    if any(row["status"] != "running" for row in rows):
        raise typer.Exit(1)


def _show(stack: Stack, as_json: bool) -> list[dict[str, Any]]:
    known, alive = stack.known(), stack.alive()
    rows: list[dict[str, Any]] = []
    for name in SERVICES:
        running = alive.get(name)
        word = "stopped" if name not in known else "ended"
        if running:
            word = "running" if is_ready(running) else "does not answer"
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
