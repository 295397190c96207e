"""All tables of a game manager: wishes come in, changes are written to the journal, then everybody hears of them."""

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from riverboat.dealing.memory import Contribution
from riverboat.errors import IllegalAction, InvalidInput, NotFound, NotYours, RiverboatError, Unavailable
from riverboat.rpc.logs import log
from riverboat.services.gamemanager.journal import Journal
from riverboat.services.gamemanager.live_table import Run
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.services.gamemanager.restoration import restore
from riverboat.tables.config import LONGEST_REQUEST, TableConfig, check_config, check_player_name
from riverboat.tables.contributions import contribute
from riverboat.tables.events import Created
from riverboat.tables.log import Shelf
from riverboat.tables.records import HandRecord, hand_records
from riverboat.tables.sides import AllSides
from riverboat.tables.table import Table, hash_of
from riverboat.tables.view import PublicUpdate, TableInfo, TableView, info_of, update_of

_TOKEN_BYTES = 16
_SECRET_BYTES = 32
_AGAIN_SECONDS = 1.0
_KEPT_CLOSED = 1_000  # tables that are closed
_MOST_LISTED = 1_000
_MOST_ENTRIES = 5_000  # in one message to a spectator
Check = Callable[[], Awaitable[None]]  # raises if a table cannot be created
SHORTEST_REQUEST = 16  # characters of a request to join: whoever knows it gets the token


