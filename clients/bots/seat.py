"""One chair, played by a bot over Tables.Play until the table closes or the chair is no longer its own.

A server that is gone for a while is dialled again; the token stays good. A decision of which it is not known
whether it arrived is sent again with the same request id, which is safe. Meanwhile the chair contributes to every
shuffle and checks every deal.
"""

import asyncio
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import grpc

from riverboat.clients.bots.event_log import log
from riverboat.clients.bots.fairness import Fairness, Reporter
from riverboat.clients.bots.player import Player
from riverboat.clients.bots.thread import in_thread
from riverboat.clients.bots.views import decode_view
from riverboat.clients.remote.backoff import PASSING, Backoff
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.tables import encode_decision

_NOT_OURS = (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED)
_STALE: int = grpc.StatusCode.ABORTED.value[0]
_NOT_NOW: int = grpc.StatusCode.UNAVAILABLE.value[0]
_SEED_BITS = 64
_LIST_SECONDS = 5
_LIST_EVERY = 16  # hands, for seeds that were still secret when their hands ended
_MOST_LISTED = 1_000

Place = tuple[int, int]  # hand number, action number


class ChairLost(Exception):
    """The server does not know the token, or not for this chair."""


@dataclass(slots=True, eq=False)
class _Turn:
    """A question to the bot, which outlives the connection that it came by."""

    place: Place
    request_id: str
    action: "asyncio.Future[int]"
    is_late: bool = False


