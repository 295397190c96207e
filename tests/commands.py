"""Console commands, run in this process."""

from pathlib import Path
from types import ModuleType

import typer
from typer.testing import CliRunner

from riverboat.clients.remote.refusals import EXIT_REFUSED, Refused
from riverboat.errors import RiverboatError


def run_command(modules: list[ModuleType], *words: str | Path) -> tuple[int, str]:
    """Run a command; return the exit code and the output, which ends with a refusal's line."""
    app = typer.Typer()
    app.callback()(lambda: None)
    for module in modules:
        module.add_to(app)
    result = CliRunner().invoke(app, list(map(str, words)))
    if isinstance(result.exception, Refused | RiverboatError):
        return EXIT_REFUSED, result.output + str(result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output
