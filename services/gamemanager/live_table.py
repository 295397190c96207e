"""One table with its lock, its clocks and its place in the journal."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from riverboat.dealing import SEED_BYTES
from riverboat.errors import Unavailable
from riverboat.rpc.logs import log
from riverboat.services.gamemanager.journal import Journal
from riverboat.tables.contributions import awaited, line_up, needs_offer, offer_deal, void_deal
from riverboat.tables.events import Closing, JournalEvent, Left
from riverboat.tables.table import Table
from riverboat.tables.view import TableView, view_of

_RETRY_SECONDS = 1.0
_EARLY_MS = 50  # a timer may be early by this much
_COMMIT_SECONDS = 2.0  # a hand that is due waits this long for the commitments of usual contributors
_REVEAL_SECONDS = 10.0  # and this long for secrets; generous, because a late player may not contribute again

T = TypeVar("T")
TimedWork = Callable[..., Coroutine[Any, Any, None]]
HandPlace = tuple[int, int]  # a hand's number, and how many actions it has had
TimedStep = tuple[
    tuple[object, ...], float, TimedWork
]  # the event that the table waits for, the seconds, and the work that follows


class LiveTable:
    """A table, its clocks and its listeners. Hold `lock` to change it."""

    def __init__(self, table: Table, journal: Journal, change_count: int, idle_seconds: float) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()  # replaced at every change
        self.sides: list[LiveTable] = [self]  # of the same duplicate match, in no order
        self._journal = journal
        self._change_count = change_count  # in the journal
        self._idle_seconds = idle_seconds
        self._ended_before = _ended(table)
        self._deadline = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._place: tuple[object, ...] | None = None  # what the timer waits for
        self._attending: Counter[int] = Counter()  # open streams of views, by chair
        self._is_stopped = False
        self._due_hand = 0  # number of the hand that may start: its pause is over
        self._bust: dict[str, asyncio.TimerHandle] = {}  # timers of players who must buy chips or get up, by token hash
        self._tasks: set[asyncio.Task[None]] = set()
        self._changes: set[asyncio.Task[Any]] = set()
        self.waits_for = ""  # why nothing can happen now; empty while it can
        self.after_change: Callable[[], None] = lambda: None  # called between hands, and when the table stalls

    @property
    def finished_hands(self) -> int:
        """The number of hands that have ended since this process opened the table."""
        return _ended(self.table) - self._ended_before

    @property
    def is_done(self) -> bool:
        """Whether the table and all other sides of its match are closed."""
        return all(side.table.is_closed for side in self.sides)

    @property
    def time_left_ms(self) -> int:
        """Milliseconds left on the acting player's clock; 0 also for a player without a clock."""
        actor = self.table.actor
        return 0 if actor is not None and self._has_no_clock(actor) else self._remaining_ms

    @property
    def _remaining_ms(self) -> int:
        """Milliseconds until the timer's work is due."""
        return round(1000 * max(0.0, self._deadline - asyncio.get_running_loop().time()))

    @contextmanager
    def attended(self, chair: int) -> Iterator[None]:
        """Count an open stream of a chair's views while the block runs: only then may its player have no clock."""
        self._attending[chair] += 1
        self._clocks_change()
        try:
            yield
        finally:
            self._attending[chair] -= 1
            self._clocks_change()

    def _clocks_change(self) -> None:
        if self.table.config.no_clock and not self._is_stopped:
            while self._bust:
                self._bust.popitem()[1].cancel()
            self.schedule()

    def _has_no_clock(self, chair: int) -> bool:
        """Return whether a chair's player has no clock: the only person at the table, with an open stream of views."""
        table = self.table
        if not table.config.no_clock or not self._attending[chair]:
            return False
        people = [place for place, player in enumerate(table.players) if player and not player.is_agent]
        return people == [chair]

    def _clock_seconds(self, chair: int) -> float:
        """Return the seconds that a chair may take; without a clock, those after which an idle table closes."""
        return self._idle_seconds if self._has_no_clock(chair) else self.table.config.clock_ms / 1000

    def view(self, chair: int) -> TableView:
        """Return the current view of a chair."""
        return view_of(self.table, chair, self.time_left_ms, self.waits_for)

    async def change(self, wish: Callable[[], Sequence[JournalEvent]], result: Callable[[], T]) -> T:
        """Commit the events that `wish` returns, then return the result; it goes on if the caller goes away."""

        async def work() -> T:
            async with self.lock:
                await self.commit(wish())
                return result()

        task = asyncio.create_task(work())
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    async def contribute(self, take: Callable[[], None]) -> None:
        """Accept a contribution to the next deal, and start the hand if it was the last one missing."""

        def wish() -> Sequence[JournalEvent]:
            take()
            return self._next_events()

        await self.change(wish, lambda: None)

    def resume(self) -> Sequence[JournalEvent]:
        """Return the events due after a restart: those that a kill prevented."""
        if self.table.sides:
            present = {side.table.config.side for side in self.sides}
            for lost in set(range(self.table.config.side_count)) - present:  # no player will ever act there
                self.table.sides.close(lost)
        return self._closing() if self._cannot_go_on else self.table.tidy()

    @property
    def _cannot_go_on(self) -> bool:
        """Whether the match must end: sides are missing or were ended, or an old version played it at one table."""
        config = self.table.config
        if not config.is_duplicate:
            return False
        if not config.side_count:
            return True  # all turns at one table, where agents could recognise deals
        sides = [side.table for side in self.sides]
        ended = any(side.is_closing or (side.is_closed and side.hand_count < config.hand_limit) for side in sides)
        return ended or len(sides) < config.side_count

    async def end(self) -> bool:
        """Close the table, after the hand if there is one; return whether it is closed now."""
        return await self.change(self._closing, lambda: self.table.is_closed)

    def abandon(self) -> None:
        """Close the table as soon as the journal can be written."""
        self._start(self._close)

    async def _close(self) -> None:
        await self.commit(self._closing())

    def _closing(self) -> Sequence[JournalEvent]:
        return [] if self.table.is_closing or self.table.is_closed else [Closing()]

    async def commit(self, events: Sequence[JournalEvent]) -> None:
        """Write events and apply them, then those that follow from them, and announce it all."""
        before = self._change_count
        if events:
            await self._apply(events)
        with suppress(Unavailable):  # the request itself is done; the rest has to wait
            while following := self._following():
                await self._apply(following)
        if self._change_count > before:
            self._announce()
        self.schedule()

    def _following(self) -> Sequence[JournalEvent]:
        """Return the events that follow by themselves: tidying up, and an offer for the next deal."""
        table = self.table
        if events := table.tidy():
            return events
        return offer_deal(table, secrets.token_bytes(SEED_BYTES)) if needs_offer(table) else []

    async def _apply(self, events: Sequence[JournalEvent]) -> None:
        """Write events, then apply them. If they cannot be written, nothing has happened."""
        try:
            await self._journal.append(self.table.id, self._change_count, events)
        except Unavailable as error:
            self._stall(error)
            raise
        if self.waits_for:
            log.info("table_resumed", table=self.table.id)
            self.waits_for = ""
            self._place = None  # the acting player gets the whole clock again
        self._change_count += 1
        for event in events:
            self.table.apply(event)

    def _stall(self, error: Unavailable) -> None:
        """Announce once why the table waits, and start retrying."""
        if not self.waits_for:
            log.error("table_stalled", table=self.table.id, reason=str(error), cause=str(error.__cause__))
            self.waits_for = str(error)
            self._announce()
            self._start(self._go_on)

    def _announce(self) -> None:
        """Wake all listeners of this table and of the other sides of its match: more may be public now, and a side that
        was too far ahead may continue."""
        for side in self.sides:
            side.changed.set()
            side.changed = asyncio.Event()
            if side is not self and not side.table.is_in_hand:
                side.schedule()
        if self.waits_for or not self.table.is_in_hand:
            self.after_change()

    def stop(self) -> None:
        """Stop all clocks and background work."""
        self._is_stopped = True
        for timer in (self._timer, *self._bust.values()):
            if timer:
                timer.cancel()
        for task in self._tasks:
            task.cancel()

    def schedule(self) -> None:
        """Start the acting player's clock, or the timer of the next hand."""
        table, loop = self.table, asyncio.get_running_loop()
        self._watch_bust()
        if table.hand and table.actor is not None:
            place: HandPlace = (table.hand.number, table.hand.action_count)
            seconds = self._clock_seconds(table.actor)
            step: TimedStep | None = ((*place, seconds), seconds, partial(self._time_out, place))
        else:
            step = self._next_step()
        if self._timer and step and step[0] == self._place:
            return  # for instance, somebody joined: the clock keeps running
        if self._timer:
            self._timer.cancel()
            self._timer = None
        self._place = step[0] if step else None
        if step:
            _, seconds, work = step
            self._deadline = loop.time() + seconds
            self._timer = loop.call_later(seconds, self._start, work)

    def _next_step(self) -> TimedStep | None:
        """Return the event that the table waits for while nobody is to act; None if it waits for none."""
        table, deal, hand_number = self.table, self.table.next_deal, self.table.hand_count + 1
        if table.is_closed:
            return None
        if not table.can_start and table.config.tournament_id:
            return None  # the tournament goes on elsewhere
        if not table.can_start:
            return ("idle", self._change_count), self._idle_seconds, self._close_idle
        attempt, is_due = deal.offer.attempt if deal else 0, self._due_hand == hand_number
        if deal and deal.missing:
            return ("secrets", hand_number, attempt), _REVEAL_SECONDS, self._void_deal
        if is_due and awaited(table):
            return ("commitments", hand_number, attempt), _COMMIT_SECONDS, self._line_up
        pause = table.config.pause_ms / 1000 if table.hand_count and not is_due else 0.0
        return ("pause", self._change_count), pause, self._next_hand

    def _watch_bust(self) -> None:
        """Start a timer for each player without chips, and stop it when the player has some again."""
        table, loop = self.table, asyncio.get_running_loop()
        is_other = table.config.deal_count or table.config.tournament_id  # nobody buys chips there
        chairs = [] if table.is_closed or is_other else range(len(table.players))
        bust = {table.player(chair).token_hash: chair for chair in chairs if table.is_bust(chair)}
        for token_hash in self._bust.keys() - bust.keys():
            self._bust.pop(token_hash).cancel()
        for token_hash in bust.keys() - self._bust.keys():
            chair = bust[token_hash]
            self._bust[token_hash] = loop.call_later(
                self._clock_seconds(chair), self._start, self._remove_bust, chair, token_hash
            )

    def _start(self, work: TimedWork, *arguments: object) -> None:
        task = asyncio.create_task(self._insist(work, *arguments))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _insist(self, work: TimedWork, *arguments: object) -> None:
        """Do background work, retrying until the journal can be written."""
        while True:
            try:
                async with self.lock:
                    return await work(*arguments)
            except Unavailable:
                await asyncio.sleep(_RETRY_SECONDS)

    async def _go_on(self) -> None:
        """Replace a change that may have been written unannounced by an empty one, then continue."""
        if self.waits_for:
            await self._apply([])
        await self.commit([])
        self._announce()

    async def _time_out(self, place: HandPlace) -> None:
        hand = self.table.hand
        if self.waits_for or self._remaining_ms > _EARLY_MS:
            return  # an action in time may have been refused: the clock restarts when the table resumes
        if hand and (hand.number, hand.action_count) == place:
            await self.commit(self.table.time_out())

    async def _next_hand(self) -> None:
        """Start the next hand: the pause is over."""
        if self.table.can_start and not self.table.tidy():
            self._due_hand = self.table.hand_count + 1
            await self.commit(self._next_events())

    def _next_events(self) -> Sequence[JournalEvent]:
        """Return the events that start a due hand; none while contributions are missing."""
        table, deal = self.table, self.table.next_deal
        if not table.can_start:
            return []
        if deal and deal.lineup:
            return [] if deal.missing else table.start_hand(secrets.token_bytes(SEED_BYTES))
        is_due = self._due_hand == table.hand_count + 1
        return line_up(table, secrets.token_bytes(SEED_BYTES)) if is_due and not awaited(table) else []

    async def _line_up(self) -> None:
        """Line up: players who have not committed by now are dealt in without a contribution."""
        if self.table.can_start and awaited(self.table):
            await self.commit(line_up(self.table, secrets.token_bytes(SEED_BYTES)))

    async def _void_deal(self) -> None:
        """Void the deal: players who have not revealed their secret may not contribute again."""
        deal = self.table.next_deal
        if deal and deal.missing:
            log.warning("deal_voided", table=self.table.id, hand=deal.offer.hand_number, chairs=deal.missing)
            await self.commit(void_deal(self.table, secrets.token_bytes(SEED_BYTES)))

    async def _remove_bust(self, chair: int, token_hash: str) -> None:
        player = self.table.players[chair]
        if player and player.token_hash == token_hash and self.table.is_bust(chair):
            await self.commit([Left(chair)])

    async def _close_idle(self) -> None:
        if not self.table.is_in_hand and not self.table.can_start and not self.table.is_closed:
            await self.commit([Closing()])


def _ended(table: Table) -> int:
    """Return how many hands of a table are over."""
    return table.hand_count - table.is_in_hand
