"""Messages of the resolver's contract, and those it sends to a state manager and an oracle."""

from collections.abc import Iterable, Sequence

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from protos.oracle.v1 import oracle_pb2
from protos.resolver.v1 import resolver_pb2 as pb
from riverboat.errors import InvalidInput, in_field
from riverboat.rpc.convert.actions import decode_action, encode_action
from riverboat.solving.answers import Cost, Loaded, NetworkAnswer, NodeAnswer, Resolved, Solved
from riverboat.solving.cfr import ALGORITHMS, RECENT, Algorithm
from riverboat.solving.questions import (
    EQUITY,
    NETWORK,
    GoOnQuestion,
    LineTree,
    LockQuestion,
    ResolveQuestion,
    SolveQuestion,
    SpotQuestion,
    Step,
)
from riverboat.solving.solve import Limits
from riverboat.solving.subgame import ACT, CHANCE, F32, FOLDED, LEAF, SHOWDOWN, Boards, two_player_lines

DEFAULT_ITERATIONS = 1_000
MOST_STEPS = 200
_KINDS = {
    rules_pb.PHASE_ACT: ACT,
    rules_pb.PHASE_CHANCE: CHANCE,
    rules_pb.PHASE_FOLDED: FOLDED,
    rules_pb.PHASE_SHOWDOWN: SHOWDOWN,
    rules_pb.PHASE_LEAF: LEAF,
}


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
    if name not in ("", EQUITY, NETWORK):
        raise InvalidInput("leaf", f"must be {EQUITY}, {NETWORK} or empty, not {name[:30]!r}")
    return name


def _total(state: rules_pb.State) -> int:
    """The chips that can be won: the pot, and what both players can still bet; 0 where bets are limited."""
    variant = state.variant
    if variant.structure != rules_pb.STRUCTURE_NO_LIMIT or variant.pot_cap or variant.no_all_in:
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


# What is asked of the state manager and of the oracle


def encode_subtree(spot: SpotQuestion) -> rules_pb.ExpandSubtreeRequest:
    """The betting ahead, on one board."""
    depth = rules_pb.Subtree.Depth(street=spot.depth[0], level=spot.depth[1]) if spot.depth else None
    subtree = rules_pb.Subtree(
        state=rules_pb.State.FromString(spot.state), bet_sizes=spot.bet_sizes, depth=depth, board_count=1
    )
    return rules_pb.ExpandSubtreeRequest(subtree=subtree)


def decode_lines(chunks: Iterable[rules_pb.ExpandSubtreeResponse]) -> LineTree:
    """The lines of betting."""
    parts: dict[str, list[NDArray[np.integer]]] = {}
    layouts = {
        "phase": "i1", "actor": "i1", "parent": "<i4", "action": "<i8", "first_child": "<i4", "child_count": "<i4",
        "pot": "<i8", "paid": "<i8", "folded": "u1",
    }  # fmt: skip
    board_size = 0
    for chunk in chunks:
        board_size = max(board_size, chunk.summary.board_size)
        for name, layout in layouts.items():
            parts.setdefault(name, []).append(np.frombuffer(getattr(chunk.nodes, name), layout))
    found = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    kind = np.array([_KINDS[rules_pb.Phase.ValueType(int(phase))] for phase in found["phase"]], np.int8)
    paid = found["paid"].reshape(len(kind), -1).astype(np.int64)
    lines = two_player_lines(
        kind,
        found["actor"],
        found["folded"].reshape(len(kind), -1),
        found["parent"],
        found["first_child"],
        found["child_count"],
        found["action"],
        found["pot"],
        paid,
    )
    return LineTree(lines, paid, found["pot"].astype(np.int64), board_size)


def encode_following(spot: SpotQuestion, deal_count: int, weights: F32) -> oracle_pb2.FollowingBoardsRequest:
    """The boards ahead."""
    return oracle_pb2.FollowingBoardsRequest(
        deck=spot.deck,
        board=spot.board,
        deal_count=deal_count,
        ranges=[oracle_pb2.Range(weights=encode_floats(row)) for row in weights],
        board_count=spot.sampled or 0,
        seed=spot.seed,
    )


