"""Messages of the resolver's contract."""

from collections.abc import Sequence

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from riverboat.errors import InvalidInput, in_field
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.rpc.convert.actions import decode_action, encode_action
from riverboat.solving.answers import Cost, Loaded, NetworkAnswer, NetworkAnswers, NodeAnswer, Resolved, Scope, Solved
from riverboat.solving.cfr import ALGORITHMS, RECENT, Algorithm
from riverboat.solving.questions import (
    EQUITY,
    NETWORK,
    GoOnQuestion,
    LockQuestion,
    ResolveQuestion,
    SolveQuestion,
    SpotQuestion,
    Step,
    is_network_name,
)
from riverboat.solving.solve import Limits
from riverboat.solving.subgame import F32

DEFAULT_ITERATIONS = 1_000
MOST_STEPS = 200


# Requests


def decode_spot(message: pb.Spot) -> SpotQuestion:
    """What is ahead."""
    with in_field("spot"):
        state = message.state
        if len(state.seats) != 2:
            raise InvalidInput("state.seats", f"two players can be solved, not {len(state.seats)}")
        if state.actor not in (0, 1):
            raise InvalidInput("state.actor", "nobody is to act")
        if message.board_count < 0:
            raise InvalidInput("board_count", f"cannot be negative, but is {message.board_count}")
        depth = (message.depth.street, message.depth.level) if message.HasField("depth") else None
        return SpotQuestion(
            state.SerializeToString(deterministic=True),
            state.variant.deck or "52",
            state.board,
            state.pot,
            state.actor,
            message.bet_sizes,
            depth,
            message.board_count or None,
            message.seed,
            _decode_leaf(message.leaf),
            state.street,
            len(state.variant.streets) - 1 - state.street,
            sum(street.board_count for street in state.variant.streets[: state.street + 2]),
            _total(state),
        )


def _decode_leaf(name: str) -> str:
    if name not in ("", EQUITY, NETWORK) and not is_network_name(name):
        raise InvalidInput("leaf", f"must be {EQUITY}, {NETWORK}, the name of a network or empty, not {name[:30]!r}")
    return name


def _total(state: rules_pb.State) -> int:
    """The chips that can be won: the pot, and what both players can still bet; 0 where bets are limited."""
    variant = state.variant
    is_limited = variant.pot_cap or variant.no_all_in or variant.bet_sizes
    if variant.structure != rules_pb.STRUCTURE_NO_LIMIT or is_limited:
        return 0
    dead = state.pot - sum(seat.paid for seat in state.seats)
    return int(dead + 2 * min(seat.paid + seat.stack for seat in state.seats))


def _decode_algorithm(name: str) -> Algorithm:
    if name and name not in ALGORITHMS:
        raise InvalidInput("algorithm", f"must be one of {', '.join(ALGORITHMS)}, not {name[:30]!r}")
    return ALGORITHMS[name] if name else RECENT


def _decode_limits(message: pb.Budget) -> Limits:
    with in_field("budget"):
        for name in ("iterations", "milliseconds", "exploitability"):
            if not getattr(message, name) >= 0:
                raise InvalidInput(name, f"cannot be negative, but is {getattr(message, name)}")
        found = (
            message.iterations or None,
            message.exploitability or None,
            message.milliseconds / 1000 if message.milliseconds else None,
        )
        return Limits(*found) if any(found) else Limits(DEFAULT_ITERATIONS)


def decode_resolve(request: pb.ResolveRequest) -> ResolveQuestion:
    """A ResolveRequest."""
    if not request.opponent_range and not request.opponent_values:
        raise InvalidInput("opponent_range", "is needed, or opponent_values")
    return ResolveQuestion(
        decode_spot(request.spot),
        decode_floats("own_range", request.own_range),
        _decode_if_given("opponent_range", request.opponent_range),
        _decode_if_given("opponent_values", request.opponent_values),
        _decode_algorithm(request.algorithm),
        _decode_limits(request.budget),
        request.seed,
        request.holding if request.HasField("holding") else None,
        decode_path(request.path),
    )


def decode_solve(request: pb.SolveRequest) -> SolveQuestion | GoOnQuestion:
    """A SolveRequest."""
    if request.handle:
        return GoOnQuestion(request.handle, _decode_limits(request.budget))
    return _decode_new(request)


def decode_source(source: bytes) -> SolveQuestion:
    """What was asked for when a solution was saved."""
    try:
        request = pb.SolveRequest.FromString(source)
    except DecodeError:
        raise InvalidInput("", "the solution does not say what was solved") from None
    return _decode_new(request)


def _decode_new(request: pb.SolveRequest) -> SolveQuestion:
    locks = []
    for i, lock in enumerate(request.locks):
        with in_field(f"locks[{i}]"):
            locks.append(LockQuestion(decode_path(lock.path), decode_floats("strategy", lock.strategy)))
    return SolveQuestion(
        decode_spot(request.spot),
        decode_floats("ranges", request.ranges),
        _decode_algorithm(request.algorithm),
        _decode_limits(request.budget),
        tuple(locks),
        request.short_storage,
        _without_budget(request),
    )


