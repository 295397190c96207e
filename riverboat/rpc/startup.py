"""The start of a service from the command line: help, settings, and messages about wrong settings."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TextIO, TypeVar

from pydantic import BaseModel, SecretStr, ValidationError

from riverboat.errors import InvalidInput
from riverboat.rpc.logs import configure_logs
from riverboat.rpc.settings import CannotStart, ServiceSettings

EXIT_REFUSED = 2


Settings = TypeVar("Settings", bound=ServiceSettings)


def start(
    name: str, settings_type: type[Settings], run: Callable[[Settings], Awaitable[None]], arguments: Sequence[str]
) -> int:
    """Serve until told to stop; return 2, after a line for each problem, if the settings do not work."""
    prefix = settings_type.model_config.get("env_prefix", "")
    if arguments:
        asked = arguments[0] in ("-h", "--help")
        _print_help(_help(name, settings_type, prefix), sys.stdout if asked else sys.stderr)
        return 0 if asked else EXIT_REFUSED
    try:
        settings = settings_type()
        configure_logs(settings.log_level, settings.log_format)
        asyncio.run(_awaited(run, settings))
    except ValidationError as error:
        print_problems(error, settings_type, prefix)
        return EXIT_REFUSED
    except CannotStart as error:
        print(f"{prefix}{error.setting.upper()}: {error}", file=sys.stderr)
        return EXIT_REFUSED
    except InvalidInput as error:  # a setting that services share, which the error names in full
        print(error, file=sys.stderr)
        return EXIT_REFUSED
    return 0


def print_problems(error: ValidationError, settings_type: type[BaseModel], prefix: str) -> None:
    """Print a line for each setting that does not work, with its name; secrets are not repeated."""
    for problem in error.errors():
        setting = prefix + "_".join(str(part) for part in problem["loc"]).upper()
        reason = problem["msg"].removeprefix("Value error, ")
        is_secret = settings_type.model_fields[str(problem["loc"][0])].annotation is SecretStr
        given = "" if is_secret else f", not {str(problem['input'])[:40]!r}"
        print(f"{setting}: {reason}{given}", file=sys.stderr)


def _print_help(text: str, file: TextIO) -> None:
    """Print a text, whose reader may stop early, like `head`."""
    try:
        print(text, file=file, flush=True)
    except BrokenPipeError:
        # Python flushes again at exit, and would complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())


async def _awaited(run: Callable[[Settings], Awaitable[None]], settings: Settings) -> None:
    await run(settings)


def _help(name: str, settings_type: type[ServiceSettings], prefix: str) -> str:
    fields = settings_type.model_fields.items()
    lines = [(prefix + field.upper(), str(info.default), info.description or "") for field, info in fields]
    widths = [max(len(line[i]) for line in lines) for i in range(2)]
    shown = "\n".join(f"  {a:{widths[0]}}  {b:{widths[1]}}  {c}".rstrip() for a, b, c in lines)
    return f"python -m riverboat.services.{name} serves until SIGTERM. Settings, from the environment:\n\n{shown}"
