"""Questions of the resolver's contract: messages to values, and back."""

from collections.abc import Sequence

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from riverboat.contracts.resolver import (
    EQUITY,
    NETWORK,
    ContinueQuestion,
    LockQuestion,
    ResolveQuestion,
    SolveQuestion,
    SpotQuestion,
    Step,
    is_network_name,
)
from riverboat.errors import InvalidInput, in_field
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.rpc.convert.actions import decode_action, encode_action
from riverboat.rpc.convert.described_states import decode_described, encode_described
from riverboat.solving.cfr import ALGORITHMS, RECENT, Algorithm
from riverboat.solving.loop import Limits
from riverboat.solving.subgame import F32, Reals

DEFAULT_ITERATIONS = 1_000
MOST_STEPS = 200
DEFAULT_NODES = 600
MOST_NODES = 20_000


def decode_spot(message: pb.Spot) -> SpotQuestion:
    """Decode a spot; two seats, one of them to act."""
    with in_field("spot"):
        with in_field("state"):
            state = decode_described(message.state)
            if len(state.seats) != 2:
                raise InvalidInput("seats", f"only spots with 2 players can be solved, not {len(state.seats)}")
            if state.actor not in (0, 1):
                raise InvalidInput("actor", "nobody is to act")
        if message.board_count < 0:
            raise InvalidInput("board_count", f"cannot be negative, but is {message.board_count}")
        return SpotQuestion(
            state=state,
            bet_sizes=message.bet_sizes,
            depth=(message.depth.street, message.depth.level) if message.HasField("depth") else None,
            sampled=message.board_count or None,
            seed=message.seed,
            leaf=_decode_leaf(message.leaf),
        )


def encode_spot(spot: SpotQuestion) -> pb.Spot:
    """Encode a spot."""
    return pb.Spot(
        state=encode_described(spot.state),
        bet_sizes=spot.bet_sizes,
        depth=encode_depth(spot.depth),
        board_count=spot.sampled or 0,
        seed=spot.seed,
        leaf=spot.leaf,
    )


def encode_depth(depth: tuple[int, int] | None) -> rules_pb.Subtree.Depth | None:
    """Encode the street and the level at which a tree is cut; None for no cut."""
    return rules_pb.Subtree.Depth(street=depth[0], level=depth[1]) if depth else None


def _decode_leaf(name: str) -> str:
    if name not in ("", EQUITY, NETWORK) and not is_network_name(name):
        raise InvalidInput("leaf", f"must be {EQUITY}, {NETWORK}, the name of a network or empty, not {name[:30]!r}")
    return name


def _decode_algorithm(name: str) -> Algorithm:
    if name and name not in ALGORITHMS:
        raise InvalidInput("algorithm", f"must be one of {', '.join(ALGORITHMS)}, not {name[:30]!r}")
    return ALGORITHMS[name] if name else RECENT


def _encode_algorithm(algorithm: Algorithm) -> str:
    """Encode the algorithm's name; empty for the default."""
    return "" if algorithm == RECENT else next(name for name, known in ALGORITHMS.items() if known == algorithm)


def _decode_limits(message: pb.Budget) -> Limits:
    with in_field("budget"):
        for name in ("iterations", "milliseconds", "exploitability"):
            if not getattr(message, name) >= 0:
                raise InvalidInput(name, f"cannot be negative, but is {getattr(message, name)}")
        given = (
            message.iterations or None,
            message.exploitability or None,
            message.milliseconds / 1000 if message.milliseconds else None,
        )
        return Limits(*given) if any(given) else Limits(DEFAULT_ITERATIONS)


def decode_resolve(request: pb.ResolveRequest) -> ResolveQuestion:
    """Decode a ResolveRequest."""
    if not request.opponent_range and not request.opponent_values:
        raise InvalidInput("opponent_range", "is needed, or opponent_values")
    return ResolveQuestion(
        spot=decode_spot(request.spot),
        own_range=decode_floats("own_range", request.own_range),
        opponent_range=_decode_if_given("opponent_range", request.opponent_range),
        opponent_values=_decode_if_given("opponent_values", request.opponent_values),
        algorithm=_decode_algorithm(request.algorithm),
        limits=_decode_limits(request.budget),
        seed=request.seed,
        holding=request.holding if request.HasField("holding") else None,
        path=decode_path(request.path),
    )


