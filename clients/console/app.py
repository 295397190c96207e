"""The `riverboat` command: its entry point and the wording of its errors."""

import os
import re
import signal
import sys
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.exceptions import TyperException

from riverboat.clients.console.groups import Grouped, print_welcome
from riverboat.clients.console.views.output import err, out
from riverboat.clients.remote.refusals import EXIT_INTERRUPTED, EXIT_REFUSED, Refused
from riverboat.errors import RiverboatError

_NO_COMMAND = re.compile(r"No such command '(.*?)'\.(?: Did you mean (.+)\?)?")
_NO_OPTION = re.compile(r"No such option: (\S+)(?: \(Possible options: (.+)\))?")
_MISSING = re.compile(r"Missing (?:argument|option) '([^']+)'")
_EXTRA = re.compile(r"Got unexpected extra argument\(s\) \((.*)\)")
_REWORDED = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"^Invalid value for '([^']+)'(?: / '[^']+')*: (?:Value error, )?", r"\1: "),
        (r"^Option '([^']+)' requires an argument\.$", r"\1: needs a value"),
        (r"Input should be", "must be"),
        (r"must be a valid integer, .*", "must be a whole number"),
        (r"must be a valid number, .*", "must be a number"),
        (r"greater than or equal to", "at least"),
        (r"less than or equal to", "at most"),
        (r"dir ('[^']*') is a file\.$", r"\1 is a file, not a folder"),
        (r"('[^']*') is not one of (.+?)\.?$", r"\1 must be one of \2"),
    )
)

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
        code = _fail(_in_our_words(error), EXIT_REFUSED)
    except (Refused, RiverboatError) as error:
        code = _fail(str(error), EXIT_REFUSED)
    except BrokenPipeError:
        _drop_output()  # the program that read the pipe has ended
        code = 0
    except OSError as error:
        _drop_output()
        code = _fail(str(error), EXIT_REFUSED)
    sys.exit(code if isinstance(code, int) else 0)


def _in_our_words(error: TyperException) -> str:
    """Return the parser's message in our own form: the option or argument, what is wrong, what would be right."""
    message = " ".join(error.format_message().split())
    if unknown := _NO_COMMAND.match(message):
        meant = f"; did you mean {unknown[2]}?".replace("'", "") if unknown[2] else ""
        return f"no command is called '{unknown[1]}'{meant}"
    context = getattr(error, "ctx", None)
    see_help = f"; see {context.command_path} --help" if context else ""
    if missing := _MISSING.match(message):
        return f"{missing[1]} is missing{see_help}"
    if unknown := _NO_OPTION.match(message):
        meant = f"; did you mean {unknown[2].replace(', ', ' or ')}?" if unknown[2] else see_help
        return f"no option is called {unknown[1]}{meant}"
    if extra := _EXTRA.match(message):
        return f"too many arguments: {extra[1]}{see_help}"
    for pattern, words in _REWORDED:
        message = pattern.sub(words, message)
    return message


def _drop_output() -> None:
    """Discard buffered output: Python would try to write it again at exit, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    err.print(f"riverboat: {message}", markup=False, soft_wrap=True)
    return code


if __name__ == "__main__":
    main()
