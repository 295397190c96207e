"""Requests that tables must refuse."""

from google.protobuf.message import Message

from riverboat.clients.conformance.check import Run
from riverboat.clients.conformance.expectations import refused
from riverboat.clients.conformance.gamemanager.common import TABLES
from riverboat.clients.conformance.gamemanager.hands import config
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

_INVALID, _MISSING = "INVALID_ARGUMENT", "NOT_FOUND"


def _create(**more: object) -> pb.CreateTableRequest:
    return pb.CreateTableRequest(config=config(**more))


REFUSALS: tuple[tuple[str, str, Message, str], ...] = (
    ("CreateTable", "no settings", pb.CreateTableRequest(), _INVALID),
    ("CreateTable", "99 chairs", _create(chair_count=99), _INVALID),
    ("CreateTable", "a negative buy-in", _create(buy_in=-1), _INVALID),
    ("CreateTable", "a negative clock", _create(clock_ms=-1), _INVALID),
    ("CreateTable", "no clock where two people may sit", _create(no_clock=True), _INVALID),
    ("CreateTable", "a pause of a day", _create(pause_ms=86_400_000), _INVALID),
    ("CreateTable", "an agent that no host offers", _create(agents=["nobody-offers-this"]), _MISSING),
    ("CreateTable", "5,000 agents", _create(agents=["x"] * 5000), _INVALID),
    ("JoinTable", "an unknown table", pb.JoinTableRequest(table_id="none", name="ann"), _MISSING),
    (
        "JoinTable",
        "a name with unprintable characters",
        pb.JoinTableRequest(table_id="none", name="\x1b[31m"),
        _INVALID,
    ),
    ("GetView", "a token of 1,000,000 characters", pb.GetViewRequest(token="x" * 1_000_000), _MISSING),
    ("TakeAction", "no token", pb.TakeActionRequest(), _INVALID),
    ("CreateTable", "an unknown value of reveal", _create(reveal=99), _INVALID),
    ("Contribute", "no token", pb.ContributeRequest(), _INVALID),
    ("LeaveTable", "no token", pb.LeaveTableRequest(), _MISSING),
    ("Rebuy", "an unknown token", pb.RebuyRequest(token="a.b"), _MISSING),  # noqa: S106
    ("Watch", "an unknown table", pb.WatchRequest(table_id="none"), _MISSING),
    ("ListHands", "an unknown table", pb.ListHandsRequest(table_id="none"), _MISSING),
    ("CloseTable", "an unknown table", pb.CloseTableRequest(table_id="none"), _MISSING),
)


def _check(method: str, request: Message, code: str) -> Run:
    def run(server: Server) -> None:
        refused(getattr(TablesStub(server.channel), method), request, code)

    return run


for _method, _words, _request, _code in REFUSALS:
    TABLES.add(_method, f"refuses {_words} with {_code}", _check(_method, _request, _code))
