"""Answers of the resolver's contract, as messages."""

from riverboat.contracts import resolver as contract
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.rpc.convert.actions import encode_action
from riverboat.rpc.convert.described_states import encode_described
from riverboat.rpc.convert.resolver import encode_floats, encode_new_solve, encode_step

SCOPES = {
    contract.Scope.WHOLE: pb.Cost.SCOPE_WHOLE,
    contract.Scope.ABOVE_CUT: pb.Cost.SCOPE_ABOVE_CUT,
    contract.Scope.BEYOND_VALUES: pb.Cost.SCOPE_BEYOND_VALUES,
    contract.Scope.BEYOND_VALUES_ABOVE_CUT: pb.Cost.SCOPE_BEYOND_VALUES_ABOVE_CUT,
}


def encode_cost(cost: contract.Cost) -> pb.Cost:
    """Encode the cost of a solution."""
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
        exploitability_scope=SCOPES[cost.scope],
    )


def encode_resolved(answer: contract.Resolved) -> pb.ResolveResponse:
    """Encode the answer of Resolve."""
    return pb.ResolveResponse(
        action=encode_action(answer.action),
        actions=map(encode_action, answer.actions),
        strategy=encode_floats(answer.strategy),
        own_range=encode_floats(answer.own_range),
        opponent_range=b"" if answer.opponent_range is None else encode_floats(answer.opponent_range),
        values=encode_floats(answer.values),
        opponent_values=encode_floats(answer.opponent_values),
        cost=encode_cost(answer.cost),
        replies=map(encode_action, answer.replies),
        reply_strategy=encode_floats(answer.reply_strategy),
        opponent_reach=b"" if answer.opponent_reach is None else encode_floats(answer.opponent_reach),
        actor_values=b"" if answer.actor_values is None else encode_floats(answer.actor_values),
    )


def encode_solved(answer: contract.Solved) -> pb.SolveResponse:
    """Encode the progress of Solve."""
    return pb.SolveResponse(
        cost=encode_cost(answer.cost), handle=answer.handle, evs=answer.evs, expires_seconds=answer.expires_seconds
    )


def encode_node(answer: contract.NodeAnswer) -> pb.GetNodeResponse:
    """Encode one node."""
    return pb.GetNodeResponse(
        player=answer.player,
        actions=map(encode_action, answer.actions),
        strategy=encode_floats(answer.strategy),
        evs=encode_floats(answer.evs),
        action_evs=encode_floats(answer.action_evs),
        reach=encode_floats(answer.reach),
        pot=answer.pot,
        board=answer.board,
        deals=answer.deals,
        state=encode_described(answer.state) if answer.state else None,
        equity=encode_floats(answer.equity),
    )


def encode_numbered_node(node: contract.NumberedNode) -> pb.GetNodesResponse:
    """Encode one of several nodes, with its number."""
    return pb.GetNodesResponse(
        index=node.index,
        parent=node.parent,
        step=None if node.step is None else encode_step(node.step),
        node=encode_node(node.answer),
        node_count=node.node_count,
    )


def encode_networks(answers: contract.NetworkAnswers) -> pb.ListNetworksResponse:
    """Encode the networks, and the files that were refused."""
    return pb.ListNetworksResponse(
        networks=map(_encode_network, answers.used),
        by_name=map(_encode_network, answers.by_name),
        refused=[pb.RefusedNetwork(file=file, reason=reason) for file, reason in answers.refused],
    )


def _encode_network(network: contract.NetworkAnswer) -> pb.Network:
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
    """Encode whether there was a solution to release."""
    return pb.ReleaseSolutionResponse(was_there=was_there)


def encode_chunk(chunk: bytes, total: int) -> pb.SaveSolutionResponse:
    """Encode a part of a saved solution."""
    return pb.SaveSolutionResponse(chunk=chunk, total_bytes=total)


def encode_loaded(loaded: contract.Loaded) -> pb.LoadSolutionResponse:
    """Encode a solution that was loaded."""
    return pb.LoadSolutionResponse(solved=encode_solved(loaded.solved), request=encode_new_solve(loaded.question))
