"""The tables' contract for asynchronous clients, such as bots and the page; errors are grpc.RpcError."""

from typing import Any

from riverboat.clients.remote.streams import ValueStream
from riverboat.contracts.tables import Decision, JoinedChair, Refusal, Unreadable
from riverboat.dealing.memory import Contribution
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert import tables_client as convert
from riverboat.rpc.convert.deals import encode_contribution
from riverboat.rpc.convert.tables import encode_decision
from riverboat.tables.records import HandRecord
from riverboat.tables.view import PublicUpdate, TableView

_JOIN_SECONDS = 10
_LEAVE_SECONDS = 5
_LIST_SECONDS = 5

PlayAnswer = TableView | Refusal | Unreadable


class PlayStream(ValueStream[PlayAnswer]):
    """A chair's connection to its table: decisions and contributions out, views and refusals in."""

    def __init__(self, call: Any) -> None:
        super().__init__(call, convert.decode_answer)

    async def sit(self, token: str) -> None:
        """Take the chair that the token belongs to; this must be the first call."""
        await self.write(pb.PlayRequest(token=token))

    async def decide(self, decision: Decision) -> None:
        """Send a decision."""
        await self.write(pb.PlayRequest(decision=encode_decision(decision)))

    async def contribute(self, contribution: Contribution) -> None:
        """Contribute to the shuffle of the next hand."""
        await self.write(pb.PlayRequest(contribution=encode_contribution(contribution)))


class PlayClient:
    """A client of one game manager's tables, for programs that play."""

    def __init__(self, channel: Any) -> None:
        self._stub: Any = TablesStub(channel)

    def play(self) -> PlayStream:
        """Open a connection for a chair."""
        return PlayStream(self._stub.Play())

    def watch(self, *, table_id: str, dealer_token: str = "") -> ValueStream[PublicUpdate]:
        """Follow a table from its first event that is kept; with the dealer's token, with all cards of agents."""
        request = pb.WatchRequest(table_id=table_id, dealer_token=dealer_token)
        return ValueStream(self._stub.Watch(request), convert.decode_update)

    async def join(self, *, table_id: str, name: str, request_id: str) -> JoinedChair:
        """Take any free chair and take part in the shuffle; the same request id gets the same chair."""
        request = pb.JoinTableRequest(table_id=table_id, name=name, request_id=request_id, contributes=True)
        return convert.decode_joined(await self._stub.JoinTable(request, timeout=_JOIN_SECONDS))

    async def leave(self, *, token: str) -> bool:
        """Get up and give up the hand, if there is one; return whether the chair is free now."""
        request = pb.LeaveTableRequest(token=token, give_up=True)
        return bool((await self._stub.LeaveTable(request, timeout=_LEAVE_SECONDS)).at_once)

    async def list_hands(self, *, table_id: str, first_hand: int, hand_count: int) -> list[HandRecord | Unreadable]:
        """Return hands that are over, from a number on; the server may list fewer at a time."""
        request = pb.ListHandsRequest(table_id=table_id, first_hand=first_hand, hand_count=hand_count)
        return convert.decode_records(await self._stub.ListHands(request, timeout=_LIST_SECONDS))
