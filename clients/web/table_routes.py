"""Requests about one table: its socket, its finished hands, replays and reviews."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from riverboat.clients.console.table.coach import decisions_in_record
from riverboat.clients.web.failures import EXPECTED, ApiError, failure_of
from riverboat.clients.web.gateway import Gateway
from riverboat.clients.web.play.advice import reviewed_hand
from riverboat.clients.web.play.feed import Feed
from riverboat.clients.web.play.replays import replay_of_record, replays_of_text
from riverboat.clients.web.play.table_socket import AnswerStopped, TableSocket
from riverboat.clients.web.security.sessions import BrowserSession
from riverboat.tables.entries import HandBegan
from riverboat.tables.records import HandRecord

_HANDS_AT_A_TIME = 100
_REFUSED = 4000  # close code: the last message says why


class TableRoutes:
    """Requests about single tables."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway, self._calls = gateway, gateway.calls

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            WebSocketRoute("/ws/tables/{table_id}", self.socket),
            WebSocketRoute("/ws/tables/{table_id}/review/{hand:int}", self.review),
            Route("/api/tables/{table_id}/hands", self.hands),
            Route("/api/tables/{table_id}/hands/{hand:int}", self.hand),
            Route("/api/tables/{table_id}/hands/{hand:int}.phh", self.file),
            Route("/api/replays", self.replays, methods=["POST"]),
        ]

    async def socket(self, socket: WebSocket) -> None:
        """Serve a browser at a table: as its player if it has a seat there, otherwise as a spectator."""
        await accepted(self._gateway, socket, self._table)

    async def _table(self, socket: WebSocket, session: BrowserSession) -> None:
        place = socket.path_params["table_id"]
        watches = "watch" in socket.query_params or place not in session.seats
        feed: Feed
        if not watches:
            feed = self._gateway.feeds.seat(session, place)
        else:
            if place in self._gateway.hidden_tables():
                raise ApiError(403, "this table is not open to spectators")
            with_cards = "cards" in socket.query_params
            token = session.dealers.get(place, session.dealers.get(place.partition("-")[0], "")) if with_cards else ""
            feed = self._gateway.feeds.table(place, token)
        is_table = place not in session.seats or not session.seats[place].is_tournament
        book = self._gateway.feeds.book(place) if is_table else None
        await TableSocket(socket, feed, book, self._gateway.links, self._calls).run()

    async def hands(self, request: Request) -> JSONResponse:
        """Answer with summaries of finished hands."""
        self._gateway.admitted(request)
        first = request.query_params.get("first", "1")
        number = int(first) if first.isdecimal() and len(first) < 16 else 1
        book = self._gateway.feeds.book(request.path_params["table_id"])
        return JSONResponse({"hands": await book.hands(number, _HANDS_AT_A_TIME)})

    async def hand(self, request: Request) -> JSONResponse:
        """Answer with one finished hand, step by step; with the cards that this browser's player had."""
        session = self._gateway.admitted(request)
        record, held = await self._record(session, request.path_params)
        return JSONResponse(await self._calls.short(replay_of_record, record, held))

    async def file(self, request: Request) -> PlainTextResponse:
        """Answer with one finished hand as a PHH file."""
        session = self._gateway.admitted(request)
        record, _ = await self._record(session, request.path_params)
        name = f"riverboat-{record.table_id}-{record.hand_number}.phh"
        return PlainTextResponse(record.phh, headers={"content-disposition": f'attachment; filename="{name}"'})

    async def _record(
        self, session: BrowserSession, params: dict[str, Any]
    ) -> tuple[HandRecord, dict[int, tuple[int, ...]]]:
        table_id, hand = params["table_id"], params["hand"]
        if not 0 < hand < 2**53:
            raise ApiError(404, "there is no such hand")
        record = await self._gateway.feeds.book(table_id).hand(hand)
        held: dict[int, tuple[int, ...]] = {}
        if table_id in session.seats:
            feed = self._gateway.feeds.seat(session, table_id)
            began = next((entry for entry in record.entries if isinstance(entry, HandBegan)), None)
            chair = feed.view.chair if feed.view else -1
            if began and chair in began.chairs and hand in feed.played:
                held[began.chairs.index(chair)] = feed.played[hand]
        return record, held

    async def replays(self, request: Request) -> JSONResponse:
        """Answer with the hands of a file."""
        self._gateway.changing(request)
        text = (await request.body()).decode("utf-8-sig")
        return JSONResponse(await self._calls.long(replays_of_text, text))

    async def review(self, socket: WebSocket) -> None:
        """Send each decision of a finished hand with its grade, as soon as it is known."""
        await accepted(self._gateway, socket, self._reviewed)

    async def _reviewed(self, socket: WebSocket, session: BrowserSession) -> None:
        record, held = await self._record(session, socket.path_params)
        if len(record.names) != 2:
            raise ApiError(409, f"only two-player hands can be reviewed, and this one had {len(record.names)}")
        if not held:
            raise ApiError(409, "your cards in this hand are no longer known")
        ((seat, holding),) = held.items()

        def reviewed(tell: Callable[[float], None]) -> Any:
            link = self._gateway.links.resolver()
            decisions = decisions_in_record(record)
            return reviewed_hand(link, decisions, seat, holding, record.names[1 - seat], tell)

        await stream_answers(self._gateway, socket, reviewed)


async def accepted(gateway: Gateway, socket: WebSocket, serve: Callable[[WebSocket, BrowserSession], Any]) -> None:
    """Accept a socket and serve it; a refused browser gets a message with the reason, then the socket closes."""
    await socket.accept()
    try:
        session = gateway.open_socket(socket)
        try:
            await serve(socket, session)
        finally:
            gateway.close_socket(session)
    except EXPECTED as error:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_text(json.dumps({"type": "gone", "text": str(failure_of(error))}))
    except WebSocketDisconnect:
        return
    with suppress(RuntimeError):
        await socket.close(_REFUSED)


async def stream_answers(gateway: Gateway, socket: WebSocket, begin: Callable[[Callable[[float], None]], Any]) -> None:
    """Send progress and answers of a long call as they come, and stop it when the browser goes."""
    loop, stopped, messages = asyncio.get_running_loop(), False, asyncio.Queue[dict[str, Any] | None]()

    def put(message: dict[str, Any] | None) -> None:
        loop.call_soon_threadsafe(messages.put_nowait, message)

    def tell(done: float) -> None:
        if stopped:
            raise AnswerStopped
        put({"type": "thinking", "done": round(done, 3)})

    def work() -> None:
        try:
            for answer in begin(tell):
                put({"type": "decision", **answer})
            put({"type": "done"})
        except AnswerStopped:
            pass
        except EXPECTED as error:
            put({"type": "gone", "text": str(failure_of(error))})
        finally:
            put(None)

    async def watch_browser() -> None:
        nonlocal stopped
        with suppress(WebSocketDisconnect):
            while True:
                await socket.receive_text()
        stopped = True
        put(None)

    working, watching = asyncio.create_task(gateway.calls.long(work)), asyncio.create_task(watch_browser())
    try:
        while (message := await messages.get()) is not None:
            await socket.send_text(json.dumps(message))
    finally:
        stopped = True
        watching.cancel()
        await working
