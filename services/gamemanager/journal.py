"""Where tables are kept: every event is written before anybody hears of it.

A journal is lines of JSON, one for each change of a table. With a file, a line is handed to the operating
system before the change is announced, so that killing the process loses nothing; `sync` also waits for the
disk, for machines that lose power. With Redis it is an entry of a stream.

Changes of a table are numbered. When it is not known whether a change was written, because the disk failed or Redis
went away before it answered, the table stays as it was and its next change has the same number: the later one counts.

A line that cannot be read damages the tables it belongs to and no others. Nothing is removed for that: lines stay where
they are, and those of damaged tables are also copied beside the journal.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from riverboat.rpc.logs import log
from riverboat.tables.events import Event

Change = tuple[str, int, list[Event]]  # a table's id, the number of the change from 0, and what happened


@dataclass(frozen=True, slots=True)
class Damage:
    """A place in a journal that cannot be used: where, which tables' it is as far as that can be read, and why."""

    position: str  # empty for changes that are not there
    tables: tuple[str, ...]
    reason: str


class Journal(Protocol):
    """Keeps changes in order."""

    def read(self) -> AsyncIterator[Change | Damage]:
        """All changes so far, and what cannot be read of them."""

    async def append(self, table_id: str, number: int, events: Sequence[Event]) -> None:
        """Add a change; it is safe when this returns. Unavailable if it cannot be written."""

    async def set_aside(self, tables: Collection[str]) -> Mapping[str, str]:
        """Copy all lines of these tables, and all that cannot be read, beside the journal; where each copy is, by table
        or position. A copy that cannot be written is logged and left out."""

    async def close(self) -> None:
        """No more changes."""


async def settled(journal: Journal) -> AsyncIterator[Change | Damage]:
    """The changes that count, in order. A table's last one is held back until it is known that none replaces it.

    Its first one, which creates it, is not held back: if it is replaced, then by nothing, because that failed.
    Nothing more comes of a table after its damage.
    """
    places: dict[str, int] = {}
    held: dict[str, Change] = {}
    damaged: set[str] = set()
    async for entry in journal.read():
        if isinstance(entry, Damage):
            damage: Damage | None = entry
        else:
            damage = None if entry[0] in damaged else _gap(entry, places.get(entry[0], -1))
        if damage:
            damaged.update(damage.tables)
            for table_id in damage.tables:
                held.pop(table_id, None)
            yield damage
        if isinstance(entry, Damage) or entry[0] in damaged:
            continue
        table_id, number, events = entry
        place = places.get(table_id, -1)
        if number < place or (number == place == 0 and events):
            log.warning("change_outdated", table=table_id, number=number)
            continue
        if number > place and table_id in held:
            yield held.pop(table_id)
        places[table_id] = number
        if number == 0:
            yield entry
        else:
            held[table_id] = entry
    for change in held.values():
        yield change


def _gap(change: Change, place: int) -> Damage | None:
    """The changes that are missing between a table's last one, number `place`, and this one."""
    table_id, number, _ = change
    if number <= place + 1:
        return None
    missing = f"change {place + 1} is" if number == place + 2 else f"changes {place + 1} to {number - 1} are"
    return Damage("", (table_id,), f"{missing} missing")