def decode_following(message: oracle_pb2.FollowingBoardsResponse) -> tuple[Boards, tuple[str, ...], NDArray[np.uint8]]:
    """The boards ahead, their cards, and what holdings are made of."""
    count, holdings = len(message.boards), message.holding_count
    packed = np.frombuffer(message.live, np.uint8).reshape(count, -1)
    live = np.unpackbits(packed, axis=1, count=holdings, bitorder="little").astype(np.bool_)
    exchanges = np.frombuffer(message.exchanges, "<i4").astype(np.int32).reshape(-1, holdings)
    counts = np.frombuffer(message.mirror_counts, "<i4")
    names = np.split(np.frombuffer(message.mirrors, "<i4"), np.cumsum(counts)[:-1])
    boards = Boards(
        np.frombuffer(message.level, "<i4").astype(np.int32),
        np.frombuffer(message.parent, "<i4").astype(np.int32),
        np.frombuffer(message.chance, "<f8").astype(np.float64),
        live,
        tuple(exchanges[name] for name in names),
    )
    items = np.frombuffer(message.items, np.uint8).reshape(holdings, -1).copy()
    return boards, tuple(message.boards), items


def encode_boards(deck: str, boards: Sequence[str]) -> oracle_pb2.StrengthsRequest:
    """Boards to be told the strengths on."""
    return oracle_pb2.StrengthsRequest(deck=deck, boards=boards)


def decode_strengths(message: oracle_pb2.StrengthsResponse) -> NDArray[np.uint16]:
    """Strengths [K, H]."""
    found = np.frombuffer(message.strengths, "<u2").astype(np.uint16)
    return found.reshape(message.board_count, message.holding_count)


def encode_profiles_request(deck: str, boards: Sequence[str], bins: int) -> oracle_pb2.StrengthProfilesRequest:
    """How strong holdings are and may become."""
    return oracle_pb2.StrengthProfilesRequest(deck=deck, boards=boards, bin_count=bins)


def decode_profiles(message: oracle_pb2.StrengthProfilesResponse, bins: int) -> tuple[F32, F32]:
    """Profiles [K, H, bins] and average percentiles [K, H]."""
    shape = message.board_count, message.holding_count
    profiles = np.frombuffer(message.profiles, "<f4").astype(np.float32).reshape(*shape, bins)
    return profiles, np.frombuffer(message.means, "<f4").astype(np.float32).reshape(shape)


def encode_utility_request(
    deck: str, board: str, rows: NDArray[np.int32], columns: NDArray[np.int32]
) -> oracle_pb2.UtilityRequest:
    """The utility of some holdings against others."""
    return oracle_pb2.UtilityRequest(
        deck=deck, board=board, rows=rows.astype("<i4").tobytes(), columns=columns.astype("<i4").tobytes()
    )


def decode_utility(chunks: Iterable[oracle_pb2.UtilityResponse]) -> F32:
    """A utility matrix, flat."""
    return np.concatenate([np.frombuffer(chunk.values, "<f4") for chunk in chunks]).astype(np.float32)


def encode_apply(state: bytes, step: Step) -> rules_pb.ApplyRequest:
    """A state, and what happens in it."""
    message = rules_pb.State.FromString(state)
    if isinstance(step, str):
        return rules_pb.ApplyRequest(state=message, event=rules_pb.Event(board=step))
    move = rules_pb.Event.Move(seat=message.actor, action=encode_action(step))
    return rules_pb.ApplyRequest(state=message, event=rules_pb.Event(move=move))


# Answers


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


def encode_networks(networks: Iterable[NetworkAnswer], refused: Iterable[tuple[str, str]]) -> pb.ListNetworksResponse:
    """What networks there are, and which files were refused."""
    found = [
        pb.Network(
            name=network.name,
            deck=network.deck,
            street=network.street,
            hash=network.hash,
            sample_count=network.samples,
            train_loss=network.train_loss,
            held_out_loss=network.held_out_loss,
            file=network.file,
        )
        for network in networks
    ]
    return pb.ListNetworksResponse(
        networks=found, refused=[pb.RefusedNetwork(file=file, reason=reason) for file, reason in refused]
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
