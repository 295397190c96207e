"""Messages of the resolver's contract as its clients need them: questions out, answers in."""

from collections.abc import Sequence

import numpy as np

from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.rpc.convert.actions import decode_action, encode_action
from riverboat.rpc.convert.resolver import encode_floats
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rules.state import PublicState
from riverboat.solving.answers import (
    Cost,
    Loaded,
    NetworkAnswer,
    NetworkAnswers,
    NodeAnswer,
    Resolved,
    Scope,
    Solved,
    scope_of,
)
from riverboat.solving.questions import Step
from riverboat.solving.solve import Limits
from riverboat.solving.subgame import F64, Reals

_PAIR_BYTES = 2 * 4  # of two float32


def encode_spot(public: PublicState, bet_sizes: str, depth: tuple[int, int] | None, leaf: str = "") -> pb.Spot:
    """What is ahead of a state."""
    cut = rules_pb.Subtree.Depth(street=depth[0], level=depth[1]) if depth else None
    return pb.Spot(state=encode_state(public), bet_sizes=bet_sizes, depth=cut, leaf=leaf)


def encode_resolve(
    spot: pb.Spot,
    ranges: tuple[Reals, Reals],
    iterations: int,
    holding: int | None,
    seed: int,
) -> pb.ResolveRequest:
    """What to do with the own range and the opponent's [H]."""
    own, opponent = ranges
    return pb.ResolveRequest(
        spot=spot,
        own_range=encode_floats(own),
        opponent_range=encode_floats(opponent),
        budget=pb.Budget(iterations=iterations),
        holding=holding,
        seed=seed,
    )


def encode_step(step: Step) -> pb.Step:
    """One step from a node to the next."""
    return pb.Step(cards=step) if isinstance(step, str) else pb.Step(action=encode_action(step))


def encode_lock(path: Sequence[Step], strategy: F64) -> pb.Lock:
    """A node whose strategy [A, H] is fixed."""
    return pb.Lock(path=map(encode_step, path), strategy=encode_floats(strategy))


def encode_budget(limits: Limits) -> pb.Budget:
    """When to stop."""
    return pb.Budget(
        iterations=limits.iterations or 0,
        milliseconds=round(1000 * (limits.seconds or 0)),
        exploitability=limits.exploitability or 0,
    )


def encode_solve(
    spot: pb.Spot, ranges: Reals, limits: Limits, locks: Sequence[pb.Lock] = (), short_storage: bool = False
) -> pb.SolveRequest:
    """A spot to study, with both ranges [2, H]."""
    budget = encode_budget(limits)
    return pb.SolveRequest(
        spot=spot, ranges=encode_floats(ranges), budget=budget, locks=locks, short_storage=short_storage
    )


_SCOPES = {
    pb.Cost.SCOPE_WHOLE: Scope.WHOLE,
    pb.Cost.SCOPE_ABOVE_CUT: Scope.ABOVE_CUT,
    pb.Cost.SCOPE_BEYOND_VALUES: Scope.BEYOND_VALUES,
    pb.Cost.SCOPE_BEYOND_VALUES_ABOVE_CUT: Scope.BEYOND_VALUES_ABOVE_CUT,
}


def decode_cost(message: pb.Cost) -> Cost:
    """What it took."""
    return Cost(
        message.iterations,
        message.exploitability,
        message.solving_seconds,
        message.total_seconds,
        message.line_count,
        message.board_count,
        message.bytes,
        message.is_partial,
        message.leaf,
        _SCOPES.get(message.exploitability_scope, scope_of(message.leaf)),  # which older resolvers do not say
    )


def decode_resolved(message: pb.ResolveResponse) -> Resolved:
    """What to do."""
    return Resolved(
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
    )


def decode_solved(message: pb.SolveResponse) -> Solved:
    """How solving goes."""
    return Solved(decode_cost(message.cost), message.handle, tuple(message.evs), message.expires_seconds)


def decode_loaded(message: pb.LoadSolutionResponse) -> Loaded:
    """A solution that was saved."""
    return Loaded(decode_solved(message.solved), message.request.SerializeToString(deterministic=True))


def decode_node(message: pb.GetNodeResponse) -> NodeAnswer:
    """One node."""
    count, width = len(message.actions), len(message.reach) // _PAIR_BYTES
    return NodeAnswer(
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
        state=message.state.SerializeToString(deterministic=True),
    )


def _table(data: bytes, rows: int, width: int = 0) -> F64:
    """float32 numbers in so many rows; `width` is how long they are if there are none."""
    found: F64 = np.frombuffer(data, "<f4").astype(np.float64).reshape(rows, -1) if rows else np.zeros((0, width))
    return found


def decode_networks(message: pb.ListNetworksResponse) -> NetworkAnswers:
    """The networks that a resolver has, and the files that it refused."""
    return NetworkAnswers(
        list(map(_decode_network, message.networks)),
        list(map(_decode_network, message.by_name)),
        [(refused.file, refused.reason) for refused in message.refused],
    )


def _decode_network(message: pb.Network) -> NetworkAnswer:
    return NetworkAnswer(
        message.name,
        message.deck,
        message.street,
        message.hash,
        message.sample_count,
        message.train_loss,
        message.held_out_loss,
        message.file,
        message.yardstick,
        message.huber if message.HasField("huber") else None,
        message.error if message.HasField("error") else None,
        message.reason,
    )