class Manager:
    """The tables, by id. Chairs are found by their tokens, which begin with the table's id."""

    def __init__(self, journal: Journal, quota: TableQuota, idle_seconds: float, shelf: Shelf | None = None) -> None:
        self._journal = journal
        self._shelf = shelf or Shelf()
        self._sides = AllSides()
        self._quota = quota
        self._creating: list[str] = []  # the creators of tables that are being written
        self._idle_seconds = idle_seconds
        self._runs: dict[str, Run] = {}
        self._finished_hands = 0  # at tables that were dropped since
        self.damaged: tuple[str, ...] = ()  # ids of tables that are set aside
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def open_count(self) -> int:
        """How many tables are open."""
        return sum(not run.table.is_closed for run in list(self._runs.values()))

    @property
    def finished_hands(self) -> int:
        """How many hands have ended since the start."""
        return self._finished_hands + sum(run.finished_hands for run in list(self._runs.values()))

    async def load(self) -> None:
        """Bring all tables back as the journal has them, and let them go on."""
        restoration = await restore(self._journal, self._shelf, _KEPT_CLOSED, self._sides)
        self.damaged = tuple(restoration.damaged)
        for table_id, found in restoration.tables.items():
            self._runs[table_id] = self._new_run(found.table, found.change_count)
        for run in list(self._runs.values()):
            async with run.lock:
                with suppress(Unavailable):  # the table waits, and goes on by itself
                    await run.commit(run.resume())
        if self._runs:
            log.info("tables are back", tables=len(self._runs), open=self.open_count)

    def info(self, table_id: str) -> TableInfo:
        """A table from outside."""
        return info_of(self._run(table_id).table)

    async def changes(self, table_id: str) -> AsyncIterator[tuple[Table, str]]:
        """A table and what it waits for, now and whenever that has changed, until it is closed."""
        run = self._run(table_id)
        while True:
            changed, is_last = run.changed, run.is_done
            yield run.table, next((side.waits_for for side in run.sides if side.waits_for), "")
            if is_last:
                return
            await changed.wait()

    async def close(self) -> None:
        """Stop all clocks and give the journal up."""
        for task in self._tasks:
            task.cancel()
        for run in self._runs.values():
            run.stop()
        await self._journal.close()

    # Wishes

    async def create(self, config: TableConfig, client: str, check: Check | None = None) -> tuple[TableInfo, str]:
        """Create a table within the client's quota; return it and the dealer's token.

        `check` runs when there is room for the table and nothing is written yet.
        """
        table_id, token = _new_id()
        async with self._room(config, client, 1, check) as creator:
            run = await self._create(table_id, Created(config, hash_of(token), _new_secret(), creator))
        return info_of(run.table), token

    async def create_sides(
        self, config: TableConfig, client: str, check: Check | None = None
    ) -> tuple[list[TableInfo], str]:
        """The tables of a duplicate match by side, the first of which has the match's id, and the dealer's token."""
        count, (match_id, token), deal_secret = config.chair_count, _new_id(), _new_secret()
        runs: list[Run] = []
        async with self._room(config, client, count, check) as creator:
            try:
                # The one that everybody will know comes last: a match of which some tables are missing never began.
                for side in reversed(range(count)):
                    setup = replace(config, match_id=match_id, side=side, side_count=count)
                    created = Created(setup, hash_of(token), _new_secret(), creator, deal_secret)
                    runs.insert(0, await self._create(match_id if side == 0 else _new_id()[0], created))
            except (Unavailable, asyncio.CancelledError):
                for run in runs:
                    run.abandon()
                raise
        return [info_of(run.table) for run in runs], token

    @asynccontextmanager
    async def _room(
        self, config: TableConfig, client: str, table_count: int, check: Check | None
    ) -> AsyncIterator[str]:
        """Hold room for new tables of a client while they are checked and written; the creator to write down."""
        check_config(config)
        creator = hash_of(client)
        open_tables = [run.table for run in self._runs.values() if not run.table.is_closed]
        self._quota.check([*(table.creator for table in open_tables), *self._creating], creator, table_count)
        self._creating += [creator] * table_count
        try:
            if check is not None:
                await check()
            yield creator
        finally:
            for _ in range(table_count):
                self._creating.remove(creator)

    async def _create(self, table_id: str, created: Created) -> Run:
        self._drop_old()
        try:
            await self._journal.append(table_id, 0, [created])
        except (Unavailable, asyncio.CancelledError):
            self._start(self._undo_creation(table_id))
            raise
        table = Table(table_id, created, self._shelf, self._sides.of(created.config))
        run = self._runs[table_id] = self._new_run(table, 1)
        run.schedule()
        return run

    def _new_run(self, table: Table, change_count: int) -> Run:
        """A table that goes on, together with the other sides of its match."""
        run = Run(table, self._journal, change_count, self._idle_seconds)
        match_id = table.config.match_id
        peers = [other for other in self._runs.values() if match_id and other.table.config.match_id == match_id]
        if peers:
            run.sides = peers[0].sides
            run.sides.append(run)
        return run

    async def _undo_creation(self, table_id: str) -> None:
        """It may have been written, though its creator was told that it failed: nobody shall play there."""
        while True:
            await asyncio.sleep(_AGAIN_SECONDS)
            with suppress(Unavailable):
                await self._journal.append(table_id, 0, [])
                return

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _drop_old(self) -> None:
        """Forget the oldest tables that are closed; the journal has them."""
        closed = [table_id for table_id, run in self._runs.items() if run.table.is_closed]
        for table_id in closed[: max(0, len(closed) - _KEPT_CLOSED)]:
            run = self._runs.pop(table_id)
            self._shelf.remove(run.table.log)
            self._finished_hands += run.finished_hands
            run.stop()

    def list_tables(self, include_closed: bool) -> list[TableInfo]:
        """All tables, newest first."""
        tables = [run.table for run in reversed(self._runs.values())]
        return [info_of(table) for table in tables if include_closed or not table.is_closed]

    def find_tables(self, include_closed: bool, table_id: str) -> tuple[list[TableInfo], Sequence[str]]:
        """The newest tables, or the one with this id; and the ids of those that are set aside."""
        if table_id:
            return [self.info(table_id)], ()
        return self.list_tables(include_closed)[:_MOST_LISTED], self.damaged[:_MOST_LISTED]

    async def join(
        self, table_id: str, name: str, chair: int | None, request_id: str, contributes: bool = False
    ) -> tuple[int, str]:
        """A chair, and a token for it; the same again for a retry with the same request id."""
        check_player_name(name)
        run = self._run(table_id)
        key = f"player {_checked_request(request_id)}"
        token = run.table.token_for(key)
        return await run.change(
            lambda: run.table.join(name, chair, key, hash_of(token), is_agent=False, contributes=contributes),
            lambda: (run.table.chair_of(token), token),
        )

    def processes(self, table_id: str) -> tuple[set[str], set[str], set[str]]:
        """Processes that have played at a side of a match, and at its other sides; and the tables of those."""
        run = self._run(table_id)
        others = [side.table for side in run.sides if side is not run]
        elsewhere = {host for table in others for host in table.hosts}
        return run.table.hosts, elsewhere, {table.id for table in others}

    async def seat_agent(self, table_id: str, name: str, place: int, host: str = "") -> tuple[int, str]:
        """A chair for an agent, or the one it has, and a token that nobody had before."""
        run, key = self._run(table_id), f"agent {place}"  # which no player's can be
        token = f"{table_id}.{secrets.token_hex(_TOKEN_BYTES)}"
        hashed = hash_of(token)
        return await run.change(
            lambda: run.table.hand_over(key, hashed, host) or run.table.join(name, None, key, hashed, True, host=host),
            lambda: (run.table.chair_of(token), token),
        )

    def agent_place(self, token: str) -> tuple[str, int] | None:
        """The table, and which of its agents a token is for; None if it is for none."""
        run = self._runs.get(token.partition(".")[0])
        try:
            join_id = run.table.player(run.table.chair_of(token)).join_id if run else ""
        except RiverboatError:
            return None
        kind, _, place = join_id.partition(" ")
        return (token.partition(".")[0], int(place)) if kind == "agent" else None

    async def leave(self, token: str, gives_up: bool = False) -> bool:
        """Get up, after the hand if the chair is in one; whether it is free now."""
        run = self._run_of(token)
        chair = run.table.chair_of(token)
        # Whose the token is must be found again: the player may have got up while others were served.
        return await run.change(
            lambda: run.table.leave(run.table.chair_of(token), gives_up), lambda: run.table.players[chair] is None
        )

    async def rebuy(self, token: str, chips: int) -> int:
        """Buy chips; how many the chair has then."""
        run = self._run_of(token)
        table = run.table
        return await run.change(
            lambda: table.rebuy(table.chair_of(token), chips), lambda: table.player(table.chair_of(token)).stack
        )

    async def act(self, token: str, request_id: str, hand_number: int, action_number: int, action: int) -> TableView:
        """Act for a chair; what it sees then."""
        run = self._run_of(token)
        chair = run.table.chair_of(token)
        return await run.change(
            lambda: run.table.act(run.table.chair_of(token), request_id, hand_number, action_number, action),
            lambda: run.view(chair),
        )

    async def contribute(self, token: str, contribution: Contribution) -> TableView:
        """Take what a chair contributes to the next deal; what it sees then."""
        run = self._run_of(token)
        chair = run.table.chair_of(token)
        await run.contribute(lambda: contribute(run.table, run.table.chair_of(token), contribution))
        return run.view(chair)

    def view(self, token: str) -> TableView:
        """What a chair may see now."""
        run = self._run_of(token)
        chair = run.table.chair_of(token)
        return run.view(chair)

    async def close_table(self, table_id: str, dealer_token: str) -> bool:
        """End a table, after the hand if there is one; whether it is closed now."""
        run = self._run(table_id)
        if not run.table.is_dealer(dealer_token):
            raise NotYours("only who created the table may close it")
        return all([await side.end() for side in run.sides])

    def hands(self, table_id: str, first_hand: int, hand_count: int) -> list[HandRecord]:
        """Hands that are over."""
        return hand_records(self._run(table_id).table, first_hand, hand_count)

    # Looking on

    async def views(self, token: str) -> AsyncIterator[TableView]:
        """What a chair may see, now and whenever it has changed; one who is slow misses what was in between."""
        run = self._run_of(token)
        chair = run.table.chair_of(token)
        is_last = False
        while not is_last:
            changed, is_last = run.changed, run.table.is_closed
            view = run.view(chair)
            yield view
            if not is_last:
                await changed.wait()
            if not self._still(run, chair, token):
                if run.table.hand and run.table.hand.number == view.hand_number:
                    yield run.view(chair)  # how the hand ended after which it got up
                return

    async def updates(self, table_id: str, first: int, dealer_token: str) -> AsyncIterator[PublicUpdate]:
        """What happens at a table, from entry `first` on."""
        run = self._run(table_id)
        sees_all = bool(dealer_token)
        if sees_all and not (run.table.is_dealer(dealer_token) and run.table.config.agents_only):
            raise NotYours("all cards are shown only to who created a table for agents")
        first = min(max(0, first), run.table.end_for(sees_all))
        while True:
            changed, is_last = run.changed, run.table.is_closed and (sees_all or run.is_done)
            end = min(run.table.end_for(sees_all), max(first, run.table.log.first) + _MOST_ENTRIES)
            yield update_of(run.table, first, end, sees_all, run.time_left_ms, run.waits_for)
            first = end  # what happens while nobody listens comes next
            if end < run.table.end_for(sees_all):
                continue
            if is_last:
                return
            await changed.wait()

    # Finding things

    def _run(self, table_id: str) -> Run:
        run = self._runs.get(table_id)
        if run is None:
            self._check_damage(table_id)
            raise NotFound(f"there is no table {table_id[:20]!r}")
        return run

    def _run_of(self, token: str) -> Run:
        table_id = token.partition(".")[0]
        run = self._runs.get(table_id)
        if run is None:
            self._check_damage(table_id)
            raise NotFound("this token is for no table here")
        return run

    def _check_damage(self, table_id: str) -> None:
        if table_id in self.damaged:
            raise IllegalAction(f"table {table_id} is set aside: its part of the journal is damaged")

    def _still(self, run: Run, chair: int, token: str) -> bool:
        """Whether a token is still for a chair: its player may have got up."""
        player = run.table.players[chair]
        return player is not None and hmac.compare_digest(player.token_hash, hash_of(token))


def _new_secret() -> str:
    return secrets.token_hex(_SECRET_BYTES)


def _new_id() -> tuple[str, str]:
    """A new table's id, and a token that begins with it."""
    table_id = secrets.token_hex(6)
    return table_id, f"{table_id}.{secrets.token_hex(_TOKEN_BYTES)}"


def _checked_request(request_id: str) -> str:
    """A request to join, which must be hard to guess; a new one if there is none."""
    if not request_id:
        return secrets.token_hex(_TOKEN_BYTES)
    if not SHORTEST_REQUEST <= len(request_id) <= LONGEST_REQUEST:
        raise InvalidInput("request_id", f"must have {SHORTEST_REQUEST} to {LONGEST_REQUEST} characters, or none")
    return request_id
