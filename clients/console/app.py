"""The `riverboat` command, put together from the modules in commands/."""

import os
import re
import signal
import sys
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.exceptions import TyperException

from riverboat.clients.console.commands import (
    bot,
    cards,
    chart,
    cheatsheet,
    conformance,
    demo,
    doctor,
    equity,
    explain,
    exploit,
    features,
    ladder,
    match,
    models,
    play,
    replay,
    review,
    runs,
    situations,
    solve,
    stack,
    tables,
    train,
    utility,
    verify,
    watch,
    worker,
)
from riverboat.clients.console.groups import Grouped, print_welcome
from riverboat.clients.console.views.output import err, out
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, EXIT_REFUSED, Refused
from riverboat.errors import RiverboatError

app = typer.Typer(
    name="riverboat",
    cls=Grouped,
    help="A Texas Hold'em laboratory. Four services do the work: an oracle answers questions about cards, a game "
    "manager runs tables and matches, a resolver solves spots, a trainer trains networks. A command uses the service "
    "in --server or in RIVERBOAT_<SERVICE>_SERVER; without one it starts the services it needs and stops them on exit.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (
    demo,
    doctor,
    equity,
    features,
    cards,
    utility,
    cheatsheet,
    play,
    watch,
    tables,
    match,
    exploit,
    chart,
    ladder,
    solve,
    bot,
    stack,
    replay,
    explain,
    review,
    verify,
    train,
    runs,
    models,
    worker,
    situations,
    conformance,
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
            stream.reconfigure(errors="replace")  # a terminal that lacks our signs gets question marks
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))  # so that our child processes are stopped
    try:
        code = app(prog_name="riverboat", standalone_mode=False)
        sys.stdout.flush()
        if code == EXIT_INTERRUPTED:
            _fail("stopped", code)
    except TyperException as error:
        code = _fail(_as_ours(" ".join(error.format_message().split())), EXIT_REFUSED)
    except (Refused, RiverboatError) as error:
        code = _fail(str(error), EXIT_REFUSED)
    except BrokenPipeError:
        _drop_output()  # the reader of a pipe has gone
        code = 0
    except OSError as error:
        _drop_output()
        code = _fail(str(error), EXIT_REFUSED)
    sys.exit(code if isinstance(code, int) else 0)


def _as_ours(message: str) -> str:
    """Return the parser's message in the form of ours: the option, then what is wrong."""
    named = re.sub(r"^Invalid value for '([^']+)'(?: / '[^']+')*: (?:Value error, )?", r"\1: ", message)
    return named.replace("Input should be", "must be")


def _drop_output() -> None:
    """Discard buffered output: Python would try to write it again at exit, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    err.print(f"riverboat: {message}", markup=False, soft_wrap=True)
    return code


if __name__ == "__main__":
    main()
