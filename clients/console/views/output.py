"""The ways commands print: tables for people, JSON for programs, progress only on a terminal."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

_GRID_WIDTH = 67  # columns of thirteen narrow cells
_WIDEST = 10_000
_PIPE_WIDTH = 120  # columns of tables where there is no terminal

out = Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
err = Console(stderr=True, highlight=False)


def note(text: str) -> None:
    """Print a line of small print, without markup, because it may name a file."""
    out.print(text, style="dim", markup=False, soft_wrap=True)


def say(text: str) -> None:
    """Print a line on standard error, where progress goes."""
    err.print(text, markup=False, soft_wrap=True)


def say_leaving(stops_services: bool) -> None:
    """Tell a person why the command does not end at once: it stops the services that it started."""
    if stops_services and err.is_terminal:
        say("leaving: stopping the services that this command started…")


def print_table(table: Table) -> None:
    """Print a table as wide as the terminal; in a pipe at full width, so that each row is one line."""
    if out.is_terminal:
        out.print(table)
        return
    wide = Console(highlight=False, width=_WIDEST)
    with wide.capture() as printed:
        wide.print(table)
    for line in printed.get().splitlines():
        print(line.rstrip())


def print_grid(grid: RenderableType) -> None:
    """Print a whole grid of values; on a narrow terminal its lines wrap."""
    out.print(grid, width=max(_GRID_WIDTH, out.width), crop=False, no_wrap=True)


def print_json(value: Any) -> None:
    """Print one JSON document, also when standard output is a terminal."""
    print(json.dumps(value, indent=2))


@contextmanager
def waiting(text: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner on the terminal and yield a function that changes its text; show nothing in a pipe."""
    if err.is_terminal:
        with err.status(text) as status:
            yield status.update
    else:
        yield lambda _: None


class Bar:
    """A progress bar on the terminal; nothing in a pipe, or a line at most every `say_seconds`."""

    def __init__(self, progress: Progress, text: str, say_seconds: float | None = None) -> None:
        self._progress = progress
        self._task = progress.add_task(text, total=1.0)
        self._say_seconds, self._said_at = say_seconds, time.monotonic()

    def show(self, done: float, text: str | None = None) -> None:
        """Show how much is done, 0 to 1, with a text beside it."""
        self._progress.update(self._task, completed=done)
        if text is not None:
            self._progress.update(self._task, description=text)
        if self._progress.disable and self._say_seconds is not None:
            now = time.monotonic()
            if now - self._said_at >= self._say_seconds:
                self._said_at = now
                say(f"{100 * done:.0f} %{f': {text}' if text else ''}")

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the bar away while something is printed above it."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()

    def rename(self, text: str) -> None:
        """Change the text beside it."""
        self._progress.update(self._task, description=text)


@contextmanager
def progress_bar(text: str, say_seconds: float | None = None) -> Iterator[Bar]:
    """Yield a progress bar that disappears when the work is done; `say_seconds` counts where there is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield Bar(progress, text, say_seconds)


def percent(value: float, digits: int = 2) -> str:
    """Return a probability as a percentage for people."""
    return f"{100 * value:.{digits}f} %"
