"""All tables of a game manager: wishes come in, changes are written to the journal, then everybody hears of them."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from riverboat.dealing import SEED_BYTES
from riverboat.errors import InvalidInput, NotFound, NotYours, TooLarge
from riverboat.rpc.logs import log
from riverboat.tables.config import TableConfig, check_config, check_player_name
from riverboat.tables.events import Closing, Created, Event
from riverboat.tables.records import HandRecord, hand_records
from riverboat.tables.table import Table, hash_of
from riverboat.tables.view import PublicUpdate, TableInfo, TableView, info_of, update_of, view_of
from services.gamemanager.journal import Journal

_TOKEN_BYTES = 16
_SECRET_BYTES = 32
SHORTEST_REQUEST, LONGEST_REQUEST = 16, 64  # characters of a request to join: whoever knows it gets the token


@dataclass(slots=True)
class _Run:
    """A table, and what goes on around it."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    changed: asyncio.Event = field(default_factory=asyncio.Event)  # replaced at every change
    deadline: float = 0.0
    timer: asyncio.TimerHandle | None = None
    place: tuple[int, int] | None = None  # the hand and action that the clock is for


class Manager:
    """The tables, by id. Chairs are found by their tokens, which begin with the table's id."""

    def __init__(self, journal: Journal, most_tables: int) -> None:
        self._journal = journal
        self._most_tables = most_tables
        self._runs: dict[str, _Run] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def load(self) -> None:
        """Bring all tables back as the journal has them, and let them go on."""
        async for table_id, events in self._journal.read():
            for event in events:
                if isinstance(event, Created):
                    self._runs[table_id] = _Run(Table(table_id, event))
                else:
                    self._runs[table_id].table.apply(event)
        for run in self._runs.values():
            async with run.lock:
                await self._commit(run, [])
        open_tables = sum(not run.table.is_closed for run in self._runs.values())
        if self._runs:
            log.info("tables are back", tables=len(self._runs), open=open_tables)

    def info(self, table_id: str) -> TableInfo:
        """A table from outside."""
        return info_of(self._run(table_id).table)

    async def changes(self, table_id: str) -> AsyncIterator[Table]:
        """A table, now and whenever it has changed, until it is closed."""
        run = self._run(table_id)
        while True:
            changed, is_last = run.changed, run.table.is_closed
            yield run.table
            if is_last:
                return
            await changed.wait()

    async def close(self) -> None:
        """Stop all clocks and give the journal up."""
        for run in self._runs.values():
            if run.timer:
                run.timer.cancel()
        for task in self._tasks:
            task.cancel()
        await self._journal.close()

    # Wishes

    async def create(self, config: TableConfig) -> tuple[TableInfo, str]:
        """A new table, and the dealer's token."""
        check_config(config)
        open_tables = sum(not run.table.is_closed for run in self._runs.values())
        if open_tables >= self._most_tables:
            raise TooLarge(f"{open_tables} tables are open, which is the limit")
        table_id = secrets.token_hex(6)
        token = f"{table_id}.{secrets.token_hex(_TOKEN_BYTES)}"
        created = Created(config, hash_of(token), secrets.token_hex(_SECRET_BYTES))
        await self._journal.append(table_id, [created])
        self._runs[table_id] = _Run(Table(table_id, created))
        return info_of(self._runs[table_id].table), token

    def list_tables(self, include_closed: bool) -> list[TableInfo]:
        """All tables, newest first."""
        tables = [run.table for run in reversed(self._runs.values())]
        return [info_of(table) for table in tables if include_closed or not table.is_closed]

    async def join(
        self, table_id: str, name: str, chair: int | None, request_id: str, is_agent: bool = False
    ) -> tuple[int, str]:
        """A chair, and a token for it; the same again for a retry with the same request id."""
        check_player_name(name)
        run = self._run(table_id)
        if is_agent:
            key = f"agent {request_id}"  # which no player's can be
        else:
            key = f"player {_checked_request(request_id)}"
        token = run.table.token_for(key)
        async with run.lock:
            await self._commit(run, run.table.join(name, chair, key, hash_of(token), is_agent))
            return run.table.chair_of(token), token

    async def leave(self, token: str) -> bool:
        """Get up, after the hand if the chair is in one; whether it is free now."""
        run, chair = self._chair(token)
        async with run.lock:
            await self._commit(run, run.table.leave(chair))
            return run.table.players[chair] is None

    async def rebuy(self, token: str, chips: int) -> int:
        """Buy chips; how many the chair has then."""
        run, chair = self._chair(token)
        async with run.lock:
            await self._commit(run, run.table.rebuy(chair, chips))
            return run.table.player(chair).stack

    async def act(self, token: str, request_id: str, hand_number: int, action_number: int, action: int) -> TableView:
        """Act for a chair; what it sees then."""
        run, chair = self._chair(token)
        async with run.lock:
            await self._commit(run, run.table.act(chair, request_id, hand_number, action_number, action))
            return self._view(run, chair)

    def view(self, token: str) -> TableView:
        """What a chair may see now."""
        return self._view(*self._chair(token))

    async def close_table(self, table_id: str, dealer_token: str) -> bool:
        """End a table, after the hand if there is one; whether it is closed now."""
        run = self._run(table_id)
        if not run.table.is_dealer(dealer_token):
            raise NotYours("only who created the table may close it")
        async with run.lock:
            if not run.table.is_closing:
                await self._commit(run, [Closing()])
            return run.table.is_closed

    def hands(self, table_id: str, first_hand: int, hand_count: int) -> list[HandRecord]:
        """Hands that are over."""
        return hand_records(self._run(table_id).table, first_hand, hand_count)

    # Looking on

    async def views(self, token: str) -> AsyncIterator[TableView]:
        """What a chair may see, now and whenever it has changed; one who is slow misses what was in between."""
        run, chair = self._chair(token)
        while True:
            changed, is_last = run.changed, run.table.is_closed
            yield self._view(run, chair)
            if is_last:
                return
            await changed.wait()
            if not self._still(run, chair, token):
                return

    async def updates(self, table_id: str, first: int, dealer_token: str) -> AsyncIterator[PublicUpdate]:
        """What happens at a table, from entry `first` on."""
        run = self._run(table_id)
        sees_all = bool(dealer_token)
        if sees_all and not (run.table.is_dealer(dealer_token) and run.table.config.agents_only):
            raise NotYours("all cards are shown only to who created a table for agents")
        first = min(max(0, first), run.table.log.end)
        while True:
            changed, is_last, end = run.changed, run.table.is_closed, run.table.log.end
            yield update_of(run.table, first, sees_all)
            if is_last:
                return
            first = end  # what happens while nobody listens comes next
            await changed.wait()

    # What goes on by itself

    async def _commit(self, run: _Run, events: Sequence[Event]) -> None:
        """Write events, and those that follow from them, then apply and announce them."""
        pending = list(events)
        while pending:
            await self._journal.append(run.table.id, pending)
            for event in pending:
                run.table.apply(event)
            pending = run.table.tidy()
        if events:
            run.changed.set()
            run.changed = asyncio.Event()
        self._schedule(run)

    def _schedule(self, run: _Run) -> None:
        """Start the clock of whoever is to act, or of the next hand."""
        table, loop = run.table, asyncio.get_running_loop()
        place = (table.hand.number, table.hand.action_count) if table.hand and table.actor is not None else None
        if run.timer and place and place == run.place:
            return  # somebody joined, say: the actor's clock goes on
        if run.timer:
            run.timer.cancel()
            run.timer = None
        run.place = place
        if place:
            seconds = table.config.clock_ms / 1000
            run.deadline = loop.time() + seconds
            run.timer = loop.call_later(seconds, self._start, self._time_out(run, place))
        elif table.can_start:
            pause = table.config.pause_ms / 1000 if table.hand_count else 0.0
            run.timer = loop.call_later(pause, self._start, self._next_hand(run))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _time_out(self, run: _Run, place: tuple[int, int]) -> None:
        async with run.lock:
            hand = run.table.hand
            if hand and (hand.number, hand.action_count) == place:
                await self._commit(run, run.table.time_out())

    async def _next_hand(self, run: _Run) -> None:
        async with run.lock:
            if run.table.can_start:
                await self._commit(run, run.table.start_hand(secrets.token_bytes(SEED_BYTES)))

    # Finding things

    def _view(self, run: _Run, chair: int) -> TableView:
        left = max(0.0, run.deadline - asyncio.get_running_loop().time())
        return view_of(run.table, chair, round(1000 * left))

    def _run(self, table_id: str) -> _Run:
        run = self._runs.get(table_id)
        if run is None:
            raise NotFound(f"there is no table {table_id[:20]!r}")
        return run

    def _chair(self, token: str) -> tuple[_Run, int]:
        run = self._runs.get(token.partition(".")[0])
        if run is None:
            raise NotFound("this token is for no table here")
        return run, run.table.chair_of(token)

    def _still(self, run: _Run, chair: int, token: str) -> bool:
        """Whether a token is still for a chair: its player may have got up."""
        player = run.table.players[chair]
        return player is not None and player.token_hash == hash_of(token)


def _checked_request(request_id: str) -> str:
    """A request to join, which must be hard to guess; a new one if there is none."""
    if not request_id:
        return secrets.token_hex(_TOKEN_BYTES)
    if not SHORTEST_REQUEST <= len(request_id) <= LONGEST_REQUEST:
        raise InvalidInput("request_id", f"must have {SHORTEST_REQUEST} to {LONGEST_REQUEST} characters, or none")
    return request_id
