"""The restoration of tables and tournaments from a journal; damaged ones are set aside."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from riverboat.rpc.logs import log
from riverboat.services.gamemanager.journal import Change, Damage, Journal, settled
from riverboat.tables.events import Created
from riverboat.tables.log import Shelf
from riverboat.tables.sides import AllSides
from riverboat.tables.table import Table
from riverboat.tables.view import info_of
from riverboat.tournaments.events import TournamentCreated
from riverboat.tournaments.report import report_of
from riverboat.tournaments.tournament import Tournament

_SAY_EVERY = 50_000  # changes between log lines: a few seconds


@dataclass(slots=True)
class Restored:
    """A table, and the number of its changes."""

    table: Table
    change_count: int = 1


@dataclass(slots=True)
class RestoredTournament:
    """A tournament, and the number of its changes."""

    tournament: Tournament
    change_count: int = 1


@dataclass(slots=True)
class Restoration:
    """The tables and tournaments of a journal by id, oldest first, and the damaged ones, each with the reason."""

    tables: dict[str, Restored] = field(default_factory=dict)
    tournaments: dict[str, RestoredTournament] = field(default_factory=dict)
    damaged: dict[str, str] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)  # reasons of damage by position, where no table is known


async def restore(journal: Journal, shelf: Shelf, most_closed: int, sides: AllSides | None = None) -> Restoration:
    """Return all open tables and the newest closed ones. Lines of damaged tables are copied beside the journal."""
    reading = _Reading(shelf, most_closed, sides or AllSides())
    async for entry in settled(journal):
        reading.add(entry)
    reading.check()
    restoration = reading.restoration
    if restoration.damaged or restoration.unknown:
        copies = await journal.set_aside(restoration.damaged)
        for table_id, reason in restoration.damaged.items():
            log.error("table_set_aside", table=table_id, reason=reason, copy=copies.get(table_id, ""))
        for position, reason in restoration.unknown.items():
            log.error("journal_line_unreadable", reason=reason, copy=copies.get(position, ""))
    return restoration


class _Reading:
    """A journal that is being read."""

    def __init__(self, shelf: Shelf, most_closed: int, sides: AllSides) -> None:
        self.restoration = Restoration()
        self._shelf, self._most_closed, self._sides = shelf, most_closed, sides
        self._dropped: set[str] = set()  # closed long ago
        self._closed: dict[str, None] = {}  # in order
        self._change_count = 0

    def add(self, entry: Change | Damage) -> None:
        """Apply the next change, or record the damage."""
        if isinstance(entry, Damage):
            self._note(entry)
            return
        self._change_count += 1
        if self._change_count % _SAY_EVERY == 0:
            log.info("journal_reading", changes=self._change_count, tables=len(self.restoration.tables))
        table_id = entry[0]
        if table_id not in self._dropped:
            self._try(table_id, lambda: self._apply(entry))
            self._drop_closed(table_id)

    def check(self) -> None:
        """Check all tables once: one whose events could be applied may still be inconsistent."""
        for table_id, restored in list(self.restoration.tables.items()):
            self._try(table_id, lambda table=restored.table: (table.tidy(), info_of(table)))  # type: ignore[misc]
        for tournament_id, held in list(self.restoration.tournaments.items()):
            self._try(tournament_id, lambda value=held.tournament: report_of(value, 0, 0))  # type: ignore[misc]

    def _note(self, damage: Damage) -> None:
        for table_id in damage.tables:
            self.restoration.damaged.setdefault(table_id, damage.reason)
            self._forget(table_id)
        if not damage.tables:
            self.restoration.unknown[damage.position] = damage.reason

    def _try(self, table_id: str, work: Callable[[], object]) -> None:
        if table_id in self.restoration.damaged:
            return
        try:
            work()
        except Exception as error:  # whatever the error, the other tables go on
            log.exception("table_not_restored", table=table_id)
            self._note(Damage("", (table_id,), f"its events cannot be applied: {type(error).__name__}"))

    def _apply(self, change: Change) -> None:
        table_id, number, events = change
        tables, tournaments = self.restoration.tables, self.restoration.tournaments
        if number == 0 and not events:  # an empty first change undoes a creation that failed
            self._forget(table_id)
            return
        if number == 0:
            created = events[0]
            if isinstance(created, TournamentCreated):
                tournaments[table_id] = RestoredTournament(Tournament(table_id, created))
                return
            if not isinstance(created, Created):
                raise ValueError("it does not begin with its creation")
            tables[table_id] = Restored(Table(table_id, created, self._shelf, self._sides.of(created.config)))
            return
        held = tournaments.get(table_id)
        restored: Any = held or tables[table_id]
        value: Any = held.tournament if held else restored.table
        for event in events:
            value.apply(event)
        restored.change_count += 1

    def _drop_closed(self, table_id: str) -> None:
        """Keep only the newest tables that are closed."""
        restored, held = self.restoration.tables.get(table_id), self.restoration.tournaments.get(table_id)
        if (restored and restored.table.is_closed) or (held and held.tournament.is_closed):
            self._closed[table_id] = None
        if len(self._closed) > self._most_closed:
            oldest = next(iter(self._closed))
            del self._closed[oldest]
            self._dropped.add(oldest)  # its players may still get up
            self._forget(oldest)

    def _forget(self, table_id: str) -> None:
        self.restoration.tournaments.pop(table_id, None)
        if restored := self.restoration.tables.pop(table_id, None):
            self._shelf.remove(restored.table.log)
