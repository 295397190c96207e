"""Matches of the checks' own agent against itself."""

from typing import Any

from riverboat.clients.conformance.check import Run
from riverboat.clients.conformance.expectations import close, refused, require, same
from riverboat.clients.conformance.gamemanager.attendance import CallingHost, attending
from riverboat.clients.conformance.gamemanager.common import MATCHES, NO_LIMIT
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as pb_hosts
from riverboat.protos.gamemanager.v1 import matches_pb2 as pb
from riverboat.protos.gamemanager.v1 import tables_pb2
from riverboat.protos.gamemanager.v1.matches_pb2_grpc import MatchesStub
from riverboat.protos.gamemanager.v1.tables_pb2_grpc import TablesStub

_DEALS = 4
_BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a stack of 0": ({"stack": 0}, "INVALID_ARGUMENT"),
    "no deals": ({"deal_count": 0}, "INVALID_ARGUMENT"),
    "a negative number of deals": ({"deal_count": -5}, "INVALID_ARGUMENT"),
    "an agent that no host offers": ({"agents": ["nobody-offers-this"] * 2}, "NOT_FOUND"),
    "no agents": ({"agents": []}, "INVALID_ARGUMENT"),
    "eleven agents": ({"agents": ["x"] * 11}, "INVALID_ARGUMENT"),
}


def _request(agents: list[str], **more: Any) -> pb.StartMatchRequest:
    usual = {"variant": NO_LIMIT, "stack": 10_000, "agents": agents, "deal_count": _DEALS, "clock_ms": 60_000}
    return pb.StartMatchRequest(**{**usual, **more})


def _start(server: Server, host: CallingHost, **more: Any) -> pb.StartMatchResponse:
    return MatchesStub(server.channel).StartMatch(_request([host.agent, host.agent], **more))


@MATCHES("StartMatch", "an agent scores 0 in a duplicate match against itself", 120)
def duplicate(server: Server) -> None:
    with attending(server) as host:
        begun = _start(server, host, duplicate=True)
        require(bool(begun.dealer_token), "StartMatch: the answer has no dealer_token")
        chairs = host.chairs(4)
        sides = sorted((chair.instance, chair.table_id == begun.match_id) for chair in chairs)
        same(
            "chairs of the match: instance, and whether the table has the match's id",
            sides,
            [(0, True)] * 2 + [(1, False)] * 2,
        )
        same("chairs of the match: match_id", {chair.match_id for chair in chairs}, {begun.match_id})
        tables = list(begun.table_ids)
        same(
            "table_ids of the match, compared with its chairs",
            sorted(tables),
            sorted({chair.table_id for chair in chairs}),
        )
        for table_id in tables:
            host.play([chair.token for chair in chairs if chair.table_id == table_id], _DEALS)
        *_, last = MatchesStub(server.channel).WatchMatch(pb.WatchMatchRequest(match_id=begun.match_id))
        counts = last.hand_count, last.wanted_count, last.timed_out_count, last.is_over
        same("a duplicate match of four deals: hands, wanted, timed out, over", counts, (8, 8, 0, True))
        same(
            "a duplicate match of an agent against itself: names",
            [score.name for score in last.scores],
            [host.agent, f"{host.agent} 2"],
        )
        for score in last.scores:
            close("a duplicate match of an agent against itself: mbb/hand", score.mbb, 0.0)
            close("a duplicate match of an agent against itself: margin", score.margin, 0.0)


@MATCHES("StartMatch", "refuses a duplicate match in which one process would have to play both sides", 120)
def remembered(server: Server) -> None:
    for memory in (pb_hosts.MEMORY_UNSPECIFIED, pb_hosts.MEMORY_KEPT):
        with attending(server, memory=memory) as host:
            wish = _request([host.agent, host.agent], duplicate=True)
            refused(MatchesStub(server.channel).StartMatch, wish, "FAILED_PRECONDITION")


