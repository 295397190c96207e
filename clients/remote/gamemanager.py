"""A game manager's contracts over one channel; errors are grpc.RpcError."""

import grpc

from riverboat.clients.remote.hosts import HostsClient
from riverboat.clients.remote.matches import MatchesClient
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.clients.remote.tables import TablesClient
from riverboat.tables.view import TableInfo


class GameManagerClient:
    """A client of one game manager. `is_own` says that it was started for this command, and ends with it."""

    def __init__(self, channel: grpc.Channel, address: str, is_own: bool) -> None:
        self.address = address
        self.is_own = is_own
        self.resolver: ResolverClient | None = None  # that agents started with it ask
        self.tables = TablesClient(channel, address)
        self.matches = MatchesClient(channel)
        self._hosts = HostsClient(channel)

    def answers(self, timeout: float) -> bool:
        """Return whether the game manager answers within `timeout` seconds."""
        return self.tables.answers(timeout)

    def agents(self) -> list[str]:
        """Return the agents that can be seated now."""
        return self._hosts.agents()

    def info(self, table_id: str) -> TableInfo:
        """Return a table as everybody sees it."""
        try:
            return self.tables.info(table_id)
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                raise
        raise Refused(f"there is no table {table_id[:20]!r}; riverboat tables lists them")
