"""Solve, GetNode and GetNodes: published values, and consistent solutions."""

import numpy as np
from numpy.typing import NDArray

from riverboat.clients.conformance.expectations import close, require, same
from riverboat.clients.conformance.resolver.common import (
    CALL,
    RESOLVER,
    Action,
    floats,
    kuhn,
    leduc,
    node,
    request_of,
    river,
    solved,
    step,
    stub,
    turn,
)
from riverboat.clients.conformance.server import Server
from riverboat.holdings import holdings_of
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.spots.spot import Spot

_KUHN = -1 / 18  # the first player's winnings, in antes
_LEDUC = -0.0856


@RESOLVER("Solve", "the value of Kuhn's game is -1/18", 120)
def kuhn_s_value(server: Server) -> None:
    with solved(server, request_of(kuhn(), 2000)) as last:
        close("kuhn after 2000 iterations: the first player's winnings", last.evs[0] - 1, _KUHN, 2e-3)
        close("kuhn, sum of both EVs", sum(last.evs), 2.0, 1e-3)
        require(
            last.cost.exploitability < 0.01,
            f"kuhn after 2000 iterations: exploitability {last.cost.exploitability}, expected less than 0.01",
        )
        same("kuhn, iterations", last.cost.iterations, 2000)


@RESOLVER("Solve", "the value of Leduc is -0.0856", 120)
def leduc_s_value(server: Server) -> None:
    with solved(server, request_of(leduc(), 500)) as last:
        close("leduc after 500 iterations: the first player's winnings", last.evs[0] - 1, _LEDUC, 3e-3)
        require(
            last.cost.exploitability < 0.02,
            f"leduc after 500 iterations: exploitability {last.cost.exploitability}, expected less than 0.02",
        )


@RESOLVER("Solve", "more iterations lower the exploitability, and a target is reached", 180)
def target(server: Server) -> None:
    where = river()
    with solved(server, request_of(where, 10)) as few, solved(server, request_of(where, 300)) as many:
        better = many.cost.exploitability < few.cost.exploitability
        require(better, f"a river: {few.cost.exploitability} after 10 iterations, {many.cost.exploitability} after 300")
    request = request_of(where, 100_000)
    request.budget.exploitability = 1.0
    with solved(server, request) as last:
        said = f"a river with a target of 1 chip: {last.cost.exploitability} after {last.cost.iterations} iterations"
        require(last.cost.exploitability <= 1.0 and last.cost.iterations < 100_000, said)


@RESOLVER("Solve", "reports whether exploitability was measured above a cut", 120)
def scope(server: Server) -> None:
    with solved(server, request_of(turn(), 5)) as whole:
        scopes = pb.Cost.SCOPE_UNSPECIFIED, pb.Cost.SCOPE_WHOLE
        require(not whole.cost.leaf, f"a turn without a cut: leaf is {whole.cost.leaf}, expected none")
        require(whole.cost.exploitability_scope in scopes, f"a turn: scope {whole.cost.exploitability_scope}")
    request = request_of(turn(), 5)
    request.spot.depth.street, request.spot.leaf = request.spot.state.street + 1, "equity"
    with solved(server, request) as cut:
        scopes = pb.Cost.SCOPE_UNSPECIFIED, pb.Cost.SCOPE_ABOVE_CUT
        same("a cut turn: leaf", cut.cost.leaf, "equity")
        require(cut.cost.exploitability_scope in scopes, f"a cut turn: scope {cut.cost.exploitability_scope}")


@RESOLVER("Solve", "sampling boards in each iteration still solves all boards", 180)
def sampled_boards(server: Server) -> None:
    left = {}
    for board_count, iterations in ((0, 20), (3, 20), (3, 400)):
        request = request_of(turn(), iterations)
        request.spot.board_count, request.spot.seed = board_count, 1
        with solved(server, request) as last:
            left[board_count, iterations] = last.cost.exploitability, last.cost.board_count
    same("board_count, with three boards at a time and with all", left[3, 20][1], left[0, 20][1])
    said = f"three boards at a time: exploitability {left[3, 20][0]} after 20 iterations, {left[3, 400][0]} after 400"
    require(left[3, 400][0] < left[3, 20][0] / 2, said)


@RESOLVER("Solve", "continues a solution", 120)
def goes_on(server: Server) -> None:
    with solved(server, request_of(turn(), 20)) as first:
        more = pb.SolveRequest(handle=first.handle, budget=pb.Budget(iterations=20))
        with solved(server, more) as again:
            got = again.handle == first.handle, again.cost.iterations
            same("20 iterations, then 20 more: whether the handle is the same, iterations", got, (True, 40))


