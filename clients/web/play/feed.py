"""A feed: one stream of the game manager for all the browsers that follow it, through restarts of the server."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import grpc

from riverboat.clients.remote.backoff import Backoff
from riverboat.clients.remote.refusals import LOST, Refused, reason_of
from riverboat.clients.web.play.outbox import Outbox

_LINGER_SECONDS = 60.0  # after the last browser has gone: a page that is loaded again finds the stream open


class Feed(ABC):
    """Follows a stream while browsers are connected; a new one first gets the newest messages."""

    def __init__(self) -> None:
        self._outboxes: set[Outbox] = set()
        self._task: asyncio.Task[None] | None = None
        self._newest: dict[str, str] = {}  # messages by type
        self.is_over = False

    @abstractmethod
    def documents(self) -> AsyncIterator[dict[str, Any]]:
        """Yield what to send, until the stream ends."""

    @abstractmethod
    def parting(self) -> str:
        """Return why there is nothing more to see."""

    def subscribe(self) -> Outbox:
        """Return an outbox that begins with the newest messages."""
        outbox = Outbox()
        for message in self._newest.values():
            outbox.put(message)
        self._outboxes.add(outbox)
        if self._task is None:
            self._task = asyncio.create_task(self._follow())
        return outbox

    def leave(self, outbox: Outbox) -> None:
        """Stop sending to an outbox; a feed without any ends after a while."""
        self._outboxes.discard(outbox)
        if not self._outboxes:
            asyncio.get_running_loop().call_later(_LINGER_SECONDS, self._end_if_alone)

    def send(self, document: dict[str, Any]) -> None:
        """Send a document to all connected browsers; later ones get only the newest document of each type."""
        message = json.dumps(document, separators=(",", ":"))
        self._newest[document["type"]] = message
        for outbox in self._outboxes:
            outbox.put(message)

    def stop(self) -> None:
        """End the stream."""
        self.is_over = True
        if self._task:
            self._task.cancel()

    def _end_if_alone(self) -> None:
        if not self._outboxes:
            self.stop()

    async def _follow(self) -> None:
        backoff = Backoff()
        while True:
            try:
                async for document in self.documents():
                    if backoff.failed_count:
                        self._newest.pop("lost", None)
                        backoff.reset()
                    self.send(document)
                self._finish(self.parting())
                return
            except grpc.RpcError as error:
                if error.code() not in LOST:
                    self._finish(reason_of(error))
                    return
            except Refused as refused:
                self._finish(str(refused))
                return
            except Exception as error:  # a bug: those who look are told, and the log has it
                self._finish(f"the page cannot go on: {type(error).__name__}")
                raise
            self.send({"type": "lost", "text": "the game manager does not answer; trying again"})
            with suppress(asyncio.TimeoutError):
                await asyncio.sleep(backoff.next_seconds())

    def _finish(self, reason: str) -> None:
        self.is_over = True
        self.send({"type": "gone", "text": reason})
