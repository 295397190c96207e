"""One tournament with its place in the journal, and the work that keeps its tables going.

A single task does all of it, one step at a time: it draws seats, opens tables, updates tables, and counts finished
hands. Every step compares the tables with the tournament, so that a restart needs no step of its own: after a kill the
task starts over and does what is missing.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import numpy as np

from riverboat.errors import Unavailable
from riverboat.rpc.logs import log
from riverboat.services.gamemanager.creation import new_token
from riverboat.services.gamemanager.directory import TableDirectory
from riverboat.services.gamemanager.held_chair import HeldChair
from riverboat.services.gamemanager.journal import Journal
from riverboat.services.gamemanager.live_table import LiveTable
from riverboat.services.gamemanager.tournament_tables import TournamentTables
from riverboat.tables.players import hash_of
from riverboat.tournaments.events import TournamentChange
from riverboat.tournaments.report import TournamentReport, report_of
from riverboat.tournaments.table_updates import result_of, table_updates
from riverboat.tournaments.tournament import Tournament, TournamentStatus

_RETRY_SECONDS = 1.0
_PAUSE_SECONDS = 0.2  # between reports: nobody reads faster
_MOST_NEWS = 5_000  # in one report
T = TypeVar("T")


class LiveTournament:
    """A tournament, its tables and its listeners."""

    def __init__(
        self, tournament: Tournament, journal: Journal, change_count: int, tables: TableDirectory, idle_seconds: float
    ) -> None:
        self.tournament = tournament
        self.changed = asyncio.Event()  # replaced at every change
        self.waits_for = ""  # why nothing can happen now; empty while it can
        self.agents_wanted: Callable[[], None] = lambda: None  # called when agents can be given to hosts
        self._journal, self._change_count = journal, change_count
        self.tables = TournamentTables(tournament, tables)
        self._idle_seconds = idle_seconds
        self._lock = asyncio.Lock()
        self._wake = asyncio.Event()
        self._is_unsure = False  # the last change may be in the journal although its client got an error
        self._since = 0.0  # when play would have begun if it had never been interrupted
        self._told_stall = ""
        self._has_called_agents = False  # since this process has the tournament
        self._idle: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def stalled_for(self) -> str:
        """Why the tournament or one of its tables waits; empty while all go on."""
        return self.waits_for or next((live.waits_for for _, live in self.tables.open if live.waits_for), "")

    # For entrants

    async def withdraw(self, token: str) -> bool:
        """Withdraw a person before the draw; return True."""
        tournament = self.tournament
        return await self.change(lambda: tournament.withdraw(tournament.entrant_of(token)), lambda: True)

    async def hand_over(self, entrant: int) -> str:
        """Return a new token for an agent; the previous one expires."""
        token = new_token(self.tournament.id)
        return await self.change(lambda: self.tournament.issue_token(entrant, hash_of(token)), lambda: token)

    # Listeners

    async def chairs(self, token: str) -> AsyncIterator[HeldChair]:
        """Yield the chairs that a token holds one after the other, each when the one before is lost."""
        entrant = self.tournament.entrant_of(token)
        if self.tournament.entrants[entrant].rank > 1 and self.tables.table_of(entrant) is None:
            self.tables.held(token)  # raises
        while True:
            changed = self.changed
            live = self.tables.table_of(self.tournament.entrant_of(token))
            if live is not None:
                yield self.tables.held(token)
                if live.table.is_closed and self.tables.table_of(self.tournament.entrant_of(token)) is live:
                    return  # the last table; others close when everybody has moved
            elif self.tournament.is_closed or self.tournament.entrants[self.tournament.entrant_of(token)].rank:
                return
            else:
                await changed.wait()

    async def reports(self, first: int) -> AsyncIterator[TournamentReport]:
        """Yield reports on the tournament, with its news from number `first` on, until it has ended."""
        news = self.tournament.news
        first = min(max(0, first), len(news))
        while True:
            changed, end = self.changed, min(len(news), first + _MOST_NEWS)
            is_last = self.tournament.is_closed and end == len(news)
            yield report_of(self.tournament, first, end, self.stalled_for)
            if is_last:
                return
            if end == len(news):
                await changed.wait()
                await asyncio.sleep(_PAUSE_SECONDS)
            first = end

    # Changes

    async def change(self, wish: Callable[[], Sequence[TournamentChange]], result: Callable[[], T]) -> T:
        """Commit the events that `wish` returns, then return the result; it goes on if the caller goes away."""

        async def work() -> T:
            await self._commit(wish)
            return result()

        return await asyncio.shield(self._start(work()))

    async def _commit(self, wish: Callable[[], Sequence[TournamentChange]]) -> None:
        """Write the events that `wish` returns, then apply them. If they cannot be written, nothing has happened."""
        async with self._lock:
            if events := wish():
                await self._apply(events)

    async def _apply(self, events: Sequence[TournamentChange]) -> None:
        try:
            await self._journal.append(self.tournament.id, self._change_count, events)
        except Unavailable as error:
            self._is_unsure = True
            self._stall(error)
            raise
        self._change_count += 1
        self._is_unsure = False
        for event in events:
            self.tournament.apply(event)
        self._announce()
        self.wake()

    def _stall(self, error: Unavailable) -> None:
        if not self.waits_for:
            log.error(
                "tournament_stalled", tournament=self.tournament.id, reason=str(error), cause=str(error.__cause__)
            )
            self.waits_for = self._told_stall = str(error)
            self._announce()
            self.wake()

    def _announce(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    def wake(self) -> None:
        """Wake the task, so that it does what has become due."""
        self._wake.set()

    def _start(self, work: Any) -> "asyncio.Task[Any]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # The task

    def start(self) -> None:
        """Start the task, now or after a restart."""
        self._since = asyncio.get_running_loop().time() - self.tournament.elapsed_ms / 1000
        for _, live in self.tables.open:
            live.after_change = self.wake
        self._start(self._run())

    def stop(self) -> None:
        """Stop everything."""
        if self._idle:
            self._idle.cancel()
        for task in self._tasks:
            task.cancel()

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self._work()
                if self.waits_for:
                    log.info("tournament_resumed", tournament=self.tournament.id)
                    self.waits_for = ""
                if self.stalled_for != self._told_stall:
                    self._told_stall = self.stalled_for
                    self._announce()
                if self.tournament.is_closed and not self.tables.open:
                    return
            except Unavailable as error:
                self._stall(error)
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            except Exception:  # a hand does not fit, or there is a bug: other tournaments go on
                log.exception("tournament_inconsistent", tournament=self.tournament.id)
                self._start(self._cancel("it is inconsistent"))
            self._watch_idle()
            await self._wake.wait()

    async def _work(self) -> None:
        """Do everything that is due now."""
        if self._is_unsure:
            async with self._lock:
                await self._apply([])  # replaces a change that may have been written unannounced
        await self._draw()
        await self._open_tables()
        await self._follow()
        if self.tournament.has_begun and not self._has_called_agents:
            self._has_called_agents = True
            self.agents_wanted()
        while counting := self._next_count():
            await self._commit(counting)
            await self._follow()
        players = [player for _, live in self.tables.open for player in live.table.players if player]
        if players and all(player.gives_up for player in players) and not self.tables.reserved_count:
            await self._commit(lambda: self.tournament.cancel("everybody has left"))
            await self._follow()

    async def _draw(self) -> None:
        if self.tournament.has_begun or not self.tournament.is_full:
            return
        await self._commit(lambda: self.tournament.draw(self._rng()))
        self._since = asyncio.get_running_loop().time()
        log.info("tournament_began", tournament=self.tournament.id, entrants=len(self.tournament.entrants))

    def _rng(self) -> np.random.Generator:
        """Return random numbers for the next change that nobody can predict, the same again after a crash."""
        return np.random.default_rng(int(self.tournament.secret_for(f"lots {self._change_count}"), 16))

    async def _open_tables(self) -> None:
        """Open the tables that are missing. A table that the journal lost ends the tournament."""
        for number in self.tournament.open_tables:
            table_id = self.tournament.table_id(number)
            if self.tables.is_lost(number):
                reason = f"table {table_id} is lost: its part of the journal is damaged"
                await self._commit(lambda reason=reason: self.tournament.cancel(reason))  # type: ignore[misc]
                log.error("tournament_cancelled", tournament=self.tournament.id, reason=reason)
                return
            if self.tables.get(number) is None:
                created = self.tables.creation_of(number)
                await self._journal.append(table_id, 0, [created])
                self.tables.add(number, created).after_change = self.wake

    async def _follow(self) -> None:
        """Update all tables until each agrees with the tournament."""
        while True:
            behind = [(number, live) for number, live in self.tables.open if self._updates(number, live)]
            if not behind:
                return
            for number, live in behind:
                await live.change(partial(self._updates, number, live), lambda: None)
            self._announce()

    def _updates(self, number: int, live: LiveTable) -> Sequence[Any]:
        return table_updates(live.table, self.tournament, number, self.tables.players)

    def _next_count(self) -> Callable[[], Sequence[TournamentChange]] | None:
        """Return a function that counts one finished hand; None if all are counted."""
        if self.tournament.status is not TournamentStatus.PLAYING:
            return None
        for number, live in self.tables.open:
            if result := result_of(live.table, self.tournament, number):
                elapsed = round(1000 * (asyncio.get_running_loop().time() - self._since))
                return lambda: self.tournament.count_hand(result, self.tables.buttons, elapsed, self._rng())
        return None

    def _watch_idle(self) -> None:
        """Cancel a tournament that nobody has entered for long."""
        if self._idle:
            self._idle.cancel()
        if not self.tournament.has_begun:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(self._idle_seconds, lambda: self._start(self._cancel_idle()))

    async def _cancel_idle(self) -> None:
        if not self.tournament.has_begun:
            await self._cancel("too few players entered")

    async def _cancel(self, reason: str) -> None:
        with suppress(Unavailable):  # the task finds the same reason again when the journal can be written
            await self._commit(lambda: self.tournament.cancel(reason))
