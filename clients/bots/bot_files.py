"""Bots from people's own Python files."""

import importlib.util
import inspect
import sys
from pathlib import Path

from riverboat.arena.bot import Bot
from riverboat.errors import RiverboatError

_MODULE = "riverboat_bot_file"


class CannotLoad(RiverboatError):
    """A file that no bot can be loaded from; the message says why."""


def load_bot(path: Path, class_name: str | None = None) -> type[Bot]:
    """Return the only Bot class of a Python file, or the one called `class_name`."""
    spec = importlib.util.spec_from_file_location(_MODULE, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise CannotLoad(f"{path}: " + ("not a Python file" if path.is_file() else "No such file or directory"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    sys.path.insert(0, str(path.resolve().parent))  # so that it can import its neighbours, as a script can
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise CannotLoad(f"{path}{_line(error, path)}: {reason}") from error
    own = [kind for kind in vars(module).values() if inspect.isclass(kind) and kind.__module__ == _MODULE]
    bots = {kind.__name__: kind for kind in own if issubclass(kind, Bot)}
    return _one_of(path, bots, class_name)


def _one_of(path: Path, bots: dict[str, type[Bot]], class_name: str | None) -> type[Bot]:
    if not bots:
        raise CannotLoad(f"{path}: contains no bot; write class MyBot(Bot) with a method act(self, view)")
    names = " and ".join(bots)
    if class_name is not None and class_name not in bots:
        raise CannotLoad(f"{path}: no bot is called {class_name[:40]!r}; it contains {names}")
    if class_name is None and len(bots) > 1:
        raise CannotLoad(f"{path}: contains several bots, {names}; choose one with --class")
    bot = bots[class_name or next(iter(bots))]
    if inspect.isabstract(bot):
        raise CannotLoad(f"{path}: {bot.__name__} has no method act(self, view)")
    return bot


def _line(error: BaseException, path: Path) -> str:
    """Return ":LINE" for the line of the file that an error comes from; "" if none is known."""
    if isinstance(error, SyntaxError):
        return f":{error.lineno}" if error.lineno else ""
    lines, trace = [], error.__traceback__
    while trace:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == path.resolve():
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f":{lines[-1]}" if lines else ""
