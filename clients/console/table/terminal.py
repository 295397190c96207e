"""The terminal while it shows a table: single keys, the alternate screen, and everything restored on exit."""

import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from riverboat.clients.console.table.inbox import Inbox, Resized, follow_keys
from riverboat.clients.console.views.output import out

_ENTER, _LEAVE = "\x1b[?1049h\x1b[2J", "\x1b[?1049l"


def is_screen() -> bool:
    """Return whether the output is a screen that can be redrawn."""
    return out.is_terminal and not out.is_dumb_terminal


def has_keys() -> bool:
    """Return whether that screen also has a keyboard."""
    return is_screen() and sys.stdin.isatty()


@contextmanager
def whole_screen(inbox: Inbox) -> Iterator[None]:
    """Use the terminal's alternate screen; keys and changes of its size go into the inbox."""

    def resized(_number: int, _frame: FrameType | None) -> None:
        inbox.put(Resized())

    before = signal.signal(signal.SIGWINCH, resized)
    try:
        with _key_by_key(inbox):
            sys.stdout.write(_ENTER)
            yield
    finally:
        signal.signal(signal.SIGWINCH, before)
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()


@contextmanager
def _key_by_key(inbox: Inbox) -> Iterator[None]:
    """Let the terminal hand over each key at once, without echo."""
    if not has_keys():
        yield
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    tty.setcbreak(keyboard)
    try:
        follow_keys(keyboard, inbox)
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
