"""The agent hosts' contract with values instead of messages; errors are grpc.RpcError."""

from typing import Any

import grpc

from riverboat.clients.remote.streams import ValueStream
from riverboat.contracts.hosts import AgentQuestion, AgentVerdict, Assignment, HostOffer
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.rpc.convert import matches as convert

_LIST_SECONDS = 5


class Attendance(ValueStream[Assignment | AgentQuestion]):
    """A host's connection to a game manager: an offer and verdicts out, chairs to take and questions in."""

    def __init__(self, call: Any) -> None:
        super().__init__(call, convert.decode_host_message)

    async def offer(self, offer: HostOffer) -> None:
        """Offer agents; this must be the first call."""
        await self.write(convert.encode_offer(offer))

    async def is_accepted(self) -> bool:
        """Wait for the game manager's verdict on the offer; return whether the agents are on offer."""
        metadata = await self._call.initial_metadata()
        return all((key, value) in tuple(metadata or ()) for key, value in convert.ACCEPTED)

    async def answer(self, verdict: AgentVerdict) -> None:
        """Answer a question."""
        await self.write(convert.encode_verdict(verdict))


class AttendanceClient:
    """A client of one game manager, for agent hosts."""

    def __init__(self, channel: Any) -> None:
        self._stub: Any = AgentHostsStub(channel)

    def attend(self) -> Attendance:
        """Open a connection for a host."""
        return Attendance(self._stub.Attend())

    async def agents(self) -> list[str]:
        """Return the agents that can be seated now."""
        return list((await self._stub.ListAgents(pb.ListAgentsRequest(), timeout=_LIST_SECONDS)).agents)


class HostsClient:
    """A client of one game manager, for programs that look for agents."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._stub: Any = AgentHostsStub(channel)

    def agents(self) -> list[str]:
        """Return the agents that can be seated now."""
        return list(self._stub.ListAgents(pb.ListAgentsRequest(), timeout=_LIST_SECONDS).agents)
