"""Reaching a game manager: one that runs somewhere, or one started just for this command, with an agent host."""

from collections.abc import Iterable

import grpc

from riverboat.clients.remote.patience import LOST
from riverboat.clients.remote.refusals import Names, Refused, refusal_of, with_id
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.protos.gamemanager.v1.matches_pb2_grpc import MatchesStub
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.dialling.problems import tls_problem
from riverboat.rpc.status import DETAILS_KEY

_CONNECT_SECONDS = 5


class GameLink:
    """The contracts of one game manager; errors are grpc.RpcError."""

    def __init__(self, channel: grpc.Channel, address: str, is_own: bool) -> None:
        self.address = address
        self.is_own = is_own
        self.tables = TablesStub(channel)
        self.matches = MatchesStub(channel)
        self.hosts = AgentHostsStub(channel)

    def answers(self, timeout: float) -> bool:
        """Whether it answers within `timeout` seconds."""
        try:
            self.tables.ListTables(pb.ListTablesRequest(), timeout=timeout, wait_for_ready=True)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                return False
            raise
        return True

    def agents(self) -> list[str]:
        """Agents that can be seated now."""
        return list(self.hosts.ListAgents(hosts_pb.ListAgentsRequest(), timeout=_CONNECT_SECONDS).agents)

    def info(self, table_id: str) -> pb.TableInfo:
        """A table from outside."""
        try:
            return self.tables.ListTables(pb.ListTablesRequest(table_id=table_id)).tables[0]
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND:
                raise
        raise Refused(f"there is no table {table_id[:20]!r}; riverboat tables lists them")


def game_refusal(error: grpc.RpcError, address: str, names: Names) -> Refused:
    """A game manager's error as one line."""
    code, details = error.code(), error.details() or ""
    if code in LOST and _is_answer(error):
        return Refused(with_id(error, details))
    if code in LOST:
        said = tls_problem(error, address) or f"the game manager at {address} does not answer any more"
        return Refused(with_id(error, said))
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(f"what answers at {address} is not a game manager of this version ({details})")
    return refusal_of(error, address, names)


def _is_answer(error: grpc.RpcError) -> bool:
    """Whether a server said this itself: then it is there, and something that it needs is not."""
    metadata: Iterable[tuple[str, object]] = getattr(error, "trailing_metadata", tuple)() or ()
    return any(key == DETAILS_KEY for key, _ in metadata)
