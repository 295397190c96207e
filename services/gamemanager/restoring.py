"""Tables as they were, from a journal that may be much longer than what has to be remembered of it."""

from dataclasses import dataclass

from riverboat.rpc.logs import log
from riverboat.tables.events import Created
from riverboat.tables.log import Shelf
from riverboat.tables.table import Table
from services.gamemanager.journal import Change, Journal, settled

_SAY_EVERY = 50_000  # changes, which take some seconds


@dataclass(slots=True)
class Restored:
    """A table, and how many changes it has had."""

    table: Table
    change_count: int = 1


async def restore(journal: Journal, shelf: Shelf, most_closed: int) -> dict[str, Restored]:
    """All tables by id, oldest first; of those that are closed only the newest."""
    tables: dict[str, Restored] = {}
    given_up: set[str] = set()
    closed: dict[str, None] = {}  # in order
    change_count = 0
    async for change in settled(journal):
        change_count += 1
        if change_count % _SAY_EVERY == 0:
            log.info("reading the journal", changes=change_count, tables=len(tables))
        table_id = change[0]
        if table_id in given_up:
            continue
        try:
            _apply(tables, change, shelf)
        except Exception:  # whatever it is, the others go on
            log.exception("a table cannot be brought back", table=table_id)
            given_up.add(table_id)
            _forget(tables, table_id, shelf)
            continue
        if table_id in tables and tables[table_id].table.is_closed:
            closed[table_id] = None
        if len(closed) > most_closed:
            oldest = next(iter(closed))
            del closed[oldest]
            given_up.add(oldest)  # its players may still get up
            _forget(tables, oldest, shelf)
    return tables


def _apply(tables: dict[str, Restored], change: Change, shelf: Shelf) -> None:
    table_id, number, events = change
    if number == 0 and not events:  # its creation failed, whether or not it was written
        _forget(tables, table_id, shelf)
        return
    if number == 0:
        created = events[0]
        if not isinstance(created, Created):
            raise ValueError("it does not begin with its creation")
        tables[table_id] = Restored(Table(table_id, created, shelf))
        return
    restored = tables[table_id]
    for event in events:
        restored.table.apply(event)
    restored.change_count += 1


def _forget(tables: dict[str, Restored], table_id: str, shelf: Shelf) -> None:
    if restored := tables.pop(table_id, None):
        shelf.remove(restored.table.log)
