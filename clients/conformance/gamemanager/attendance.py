"""An agent host for the conformance checks. Its one agent always checks or calls, and acts only in `play`."""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from riverboat.clients.conformance.check import Wrong
from riverboat.clients.conformance.gamemanager.common import CALL
from riverboat.clients.conformance.gamemanager.hands import decision
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as pb
from riverboat.protos.gamemanager.v1 import tables_pb2
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

_WAIT_SECONDS = 20


class CallingHost:
    """A host with one agent, which always checks or calls."""

    def __init__(
        self, server: Server, takes_parameter: bool = False, memory: pb.Memory.ValueType = pb.MEMORY_NONE
    ) -> None:
        self.agent = f"conformance-{uuid.uuid4().hex[:12]}"
        self.hosts, self._tables = AgentHostsStub(server.channel), TablesStub(server.channel)
        self._requests: SimpleQueue[pb.AttendRequest | None] = SimpleQueue()
        with_parameter = [self.agent] if takes_parameter else []
        self._requests.put(
            pb.AttendRequest(agents=[self.agent], key=server.host_key, with_parameter=with_parameter, memory=memory)
        )
        self._responses: Any = self.hosts.Attend(iter(self._requests.get, None))

    def is_listed(self) -> bool:
        """Return whether the game manager lists the agent."""
        return self.agent in self.hosts.ListAgents(pb.ListAgentsRequest()).agents

    def wait(self) -> None:
        """Wait until the agent is listed."""
        give_up = time.monotonic() + _WAIT_SECONDS
        while not self.is_listed():
            if not self._responses.is_active():
                list(self._responses)  # raises the error that ended the stream
            if time.monotonic() > give_up:
                raise Wrong(f"a host attends, but ListAgents did not list its agent within {_WAIT_SECONDS} seconds")
            time.sleep(0.02)

    def chairs(self, count: int) -> list[pb.AttendResponse]:
        """Return the next `count` chairs that the game manager gives the host."""
        return [next(self._responses) for _ in range(count)]

    def question(self) -> pb.AttendResponse.Question:
        """Return the game manager's next question to the host."""
        response: pb.AttendResponse = next(self._responses)
        if not response.HasField("question"):
            raise Wrong(f"a host whose agent takes a parameter got {response}, expected a question about it")
        return response.question

    def answer(self, question: pb.AttendResponse.Question, problem: str = "") -> None:
        """Answer a question: `problem` says why the agent cannot play, empty if it can."""
        verdict = pb.AttendRequest.Verdict(question_id=question.question_id, problem=problem)
        self._requests.put(pb.AttendRequest(verdict=verdict))

    def play(
        self, tokens: list[str], hand_count: int, mark: tables_pb2.Mark.ValueType = tables_pb2.MARK_UNSPECIFIED
    ) -> None:
        """Check and call in these chairs until `hand_count` hands are over and the next begins or the table closes."""
        while True:
            for token in tokens:
                view = self._tables.GetView(tables_pb2.GetViewRequest(token=token)).view
                if view.status == tables_pb2.TABLE_STATUS_CLOSED or view.hand_number > hand_count:
                    return
                if view.is_your_turn:
                    chosen = decision(view, CALL)
                    chosen.mark = mark
                    self._tables.TakeAction(tables_pb2.TakeActionRequest(token=token, decision=chosen))

    def close(self) -> None:
        """Hang up."""
        self._requests.put(None)
        self._responses.cancel()


@contextmanager
def attending(
    server: Server, takes_parameter: bool = False, memory: pb.Memory.ValueType = pb.MEMORY_NONE
) -> Iterator[CallingHost]:
    """Yield a host whose agent the game manager lists; hang up at the end of the block."""
    host = CallingHost(server, takes_parameter, memory)
    try:
        host.wait()
        yield host
    finally:
        host.close()
