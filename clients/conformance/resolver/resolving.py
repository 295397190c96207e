"""Resolve: an action, the ranges after it, and the values for the next decision."""

from typing import Any

import grpc
import numpy as np

from riverboat.clients.conformance.expectations import array, close, require, same
from riverboat.clients.conformance.resolver.common import (
    CALL,
    FOLD,
    RESOLVER,
    Action,
    asked,
    floats,
    ranges,
    river,
    step,
    stub,
    turn,
)
from riverboat.clients.conformance.server import Server
from riverboat.holdings import live_holdings
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.spots.spot import Spot

_SHORT_SECONDS = (5, 10, 20)  # a busy machine may narrowly miss a deadline: three tries


def request_of(where: Spot, **more: Any) -> pb.ResolveRequest:
    """Return a request to resolve a spot with both ranges."""
    own, other = ranges(where)
    usual = {"own_range": own, "opponent_range": other, "budget": pb.Budget(iterations=100), "seed": 3}
    return pb.ResolveRequest(spot=asked(where), **{**usual, **more})


@RESOLVER("Resolve", "returns a strategy, one of its actions, and the range after that action", 120)
def with_ranges(server: Server) -> None:
    where = river()
    resolved = stub(server).Resolve(request_of(where))
    require(resolved.action in resolved.actions, "Resolve: `action` is not among `actions`")
    strategy = floats("Resolve, strategy", resolved.strategy, len(resolved.actions), where)
    held = live_holdings(where.public.variant.deck, where.public.board) & (where.weights[0] > 0)
    close("Resolve: the smallest sum of a holding's strategy", float(strategy[:, held].sum(axis=0).min()), 1, 1e-3)
    after = array("Resolve, own_range", resolved.own_range, "<f4", where.weights.shape[1])
    expected = where.weights[0] * strategy[list(resolved.actions).index(resolved.action)]
    away = float(np.abs(after - expected / expected.sum()).max())
    require(away < 1e-4, f"Resolve: own_range differs by {away:.5f} from Bayes' rule for the action")
    floats("Resolve, values", resolved.values, 2, where)


@RESOLVER("Resolve", "the same request gives the same answer", 120)
def repeated(server: Server) -> None:
    first, again = (stub(server).Resolve(request_of(turn())) for _ in range(2))
    is_same = (first.strategy, first.action) == (again.strategy, again.action)
    require(is_same, "Resolve twice with the same seed: the strategy or the action differs")


@RESOLVER("Resolve", "with values instead of a range, the opponent gets no more than these values", 120)
def safely(server: Server) -> None:
    where = river()
    first = stub(server).Resolve(request_of(where))
    values = floats("Resolve, values", first.values, 2, where)[1]
    bound = np.where(where.weights[1] > 0, values, np.nan).astype("<f4").tobytes()
    safe = request_of(where, opponent_range=b"", opponent_values=bound, budget=pb.Budget(iterations=300))
    resolved = stub(server).Resolve(safe)
    same("Resolve without opponent_range: opponent_range", resolved.opponent_range, b"")
    require(
        resolved.cost.exploitability < 3,
        f"Resolve with values: exploitability {resolved.cost.exploitability} chips of 60, expected less than 3",
    )


@RESOLVER("Resolve", "returns the opponent's replies to a given action", 120)
def replies(server: Server) -> None:
    where = turn()
    resolved = stub(server).Resolve(request_of(where, path=[step(CALL)]))
    same("Resolve after a check: action", resolved.action, CALL)
    same("Resolve after a check: number of replies (check, pot, all-in)", len(resolved.replies), 3)
    floats("Resolve after a check, reply_strategy", resolved.reply_strategy, 3, where)
    bet = stub(server).Resolve(request_of(where, path=[step(Action(raise_to=60))]))
    same("Resolve after a bet: the first reply", bet.replies[0], FOLD)
    done = stub(server).Resolve(request_of(where, path=[step(CALL), step(CALL)]))
    same("Resolve after two checks: number of replies", len(done.replies), 0)


@RESOLVER("Resolve", "returns the best strategy so far at a short deadline", 60)
def in_time(server: Server) -> None:
    request = request_of(turn(), budget=pb.Budget(iterations=100_000_000))
    resolved = _in_one_of(server, request)
    same("Resolve of 100,000,000 iterations within a deadline: is_partial", resolved.cost.is_partial, True)
    require(resolved.cost.iterations > 0, "Resolve of 100,000,000 iterations within a deadline: no iteration was made")


def _in_one_of(server: Server, request: pb.ResolveRequest) -> pb.ResolveResponse:
    """Return the answer within the first deadline that the server meets."""
    *shorter, last = _SHORT_SECONDS
    for seconds in shorter:
        try:
            return stub(server).Resolve(request, timeout=seconds)
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED:
                raise
    return stub(server).Resolve(request, timeout=last)