def _without_budget(request: pb.SolveRequest) -> bytes:
    kept = pb.SolveRequest()
    kept.CopyFrom(request)
    kept.ClearField("budget")
    return kept.SerializeToString(deterministic=True)


def decode_floats(field: str, data: bytes) -> F32:
    """float32, as many as there are."""
    if not data or len(data) % 4:
        raise InvalidInput(field, f"must be float32, not {len(data):,} bytes")
    return np.frombuffer(data, "<f4").astype(np.float32)


def _decode_if_given(field: str, data: bytes) -> F32 | None:
    return decode_floats(field, data) if data else None


def decode_path(steps: Sequence[pb.Step]) -> tuple[Step, ...]:
    """Steps from the root."""
    if len(steps) > MOST_STEPS:
        raise InvalidInput("path", f"must have at most {MOST_STEPS} steps, not {len(steps):,}")
    found: list[Step] = []
    for i, step in enumerate(steps):
        with in_field(f"path[{i}]"):
            if step.WhichOneof("kind") == "cards":
                found.append(step.cards)
            else:
                found.append(decode_action(step.action))
    return tuple(found)


def encode_floats(values: NDArray[np.floating]) -> bytes:
    """Any array as float32."""
    return values.astype("<f4").tobytes()


# Answers


_SCOPES = {
    Scope.WHOLE: pb.Cost.SCOPE_WHOLE,
    Scope.ABOVE_CUT: pb.Cost.SCOPE_ABOVE_CUT,
    Scope.BEYOND_VALUES: pb.Cost.SCOPE_BEYOND_VALUES,
    Scope.BEYOND_VALUES_ABOVE_CUT: pb.Cost.SCOPE_BEYOND_VALUES_ABOVE_CUT,
}


def encode_cost(cost: Cost) -> pb.Cost:
    """What it took."""
    return pb.Cost(
        iterations=cost.iterations,
        exploitability=cost.exploitability,
        solving_seconds=cost.solving_seconds,
        total_seconds=cost.total_seconds,
        line_count=cost.line_count,
        board_count=cost.board_count,
        bytes=cost.byte_count,
        is_partial=cost.is_partial,
        leaf=cost.leaf,
        exploitability_scope=_SCOPES[cost.scope],
    )


def encode_resolved(found: Resolved) -> pb.ResolveResponse:
    """What to do."""
    return pb.ResolveResponse(
        action=encode_action(found.action),
        actions=map(encode_action, found.actions),
        strategy=encode_floats(found.strategy),
        own_range=encode_floats(found.own_range),
        opponent_range=b"" if found.opponent_range is None else encode_floats(found.opponent_range),
        values=encode_floats(found.values),
        opponent_values=encode_floats(found.opponent_values),
        cost=encode_cost(found.cost),
        replies=map(encode_action, found.replies),
        reply_strategy=encode_floats(found.reply_strategy),
    )


def encode_solved(found: Solved) -> pb.SolveResponse:
    """How solving goes."""
    return pb.SolveResponse(
        cost=encode_cost(found.cost), handle=found.handle, evs=found.evs, expires_seconds=found.expires_seconds
    )


def encode_node(found: NodeAnswer) -> pb.GetNodeResponse:
    """One node."""
    return pb.GetNodeResponse(
        player=found.player,
        actions=map(encode_action, found.actions),
        strategy=encode_floats(found.strategy),
        evs=encode_floats(found.evs),
        action_evs=encode_floats(found.action_evs),
        reach=encode_floats(found.reach),
        pot=found.pot,
        board=found.board,
        deals=found.deals,
        state=rules_pb.State.FromString(found.state),
        equity=encode_floats(found.equity),
    )


def encode_networks(answers: NetworkAnswers) -> pb.ListNetworksResponse:
    """What networks there are, and which files were refused."""
    return pb.ListNetworksResponse(
        networks=map(_encode_network, answers.used),
        by_name=map(_encode_network, answers.by_name),
        refused=[pb.RefusedNetwork(file=file, reason=reason) for file, reason in answers.refused],
    )


def _encode_network(network: NetworkAnswer) -> pb.Network:
    return pb.Network(
        name=network.name,
        deck=network.deck,
        street=network.street,
        hash=network.hash,
        sample_count=network.samples,
        train_loss=network.train_loss,
        held_out_loss=network.held_out_loss,
        file=network.file,
        yardstick=network.yardstick,
        huber=network.huber,
        error=network.error,
        reason=network.reason,
    )


def encode_released(was_there: bool) -> pb.ReleaseSolutionResponse:
    """Whether there was something to forget."""
    return pb.ReleaseSolutionResponse(was_there=was_there)


def encode_chunk(chunk: bytes, total: int) -> pb.SaveSolutionResponse:
    """A part of a saved solution."""
    return pb.SaveSolutionResponse(chunk=chunk, total_bytes=total)


def encode_loaded(found: Loaded) -> pb.LoadSolutionResponse:
    """A solution that was saved."""
    return pb.LoadSolutionResponse(solved=encode_solved(found.solved), request=pb.SolveRequest.FromString(found.source))
