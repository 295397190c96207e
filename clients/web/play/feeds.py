"""The feeds that are open: a seat's for its session alone, a table's for all its spectators."""

import asyncio
from collections.abc import Callable

from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.links import Calls, PlayLink
from riverboat.clients.web.play.hand_book import HandBook
from riverboat.clients.web.play.seat_feed import SeatFeed
from riverboat.clients.web.play.watch_feed import WatchFeed
from riverboat.clients.web.security.sessions import BrowserSession

_MOST_BOOKS = 500


class Feeds:
    """Opens feeds when somebody follows them, and forgets those that are over."""

    def __init__(self, games: GameManagerClient, play: PlayLink, calls: Calls, changed: Callable[[], None]) -> None:
        """`changed` is called when a seat is gone."""
        self._games, self._play, self._calls, self._changed = games, play, calls, changed
        self._seats: dict[str, SeatFeed] = {}  # by token
        self._tables: dict[tuple[str, str], WatchFeed] = {}  # by table and dealer's token
        self._books: dict[str, HandBook] = {}

    def seat(self, session: BrowserSession, place: str, kind: type[SeatFeed] = SeatFeed) -> SeatFeed:
        """Return the feed of a seat that the session holds; `kind` makes it."""
        seat = session.seats.get(place)
        if seat is None:
            raise ApiError(404, "you do not sit there")
        feed = self._seats.get(seat.token)
        if feed is None or feed.is_over:

            def get_up() -> None:
                session.seats.pop(place, None)
                self._changed()

            feed = kind(seat, self._play.client, self._games.tables, self._calls, get_up)
            self._seats = {token: known for token, known in self._seats.items() if not known.is_over}
            self._seats[seat.token] = feed
        return feed

    def table(self, table_id: str, dealer_token: str) -> WatchFeed:
        """Return the feed of a table; with the dealer's token all cards are in it."""
        key = (table_id, dealer_token)
        feed = self._tables.get(key)
        if feed is None or feed.is_over:
            feed = WatchFeed(table_id, dealer_token, self._play.client)
            self._tables = {other: known for other, known in self._tables.items() if not known.is_over}
            self._tables[key] = feed
        return feed

    def book(self, table_id: str) -> HandBook:
        """Return the finished hands of a table."""
        book = self._books.pop(table_id, None) or HandBook(self._games.tables, table_id, self._calls)
        self._books[table_id] = book
        while len(self._books) > _MOST_BOOKS:
            del self._books[next(iter(self._books))]
        return book

    async def close(self) -> None:
        """End all streams."""
        feeds = [*self._seats.values(), *self._tables.values()]
        for feed in feeds:
            feed.stop()
        await asyncio.sleep(0)
