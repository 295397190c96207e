"""Commands of the console, run in this process."""

from pathlib import Path
from types import ModuleType

import typer
from typer.testing import CliRunner

from riverboat.clients.remote.refusals import EXIT_REFUSED, Refused
from riverboat.errors import RiverboatError


def run_command(modules: list[ModuleType], *words: str | Path) -> tuple[int, str]:
    """The exit code and what is printed; for a refusal, its one line at the end."""
    app = typer.Typer()
    app.callback()(lambda: None)
    for module in modules:
        module.add_to(app)
    result = CliRunner().invoke(app, list(map(str, words)))
    if isinstance(result.exception, Refused | RiverboatError):
        return EXIT_REFUSED, result.output + str(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output
