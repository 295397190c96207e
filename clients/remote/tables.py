"""The tables' contract with values instead of messages; errors are grpc.RpcError."""

import uuid
from collections.abc import Generator, Iterator
from threading import Event
from typing import Any

import grpc

from riverboat.clients.remote.channels import is_answered
from riverboat.clients.remote.refusals import Refused, readable
from riverboat.contracts.tables import CreatedTable, Decision, JoinedChair, ListedTables, Unreadable
from riverboat.dealing.memory import Contribution
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub
from riverboat.rpc.convert import tables_client as convert
from riverboat.rpc.convert.deals import encode_contribution
from riverboat.rpc.convert.tables import encode_config, encode_decision
from riverboat.tables.config import TableConfig
from riverboat.tables.records import HandRecord
from riverboat.tables.view import PublicUpdate, TableInfo, TableView

_CALL_SECONDS = 10
_HANDS_SECONDS = 60
_HANDS_AT_A_TIME = 200  # a message has room for some thousands


class TablesClient:
    """A client of one game manager's tables."""

    def __init__(self, channel: grpc.Channel, address: str) -> None:
        self._address = address
        self._stub: Any = TablesStub(channel)

    def answers(self, timeout: float) -> bool:
        """Return whether the game manager answers within `timeout` seconds."""
        return is_answered(self._stub.ListTables, pb.ListTablesRequest(), timeout)

    def list_tables(self, *, include_closed: bool = False) -> ListedTables:
        """Return the tables, without those that are closed unless `include_closed`."""
        answer = self._stub.ListTables(pb.ListTablesRequest(include_closed=include_closed))
        with self._readable():
            return convert.decode_tables(answer)

    def info(self, table_id: str) -> TableInfo:
        """Return a table as everybody sees it; NOT_FOUND if there is none."""
        answer = self._stub.ListTables(pb.ListTablesRequest(table_id=table_id))
        with self._readable():
            return convert.decode_tables(answer).tables[0]

    def create(self, config: TableConfig) -> CreatedTable:
        """Open a table."""
        answer = self._stub.CreateTable(pb.CreateTableRequest(config=encode_config(config)))
        with self._readable():
            return convert.decode_created(answer)

    def close(self, *, table_id: str, dealer_token: str, timeout: float) -> None:
        """Close a table, after the hand if one is being played."""
        self._stub.CloseTable(pb.CloseTableRequest(table_id=table_id, dealer_token=dealer_token), timeout=timeout)

    def join(self, *, table_id: str, name: str) -> JoinedChair:
        """Take any free chair, and take part in the shuffle."""
        request = pb.JoinTableRequest(table_id=table_id, name=name, request_id=uuid.uuid4().hex, contributes=True)
        return convert.decode_joined(self._stub.JoinTable(request))

    def leave(self, *, token: str, give_up: bool = False, timeout: float = _CALL_SECONDS) -> bool:
        """Get up, after the hand if there is one, which may be given up; return whether the chair is free now."""
        return bool(self._stub.LeaveTable(pb.LeaveTableRequest(token=token, give_up=give_up), timeout=timeout).at_once)

    def take_action(self, *, token: str, decision: Decision) -> None:
        """Act. The same decision may be sent again."""
        request = pb.TakeActionRequest(token=token, decision=encode_decision(decision))
        self._stub.TakeAction(request, timeout=_CALL_SECONDS)

    def contribute(self, *, token: str, contribution: Contribution) -> None:
        """Contribute to the shuffle of the next hand."""
        request = pb.ContributeRequest(token=token, contribution=encode_contribution(contribution))
        self._stub.Contribute(request, timeout=_CALL_SECONDS)

    def rebuy(self, *, token: str, chips: int) -> int:
        """Buy chips; return the stack."""
        return int(self._stub.Rebuy(pb.RebuyRequest(token=token, chips=chips), timeout=_CALL_SECONDS).stack)

    def views(self, *, token: str, until: Event) -> Iterator[TableView | Unreadable]:
        """Yield what a chair may see, until the chair or the table is gone, or `until` is set.

        Nothing is decided by this stream: decisions go by `take_action`, which can be tried again.
        """
        requests = _token_then_silence(token, until)
        for answer in self._stub.Play(requests):
            seen = convert.decode_answer(answer)
            if isinstance(seen, TableView | Unreadable):
                yield seen

    def watch(self, *, table_id: str, from_number: int, dealer_token: str = "") -> Generator[PublicUpdate]:
        """Yield what happens at a table from an event on; with the dealer's token, all cards of agents."""
        stream = self._stub.Watch(
            pb.WatchRequest(table_id=table_id, from_number=from_number, dealer_token=dealer_token)
        )
        try:
            for answer in stream:
                with self._readable():
                    update = convert.decode_update(answer)
                yield update
        finally:
            stream.cancel()

    def list_hands(self, *, table_id: str, first_hand: int, hand_count: int) -> list[HandRecord | Unreadable]:
        """Return hands that are over, from a number on; the server may list fewer at a time."""
        request = pb.ListHandsRequest(table_id=table_id, first_hand=first_hand, hand_count=hand_count)
        return convert.decode_records(self._stub.ListHands(request, timeout=_HANDS_SECONDS))

    def hands(self, table_id: str, *, first: int = 1, until: int | None = None) -> Iterator[HandRecord]:
        """Yield hands that are over, from number `first` up to `until`, without it."""
        while until is None or first < until:
            count = _HANDS_AT_A_TIME if until is None else min(_HANDS_AT_A_TIME, until - first)
            records = self.list_hands(table_id=table_id, first_hand=first, hand_count=count)
            for record in records:
                if isinstance(record, Unreadable):
                    raise Refused(f"hand {record.hand_number} of table {table_id} cannot be read: {record.reason}")
                yield record
            if not records or records[-1].hand_number < first:
                return  # a server that lists the wrong hands would repeat them for ever
            first = records[-1].hand_number + 1

    def _readable(self) -> Any:
        return readable("game manager", self._address)


def _token_then_silence(token: str, until: Event) -> Iterator[pb.PlayRequest]:
    """Yield the token, then keep the stream open."""
    yield pb.PlayRequest(token=token)
    until.wait()
