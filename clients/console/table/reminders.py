"""Reminders of what keeps hands from being played: no chips, no opponents, a table that waits."""

import time

from riverboat.clients.console.table.screen import time_text
from riverboat.clients.console.views.text import chips_text, plain
from riverboat.tables.config import TableConfig
from riverboat.tables.view import TableView


def waiting_words(waits_for: str) -> str:
    """Return why a table waits; nothing while it goes on."""
    return f"the table is waiting: {plain(waits_for)}" if waits_for else ""


class Reminder:
    """Finds in views the reason why no hands are played, and says what to do about it."""

    def __init__(self, config: TableConfig, address: str) -> None:
        self._config = config
        self._address = address
        self._view: TableView | None = None
        self._bust_since: float | None = None

    def see(self, view: TableView) -> None:
        """Take a new view."""
        self._view = view
        mine = next((chair.stack for chair in view.chairs if chair.chair == view.chair), 0)
        is_bust = not mine and not (view.seat is not None and view.public is not None and view.public.actor is not None)
        self._bust_since = (self._bust_since or time.monotonic()) if is_bust else None

    @property
    def is_bust(self) -> bool:
        """Whether the player has no chips and cannot win any."""
        return self._bust_since is not None

    @property
    def is_alone(self) -> bool:
        """Whether hands have been played and nobody else has chips now."""
        view = self._view
        if view is None or not view.hand_number:
            return False
        return not any(chair.stack for chair in view.chairs if chair.chair != view.chair)

    def words(self) -> str:
        """Return what to do, or what the table waits for; nothing while hands are played."""
        if self._view and self._view.waits_for:
            return waiting_words(self._view.waits_for)
        if self._config.tournament_id:
            return "" if self._bust_since is not None or not self.is_alone else "waiting for players of other tables"
        if self._bust_since is not None:
            words = f"you have no chips left: b buys {chips_text(self._config.buy_in)}, q leaves"
            if self._config.no_clock:
                return words
            return f"{words}; in {time_text(self._bust_ms(self._bust_since))} you lose your chair"
        if self.is_alone:
            return "nobody else has chips left: q leaves"
        view = self._view
        if view is None or view.hand_number or len(view.chairs) <= len(self._config.agents):
            return ""  # also until the agents arrive
        if len(view.chairs) >= self._config.chair_count:
            return ""
        return f"others can join: riverboat play --table {view.table_id} --server {self._address}"

    def _bust_ms(self, since: float) -> int:
        """Return the time left to buy chips, in milliseconds; it starts as long as the clock for an action."""
        return max(0, self._config.clock_ms - round(1000 * (time.monotonic() - since)))
