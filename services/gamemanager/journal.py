"""The journal, which stores tables and tournaments: every change is written before it is announced.

A journal is lines of JSON, one for each change of a table or of a tournament, which counts as a table here. With a
file, a line is handed to the operating system before the change is announced, so that killing the process loses
nothing; `sync` also waits for the disk, in case the machine loses power. With Redis, a line is an entry of a stream.

Changes of a table are numbered. If the disk failed or Redis went away before it answered, it is unknown whether a
change was written. The table then stays as it was, and its next change has the same number: the later one counts.

A line that cannot be read damages the tables it belongs to, and no others. Lines stay where they are; those of damaged
tables are also copied beside the journal.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from riverboat.rpc.logs import log
from riverboat.tables.events import JournalEvent
from riverboat.tournaments.events import TournamentChange

LineEvent = JournalEvent | TournamentChange
Change = tuple[str, int, list[LineEvent]]  # a table's or tournament's id, the change's number from 0, what happened


@dataclass(frozen=True, slots=True)
class Damage:
    """An unusable part of a journal: its position, the tables it belongs to as far as readable, and the reason."""

    position: str  # empty for missing changes
    tables: tuple[str, ...]
    reason: str


class Journal(Protocol):
    """Stores changes in the order in which they are appended."""

    def read(self) -> AsyncIterator[Change | Damage]:
        """Yield all changes so far, and the places that cannot be read."""

    async def append(self, table_id: str, number: int, events: Sequence[LineEvent]) -> None:
        """Add a change, which is safe when this returns; Unavailable if it cannot be written."""

    async def set_aside(self, tables: Collection[str]) -> Mapping[str, str]:
        """Copy all lines of these tables, and all unreadable lines, beside the journal; return where each copy is, by
        table or position. A copy that cannot be written is logged and left out."""

    async def close(self) -> None:
        """Close the journal."""


async def settled(journal: Journal) -> AsyncIterator[Change | Damage]:
    """Yield the changes that count, in order. A change is held back until the table's next, or the end, confirms it.

    The first change, which creates the table, is not held back: only an empty one can replace it, if creation failed.
    After damage, nothing more of a table is yielded.
    """
    last_numbers: dict[str, int] = {}
    held: dict[str, Change] = {}
    damaged: set[str] = set()
    async for entry in journal.read():
        if isinstance(entry, Damage):
            damage: Damage | None = entry
        else:
            damage = None if entry[0] in damaged else _gap(entry, last_numbers.get(entry[0], -1))
        if damage:
            damaged.update(damage.tables)
            for table_id in damage.tables:
                held.pop(table_id, None)
            yield damage
        if isinstance(entry, Damage) or entry[0] in damaged:
            continue
        table_id, number, events = entry
        last = last_numbers.get(table_id, -1)
        if number < last or (number == last == 0 and events):
            log.warning("change_outdated", table=table_id, number=number)
            continue
        if number > last and table_id in held:
            yield held.pop(table_id)
        last_numbers[table_id] = number
        if number == 0:
            yield entry
        else:
            held[table_id] = entry
    for change in held.values():
        yield change


def _gap(change: Change, last: int) -> Damage | None:
    """Return the damage if changes are missing between number `last`, the table's last so far, and this one."""
    table_id, number, _ = change
    if number <= last + 1:
        return None
    missing = f"change {last + 1} is" if number == last + 2 else f"changes {last + 1} to {number - 1} are"
    return Damage("", (table_id,), f"{missing} missing")
