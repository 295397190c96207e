"""Play: a chair as a stream of views and decisions."""

from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from riverboat.clients.conformance.check import Wrong
from riverboat.clients.conformance.expectations import refused, require, same
from riverboat.clients.conformance.gamemanager.common import CALL, FOLD, TABLES
from riverboat.clients.conformance.gamemanager.hands import CheckTable, decision, open_table
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

_ILLEGAL, _INVALID, _ABORTED = 9, 3, 10  # gRPC status codes


class _Seat:
    """One chair's stream."""

    def __init__(self, tables: TablesStub, token: str) -> None:
        self._requests: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        self._requests.put(pb.PlayRequest(token=token))
        self.answers: Any = tables.Play(iter(self._requests.get, None))

    def send(self, chosen: pb.Decision | None) -> None:
        """Send a decision, or an empty request."""
        self._requests.put(pb.PlayRequest(decision=chosen) if chosen else pb.PlayRequest())

    def next(self) -> pb.PlayResponse:
        """Return the next answer."""
        for answer in self.answers:
            response: pb.PlayResponse = answer
            return response
        raise Wrong("Play ended although the table is open and the player sits at it")

    def close(self) -> None:
        """Hang up."""
        self._requests.put(None)
        self.answers.cancel()


@contextmanager
def _seat(table: CheckTable, token: str) -> Iterator[_Seat]:
    seat = _Seat(table.tables, token)
    try:
        yield seat
    finally:
        seat.close()


@TABLES("Play", "sends a view at once, and another after every change")
def views(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        token, _ = table.turn()
        with _seat(table, token) as seat:
            first = seat.next().view
            same("Play, the acting player's first view: is_your_turn", first.is_your_turn, True)
            seat.send(decision(first, CALL))
            second = seat.next().view
            got = second.is_your_turn, second.action_number
            same("Play, the view after a call: is_your_turn and action_number", got, (False, 1))


@TABLES("Play", "a refused decision does not end the stream")
def refusals(server: Server) -> None:
    with open_table(server, "ann", "bob") as table:
        token, view = table.turn()
        with _seat(table, token) as seat:
            seat.next()
            seat.send(decision(view, Action(raise_to=101), "too small"))
            refusal = seat.next().refusal
            same("Play, a raise to 101: refusal", (refusal.request_id, refusal.code), ("too small", _ILLEGAL))
            require(bool(refusal.message), "Play, a raise to 101: the refusal does not say why")
            stale = decision(view, CALL, "stale")
            stale.hand_number += 1
            seat.send(stale)
            refusal = seat.next().refusal
            same("Play, an action for the next hand: refusal", (refusal.request_id, refusal.code), ("stale", _ABORTED))
            seat.send(None)
            same("Play, a request without token and decision: code", seat.next().refusal.code, _INVALID)
            seat.send(decision(view, FOLD))
            same("Play, the view after a fold: is_your_turn", seat.next().view.is_your_turn, False)


@TABLES("Play", "ends when the table closes")
def ends(server: Server) -> None:
    with open_table(server, "ann", "bob", hand_limit=1) as table:
        token, view = table.turn()
        with _seat(table, token) as seat:
            seat.next()
            seat.send(decision(view, FOLD))
            *_, last = seat.answers
            status = pb.TableStatus.Name(last.view.status)
            same("Play at a table with a limit of one hand, the status in the last view", status, "TABLE_STATUS_CLOSED")


@TABLES("Play", "refuses a stream that does not begin with a valid token")
def begins(server: Server) -> None:
    tables = TablesStub(server.channel)
    refused(tables.Play, [pb.PlayRequest()], "INVALID_ARGUMENT")
    refused(tables.Play, [pb.PlayRequest(decision=pb.Decision())], "INVALID_ARGUMENT")
    refused(tables.Play, [pb.PlayRequest(token="nonsense")], "NOT_FOUND")  # noqa: S106  # no secret
