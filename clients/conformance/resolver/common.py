"""Shared by all checks of a resolver: spots, and how to solve them."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import grpc
import numpy as np
from numpy.typing import NDArray

from riverboat.cards import find_deck, parse_cards
from riverboat.clients.conformance.check import Checks, Wrong
from riverboat.clients.conformance.expectations import array, short
from riverboat.clients.conformance.gamemanager.common import CALL, FOLD
from riverboat.clients.conformance.server import Server
from riverboat.clients.conformance.vitals import add_vitals
from riverboat.protos.gamemanager.v1.state_manager_pb2 import Action
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.protos.resolver.v1.resolver_pb2_grpc import ResolverStub
from riverboat.ranges import parse_range
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import KUHN, LEDUC
from riverboat.spots.spot import Spot, street_start, whole_game

__all__ = ["CALL", "FOLD", "Action"]

CONTRACT = pb.DESCRIPTOR.services_by_name["Resolver"]
RESOLVER = Checks(CONTRACT.full_name)
add_vitals(RESOLVER, CONTRACT, pb.ListNetworksRequest(), "ListNetworks")

_ALL_IN = parse_bet_sizes("all-in")


def kuhn() -> Spot:
    """Return Kuhn poker from its start."""
    return whole_game(KUHN, 2, _ALL_IN)


def leduc() -> Spot:
    """Return Leduc poker from its start."""
    return whole_game(LEDUC, 13, _ALL_IN)


def spot(board: str, sizes: str, ranges: tuple[str, str], deck: str = "52") -> Spot:
    """Return a spot at the start of a street: 60 chips in the pot, and 120 behind."""
    cards = find_deck(deck)
    weights = np.array([parse_range(text, cards) for text in ranges], np.float32)
    return Spot(street_start(parse_cards(board), 60, 120, deck), weights, parse_bet_sizes(sizes))


def river() -> Spot:
    """Return a river of the full deck, with a pot-sized bet or all-in."""
    return spot("Td9d6hQc2s", "/ / / 1p all-in", ("22+,A2s+,KTs+", "22+,A8s+,KQo"))


def turn() -> Spot:
    """Return a turn of the 24-card deck."""
    return spot("TsTh9sKd", "/ / 1p all-in / 1p", ("AA-99,AKs,JTs", "AA-99,KQs,KQo"), "24")


def asked(where: Spot) -> pb.Spot:
    """Return a spot as a message."""
    return pb.Spot(state=encode_state(where.public), bet_sizes=str(where.sizes))


def ranges(where: Spot) -> list[bytes]:
    """Return both ranges as bytes."""
    return [weights.astype("<f4").tobytes() for weights in where.weights]


def request_of(where: Spot, iterations: int, **more: Any) -> pb.SolveRequest:
    """Return a request to solve a spot."""
    budget = pb.Budget(iterations=iterations)
    return pb.SolveRequest(spot=asked(where), ranges=b"".join(ranges(where)), budget=budget, **more)


def stub(server: Server) -> ResolverStub:
    """Return a client of the resolver."""
    return ResolverStub(server.channel)


def floats(said: str, data: bytes, rows: int, where: Spot) -> NDArray[np.float32]:
    """Return the float32 values of a field [rows, H]; fail if there are more or fewer."""
    return array(said, data, "<f4", rows, where.weights.shape[1])


@contextmanager
def solved(server: Server, request: pb.SolveRequest) -> Iterator[pb.SolveResponse]:
    """Solve; give the last message, and release the solution at the end of the block."""
    messages = list(stub(server).Solve(request))
    if not messages or not messages[-1].handle:
        raise Wrong(f"{short(request.spot.state.variant.name)}: the last message of Solve has no handle")
    try:
        yield messages[-1]
    finally:
        with suppress(grpc.RpcError):
            stub(server).ReleaseSolution(pb.ReleaseSolutionRequest(handle=messages[-1].handle))


def node(server: Server, handle: str, *steps: pb.Step) -> pb.GetNodeResponse:
    """Return a node of a solution."""
    return stub(server).GetNode(pb.GetNodeRequest(handle=handle, path=steps))


def step(action: Any) -> pb.Step:
    """Return an action as a step."""
    return pb.Step(action=action)
