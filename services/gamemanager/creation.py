"""The creation of tables: quota and configuration are checked, then the journal is written, then the table is open."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from riverboat.errors import Unavailable
from riverboat.services.gamemanager.directory import TableDirectory
from riverboat.services.gamemanager.journal import Journal
from riverboat.services.gamemanager.live_table import LiveTable
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.tables.config import TableConfig, check_config
from riverboat.tables.events import Created
from riverboat.tables.table import hash_of
from riverboat.tables.view import TableInfo, info_of
from riverboat.tournaments.events import TournamentCreated

_TOKEN_BYTES = 16
_SECRET_BYTES = 32
_RETRY_SECONDS = 1.0
CreationCheck = Callable[[], Awaitable[None]]  # raises if a table cannot be created


class TableCreation:
    """Creates tables of clients and adds them to the directory."""

    def __init__(self, directory: TableDirectory, journal: Journal, quota: TableQuota) -> None:
        self._directory, self._journal, self._quota = directory, journal, quota
        self.pending: list[str] = []  # creators of tables that are not written yet
        self.reserved: Callable[[], list[str]] = list  # creators of tables that tournaments have yet to open
        self._tasks: set[asyncio.Task[None]] = set()

    async def create(
        self, config: TableConfig, client: str, check: CreationCheck | None = None
    ) -> tuple[TableInfo, str]:
        """Create a table within the client's quota; return it and the dealer's token.

        `check` runs when there is room for the table and nothing is written yet.
        """
        table_id, token = _new_id()
        check_config(config)
        async with self.room(client, 1, check) as creator:
            live = await self._create(table_id, Created(config, hash_of(token), new_secret(), creator))
        return info_of(live.table), token

    async def create_sides(
        self, config: TableConfig, client: str, check: CreationCheck | None = None
    ) -> tuple[list[TableInfo], str]:
        """Create the tables of a duplicate match; return them by side, and the dealer's token.

        The first table has the match's id.
        """
        count, (match_id, token), deal_secret = config.chair_count, _new_id(), new_secret()
        sides: list[LiveTable] = []
        check_config(config)
        async with self.room(client, count, check) as creator:
            try:
                # The table with the match's id comes last: a match that lacks some of its tables never began.
                for side in reversed(range(count)):
                    setup = replace(config, match_id=match_id, side=side, side_count=count)
                    created = Created(setup, hash_of(token), new_secret(), creator, deal_secret)
                    sides.insert(0, await self._create(match_id if side == 0 else _new_id()[0], created))
            except (Unavailable, asyncio.CancelledError):
                for live in sides:
                    live.abandon()
                raise
        return [info_of(live.table) for live in sides], token

    def close(self) -> None:
        """Stop undoing failed creations."""
        for task in self._tasks:
            task.cancel()

    @asynccontextmanager
    async def room(self, client: str, table_count: int, check: CreationCheck | None) -> AsyncIterator[str]:
        """Hold room for a client's new tables while they are checked and written; yield the creator's name."""
        creator = hash_of(client)
        creators = [table.creator for table in self._directory.open_tables]
        self._quota.check([*creators, *self.reserved(), *self.pending], creator, table_count)
        self.pending += [creator] * table_count
        try:
            if check is not None:
                await check()
            yield creator
        finally:
            for _ in range(table_count):
                self.pending.remove(creator)

    async def _create(self, table_id: str, created: Created) -> LiveTable:
        await self.write_first(table_id, created)
        live = self._directory.open(table_id, created)
        live.schedule()
        return live

    async def write_first(self, table_id: str, created: Created | TournamentCreated) -> None:
        """Write the first change of a table or tournament; if the write may have failed, undo it in the background."""
        try:
            await self._journal.append(table_id, 0, [created])
        except (Unavailable, asyncio.CancelledError):
            self._start(self._undo(table_id))
            raise

    async def _undo(self, table_id: str) -> None:
        """Replace a creation by an empty change: it may have been written although its creator got an error."""
        while True:
            await asyncio.sleep(_RETRY_SECONDS)
            with suppress(Unavailable):
                await self._journal.append(table_id, 0, [])
                return

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def new_token(table_id: str) -> str:
    """Return a new token for a table."""
    return f"{table_id}.{secrets.token_hex(_TOKEN_BYTES)}"


def new_secret() -> str:
    """Return a new secret, as hexadecimal digits."""
    return secrets.token_hex(_SECRET_BYTES)


def _new_id() -> tuple[str, str]:
    """Return a new table's id and the dealer's token for it."""
    table_id = secrets.token_hex(6)
    return table_id, new_token(table_id)
