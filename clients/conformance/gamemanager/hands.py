"""A table for a check to play at, closed at the end of the check."""

import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import grpc

from riverboat.clients.conformance.check import Wrong
from riverboat.clients.conformance.gamemanager.common import CALL, NO_LIMIT
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import state_manager_pb2, tables_pb2
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

BUY_IN = 100_000  # a thousand big blinds: nobody goes broke while a check plays
_POLL_SECONDS = 0.02
_WAIT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class CheckTable:
    """A table, and the tokens of its players."""

    tables: TablesStub
    table_id: str
    dealer_token: str
    tokens: tuple[str, ...]

    def view(self, token: str) -> tables_pb2.View:
        """Return the view of a chair."""
        return self.tables.GetView(tables_pb2.GetViewRequest(token=token)).view

    def turn(self) -> tuple[str, tables_pb2.View]:
        """Wait until a chair is to act; return its token and its view."""
        return wait_for_turn(self.tables, self.tokens)

    def act(self, action: state_manager_pb2.Action) -> tables_pb2.View:
        """Take an action for the acting chair."""
        token, view = self.turn()
        return self.take(token, decision(view, action))

    def take(self, token: str, chosen: tables_pb2.Decision) -> tables_pb2.View:
        """Take an action."""
        return self.tables.TakeAction(tables_pb2.TakeActionRequest(token=token, decision=chosen)).view

    def call_down(self) -> tables_pb2.View:
        """Check and call until the hand is over; return the first chair's view."""
        give_up = time.monotonic() + _WAIT_SECONDS
        hand = self.turn()[1].hand_number
        while time.monotonic() < give_up:
            view = self.view(self.tokens[0])
            if view.hand_number == hand and view.events and view.events[-1].HasField("hand_ended"):
                return view
            self.act(CALL)
        raise Wrong(f"everybody checks and calls, but the hand was not over after {_WAIT_SECONDS} seconds")


def config(**more: Any) -> tables_pb2.TableConfig:
    """Return the usual settings of a table, with changes."""
    usual = {"name": "conformance", "variant": NO_LIMIT, "chair_count": 4, "buy_in": BUY_IN, "clock_ms": 60_000}
    return tables_pb2.TableConfig(**{**usual, "pause_ms": 60_000, **more})


def decision(view: tables_pb2.View, action: state_manager_pb2.Action, request_id: str = "") -> tables_pb2.Decision:
    """Return a decision about a view."""
    return tables_pb2.Decision(
        request_id=request_id or uuid.uuid4().hex,
        hand_number=view.hand_number,
        action_number=view.action_number,
        action=action,
    )


def wait_for_turn(tables: TablesStub, tokens: Sequence[str]) -> tuple[str, tables_pb2.View]:
    """Wait until one of these chairs is to act; return its token and its view."""
    give_up = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < give_up:
        for token in tokens:
            view = tables.GetView(tables_pb2.GetViewRequest(token=token)).view
            if view.is_your_turn:
                return token, view
        time.sleep(_POLL_SECONDS)
    raise Wrong(f"two players sit at a table, but nobody was to act within {_WAIT_SECONDS} seconds")


@contextmanager
def open_table(server: Server, *names: str, **more: Any) -> Iterator[CheckTable]:
    """Open a table for these players, and close it at the end of the block."""
    tables = TablesStub(server.channel)
    created = tables.CreateTable(tables_pb2.CreateTableRequest(config=config(**more)))
    table_id = created.table.table_id
    tokens: list[str] = []
    try:
        for name in names:
            tokens.append(tables.JoinTable(tables_pb2.JoinTableRequest(table_id=table_id, name=name)).token)
        yield CheckTable(tables, table_id, created.dealer_token, tuple(tokens))
    finally:
        with suppress(grpc.RpcError):
            tables.CloseTable(tables_pb2.CloseTableRequest(table_id=table_id, dealer_token=created.dealer_token))
            for token in tokens:  # the table closes at once instead of waiting for the hand to end
                tables.LeaveTable(tables_pb2.LeaveTableRequest(token=token, give_up=True))
