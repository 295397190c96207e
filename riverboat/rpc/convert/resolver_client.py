"""Messages of the resolver's contract as its clients need them: questions out, answers in."""

from collections.abc import Sequence

import numpy as np

from riverboat.contracts import resolver as contract
from riverboat.contracts.state_manager import DescribedState
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.rpc.convert.actions import decode_action
from riverboat.rpc.convert.described_states import decode_described, encode_described
from riverboat.rpc.convert.resolver import decode_new_solve, decode_step, encode_depth, encode_floats, encode_step
from riverboat.rpc.convert.resolver_answers import SCOPES
from riverboat.rpc.convert.state_manager import decode_state, encode_state
from riverboat.rules.state import PublicState
from riverboat.solving.loop import Limits
from riverboat.solving.subgame import F64, Reals

_SCOPES = {number: scope for scope, number in SCOPES.items()}
_PAIR_BYTES = 2 * 4  # of two float32


def encode_public_spot(public: PublicState, bet_sizes: str, depth: tuple[int, int] | None, leaf: str = "") -> pb.Spot:
    """Encode the spot that begins with a state."""
    return pb.Spot(state=encode_state(public), bet_sizes=bet_sizes, depth=encode_depth(depth), leaf=leaf)


def encode_resolve(
    *,
    spot: pb.Spot,
    ranges: tuple[Reals, Reals | None],
    limits: Limits,
    holding: int | None,
    seed: int,
    values: Reals | None = None,
    path: Sequence[contract.Step] = (),
    algorithm: str = "",
) -> pb.ResolveRequest:
    """Encode a question about a decision, with the own range and the opponent's [H], or the opponent's values [H]."""
    own, opponent = ranges
    return pb.ResolveRequest(
        spot=spot,
        own_range=encode_floats(own),
        opponent_range=b"" if opponent is None else encode_floats(opponent),
        opponent_values=b"" if values is None else encode_floats(values),
        budget=encode_budget(limits),
        holding=holding,
        seed=seed,
        path=map(encode_step, path),
        algorithm=algorithm,
    )


def encode_budget(limits: Limits) -> pb.Budget:
    """Encode the limits of solving."""
    return pb.Budget(
        iterations=limits.iterations or 0,
        milliseconds=round(1000 * (limits.seconds or 0)),
        exploitability=limits.exploitability or 0,
    )


def encode_solve(
    spot: pb.Spot,
    ranges: Reals,
    limits: Limits,
    locks: Sequence[pb.Lock] = (),
    *,
    short_storage: bool = False,
    algorithm: str = "",
) -> pb.SolveRequest:
    """Encode a spot to study, with both ranges [2, H]."""
    budget = encode_budget(limits)
    return pb.SolveRequest(
        spot=spot,
        ranges=encode_floats(ranges),
        algorithm=algorithm,
        budget=budget,
        locks=locks,
        short_storage=short_storage,
    )


def decode_cost(message: pb.Cost) -> contract.Cost:
    """Decode the cost of an answer."""
    return contract.Cost(
        iterations=message.iterations,
        exploitability=message.exploitability,
        solving_seconds=message.solving_seconds,
        total_seconds=message.total_seconds,
        line_count=message.line_count,
        board_count=message.board_count,
        byte_count=message.bytes,
        is_partial=message.is_partial,
        leaf=message.leaf,
        scope=_SCOPES.get(message.exploitability_scope, contract.scope_of(message.leaf)),  # older resolvers do not say
    )


def decode_resolved(message: pb.ResolveResponse) -> contract.Resolved:
    """Decode a decision with its strategy and ranges."""
    return contract.Resolved(
        action=decode_action(message.action),
        actions=tuple(map(decode_action, message.actions)),
        strategy=_table(message.strategy, len(message.actions)),
        own_range=_table(message.own_range, 1)[0],
        opponent_range=_table(message.opponent_range, 1)[0] if message.opponent_range else None,
        values=_table(message.values, 2),
        opponent_values=_table(message.opponent_values, 1)[0],
        cost=decode_cost(message.cost),
        replies=tuple(map(decode_action, message.replies)),
        reply_strategy=_table(message.reply_strategy, len(message.replies)),
        opponent_reach=_table(message.opponent_reach, 1)[0] if message.opponent_reach else None,
        actor_values=_table(message.actor_values, 1)[0] if message.actor_values else None,
    )


def decode_solved(message: pb.SolveResponse) -> contract.Solved:
    """Decode the progress of solving."""
    return contract.Solved(
        cost=decode_cost(message.cost),
        handle=message.handle,
        evs=tuple(message.evs),
        expires_seconds=message.expires_seconds,
    )


def public_state(state: DescribedState) -> PublicState:
    """Return a state as the rules know it; InvalidInput if it is not possible."""
    return decode_state(encode_described(state))


def decode_loaded(message: pb.LoadSolutionResponse) -> contract.Loaded:
    """Decode a solution that was saved."""
    return contract.Loaded(solved=decode_solved(message.solved), question=decode_new_solve(message.request))


def decode_node(message: pb.GetNodeResponse) -> contract.NodeAnswer:
    """Decode one node."""
    count, width = len(message.actions), len(message.reach) // _PAIR_BYTES
    return contract.NodeAnswer(
        player=message.player,
        actions=tuple(map(decode_action, message.actions)),
        strategy=_table(message.strategy, count, width),
        evs=_table(message.evs, 2),
        action_evs=_table(message.action_evs, count, width),
        reach=_table(message.reach, 2),
        equity=_table(message.equity, 2),
        pot=message.pot,
        board=message.board,
        deals=tuple(message.deals),
        state=decode_described(message.state) if message.HasField("state") else None,
    )


def decode_numbered_node(message: pb.GetNodesResponse) -> contract.NumberedNode:
    """Decode one node of several."""
    return contract.NumberedNode(
        index=message.index,
        parent=message.parent,
        step=decode_step(message.step) if message.HasField("step") else None,
        node_count=message.node_count,
        answer=decode_node(message.node),
    )


def _table(data: bytes, rows: int, width: int = 0) -> F64:
    """Return float32 numbers in this many rows; `width` is their length if there are none."""
    table: F64 = np.frombuffer(data, "<f4").astype(np.float64).reshape(rows, -1) if rows else np.zeros((0, width))
    return table


def decode_networks(message: pb.ListNetworksResponse) -> contract.NetworkAnswers:
    """Decode the networks that a resolver has, and the files that it refused."""
    return contract.NetworkAnswers(
        used=tuple(map(_decode_network, message.networks)),
        by_name=tuple(map(_decode_network, message.by_name)),
        refused=tuple((refused.file, refused.reason) for refused in message.refused),
    )


def _decode_network(message: pb.Network) -> contract.NetworkAnswer:
    return contract.NetworkAnswer(
        name=message.name,
        deck=message.deck,
        street=message.street,
        hash=message.hash,
        samples=message.sample_count,
        train_loss=message.train_loss,
        held_out_loss=message.held_out_loss,
        file=message.file,
        yardstick=message.yardstick,
        huber=message.huber if message.HasField("huber") else None,
        error=message.error if message.HasField("error") else None,
        reason=message.reason,
    )