@MATCHES("StartMatch", "withholds the hands of a deal until both sides have played it", 120)
def withheld(server: Server) -> None:
    with attending(server) as host:
        begun = _start(server, host, duplicate=True)
        chairs = host.chairs(4)
        first, second = (
            [chair.token for chair in chairs if chair.table_id == table_id] for table_id in begun.table_ids
        )
        host.play(first, 2)
        listed = tables_pb2.ListHandsRequest(table_id=begun.match_id)
        tables = TablesStub(server.channel)
        same("number of hands listed before the other side has played", len(tables.ListHands(listed).hands), 0)
        host.play(second, _DEALS)
        require(len(tables.ListHands(listed).hands) >= 2, "hands that both sides have played are not listed")
        host.play(first, _DEALS)
        same("number of hands listed after the match", len(tables.ListHands(listed).hands), _DEALS)


@MATCHES("WatchMatch", "counts decisions by their mark", 120)
def marked(server: Server) -> None:
    with attending(server) as host:
        begun = _start(server, host, deal_count=1)
        host.play([chair.token for chair in host.chairs(2)], 1, tables_pb2.MARK_FALLBACK)
        *_, last = MatchesStub(server.channel).WatchMatch(pb.WatchMatchRequest(match_id=begun.match_id))
        listed = TablesStub(server.channel).ListHands(tables_pb2.ListHandsRequest(table_id=begun.match_id))
        moves = [event.moved for event in listed.hands[0].events if event.HasField("moved")]
        marks = listed.hands[0].events[-1].hand_ended.marks
        same("a hand of fallbacks: marks", [mark.action_number for mark in marks], list(range(len(moves))))
        same("a hand of fallbacks: seats of the marks", [mark.seat for mark in marks], [move.seat for move in moves])
        counts = [score.decisions for score in last.scores]
        same(
            "a hand of fallbacks: decision_count of all players",
            sum(count.decision_count for count in counts),
            len(moves),
        )
        same(
            "a hand of fallbacks: fallback_count of all players",
            sum(count.fallback_count for count in counts),
            len(moves),
        )
        same("a hand of fallbacks: partial_count of all players", sum(count.partial_count for count in counts), 0)


@MATCHES("WatchMatch", "sends the result so far at once")
def watched(server: Server) -> None:
    with attending(server) as host:
        begun = _start(server, host)
        matches = MatchesStub(server.channel)
        stream: Any = matches.WatchMatch(pb.WatchMatchRequest(match_id=begun.match_id))
        first = next(stream)
        stream.cancel()
        same("a new match: wanted hands, over", (first.wanted_count, first.is_over), (_DEALS, False))
        matches.CancelMatch(pb.CancelMatchRequest(match_id=begun.match_id, dealer_token=begun.dealer_token))


@MATCHES("WatchMatch", "refuses an unknown match")
def not_there(server: Server) -> None:
    refused(MatchesStub(server.channel).WatchMatch, pb.WatchMatchRequest(match_id="none"), "NOT_FOUND")


@MATCHES("CancelMatch", "ends a match after the current hand, and only for the client that started it", 120)
def cancelled(server: Server) -> None:
    matches = MatchesStub(server.channel)
    refused(matches.CancelMatch, pb.CancelMatchRequest(match_id="none"), "NOT_FOUND")
    with attending(server) as host:
        begun = _start(server, host, deal_count=100_000)
        wrong = pb.CancelMatchRequest(match_id=begun.match_id, dealer_token="x")  # noqa: S106  # no secret
        refused(matches.CancelMatch, wrong, "PERMISSION_DENIED")
        chairs = host.chairs(2)
        host.play([chair.token for chair in chairs], 1)
        matches.CancelMatch(pb.CancelMatchRequest(match_id=begun.match_id, dealer_token=begun.dealer_token))
        host.play([chair.token for chair in chairs], 100_000)
        *_, last = matches.WatchMatch(pb.WatchMatchRequest(match_id=begun.match_id))
        same("a cancelled match: over", last.is_over, True)
        require(0 < last.hand_count < 100, f"a match that was cancelled after one hand has {last.hand_count} hands")


def _refuses(more: dict[str, Any], code: str) -> Run:
    def run(server: Server) -> None:
        if "agents" in more:
            refused(MatchesStub(server.channel).StartMatch, _request(**more), code)
            return
        with attending(server) as host:
            refused(MatchesStub(server.channel).StartMatch, _request([host.agent, host.agent], **more), code)

    return run


for _words, (_more, _code) in _BAD.items():
    MATCHES.add("StartMatch", f"refuses {_words} with {_code}", _refuses(_more, _code))
