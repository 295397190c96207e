"""The resolver's contract with values instead of messages; errors are grpc.RpcError."""

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import grpc

from riverboat.clients.remote.channels import is_answered
from riverboat.contracts.resolver import Loaded, NetworkAnswers, NodeAnswer, NumberedNode, Resolved, Solved, Step
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.protos.resolver.v1.resolver_pb2_grpc import ResolverStub
from riverboat.rpc.convert import resolver_client as convert
from riverboat.rpc.convert.resolver import encode_lock, encode_step
from riverboat.rules.state import PublicState
from riverboat.solving.loop import Limits
from riverboat.solving.subgame import F64, Reals
from riverboat.streets import PREFLOP, STREET_OF_CARDS

_NODE_SECONDS = 120
_CHUNK_BYTES = 1_000_000
_NETWORKS_SECONDS = 30  # before the list of networks is asked for again


def place_beyond(state: PublicState) -> tuple[str, str] | None:
    """Return the deck and street of a network that values what follows the next deal; None if there can be none."""
    variant = state.variant
    # Networks were trained on games in which every size is allowed.
    if not variant.allows_every_size or state.street + 1 >= len(variant.board_sizes):
        return None
    street = STREET_OF_CARDS.get(variant.board_sizes[state.street + 1], "") if state.board else PREFLOP
    return variant.deck.name, street


def loaded_state(loaded: Loaded) -> PublicState:
    """Return the state that a saved solution begins with; InvalidInput if the rules do not allow it."""
    return convert.public_state(loaded.question.spot.state)


class ResolverClient:
    """A client of one resolver."""

    is_patient = False  # whether agents without a clock may take unlimited time

    def __init__(self, channel: Any, address: str) -> None:
        self.address = address
        self._stub: Any = ResolverStub(channel)
        self._known: tuple[float, frozenset[tuple[str, str]]] | None = None  # networks, and since when

    def answers(self, timeout: float) -> bool:
        """Return whether the resolver answers within `timeout` seconds."""
        return is_answered(self._stub.ReleaseSolution, pb.ReleaseSolutionRequest(), timeout)

    def resolve(
        self,
        public: PublicState,
        bet_sizes: str,
        ranges: tuple[Reals, Reals | None],
        limits: Limits,
        *,
        holding: int | None = None,
        seed: int = 0,
        depth: tuple[int, int] | None = None,
        leaf: str = "",
        timeout: float | None = None,
        values: Reals | None = None,
        path: Sequence[Step] = (),
        algorithm: str = "",
    ) -> Resolved:
        """Re-solve the rest of the hand for the actor, with the actor's range and the opponent's [H].

        `values` [H] are what the opponent can count on over the actor's normalised range; with them the opponent's
        range is not needed. `path` has the actions and deals since, if they are known: the answer's values for the
        opponent are then those after the path. A path costs nothing if the same question was just asked without it.

        `leaf` names the values below a cut: "equity", "network", the name of a network, or "" for the default network
        if there is one.
        """
        spot = convert.encode_public_spot(public, bet_sizes, depth, leaf)
        request = convert.encode_resolve(
            spot=spot,
            ranges=ranges,
            limits=limits,
            holding=holding,
            seed=seed,
            values=values,
            path=path,
            algorithm=algorithm,
        )
        return convert.decode_resolved(self._stub.Resolve(request, timeout=timeout))

    def solve(
        self,
        public: PublicState,
        bet_sizes: str,
        ranges: Reals,
        limits: Limits,
        *,
        depth: tuple[int, int] | None = None,
        leaf: str = "",
        locks: Sequence[tuple[Sequence[Step], F64]] = (),
        short_storage: bool = False,
        algorithm: str = "",
    ) -> Iterator[Solved]:
        """Solve a spot to study, with both ranges by seat [2, H]; yield progress, and last a handle."""
        spot = convert.encode_public_spot(public, bet_sizes, depth, leaf)
        fixed = [encode_lock(path, strategy) for path, strategy in locks]
        request = convert.encode_solve(spot, ranges, limits, fixed, short_storage=short_storage, algorithm=algorithm)
        yield from map(convert.decode_solved, self._stub.Solve(request))

    def go_on(self, handle: str, limits: Limits) -> Iterator[Solved]:
        """Solve a solution further; yield progress."""
        request = pb.SolveRequest(handle=handle, budget=convert.encode_budget(limits))
        yield from map(convert.decode_solved, self._stub.Solve(request))

    def node(self, handle: str, path: Sequence[Step] = ()) -> NodeAnswer:
        """Return one node of a solution."""
        request = pb.GetNodeRequest(handle=handle, path=map(encode_step, path))
        return convert.decode_node(self._stub.GetNode(request, timeout=_NODE_SECONDS))

    def nodes(self, handle: str, most: int) -> Iterator[NumberedNode]:
        """Yield at most `most` nodes of a solution, those nearest to the root, by board; `index` is their order."""
        request = pb.GetNodesRequest(handle=handle, node_count=most)
        yield from map(convert.decode_numbered_node, self._stub.GetNodes(request))

    def knows_beyond(self, state: PublicState) -> bool:
        """Return whether the resolver has a network that values what follows the next deal."""
        place = place_beyond(state)
        return place is not None and self.has_network(*place)

    def has_network(self, deck: str, street: str) -> bool:
        """Return whether the resolver uses a network for a street by default; the answer may be 30 seconds old."""
        if self._known is None or time.monotonic() - self._known[0] > _NETWORKS_SECONDS:
            try:
                used = frozenset((network.deck, network.street) for network in self.networks().used)
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNIMPLEMENTED:  # a resolver need not have any
                    raise
                used = frozenset()
            self._known = time.monotonic(), used
        return (deck, street) in self._known[1]

    def networks(self) -> NetworkAnswers:
        """Return the value networks that the resolver has, and the files that it refused."""
        return convert.decode_networks(self._stub.ListNetworks(pb.ListNetworksRequest(), timeout=_NODE_SECONDS))

    def release(self, handle: str) -> None:
        """Forget a solution."""
        self._stub.ReleaseSolution(pb.ReleaseSolutionRequest(handle=handle), timeout=_NODE_SECONDS)

    def save(self, handle: str) -> Iterator[bytes]:
        """Yield a solution in chunks."""
        for answer in self._stub.SaveSolution(pb.SaveSolutionRequest(handle=handle)):
            yield answer.chunk

    def load(self, data: bytes) -> Loaded:
        """Load a solution that was saved."""
        starts: Iterable[int] = range(0, len(data), _CHUNK_BYTES)
        chunks = (pb.LoadSolutionRequest(chunk=data[start : start + _CHUNK_BYTES]) for start in starts)
        return convert.decode_loaded(self._stub.LoadSolution(chunks))
