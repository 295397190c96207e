"""The resolver with a fake oracle and state manager for a tiny game, written from the contracts alone.

Each player gets one of five numbers, and the larger wins. There is one bet of two chips, and no board.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest

from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.gamemanager.v1 import state_manager_pb2_grpc as rules_grpc
from riverboat.protos.oracle.v1 import oracle_pb2, oracle_pb2_grpc
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.protos.resolver.v1.resolver_pb2_grpc import ResolverStub
from tests.processes import free_port, running

NUMBERS = 5
BET = 2
# Phase, who acts, parent, action, first child, children, pot, paid, folded; the pot is two chips at first
NODES = [
    (rules_pb.PHASE_ACT, 0, -1, 0, 1, 2, 2, (1, 1), (0, 0)),
    (rules_pb.PHASE_ACT, 1, 0, 0, 3, 2, 2, (1, 1), (0, 0)),  # 1: passed
    (rules_pb.PHASE_ACT, 1, 0, BET, 5, 2, 4, (3, 1), (0, 0)),  # 2: bet
    (rules_pb.PHASE_SHOWDOWN, -1, 1, 0, 0, 0, 2, (1, 1), (0, 0)),
    (rules_pb.PHASE_ACT, 0, 1, BET, 7, 2, 4, (1, 3), (0, 0)),  # 4: passed, bet
    (rules_pb.PHASE_FOLDED, -1, 2, -1, 0, 0, 4, (3, 1), (0, 1)),
    (rules_pb.PHASE_SHOWDOWN, -1, 2, 0, 0, 0, 6, (3, 3), (0, 0)),
    (rules_pb.PHASE_FOLDED, -1, 4, -1, 0, 0, 4, (1, 3), (1, 0)),
    (rules_pb.PHASE_SHOWDOWN, -1, 4, 0, 0, 0, 6, (3, 3), (0, 0)),
]


class FakeStates(rules_grpc.StateManagerServicer):
    """A state manager that knows one tree."""

    asked = 0

    def ExpandSubtree(self, request: Any, context: Any) -> Iterator[rules_pb.ExpandSubtreeResponse]:  # noqa: N802
        FakeStates.asked += 1
        summary = rules_pb.ExpandSubtreeResponse.Summary(node_count=len(NODES), seat_count=2, board_count=1)
        yield rules_pb.ExpandSubtreeResponse(summary=summary)
        columns = list(zip(*NODES, strict=True))
        names = ("phase", "actor", "parent", "action", "first_child", "child_count", "pot", "paid", "folded")
        kinds = ("i1", "i1", "<i4", "<i8", "<i4", "<i4", "<i8", "<i8", "u1")
        arrays: dict[str, Any] = {
            name: np.array(column, kind).tobytes() for name, column, kind in zip(names, columns, kinds, strict=True)
        }
        nodes = rules_pb.ExpandSubtreeResponse.Nodes(node_count=len(NODES), **arrays)
        yield rules_pb.ExpandSubtreeResponse(nodes=nodes)

    def Apply(self, request: Any, context: Any) -> rules_pb.ApplyResponse:  # noqa: N802
        return rules_pb.ApplyResponse(state=request.state)


class FakeOracle(oracle_pb2_grpc.OracleServicer):
    """An oracle that knows which of five numbers is larger."""

    def FollowingBoards(self, request: Any, context: Any) -> oracle_pb2.FollowingBoardsResponse:  # noqa: N802
        return oracle_pb2.FollowingBoardsResponse(
            boards=[""],
            holding_count=NUMBERS,
            level=np.zeros(1, "<i4").tobytes(),
            parent=np.full(1, -1, "<i4").tobytes(),
            chance=np.ones(1, "<f8").tobytes(),
            live=bytes([0b11111]),
            mirror_counts=np.zeros(1, "<i4").tobytes(),
            items=bytes(range(NUMBERS)),
        )

    def Strengths(self, request: Any, context: Any) -> oracle_pb2.StrengthsResponse:  # noqa: N802
        strengths = np.arange(1, NUMBERS + 1, dtype="<u2").tobytes()
        return oracle_pb2.StrengthsResponse(strengths=strengths, board_count=1, holding_count=NUMBERS)


@pytest.fixture
def fakes() -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(4))
    add_states: Any = rules_grpc.add_StateManagerServicer_to_server
    add_oracle: Any = oracle_pb2_grpc.add_OracleServicer_to_server
    states: Any = FakeStates  # abstract classes: they implement a part of the contract
    oracle: Any = FakeOracle
    add_states(states(), server)
    add_oracle(oracle(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(0)


def request() -> pb.SolveRequest:
    state = rules_pb.State(seats=[rules_pb.Seat(), rules_pb.Seat()], pot=2, actor=0)
    return pb.SolveRequest(
        spot=pb.Spot(state=state), ranges=np.ones((2, NUMBERS), "<f4").tobytes(), budget=pb.Budget(iterations=3000)
    )


def best_answer_value(bets: np.ndarray) -> float:
    """Return player 1's best-response value against player 0's betting frequencies, by trying every action."""
    total = 0.0
    for mine in range(NUMBERS):
        others = [n for n in range(NUMBERS) if n != mine]
        wins = {n: 1 if mine > n else -1 for n in others}
        facing = max(sum(-1 * bets[n] for n in others), sum(3 * wins[n] * bets[n] for n in others))
        total += facing
    return total / (NUMBERS * (NUMBERS - 1))


def test_a_game_that_riverboat_does_not_know(fakes: str, tmp_path: Path) -> None:
    with running("resolver", tmp_path, oracle_server=fakes, gamemanager_server=fakes) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            resolver = ResolverStub(channel)
            *_, last = resolver.Solve(request(), timeout=120)
            assert last.cost.exploitability < 0.002
            assert sum(last.evs) == pytest.approx(2)
            root = resolver.GetNode(pb.GetNodeRequest(handle=last.handle))
            strategy = np.frombuffer(root.strategy, "<f4").reshape(2, NUMBERS)
            assert strategy.sum(axis=0) == pytest.approx(1)
            assert strategy[1, 2] < 0.05, "a number in the middle does not bet"
            assert [action.raise_to for action in root.actions] == [0, BET]
            bet = pb.Step(action=rules_pb.Action(raise_to=BET))
            facing = resolver.GetNode(pb.GetNodeRequest(handle=last.handle, path=[bet]))
            calls = np.frombuffer(facing.strategy, "<f4").reshape(2, NUMBERS)[1]
            assert calls[4] > 0.99, "the largest number calls"
            assert calls[0] < 0.01, "the smallest does not"
            answers = np.frombuffer(facing.evs, "<f4").reshape(2, NUMBERS)[1]
            reach = np.frombuffer(facing.reach, "<f4").reshape(2, NUMBERS)[0]
            ours = sum(
                (answers[mine] - 1) * sum(reach[n] for n in range(NUMBERS) if n != mine) for mine in range(NUMBERS)
            )
            assert ours / (NUMBERS * (NUMBERS - 1)) == pytest.approx(best_answer_value(strategy[1]), abs=0.005)
            asked = FakeStates.asked
            list(resolver.Solve(request(), timeout=120))
            assert FakeStates.asked == asked, "the resolver does not ask the same question twice"


def test_without_anybody_to_ask(tmp_path: Path) -> None:
    nobody = f"127.0.0.1:{free_port()}"
    with running("resolver", tmp_path, oracle_server=nobody, gamemanager_server=nobody) as process:
        process.wait_until_healthy()
        with grpc.insecure_channel(process.address) as channel:
            with pytest.raises(grpc.RpcError) as caught:
                list(ResolverStub(channel).Solve(request(), timeout=120))
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            assert "state manager" in (caught.value.details() or "")
