"""A seat: the stream of one chair, its part in every shuffle, and the hands that its player has seen."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc

from riverboat.clients.bots.fairness import Fairness
from riverboat.clients.remote.backoff import Backoff
from riverboat.clients.remote.play import PlayClient
from riverboat.clients.remote.refusals import LOST
from riverboat.clients.remote.tables import TablesClient
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.links import Calls
from riverboat.clients.web.play.feed import Feed
from riverboat.clients.web.play.table_documents import view_document
from riverboat.clients.web.security.sessions import HeldSeat
from riverboat.contracts.tables import Decision, Unreadable
from riverboat.dealing.witness import DealFinding, Severity
from riverboat.tables.config import TableConfig
from riverboat.tables.view import Status, TableView

_HANDS_KEPT = 200
_PATIENCE_SECONDS = 30.0


class SeatFeed(Feed):
    """One chair and everything that its player may see."""

    def __init__(
        self, seat: HeldSeat, play: PlayClient, tables: TablesClient, calls: Calls, get_up: Callable[[], None]
    ) -> None:
        super().__init__()
        self.seat, self._play, self._tables, self._calls, self._get_up = seat, play, tables, calls, get_up
        self._fairness = Fairness(self._hear)
        self._problems: list[str] = []
        self._config: TableConfig | None = None
        self.view: TableView | None = None
        self.played: dict[int, tuple[int, ...]] = {}  # holdings by hand

    async def documents(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the table as the player sees it."""
        stream = self._play.play()
        try:
            await stream.sit(self.seat.token)
            async for answer in stream:
                if isinstance(answer, TableView | Unreadable):
                    for contribution in self._fairness.see(answer):
                        await stream.contribute(contribution)
                if isinstance(answer, TableView):
                    yield await self._see(answer)
        finally:
            stream.cancel()

    def parting(self) -> str:
        """Return why the stream has ended, and forget the seat."""
        self._get_up()
        closed = self.view is not None and self.view.status is Status.CLOSED
        return "the table is closed" if closed else "you have left the table"

    async def act(self, hand: int, action_number: int, action: int) -> None:
        """Play an action; send it again while the server is away. A late one is refused."""
        view = self.view
        if view is None or (hand, action_number) != view.place or not view.is_your_turn:
            raise ApiError(409, "the table has moved on: look again")
        decision = Decision(
            request_id=uuid.uuid4().hex,
            hand_number=hand,
            action_number=action_number,
            action=action,
            table_id=view.table_id,
        )
        backoff, give_up = Backoff(), time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                await self._calls.short(self._tables.take_action, token=self.seat.token, decision=decision)
                return
            except grpc.RpcError as error:
                if error.code() not in LOST or time.monotonic() > give_up:
                    raise
            await asyncio.sleep(backoff.next_seconds())

    async def _see(self, view: TableView) -> dict[str, Any]:
        if self._config is None or self.view is None or view.table_id != self.view.table_id:
            info = await self._calls.short(self._tables.info, view.table_id)
            self._config = info.config
        if view.holding:
            self.played[view.hand_number] = view.holding
            while len(self.played) > _HANDS_KEPT:
                del self.played[next(iter(self.played))]
        self.view = view
        return self.document_of(view, self._config) | {"deal_problems": self._problems[-3:]}

    def document_of(self, view: TableView, config: TableConfig) -> dict[str, Any]:
        """Return the table as the player may see it."""
        return view_document(view, config)

    def _hear(self, finding: DealFinding) -> None:
        """Keep what is wrong with a deal."""
        if finding.level is Severity.PROBLEM:
            self._problems.append(f"hand {finding.hand_number}: {finding.text}")
