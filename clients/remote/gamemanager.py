"""A game manager's contracts over one channel; errors are grpc.RpcError."""

from collections.abc import Iterator
from contextlib import contextmanager

import grpc

from riverboat.clients.remote.hosts import HostsClient
from riverboat.clients.remote.matches import MatchesClient
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.clients.remote.tables import TablesClient
from riverboat.clients.remote.tournaments import TournamentsClient
from riverboat.tables.view import TableInfo


@contextmanager
def table_named(table_id: str) -> Iterator[None]:
    """Refuse, with a hint, if the server does not know a table that the user has named."""
    try:
        yield
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise
        raise Refused(f"there is no table {table_id[:20]!r}; riverboat tables lists them") from None


class GameManagerClient:
    """A client of one game manager. `is_own` says that it was started for this command, and ends with it."""

    def __init__(self, channel: grpc.Channel, address: str, is_own: bool) -> None:
        self.address = address
        self.is_own = is_own
        self.resolver: ResolverClient | None = None  # that agents started with it ask
        self.tables = TablesClient(channel, address)
        self.matches = MatchesClient(channel)
        self.tournaments = TournamentsClient(channel, address)
        self._hosts = HostsClient(channel)

    def answers(self, timeout: float) -> bool:
        """Return whether the game manager answers within `timeout` seconds."""
        return self.tables.answers(timeout)

    def agents(self) -> list[str]:
        """Return the agents that can be seated now."""
        return self._hosts.agents()

    def info(self, table_id: str) -> TableInfo:
        """Return a table as everybody sees it."""
        with table_named(table_id):
            return self.tables.info(table_id)