@RESOLVER("Solve", "keeps a locked strategy unchanged", 120)
def locked(server: Server) -> None:
    where = turn()
    even = np.full((3, where.weights.shape[1]), 1 / 3, "<f4")
    lock = pb.Lock(path=[step(CALL)], strategy=even.tobytes())
    with solved(server, request_of(where, 20, locks=[lock])) as last:
        answer = node(server, last.handle, step(CALL))
        strategy = floats("a locked node, its strategy", answer.strategy, len(answer.actions), where)
        away = float(np.abs(strategy[strategy > 0] - 1 / 3).max())
        require(away < 1e-3, f"a node locked at 1/3 for each action: a probability differs by {away:.3f}")


@RESOLVER("GetNode", "returns strategies that add up to 1, and EVs that add up to the pot", 120)
def nodes(server: Server) -> None:
    where = river()
    with solved(server, request_of(where, 100)) as last:
        for path in ((), (step(CALL),), (step(Action(raise_to=60)),)):
            answer = node(server, last.handle, *path)
            said = f"a river, {len(path)} steps from the root"
            same(f"{said}: player", answer.player, len(path))
            same(f"{said}: board", answer.board, "Td9d6hQc2s")
            same(f"{said}: pot", answer.pot, where.public.pot + (60 if path and path[0].action.raise_to else 0))
            strategy = floats(f"{said}, strategy", answer.strategy, len(answer.actions), where)
            reach, evs = (floats(f"{said}, {name}", getattr(answer, name), 2, where) for name in ("reach", "evs"))
            live = reach[answer.player] > 0
            close(
                f"{said}: the sum of a holding's strategy furthest from 1",
                float(_furthest(strategy[:, live].sum(axis=0))),
                1.0,
                1e-3,
            )
            _check_evs(said, where, answer.pot if not path else 0, evs, reach)


@RESOLVER("GetNodes", "returns the first nodes breadth-first, each as GetNode returns it", 120)
def first_nodes(server: Server) -> None:
    with solved(server, request_of(turn(), 20)) as last:  # some of its nodes come after a card
        answers = list(stub(server).GetNodes(pb.GetNodesRequest(handle=last.handle, node_count=30)))
        same("GetNodes of at most 30: indices", sorted(answer.index for answer in answers), list(range(len(answers))))
        same("GetNodes: node_count", {answer.node_count for answer in answers}, {len(answers)})
        paths: dict[int, list[pb.Step]] = {}
        for answer in sorted(answers, key=lambda answer: answer.index):
            is_root = answer.index == 0
            same(f"GetNodes, node {answer.index}: has a step", answer.HasField("step"), not is_root)
            same(f"GetNodes, node {answer.index}: its parent came before", answer.parent in paths, not is_root)
            paths[answer.index] = [] if is_root else [*paths[answer.parent], answer.step]
            wanted = node(server, last.handle, *paths[answer.index])
            wanted.ClearField("state")
            require(answer.node == wanted, f"GetNodes, node {answer.index}: differs from GetNode's answer for its path")


def _furthest(sums: NDArray[np.float32]) -> np.float32:
    furthest: np.float32 = sums[np.argmax(np.abs(sums - 1))]
    return furthest


def _check_evs(said: str, where: Spot, pot: int, evs: NDArray[np.float32], reach: NDArray[np.float32]) -> None:
    """Require that both players' EVs, weighted by how likely their holdings meet, add up to the pot."""
    if not pot:
        return
    masks = holdings_of(where.public.variant.deck).masks
    apart = (masks[:, None] & masks[None, :]) == 0
    total = 0.0
    for player in (0, 1):
        pairs = (apart @ reach[1 - player]) * reach[player]
        total += float((pairs * np.nan_to_num(evs[player])).sum() / pairs.sum())
    close(f"{said}: sum of both players' EVs", total, pot, 0.05)


@RESOLVER("GetNode", "returns deals between streets, and nodes after a card", 120)
def deals(server: Server) -> None:
    both = (step(CALL), step(CALL))
    with solved(server, request_of(turn(), 20)) as last:
        before = node(server, last.handle, *both)
        same("a turn after two checks: player, number of deals", (before.player, len(before.deals)), (-1, 20))
        after = node(server, last.handle, *both, pb.Step(cards="Qc"))
        got = after.player, after.board, after.state.board
        same("a turn after two checks and Qc: player, board, board of the state", got, (0, "TsTh9sKdQc", "TsTh9sKdQc"))


@RESOLVER("GetNode", "nobody folds the best hand or calls with the worst")
def sense(server: Server) -> None:
    where = kuhn()
    with solved(server, request_of(where, 2000)) as last:
        answer = node(server, last.handle, step(Action(raise_to=1)))
        same("kuhn after a bet: number of actions", len(answer.actions), 2)
        strategy = floats("kuhn after a bet", answer.strategy, 2, where)
        folds = strategy[0].tolist()
        require(
            folds[0] > 0.98 and folds[2] < 0.02,
            f"kuhn after a bet: J, Q and K fold {folds}; expected J always and K never",
        )
        close("kuhn after a bet: how often a queen calls", float(strategy[1, 1]), 1 / 3, 0.08)
