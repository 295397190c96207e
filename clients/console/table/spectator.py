"""A spectator: each change stays on the screen for a moment, or longer when paused."""

import time
from collections import deque
from collections.abc import Callable
from queue import Empty

from riverboat.clients.console.table.display import Display
from riverboat.clients.console.table.inbox import ConnectionLost, Ended, Inbox, Message, Resized, Typed, Update
from riverboat.clients.console.table.reminders import waiting_words
from riverboat.clients.console.table.watcher import Watcher

_TICK_SECONDS = 1.0
_LEAVE = ("q", "\x04")
_NEXT = ("n", "\x1b[c")  # also the arrow to the right


class Spectator:
    """Shows a table until it closes or, with keys, until the spectator leaves."""

    def __init__(self, watcher: Watcher, display: Display, inbox: Inbox, pace: float, has_keys: bool) -> None:
        self._watcher, self._display, self._inbox = watcher, display, inbox
        self._pace = pace  # seconds that each change stays
        self._has_keys = has_keys
        self._waiting: deque[Update] = deque()
        self._due = 0.0
        self._steps = 0  # left to take while paused
        self._reminder = ""
        self._waits_for = ""  # what the table waits for
        self._lost = self._paused = self._ended = self._over = False

    def run(self, has_room: Callable[[], None]) -> None:
        """Show updates; call `has_room` for each one that has left the queue."""
        while not self._over:
            try:
                self._take(self._inbox.get(timeout=self._patience()))
            except Empty:
                self._display.tick()
            if self._is_time():
                self._watcher.take(self._waiting.popleft(), is_live=not self._waiting)
                self._due, self._steps = time.monotonic() + self._pace, max(0, self._steps - 1)
                has_room()
            self._remind()
            if self._ended and not self._waiting and not self._has_keys:
                self._over = True

    def _is_time(self) -> bool:
        """Return whether it is time for the next change."""
        return bool(self._waiting) and (self._steps > 0 if self._paused else time.monotonic() >= self._due)

    def _patience(self) -> float:
        """Return the seconds until there is something to do."""
        if not self._waiting or self._paused:
            return _TICK_SECONDS
        return max(0.0, min(_TICK_SECONDS, self._due - time.monotonic()))

    def _take(self, message: Message) -> None:
        match message:
            case Update():
                self._waiting.append(message)
                self._lost, self._waits_for = False, message.message.waits_for
            case ConnectionLost():
                self._lost = True
            case Ended():
                if message.error:
                    raise message.error
                self._ended = True
            case Typed():
                self._press(message.text)
            case Resized():
                self._display.tick()

    def _press(self, keys: str | None) -> None:
        keys = "q" if keys is None else keys.lower()
        if keys in _LEAVE:
            self._over = True
        elif keys in _NEXT and self._paused:
            self._steps += bool(self._waiting)
        elif keys == " ":
            self._paused, self._steps = not self._paused, 0

    def _remind(self) -> None:
        """Show a reminder beside the table when it changes."""
        reminder = ""
        if self._paused:
            reminder = f"paused, {len(self._waiting)} more to come: space resumes, n shows the next"
        elif self._ended and not self._waiting and self._has_keys:
            reminder = "nothing more to see: q leaves"
        elif self._lost:
            reminder = "connection lost; trying again"
        else:
            reminder = waiting_words(self._waits_for)
        if reminder != self._reminder:
            self._reminder = reminder
            self._display.remind(reminder)
