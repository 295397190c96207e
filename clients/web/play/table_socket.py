"""A browser at a table: the messages that it gets and the requests that it may send."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from riverboat.clients.console.table.adviser import hint_of
from riverboat.clients.console.table.orders import NotAnOrder, read_order
from riverboat.clients.web.failures import EXPECTED, ApiError, failure_of
from riverboat.clients.web.fields import Fields
from riverboat.clients.web.links import Calls, Links
from riverboat.clients.web.play.advice import reasons_for
from riverboat.clients.web.play.feed import Feed
from riverboat.clients.web.play.hand_book import HandBook
from riverboat.clients.web.play.outbox import Outbox
from riverboat.clients.web.play.seat_feed import SeatFeed
from riverboat.clients.web.security.limits import Buckets, Rate
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.variant import MOST_CHIPS
from riverboat.tables.view import TableView

_RATE = Rate(burst=40, per_second=8)  # messages of one browser
_MOST_NUMBER = 2**53


class AnswerStopped(Exception):
    """The browser no longer waits for the answer."""


class TableSocket:
    """One connection of a browser to a feed."""

    def __init__(
        self,
        socket: WebSocket,
        feed: Feed,
        book: HandBook | None,
        links: Links,
        calls: Calls,
        *,
        advises: bool = True,
    ) -> None:
        self._socket, self._feed, self._book, self._links, self._calls = socket, feed, book, links, calls
        self._outbox: Outbox = feed.subscribe()
        self._question = threading.Event()  # set when the answer is no longer wanted
        self._answering: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._known: dict[str, Callable[[Fields], Awaitable[None]]] = {"statistics": self._statistics}
        if isinstance(feed, SeatFeed):
            self._seat: SeatFeed = feed
            self._known |= {"act": self._act, "buy": self._buy, "leave": self._leave}
            if advises:
                self._known |= {"hint": self._hint, "why": self._why, "stop": self._stop}

    async def run(self) -> None:
        """Serve until the browser goes."""
        sending = asyncio.create_task(self._send_all())
        try:
            await self._receive_all()
        finally:
            self._question.set()
            for task in (sending, *self._tasks):
                task.cancel()
            self._feed.leave(self._outbox)

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # a RuntimeError is a socket that has just closed
            while True:
                await self._socket.send_text(await self._outbox.get())

    async def _receive_all(self) -> None:
        rate = Buckets(_RATE)
        with suppress(WebSocketDisconnect):
            while True:
                text = await self._socket.receive_text()
                if not rate.take(""):
                    self._say("refused", text="too many messages; wait a moment")
                    continue
                await self._obey(text)

    async def _obey(self, text: str) -> None:
        try:
            fields = Fields(json.loads(text))
            order = self._known.get(fields.text("do", most=20))
            if order is None:
                raise ApiError(400, "this cannot be done here")
            await order(fields)
        except EXPECTED as error:
            self._say("refused", text=str(failure_of(error)))

    def _say(self, kind: str, **more: Any) -> None:
        self._outbox.put(json.dumps({"type": kind, **more}))

    async def _statistics(self, _: Fields) -> None:
        if self._book is not None:
            self._say(**{"kind": "statistics", **_without_type(await self._book.statistics())})

    async def _act(self, fields: Fields) -> None:
        hand, number = fields.whole("hand", 0, _MOST_NUMBER), fields.whole("action", 0, _MOST_NUMBER)
        action = self._action(fields)
        self._in_background(self._seat.act(hand, number, action))

    def _action(self, fields: Fields) -> int:
        match fields.choice("move", ("fold", "call", "raise", "typed")):
            case "fold":
                return FOLD
            case "call":
                return CALL
            case "raise":
                return fields.whole("to", 1, MOST_CHIPS)
        try:
            return read_order(fields.text("text", most=30), self._view())
        except NotAnOrder as error:
            raise ApiError(400, str(error)) from None

    def _view(self) -> TableView:
        if self._seat.view is None or not self._seat.view.is_your_turn:
            raise ApiError(409, "it is not your turn")
        return self._seat.view

    async def _buy(self, fields: Fields) -> None:
        chips = fields.whole("chips", 1, MOST_CHIPS)
        tables = self._links.games.tables
        stack = await self._calls.short(tables.rebuy, token=self._seat.seat.token, chips=chips)
        self._say("note", text=f"you now have {stack:,}")

    async def _leave(self, fields: Fields) -> None:
        give_up = fields.flag("give_up")
        tables, token = self._links.games.tables, self._seat.seat.token
        at_once = await self._calls.short(tables.leave, token=token, give_up=give_up)
        if not at_once:
            self._say("note", text="you get up after this hand")

    # Questions that take a while: one at a time, and the table goes on

    async def _hint(self, _: Fields) -> None:
        view = self._seat.view
        if view is None or not view.holding or view.public is None or view.seat is None:
            raise ApiError(409, "you hold no cards right now")
        self._ask(self._hinted(view))

    async def _hinted(self, view: TableView) -> None:
        text = await self._calls.long(lambda: hint_of(self._links.oracle(), view))
        self._say("hint", hand=view.hand_number, action=view.action_number, text=text)

    async def _why(self, _: Fields) -> None:
        view = self._view()
        self._question = threading.Event()
        self._ask(self._reasoned(view, self._question))

    async def _reasoned(self, view: TableView, stop: threading.Event) -> None:
        loop = asyncio.get_running_loop()

        def tell(done: float) -> None:
            if stop.is_set():
                raise AnswerStopped
            loop.call_soon_threadsafe(lambda: self._say("thinking", done=round(done, 3)))

        self._say("thinking", done=0)
        with suppress(AnswerStopped):
            reasons = await self._calls.long(lambda: reasons_for(self._links.resolver(), view, tell))
            if not stop.is_set():
                self._say("why", hand=view.hand_number, action=view.action_number, **reasons)

    async def _stop(self, _: Fields) -> None:
        self._question.set()
        if self._answering:
            self._answering.cancel()
        self._say("stopped")

    def _ask(self, answer: Awaitable[None]) -> None:
        if self._answering and not self._answering.done():
            asyncio.ensure_future(answer).cancel()
            raise ApiError(409, "your last question is not answered yet")
        self._answering = self._in_background(answer)

    def _in_background(self, call: Awaitable[None]) -> asyncio.Task[None]:
        async def guarded() -> None:
            try:
                await call
            except EXPECTED as error:
                self._say("refused", text=str(failure_of(error)))

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _without_type(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != "type"}
