"""Time to read: a pause between stops on a terminal, none in a pipe."""

import select
import sys
import termios

from rich.text import Text

from riverboat.clients.console.table.terminal import has_keys
from riverboat.clients.console.views.output import out

LINE_SECONDS = 0.7  # per event at a table


def heading(text: str, more: str = "") -> None:
    """Print the heading of a stop, and a sentence about it."""
    out.print()
    out.print(Text(text, style="bold"))
    if more:
        out.print(more, markup=False)
    out.print()


def line_seconds() -> float:
    """Return the seconds between two lines of a hand."""
    return LINE_SECONDS if has_keys() else 0.0


def pause(seconds: float) -> None:
    """Wait for Enter or for some seconds, ignoring earlier keys."""
    if not has_keys():
        return
    keyboard = sys.stdin.fileno()
    termios.tcflush(keyboard, termios.TCIFLUSH)
    out.print(Text(f"\nPress Enter, or wait {seconds:.0f} seconds ", style="dim"), end="")
    readable, _, _ = select.select([keyboard], [], [], seconds)
    if readable:
        sys.stdin.readline()
    else:
        out.print()
