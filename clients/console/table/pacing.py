"""The pace of a table: each action of the others stays on the screen for a moment before the next one."""

import time
from collections import deque
from dataclasses import dataclass, replace

from riverboat.errors import RiverboatError
from riverboat.rules.state import PublicState, start
from riverboat.tables.entries import BoardOpened, HandBegan, SeatMoved
from riverboat.tables.view import TableView

_PATIENCE_SECONDS = 1.0  # between ticks, where nothing waits
_MOST_STEPS = 200  # that may wait; a table that is further ahead is shown as it is


@dataclass(frozen=True, slots=True)
class _Step:
    """A view, and how many seconds after the previous one it is shown."""

    view: TableView
    delay: float
    since: float  # when it came

    def aged(self) -> TableView:
        """Return the view with the time that is now left on the clock."""
        gone = round(1000 * (time.monotonic() - self.since))
        return replace(self.view, time_left_ms=max(0, self.view.time_left_ms - gone))


class Pacer:
    """Hands views on, one action at a time, each `seconds` after the one before; at once if that is 0."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: deque[_Step] = deque()
        self._seen = 0  # number of the first entry that has not been handed on
        self._last = 0.0  # when the last view was shown

    @property
    def is_behind(self) -> bool:
        """Whether something has happened that was not shown yet."""
        return bool(self._waiting)

    def add(self, view: TableView) -> None:
        """Take a new view."""
        self._waiting.extend(self._steps(view) if self._seconds else [_Step(view, 0.0, time.monotonic())])
        self._seen = view.first_entry + len(view.entries)
        while len(self._waiting) > _MOST_STEPS:
            self._waiting.popleft()

    def next(self) -> TableView | None:
        """Return the next view if it is time for it."""
        if not self._waiting or time.monotonic() < self._last + self._waiting[0].delay:
            return None
        self._last = time.monotonic()
        return self._waiting.popleft().aged()

    def skip(self) -> TableView | None:
        """Return the newest view, and forget those before it; None if all were shown.

        A hand's last view stays: it says how the hand ended.
        """
        if not self._waiting:
            return None
        numbers = [step.view.hand_number for step in self._waiting]
        while len(self._waiting) > 1 and numbers[0] == numbers[1]:
            self._waiting.popleft()
            numbers.pop(0)
        self._last = time.monotonic()
        return self._waiting.popleft().aged()

    def patience(self) -> float:
        """Return the seconds until a view is due, but at most a second."""
        if not self._waiting:
            return _PATIENCE_SECONDS
        return max(0.0, min(_PATIENCE_SECONDS, self._last + self._waiting[0].delay - time.monotonic()))

    def _steps(self, view: TableView) -> list[_Step]:
        """Return the news of a view as steps, action by action; the last step is the view itself."""
        ends = [place for place, entry in enumerate(view.entries) if isinstance(entry, SeatMoved | BoardOpened)]
        new = [place for place in ends if view.first_entry + place >= self._seen]
        parts = [*self._parts(view, new[:-1]), (new[-1] if new else -1, view)]
        now = time.monotonic()
        return [_Step(part, self._delay(view, place), now) for place, part in parts]

    def _delay(self, view: TableView, place: int) -> float:
        """Return how long the table stays as it was before an entry; the player's own action is shown at once."""
        if place < 0:
            return 0.0
        entry = view.entries[place]
        is_own = isinstance(entry, SeatMoved) and entry.seat == view.seat
        return 0.0 if is_own else self._seconds

    def _parts(self, view: TableView, places: list[int]) -> list[tuple[int, TableView]]:
        """Return the view as it was after the entries at some places; nothing if the hand cannot be followed."""
        parts: list[tuple[int, TableView]] = []
        states = _states(view) if places else {}
        for place in places:
            if place not in states:
                return []
            state, count = states[place]
            part = replace(view, entries=view.entries[: place + 1], public=state, action_number=count)
            parts.append((place, replace(part, is_your_turn=False, time_left_ms=0)))
        return parts


def _states(view: TableView) -> dict[int, tuple[PublicState, int]]:
    """Return the state and the number of actions after each entry of a hand that changes them."""
    begun = view.entries[0] if view.entries else None
    if not isinstance(begun, HandBegan) or view.public is None:
        return {}
    states, count = dict[int, tuple[PublicState, int]](), 0
    try:
        state = start(view.public.variant, begun.stacks)
        for place, entry in enumerate(view.entries):
            if isinstance(entry, SeatMoved):
                state, count = state.play(entry.action), count + 1
            elif isinstance(entry, BoardOpened):
                state = state.deal(entry.cards)
            states[place] = state, count
    except RiverboatError:  # a server whose rules differ: its views are shown as they come
        return {}
    return states
