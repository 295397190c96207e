"""What tables refuse."""

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
    ("CreateTable", "a buy-in below zero", _create(buy_in=-1), _INVALID),
    ("CreateTable", "a clock below zero", _create(clock_ms=-1), _INVALID),
    ("CreateTable", "a pause of a day", _create(pause_ms=86_400_000), _INVALID),
    ("CreateTable", "an agent that nobody offers", _create(agents=["nobody-offers-this"]), _MISSING),
    ("CreateTable", "5,000 agents", _create(agents=["x"] * 5000), _INVALID),
    ("JoinTable", "a table that is not there", pb.JoinTableRequest(table_id="none", name="ann"), _MISSING),
    ("JoinTable", "a name that is not printable", pb.JoinTableRequest(table_id="none", name="\x1b[31m"), _INVALID),
    ("GetView", "a token of a million letters", pb.GetViewRequest(token="x" * 1_000_000), _MISSING),
    ("TakeAction", "no token", pb.TakeActionRequest(), _INVALID),
    ("CreateTable", "a way to reveal cards that there is not", _create(reveal=99), _INVALID),
    ("Contribute", "no token", pb.ContributeRequest(), _INVALID),
    ("LeaveTable", "no token", pb.LeaveTableRequest(), _MISSING),
    ("Rebuy", "a token that nothing answers to", pb.RebuyRequest(token="a.b"), _MISSING),  # noqa: S106
    ("Watch", "a table that is not there", pb.WatchRequest(table_id="none"), _MISSING),
    ("ListHands", "a table that is not there", pb.ListHandsRequest(table_id="none"), _MISSING),
    ("CloseTable", "a table that is not there", pb.CloseTableRequest(table_id="none"), _MISSING),
)


def _check(method: str, request: Message, code: str) -> Run:
    def run(server: Server) -> None:
        refused(getattr(TablesStub(server.channel), method), request, code)

    return run


for _method, _words, _request, _code in REFUSALS:
    TABLES.add(_method, f"refuses {_words} with {_code}", _check(_method, _request, _code))
