"""A game manager's contracts (tables, matches, agent hosts) over one channel; errors are grpc.RpcError."""

import grpc

from riverboat.clients.remote.refusals import Refused
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.protos.gamemanager.v1.matches_pb2_grpc import MatchesStub
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

_CALL_SECONDS = 5


class GameManagerClient:
    """A client of one game manager. `is_own` says that it was started for this command, and ends with it."""

    def __init__(self, channel: grpc.Channel, address: str, is_own: bool) -> None:
        self.address = address
        self.is_own = is_own
        self.tables = TablesStub(channel)
        self.matches = MatchesStub(channel)
        self.hosts = AgentHostsStub(channel)

    def answers(self, timeout: float) -> bool:
        """Return whether the game manager answers within `timeout` seconds."""
        try:
            self.tables.ListTables(pb.ListTablesRequest(), timeout=timeout, wait_for_ready=True)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                return False
            raise
        return True

    def agents(self) -> list[str]:
        """Return the agents that can be seated now."""
        return list(self.hosts.ListAgents(hosts_pb.ListAgentsRequest(), timeout=_CALL_SECONDS).agents)

    def info(self, table_id: str) -> pb.TableInfo:
        """Return a table as everybody sees it."""
        try:
            return self.tables.ListTables(pb.ListTablesRequest(table_id=table_id)).tables[0]
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                raise
        raise Refused(f"there is no table {table_id[:20]!r}; riverboat tables lists them")