def decode_solve(request: pb.SolveRequest) -> SolveQuestion | ContinueQuestion:
    """Decode a SolveRequest."""
    if request.handle:
        return ContinueQuestion(handle=request.handle, limits=_decode_limits(request.budget))
    return decode_new_solve(request)


def decode_new_solve(request: pb.SolveRequest) -> SolveQuestion:
    """Decode a SolveRequest that has a spot."""
    locks = []
    for i, lock in enumerate(request.locks):
        with in_field(f"locks[{i}]"):
            locks.append(LockQuestion(path=decode_path(lock.path), strategy=decode_floats("strategy", lock.strategy)))
    return SolveQuestion(
        spot=decode_spot(request.spot),
        ranges=decode_floats("ranges", request.ranges),
        algorithm=_decode_algorithm(request.algorithm),
        limits=_decode_limits(request.budget),
        locks=tuple(locks),
        short_storage=request.short_storage,
    )


def encode_new_solve(question: SolveQuestion) -> pb.SolveRequest:
    """Encode a question to solve, without its budget."""
    return pb.SolveRequest(
        spot=encode_spot(question.spot),
        ranges=encode_floats(question.ranges),
        algorithm=_encode_algorithm(question.algorithm),
        locks=[encode_lock(lock.path, lock.strategy) for lock in question.locks],
        short_storage=question.short_storage,
    )


def decode_saved_question(data: bytes) -> SolveQuestion:
    """Decode the question in a saved solution; InvalidInput if there is none."""
    try:
        request = pb.SolveRequest.FromString(data)
    except DecodeError:
        raise InvalidInput("", "the solution does not say what was solved") from None
    return decode_new_solve(request)


def encode_saved_question(question: SolveQuestion) -> bytes:
    """Encode a question for a saved solution: a SolveRequest without its budget."""
    return encode_new_solve(question).SerializeToString(deterministic=True)


def decode_floats(field: str, data: bytes) -> F32:
    """Decode any number of float32 values."""
    if not data or len(data) % 4:
        raise InvalidInput(field, f"must be float32, not {len(data):,} bytes")
    return np.frombuffer(data, "<f4").astype(np.float32)


def _decode_if_given(field: str, data: bytes) -> F32 | None:
    return decode_floats(field, data) if data else None


def decode_path(steps: Sequence[pb.Step]) -> tuple[Step, ...]:
    """Decode steps from the root."""
    if len(steps) > MOST_STEPS:
        raise InvalidInput("path", f"must have at most {MOST_STEPS} steps, not {len(steps):,}")
    path: list[Step] = []
    for i, step in enumerate(steps):
        with in_field(f"path[{i}]"):
            path.append(decode_step(step))
    return tuple(path)


def decode_step(step: pb.Step) -> Step:
    """Decode one step from a node to the next."""
    return step.cards if step.WhichOneof("kind") == "cards" else decode_action(step.action)


def encode_step(step: Step) -> pb.Step:
    """Encode one step from a node to the next."""
    return pb.Step(cards=step) if isinstance(step, str) else pb.Step(action=encode_action(step))


def encode_lock(path: Sequence[Step], strategy: Reals) -> pb.Lock:
    """Encode a node whose strategy [A, H] is fixed."""
    return pb.Lock(path=map(encode_step, path), strategy=encode_floats(strategy))


def decode_nodes(request: pb.GetNodesRequest) -> tuple[str, int]:
    """Decode a GetNodesRequest: a handle, and how many nodes at most."""
    if not 0 <= request.node_count <= MOST_NODES:
        raise InvalidInput("node_count", f"must be 0 to {MOST_NODES:,}, not {request.node_count:,}")
    return request.handle, request.node_count or DEFAULT_NODES


def encode_floats(values: NDArray[np.floating]) -> bytes:
    """Encode any array as float32."""
    return values.astype("<f4").tobytes()