class Seat:
    """A bot in a chair."""

    def __init__(self, channel: Any, token: str, player: Player, name: str, fairness: Fairness | None = None) -> None:
        self._stub: Any = TablesStub(channel)
        self._fairness = fairness or Fairness(Reporter(name))
        self._writing = asyncio.Lock()
        self._token, self._player, self._name = token, player, name
        self._was_there = False
        self._latest: pb.View | None = None  # of this connection
        self._changed = asyncio.Event()
        self._turn: _Turn | None = None  # the last one
        self._answered: Place | None = None  # by this connection
        self._refusals = Backoff()  # of one decision
        self._looked_at = (0, False)  # when seeds were last looked up, and whether the table was closed

    async def play(self) -> None:
        """Play until there is nothing left to play; raises ChairLost if there never was, BotFailed if strict."""
        backoff = Backoff()
        while not self._is_closed:
            try:
                await self._play_while_connected(backoff)
                if not self._is_closed:  # the chair is lost, or the server stops: the next answer tells
                    await asyncio.sleep(backoff.next_seconds())
            except grpc.aio.AioRpcError as error:
                if error.code() in _NOT_OURS and self._was_there:
                    log.info("bot_got_up", bot=self._name, reason=error.details())
                    return
                if error.code() not in PASSING:
                    raise ChairLost(error.details() or error.code().name) from None
                if backoff.failed_count == 0:
                    log.warning("connection_lost", bot=self._name, reason=error.code().name)
                await asyncio.sleep(backoff.next_seconds())

    @property
    def _is_closed(self) -> bool:
        return self._latest is not None and self._latest.status == pb.TABLE_STATUS_CLOSED

    async def _play_while_connected(self, backoff: Backoff) -> None:
        self._latest = self._answered = None
        self._fairness.witness.reconnect()
        call = self._stub.Play()
        tasks = [asyncio.create_task(work) for work in (self._read(call, backoff), self._decide(call))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            call.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, call: Any, backoff: Backoff) -> None:
        """Keep the latest view: a bot that thinks for long is to answer what is, not what was."""
        await self._write(call, pb.PlayRequest(token=self._token))
        async for answer in call:
            if backoff.failed_count:
                log.info("connection_restored", bot=self._name)
                backoff.reset()
            if answer.WhichOneof("kind") == "refusal":
                self._note_refusal(answer.refusal)
            else:
                self._note_view(answer.view)
                await self._check_deal(call, answer.view)

    def _note_view(self, view: pb.View) -> None:
        if self._latest is None or place_of(self._latest) != place_of(view):
            self._refusals.reset()  # something was done
        self._latest, self._was_there = view, True
        self._changed.set()
        turn = self._turn
        if turn and not turn.is_late and not turn.action.done() and turn.place != place_of(view):
            turn.is_late = True
            log.warning("bot_too_slow", bot=self._name, hand=turn.place[0])

    async def _check_deal(self, call: Any, view: pb.View) -> None:
        """Check what a view shows of deals, and contribute to the next one."""
        for contribution in self._fairness.see(view):
            await self._write(call, pb.PlayRequest(contribution=contribution))
        for number in self._fairness.witness.missed:  # it ended between two views
            request = pb.ListHandsRequest(table_id=view.table_id, first_hand=number, hand_count=1)
            for record in (await self._stub.ListHands(request, timeout=_LIST_SECONDS)).hands:
                self._fairness.see_record(record)
        await self._check_sealed(view)

    async def _check_sealed(self, view: pb.View) -> None:
        """Check seeds that were still secret when their hands ended: now and then, and when the table is closed."""
        sealed = self._fairness.witness.sealed
        place = (view.hand_number // _LIST_EVERY, view.status == pb.TABLE_STATUS_CLOSED)
        if not sealed or place == self._looked_at:
            return
        self._looked_at = place
        span = min(max(sealed) - min(sealed) + 1, _MOST_LISTED)
        request = pb.ListHandsRequest(table_id=view.table_id, first_hand=min(sealed), hand_count=span)
        for record in (await self._stub.ListHands(request, timeout=_LIST_SECONDS)).hands:
            self._fairness.see_record(record)

    async def _write(self, call: Any, request: pb.PlayRequest) -> None:
        """Send a request; one at a time."""
        with suppress(asyncio.InvalidStateError):  # the connection has just ended; reading finds out why
            async with self._writing:
                await call.write(request)

    def _note_refusal(self, refusal: pb.PlayResponse.Refusal) -> None:
        # A stale action was too late, that is all; and what is tried again need be said only once.
        is_news = refusal.code != _STALE and not (refusal.code == _NOT_NOW and self._refusals.failed_count)
        note = log.warning if is_news else log.debug
        note("action_refused", bot=self._name, code=refusal.code, reason=refusal.message)
        if refusal.code == _NOT_NOW:
            asyncio.get_running_loop().call_later(self._refusals.next_seconds(), self._answer_again)

    def _answer_again(self) -> None:
        self._answered = None
        self._changed.set()

    async def _decide(self, call: Any) -> None:
        """Answer whenever it is the chair's turn, once for each turn; a bot has one question at a time."""
        while True:
            self._changed.clear()
            view = self._latest
            if view is None or not view.is_your_turn or place_of(view) == self._answered:
                await self._changed.wait()
            elif self._turn is None or (self._turn.place != place_of(view) and self._turn.action.done()):
                self._turn = self._ask(view)
            else:
                await self._answer(call, self._turn)

    def _ask(self, view: pb.View) -> _Turn:
        action = in_thread(lambda: self._player.act(view.hand_number, decode_view(view)))
        return _Turn(place_of(view), secrets.token_hex(16), action)

    async def _answer(self, call: Any, turn: _Turn) -> None:
        """Wait for the bot, and send what it does if that is still asked."""
        action = await asyncio.shield(turn.action)
        if self._latest is None or place_of(self._latest) != turn.place:
            return
        self._answered = turn.place
        decision = encode_decision(turn.request_id, *turn.place, action)
        await self._write(call, pb.PlayRequest(decision=decision))


def place_of(view: pb.View) -> Place:
    """Where in a table's history a view is."""
    return view.hand_number, view.action_number


def random_seed() -> int:
    """A seed for the bots of a chair that nobody can guess."""
    return secrets.randbits(_SEED_BITS)
