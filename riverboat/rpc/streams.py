"""Open streams of a server by client: each lasts as long as its client likes, so there are limits."""

from collections import Counter
from typing import Any

from riverboat.errors import TooLarge
from riverboat.rpc.clients import client_of


class Streams:
    """Counts the streams of all services of a server, health and reflection included. A limit of None is no limit."""

    def __init__(self, most: int | None, most_of_one: int | None) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._count = 0
        self._of_clients: Counter[str] = Counter()

    def begin(self, context: Any) -> str | None:
        """Count a new stream; return its client, or None if clients need not be known."""
        self._count += 1
        client = client_of(context) if self._most_of_one is not None else None
        if client is not None:
            self._of_clients[client] += 1
        return client

    def check(self, client: str | None) -> None:
        """Raise TooLarge if the stream that has just begun is one too many."""
        if self._most is not None and self._count > self._most:
            raise TooLarge(f"{self._most} streams are open, which is the limit: try again later")
        if client is not None and self._most_of_one is not None and self._of_clients[client] > self._most_of_one:
            raise TooLarge(f"{self._most_of_one} streams of one client are open, which is the limit: end some first")

    def end(self, client: str | None) -> None:
        """Count a stream that has ended."""
        self._count -= 1
        if client is not None:
            self._of_clients[client] -= 1
            if not self._of_clients[client]:
                del self._of_clients[client]
