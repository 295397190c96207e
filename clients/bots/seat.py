"""One chair, played by a bot over Tables.Play until the table closes or the chair is no longer its own.

A server that is gone for a while is dialled again; the token stays good. A decision of which it is not known
whether it arrived is sent again with the same request id, which is safe.
"""

import asyncio
import logging
import secrets
from concurrent.futures import Executor
from contextlib import suppress
from typing import Any

import grpc

from clients.bots.asking import Player
from clients.bots.link import PASSING, Backoff
from clients.bots.views import decode_view
from protos.gamemanager.v1 import tables_pb2 as pb
from protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert.tables import encode_action

log = logging.getLogger("riverboat.bots")

_NOT_OURS = (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED)
_STALE = grpc.StatusCode.ABORTED.value[0]
_SEED_BITS = 64

Place = tuple[int, int]  # hand number, action number


class ChairLost(Exception):
    """The server does not know the token, or not for this chair."""


class Seat:
    """A bot in a chair."""

    def __init__(self, channel: Any, token: str, player: Player, name: str, pool: Executor | None = None) -> None:
        self._stub: Any = TablesStub(channel)
        self._token, self._player, self._name, self._pool = token, player, name, pool
        self._latest: pb.View | None = None
        self._changed = asyncio.Event()
        self._decision: pb.Decision | None = None  # the last one

    async def play(self) -> None:
        """Play until there is nothing left to play; raises ChairLost if there never was, BotFailed if strict."""
        backoff = Backoff()
        while not self._is_closed:
            try:
                await self._play_while_connected(backoff)
            except grpc.aio.AioRpcError as error:
                if error.code() in _NOT_OURS and self._latest is not None:
                    log.info("%s has got up from its chair", self._name)
                    return
                if error.code() not in PASSING:
                    raise ChairLost(error.details() or error.code().name) from None
                await self._wait(backoff, error)

    @property
    def _is_closed(self) -> bool:
        return self._latest is not None and self._latest.status == pb.TABLE_STATUS_CLOSED

    async def _wait(self, backoff: Backoff, error: grpc.aio.AioRpcError) -> None:
        if backoff.failed_count == 0:
            log.warning("%s has lost the server (%s) and dials again", self._name, error.code().name)
        await asyncio.sleep(backoff.next_seconds())

    async def _play_while_connected(self, backoff: Backoff) -> None:
        call = self._stub.Play()
        tasks = {asyncio.create_task(work) for work in (self._read(call, backoff), self._decide(call))}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            call.cancel()
            for task in tasks:
                with suppress(asyncio.CancelledError, Exception):
                    await task

    async def _read(self, call: Any, backoff: Backoff) -> None:
        """Keep the latest view: a bot that thinks for long is to answer what is, not what was."""
        await call.write(pb.PlayRequest(token=self._token))
        async for answer in call:
            if backoff.failed_count:
                log.info("%s is back at its table", self._name)
                backoff.reset()
            if answer.WhichOneof("kind") == "refusal":
                self._note_refusal(answer.refusal)
            else:
                self._latest = answer.view
                self._changed.set()

    def _note_refusal(self, refusal: pb.PlayResponse.Refusal) -> None:
        note = log.debug if refusal.code == _STALE else log.warning  # a stale action was too late, that is all
        note("%s was refused (code %d): %s", self._name, refusal.code, refusal.message)

    async def _decide(self, call: Any) -> None:
        """Answer whenever it is the chair's turn, once for each turn."""
        answered: Place | None = None
        while True:
            self._changed.clear()
            view = self._latest
            if view is not None and view.is_your_turn and place_of(view) != answered:
                answered = place_of(view)
                decision = await self._decision_for(view)
                if self._latest is not None and place_of(self._latest) == answered:
                    await call.write(pb.PlayRequest(decision=decision))
                else:
                    log.warning("%s was too slow in hand %d: its turn is over", self._name, view.hand_number)
            else:
                await self._changed.wait()

    async def _decision_for(self, view: pb.View) -> pb.Decision:
        decision = self._decision
        if decision is None or (decision.hand_number, decision.action_number) != place_of(view):
            # In a thread: other chairs of this process go on, and so does reading.
            action = await asyncio.get_running_loop().run_in_executor(self._pool, self._ask, view)
            decision = pb.Decision(
                request_id=secrets.token_hex(16),
                hand_number=view.hand_number,
                action_number=view.action_number,
                action=encode_action(action),
            )
            self._decision = decision
        return decision

    def _ask(self, view: pb.View) -> int:
        return self._player.act(view.hand_number, decode_view(view))


def place_of(view: pb.View) -> Place:
    """Where in a table's history a view is."""
    return view.hand_number, view.action_number


def random_seed() -> int:
    """A seed for the bots of a chair that nobody can guess."""
    return secrets.randbits(_SEED_BITS)
