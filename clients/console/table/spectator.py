"""Somebody who looks on: each change stays on the screen for a moment, and can be held there."""

import time
from collections import deque
from collections.abc import Callable
from queue import Empty

from riverboat.clients.console.table.faces import Face
from riverboat.clients.console.table.inbox import Ended, Inbox, Lost, Message, Resized, Typed, Update
from riverboat.clients.console.table.waiting import waiting_words
from riverboat.clients.console.table.watcher import Watcher

_TICK_SECONDS = 1.0
_LEAVE = ("q", "\x04")
_NEXT = ("n", "\x1b[c")  # also the arrow to the right


class Spectator:
    """Shows a table until it is closed or, with keys, until the spectator leaves."""

    def __init__(self, watcher: Watcher, face: Face, inbox: Inbox, pace: float, has_keys: bool) -> None:
        self._watcher, self._face, self._inbox = watcher, face, inbox
        self._pace = pace  # seconds that a change is seen at least
        self._has_keys = has_keys
        self._waiting: deque[Update] = deque()
        self._due = 0.0
        self._steps = 0  # to go while it is paused
        self._reminder = ""
        self._waits_for = ""  # the table
        self._lost = self._paused = self._ended = self._over = False

    def run(self, has_room: Callable[[], None]) -> None:
        """Look on; `has_room` is called for each update that does not wait any more."""
        while not self._over:
            try:
                self._take(self._inbox.get(timeout=self._patience()))
            except Empty:
                self._face.tick()
            if self._is_time():
                self._watcher.take(self._waiting.popleft(), is_live=not self._waiting)
                self._due, self._steps = time.monotonic() + self._pace, max(0, self._steps - 1)
                has_room()
            self._remind()
            if self._ended and not self._waiting and not self._has_keys:
                self._over = True

    def _is_time(self) -> bool:
        """Whether the next change is to be seen now."""
        return bool(self._waiting) and (self._steps > 0 if self._paused else time.monotonic() >= self._due)

    def _patience(self) -> float:
        """Seconds until there is something to do."""
        if not self._waiting or self._paused:
            return _TICK_SECONDS
        return max(0.0, min(_TICK_SECONDS, self._due - time.monotonic()))

    def _take(self, message: Message) -> None:
        match message:
            case Update():
                self._waiting.append(message)
                self._lost, self._waits_for = False, message.message.waits_for
            case Lost():
                self._lost = True
            case Ended():
                if message.error:
                    raise message.error
                self._ended = True
            case Typed():
                self._press(message.text)
            case Resized():
                self._face.tick()

    def _press(self, keys: str | None) -> None:
        keys = "q" if keys is None else keys.lower()
        if keys in _LEAVE:
            self._over = True
        elif keys in _NEXT and self._paused:
            self._steps += bool(self._waiting)
        elif keys == " ":
            self._paused, self._steps = not self._paused, 0

    def _remind(self) -> None:
        """What there is to know beside the table, when it changes."""
        reminder = ""
        if self._paused:
            reminder = f"paused, {len(self._waiting)} to come: space goes on, n shows the next"
        elif self._ended and not self._waiting and self._has_keys:
            reminder = "there is no more to see: q ends"
        elif self._lost:
            reminder = "the connection is lost; trying again"
        else:
            reminder = waiting_words(self._waits_for)
        if reminder != self._reminder:
            self._reminder = reminder
            self._face.remind(reminder)
