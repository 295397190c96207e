"""A table for spectators: one stream for all of them; with the dealer's token, another one with all cards."""

from collections.abc import AsyncIterator
from typing import Any

from riverboat.clients.remote.play import PlayClient
from riverboat.clients.web.play.feed import Feed
from riverboat.clients.web.play.table_documents import update_document
from riverboat.tables.entries import HandBegan, NumberedEntry
from riverboat.tables.view import PublicUpdate


class WatchFeed(Feed):
    """What everybody may see of a table, or its dealer."""

    def __init__(self, table_id: str, dealer_token: str, play: PlayClient) -> None:
        super().__init__()
        self._table_id, self._dealer_token, self._play = table_id, dealer_token, play
        self._events: list[NumberedEntry] = []  # of this hand

    async def documents(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the table after every change."""
        self._events = []
        stream = self._play.watch(table_id=self._table_id, dealer_token=self._dealer_token)
        try:
            async for update in stream:
                yield self._take(update)
        finally:
            stream.cancel()

    def parting(self) -> str:
        """Return why the stream has ended."""
        return "the table is closed"

    def _take(self, update: PublicUpdate) -> dict[str, Any]:
        """Add what is new, and return the table."""
        for event in update.events:
            if isinstance(event.entry, HandBegan):
                self._events = [event]
            elif self._events:
                self._events.append(event)
        return update_document(update, self._events)
