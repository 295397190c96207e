"""Requests that a resolver must refuse."""

from typing import Any

import numpy as np

from riverboat.clients.conformance.check import Run
from riverboat.clients.conformance.expectations import refused
from riverboat.clients.conformance.resolver.common import CALL, RESOLVER, asked, river, step, stub, turn
from riverboat.clients.conformance.resolver.common import request_of as solve_request
from riverboat.clients.conformance.resolver.resolving import request_of as resolve_request
from riverboat.clients.conformance.server import Server
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.resolver.v1 import resolver_pb2 as pb

_INVALID = "INVALID_ARGUMENT"
_NONE, _FEW = np.zeros(276, "<f4").tobytes(), np.ones(5, "<f4").tobytes()
_INFINITE, _NAN = (np.full(276, value, "<f4").tobytes() for value in (np.inf, np.nan))


def _solve(**changes: Any) -> pb.SolveRequest:
    request = solve_request(river(), 5)
    for name, value in changes.items():
        request.ClearField(name)  # type: ignore[arg-type]  # a name of a field
        request.MergeFrom(pb.SolveRequest(**{name: value}))
    return request


def _resolve(**changes: Any) -> pb.ResolveRequest:
    return resolve_request(turn(), **changes)


SOLVE: tuple[tuple[str, pb.SolveRequest, str], ...] = (
    ("no ranges", _solve(ranges=b""), "ranges"),
    ("ranges that are NaN", _solve(ranges=np.full(2652, np.nan, "<f4").tobytes()), "ranges"),
    ("ranges that are all zero", _solve(ranges=np.zeros(2652, "<f4").tobytes()), "ranges"),
    ("ranges that are too short", _solve(ranges=np.ones(10, "<f4").tobytes()), "ranges"),
    ("an unknown algorithm", _solve(algorithm="magic"), "algorithm"),
    ("a negative number of iterations", _solve(budget=pb.Budget(iterations=-1)), "budget.iterations"),
    ("no state", _solve(spot=pb.Spot()), "spot.state"),
    ("unreadable sizes", _solve(spot=pb.Spot(state=asked(river()).state, bet_sizes="huge")), "spot.bet_sizes"),
    ("an unknown estimate", _solve(spot=pb.Spot(state=asked(river()).state, leaf="magic")), "spot.leaf"),
    ("a lock at an unknown node", _solve(locks=[pb.Lock(path=[pb.Step(cards="Ah")], strategy=b"1234")]), "locks[0]"),
)
RESOLVE: tuple[tuple[str, pb.ResolveRequest, str], ...] = (
    ("an own range that is all zero", _resolve(own_range=_NONE), "own_range"),
    ("an infinite own range", _resolve(own_range=_INFINITE), "own_range"),
    ("an opponent's range that is too short", _resolve(opponent_range=_FEW), "opponent_range"),
    ("neither a range nor values of the opponent", _resolve(opponent_range=b""), "opponent_range"),
    ("values that are all NaN", _resolve(opponent_range=b"", opponent_values=_NAN), "opponent_values"),
    ("a holding beyond the last", _resolve(holding=276), "holding"),
    ("a holding below the first", _resolve(holding=-1), "holding"),
    ("an action that is not in the tree", _resolve(path=[step(Action(raise_to=7))]), "path[0].action"),
    ("cards where a player is to act", _resolve(path=[pb.Step(cards="Qc")]), "path[0].cards"),
    ("a card that is on the board", _resolve(path=[step(CALL), step(CALL), pb.Step(cards="Ts")]), "path[2].cards"),
    ("an empty step", _resolve(path=[pb.Step()]), "path[0]"),
)


def _refuses(method: str, request: Any, field: str) -> Run:
    def run(server: Server) -> None:
        refused(getattr(stub(server), method), request, _INVALID, field)

    return run


for _words, _bad, _field in SOLVE:
    RESOLVER.add("Solve", f"refuses {_words}, naming {_field}", _refuses("Solve", _bad, _field))
for _words, _wrong, _field in RESOLVE:
    RESOLVER.add("Resolve", f"refuses {_words}, naming {_field}", _refuses("Resolve", _wrong, _field))


@RESOLVER("Solve", "refuses an unknown handle with NOT_FOUND")
def no_solution(server: Server) -> None:
    refused(stub(server).Solve, pb.SolveRequest(handle="nothing"), "NOT_FOUND")


@RESOLVER("GetNode", "refuses an unknown handle with NOT_FOUND")
def no_node(server: Server) -> None:
    refused(stub(server).GetNode, pb.GetNodeRequest(handle="nothing"), "NOT_FOUND")


@RESOLVER("GetNodes", "refuses an unknown handle with NOT_FOUND, and a count out of range")
def no_nodes(server: Server) -> None:
    refused(stub(server).GetNodes, pb.GetNodesRequest(handle="nothing"), "NOT_FOUND")
    refused(
        stub(server).GetNodes, pb.GetNodesRequest(handle="nothing", node_count=-1), "INVALID_ARGUMENT", "node_count"
    )
