"""The `riverboat` command: one module per group of commands, put together here."""

import os
import signal
import sys
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.exceptions import TyperException

from riverboat.clients.console.commands import bot as bot_command
from riverboat.clients.console.commands import cards as card_commands
from riverboat.clients.console.commands import cheatsheet as cheatsheet_command
from riverboat.clients.console.commands import conformance as conformance_command
from riverboat.clients.console.commands import demo as demo_command
from riverboat.clients.console.commands import doctor as doctor_command
from riverboat.clients.console.commands import equity as equity_command
from riverboat.clients.console.commands import explain as explain_command
from riverboat.clients.console.commands import match as match_command
from riverboat.clients.console.commands import models as models_command
from riverboat.clients.console.commands import play as play_command
from riverboat.clients.console.commands import replay as replay_command
from riverboat.clients.console.commands import review as review_command
from riverboat.clients.console.commands import runs as runs_command
from riverboat.clients.console.commands import situations as situations_command
from riverboat.clients.console.commands import solve as solve_command
from riverboat.clients.console.commands import stack as stack_command
from riverboat.clients.console.commands import tables as tables_command
from riverboat.clients.console.commands import train as train_command
from riverboat.clients.console.commands import utility as utility_command
from riverboat.clients.console.commands import verify as verify_command
from riverboat.clients.console.commands import watch as watch_command
from riverboat.clients.console.commands import worker as worker_command
from riverboat.clients.console.groups import Grouped, print_welcome
from riverboat.clients.console.views.output import err, out
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, EXIT_REFUSED, Refused
from riverboat.errors import RiverboatError

app = typer.Typer(
    name="riverboat",
    cls=Grouped,
    help="A Texas Hold'em laboratory. Questions about cards go to an oracle, tables and matches are at a game manager, "
    "a resolver solves and a trainer trains: those at --server (or in RIVERBOAT_ORACLE_SERVER, "
    "RIVERBOAT_GAMEMANAGER_SERVER, RIVERBOAT_RESOLVER_SERVER and RIVERBOAT_TRAINER_SERVER), or ones that a command "
    "starts for itself and stops.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (
    demo_command,
    doctor_command,
    equity_command,
    card_commands,
    utility_command,
    cheatsheet_command,
    play_command,
    watch_command,
    tables_command,
    match_command,
    solve_command,
    bot_command,
    stack_command,
    replay_command,
    explain_command,
    review_command,
    verify_command,
    train_command,
    runs_command,
    models_command,
    worker_command,
    situations_command,
    conformance_command,
):
    module.add_to(app)


@app.callback()
def welcome(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if show_version:
        print(f"riverboat {version('riverboat')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print_welcome(out)


def main() -> None:
    """Run a command; every error is one line on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our signs gets question marks
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))  # so that what we started is stopped
    try:
        code = app(prog_name="riverboat", standalone_mode=False)
        sys.stdout.flush()
        if code == EXIT_INTERRUPTED:
            _fail("stopped", code)
    except TyperException as error:
        code = _fail(" ".join(error.format_message().split()), EXIT_REFUSED)
    except (Refused, RiverboatError) as error:
        code = _fail(str(error), EXIT_REFUSED)
    except BrokenPipeError:
        _drop_output()  # the reader has seen enough
        code = 0
    except OSError as error:
        _drop_output()
        code = _fail(str(error), EXIT_REFUSED)
    sys.exit(code if isinstance(code, int) else 0)


def _drop_output() -> None:
    """Send what is still buffered nowhere: Python would try to write it again at exit, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    err.print(f"riverboat: {message}", markup=False, soft_wrap=True)
    return code


if __name__ == "__main__":
    main()
