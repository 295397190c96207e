"""The live tables by id and by token."""

from collections.abc import Iterator, Sequence

from riverboat.errors import IllegalAction, NotFound
from riverboat.services.gamemanager.journal import Journal
from riverboat.services.gamemanager.live_table import LiveTable
from riverboat.services.gamemanager.restoration import Restoration, restore
from riverboat.tables.events import Created
from riverboat.tables.log import Shelf
from riverboat.tables.sides import AllSides
from riverboat.tables.table import Table
from riverboat.tables.view import TableInfo, info_of

_KEPT_CLOSED = 1_000  # closed tables that stay in memory
_MOST_LISTED = 1_000


class TableDirectory:
    """All tables of a game manager, oldest first. A token begins with the id of its table."""

    def __init__(self, journal: Journal, idle_seconds: float, shelf: Shelf) -> None:
        self._journal, self._idle_seconds, self._shelf = journal, idle_seconds, shelf
        self._sides = AllSides()
        self._tables: dict[str, LiveTable] = {}
        self._finished_hands = 0  # at tables that were dropped since
        self.damaged: tuple[str, ...] = ()  # ids of tables that are set aside

    def __len__(self) -> int:
        return len(self._tables)

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(list(self._tables.values()))

    @property
    def open_tables(self) -> list[Table]:
        """The tables that are not closed."""
        return [live.table for live in self if not live.table.is_closed]

    @property
    def finished_hands(self) -> int:
        """The number of hands that have ended since the start."""
        return self._finished_hands + sum(live.finished_hands for live in self)

    async def restore(self) -> Restoration:
        """Add all tables as the journal has them, without starting their clocks; return all that the journal has."""
        restoration = await restore(self._journal, self._shelf, _KEPT_CLOSED, self._sides)
        self.damaged = tuple(restoration.damaged)
        for restored in restoration.tables.values():
            self._add(restored.table, restored.change_count)
        return restoration

    def open(self, table_id: str, created: Created) -> LiveTable:
        """Add a table whose creation is in the journal."""
        self._drop_old()
        return self._add(Table(table_id, created, self._shelf, self._sides.of(created.config)), 1)

    def _add(self, table: Table, change_count: int) -> LiveTable:
        """Add a table and join it to the other sides of its match."""
        live, match_id = LiveTable(table, self._journal, change_count, self._idle_seconds), table.config.match_id
        peers = [other for other in self if match_id and other.table.config.match_id == match_id]
        if peers:
            live.sides = peers[0].sides
            live.sides.append(live)
        self._tables[table.id] = live
        return live

    def _drop_old(self) -> None:
        """Drop the oldest closed tables beyond the limit; the journal still has them."""
        closed = [live for live in self if live.table.is_closed]
        for live in closed[: max(0, len(closed) - _KEPT_CLOSED)]:
            del self._tables[live.table.id]
            self._shelf.remove(live.table.log)
            self._finished_hands += live.finished_hands
            live.stop()

    def get(self, table_id: str) -> LiveTable | None:
        """Return the table with this id, if it is in memory."""
        return self._tables.get(table_id)

    def table(self, table_id: str) -> LiveTable:
        """Return the table with this id; NotFound if there is none, IllegalAction if it is set aside."""
        return self._get(table_id, f"there is no table {table_id[:20]!r}")

    def table_of(self, token: str) -> LiveTable:
        """Return the table that a token begins with; the errors are those of `table`."""
        return self._get(table_id_in(token), "this token belongs to no table here")

    def _get(self, table_id: str, not_found: str) -> LiveTable:
        live = self._tables.get(table_id)
        if live is None and table_id in self.damaged:
            raise IllegalAction(f"table {table_id} is set aside: its part of the journal is damaged")
        if live is None:
            raise NotFound(not_found)
        return live

    def infos(self, include_closed: bool) -> list[TableInfo]:
        """Return all tables, newest first."""
        tables = [live.table for live in reversed(self._tables.values())]
        return [info_of(table) for table in tables if include_closed or not table.is_closed]

    def find(self, include_closed: bool, table_id: str) -> tuple[list[TableInfo], Sequence[str]]:
        """Return the newest tables, or only the one with this id, and the ids of tables that are set aside."""
        if table_id:
            return [info_of(self.table(table_id).table)], ()
        return self.infos(include_closed)[:_MOST_LISTED], self.damaged[:_MOST_LISTED]


def table_id_in(token: str) -> str:
    """Return the table's id that a token begins with."""
    return token.partition(".")[0]
