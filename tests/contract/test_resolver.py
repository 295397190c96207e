"""The resolver's contract, with a real oracle and a real state manager."""

from collections.abc import Iterator
from typing import Any

import grpc
import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.protos.resolver.v1 import resolver_pb2 as pb
from riverboat.protos.resolver.v1.resolver_pb2_grpc import ResolverStub
from riverboat.rpc.convert.state_manager import encode_state
from riverboat.rules.state import start
from riverboat.rules.variant import no_limit
from riverboat.solving.best_response import worth
from riverboat.solving.cfr import RECENT
from riverboat.solving.nodes import strategy_at
from riverboat.solving.resolution import resolve_ranges
from riverboat.spots.spot import Spot, build
from tests.conftest import LARGE
from tests.processes import ServiceProcess
from tests.unit.solving.games import golden, solver, spot

CALL, FOLD = rules_pb.Action(call=rules_pb.Action.Call()), rules_pb.Action(fold=rules_pb.Action.Fold())


@pytest.fixture(scope="module")
def resolver(resolver_process: ServiceProcess) -> Iterator[ResolverStub]:
    with grpc.insecure_channel(resolver_process.address, options=LARGE) as channel:
        yield ResolverStub(channel)


def asked(where: Spot) -> pb.Spot:
    return pb.Spot(state=encode_state(where.public), bet_sizes=str(where.sizes))


def floats(data: bytes, rows: int) -> np.ndarray:
    return np.frombuffer(data, "<f4").reshape(rows, -1)


def solve(resolver: ResolverStub, where: Spot, iterations: int, **more: Any) -> pb.SolveResponse:
    budget = pb.Budget(iterations=iterations)
    ranges = where.weights.astype("<f4").tobytes()
    *_, last = resolver.Solve(pb.SolveRequest(spot=asked(where), ranges=ranges, budget=budget, **more), timeout=300)
    assert last.handle
    return last


@pytest.mark.parametrize(
    ("name", "iterations"),
    [
        ("river_srp", 100),
        ("river_realistic", 100),
        ("river_uniform", 100),
        ("turn_srp", 12),
        pytest.param("flop_small", 2, marks=pytest.mark.slow),
    ],
)
def test_a_golden_spot_is_the_library_s_byte_for_byte(resolver: ResolverStub, name: str, iterations: int) -> None:
    where, _ = golden(name)
    last = solve(resolver, where, iterations)
    ours = solver(build(where), RECENT)
    ours.run(iterations)
    node = resolver.GetNode(pb.GetNodeRequest(handle=last.handle))
    checked = resolver.GetNode(pb.GetNodeRequest(handle=last.handle, path=[pb.Step(action=CALL)]))
    second = int(ours.memory.subgame.lines.first_child[0])
    assert checked.strategy == strategy_at(ours.memory, second, 0).astype("<f4").tobytes()
    expected = strategy_at(ours.memory, 0, 0)
    assert node.strategy == expected.astype("<f4").tobytes()
    result = worth(ours)
    assert last.evs == pytest.approx(result.means + where.public.pot / 2)
    evs = floats(node.evs, 2)
    live = ours.memory.layout.holdings(0, 0)
    assert evs[0, live] == pytest.approx(result.evs[0, live] + where.public.pot / 2, rel=1e-4, abs=1e-3)
    assert node.player == 0
    assert len(node.actions) == len(expected)
    assert node.pot == where.public.pot


def test_a_turn_with_merged_suits_by_paths(resolver: ResolverStub) -> None:
    """A question about a merged board gets the other board's solution, with suits exchanged."""
    where = spot("TsTh9s9h", 60, 120, "/ / all-in / 1p", deck="24", ranges=("AA-99,AKs,JTs", "AA-99,KQs,KQo"))
    last = solve(resolver, where, 30)
    deal = [pb.Step(action=CALL), pb.Step(action=CALL)]
    before = resolver.GetNode(pb.GetNodeRequest(handle=last.handle, path=deal))
    assert before.player == -1
    assert len(before.deals) == 20
    clubs, diamonds = (
        resolver.GetNode(pb.GetNodeRequest(handle=last.handle, path=[*deal, pb.Step(cards=cards)]))
        for cards in ("Ac", "Ad")
    )
    deck = where.public.variant.deck
    masks = holdings_of(deck).masks.tolist()
    names = {0: 1, 1: 0, 2: 2, 3: 3}  # clubs and diamonds
    one, other = (floats(node.strategy, len(node.actions)) for node in (clubs, diamonds))
    for h, cards in enumerate(holdings_of(deck).cards.tolist()):
        there = masks.index(sum(1 << (card - card % 4 + names[card % 4]) for card in cards))
        assert one[:, h] == pytest.approx(other[:, there])
    assert diamonds.board == "TsTh9s9hAd"
    assert diamonds.state.board == "TsTh9s9hAd"


def test_resolving_with_ranges_and_safely(resolver: ResolverStub) -> None:
    where, _ = golden("river_srp")
    own, other = (weights.astype("<f4").tobytes() for weights in where.weights)
    request = pb.ResolveRequest(
        spot=asked(where), own_range=own, opponent_range=other, budget=pb.Budget(iterations=200), seed=3
    )
    answer = resolver.Resolve(request, timeout=120)
    assert answer.strategy == resolver.Resolve(request, timeout=120).strategy
    strategy = floats(answer.strategy, len(answer.actions))
    after = np.frombuffer(answer.own_range, "<f4")
    assert after.sum() == pytest.approx(1, abs=1e-4)
    assert answer.action in answer.actions
    chosen = list(answer.actions).index(answer.action)
    expected = where.weights[0] * strategy[chosen]
    assert after == pytest.approx(expected / expected.sum(), abs=1e-6)
    values = np.frombuffer(answer.values, "<f4").reshape(2, -1)[1]
    safe = pb.ResolveRequest(
        spot=asked(where), own_range=own,
        opponent_values=np.where(where.weights[1] > 0, values, np.nan).astype("<f4").tobytes(),
        budget=pb.Budget(iterations=300),
    )  # fmt: skip
    again = resolver.Resolve(safe, timeout=120)
    assert again.cost.exploitability < 2
    assert again.opponent_range == b""


def turn_request(**more: Any) -> pb.ResolveRequest:
    where = spot("TsTh9sKd", 60, 120, "/ / 1p all-in / 1p", deck="24", ranges=("AA-99,AKs,JTs", "AA-99,KQs,KQo"))
    own, other = (weights.astype("<f4").tobytes() for weights in where.weights)
    budget = pb.Budget(iterations=40)
    return pb.ResolveRequest(spot=asked(where), own_range=own, opponent_range=other, budget=budget, **more)


def test_a_solution_that_time_has_ended_is_kept_under_its_iterations(resolver: ResolverStub) -> None:
    where, _ = golden("river_srp")
    own, other = (weights.astype("<f4").tobytes() for weights in where.weights)

    def ask(budget: pb.Budget, **more: Any) -> pb.ResolveResponse:
        request = pb.ResolveRequest(spot=asked(where), own_range=own, opponent_range=other, budget=budget, **more)
        return resolver.Resolve(request, timeout=300)

    timed = ask(pb.Budget(milliseconds=150))
    assert not timed.cost.is_partial
    again = ask(pb.Budget(iterations=timed.cost.iterations), path=[pb.Step(action=CALL)])
    assert again.strategy == timed.strategy
    # Seconds of solving are measured: that they are the same to the last bit shows that nothing was solved again.
    assert again.cost == timed.cost


def test_answers_are_kept_for_the_same_question_only(resolver: ResolverStub) -> None:
    where, _ = golden("river_srp")
    own, other = (weights.astype("<f4").tobytes() for weights in where.weights)
    less = (where.weights[1] * 0.5 + 0.1 * (where.weights[1] > 0)).astype("<f4").tobytes()
    first = {"own_range": own, "opponent_range": other, "budget": pb.Budget(iterations=7), "algorithm": "recent"}
    changes: list[dict[str, Any]] = [
        {"algorithm": "cfr"},
        {"budget": pb.Budget(iterations=8)},
        {"opponent_range": less},
        {"own_range": less, "opponent_range": own},
        {"opponent_values": np.zeros(1326, "<f4").tobytes()},
    ]
    answers = [
        resolver.Resolve(pb.ResolveRequest(spot=asked(where), **{**first, **change}), timeout=300).strategy
        for change in ({}, *changes, {})
    ]
    assert answers[0] == answers[-1]
    assert len(set(answers)) == len(answers) - 1


def test_what_the_opponent_can_count_on_along_a_path(resolver: ResolverStub) -> None:
    """Before the deal the values are the library's; after it only possible holdings have values."""
    both_check = [pb.Step(action=CALL), pb.Step(action=CALL)]
    before, after = (
        np.frombuffer(resolver.Resolve(turn_request(path=path), timeout=60).opponent_values, "<f4")
        for path in (both_check, [*both_check, pb.Step(cards="Qc")])
    )
    where = spot("TsTh9sKd", 60, 120, "/ / 1p all-in / 1p", deck="24", ranges=("AA-99,AKs,JTs", "AA-99,KQs,KQo"))
    ours = solver(build(where), RECENT)
    resolution = resolve_ranges(ours, 40)
    lines = ours.memory.subgame.lines
    line = int(lines.first_child[int(lines.first_child[0])])
    expected = resolution.opponent_values_at(line, 0, ours.memory.subgame.boards.live[0])
    live = where.weights[1] * ours.memory.subgame.boards.live[0] > 0
    assert before[live] == pytest.approx(expected[live], rel=1e-3, abs=1e-3)
    assert np.isnan(before[~live]).all()
    own = resolver.Resolve(turn_request(path=both_check[:1]), timeout=60)
    first = int(lines.first_child[0])
    theirs = resolution.values_at(0, first, 0, ours.memory.subgame.boards.live[0])
    mine = where.weights[0] * ours.memory.subgame.boards.live[0] > 0
    assert np.frombuffer(own.actor_values, "<f4")[mine] == pytest.approx(theirs[mine], rel=1e-3, abs=1e-3)
    left = live & live_holdings(where.public.variant.deck, parse_cards("TsTh9sKdQc"))
    assert np.isfinite(after[left]).all()
    assert np.isnan(after[~left]).all()


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ([pb.Step(action=rules_pb.Action(raise_to=7))], "path[0].action"),
        ([pb.Step(cards="Qc")], "path[0].cards"),
        ([pb.Step(action=CALL), pb.Step(action=CALL), pb.Step(cards="Ts")], "path[2].cards"),
        ([pb.Step(action=CALL)] * 2 + [pb.Step(cards="Qc"), pb.Step(action=CALL)], "path"),
        ([pb.Step()], "path[0]"),
    ],
)
def test_paths_that_are_not_there(resolver: ResolverStub, path: list[pb.Step], field: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        resolver.Resolve(turn_request(path=path), timeout=60)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT, caught.value.details()
    assert (caught.value.details() or "").startswith(field)


def test_before_the_turn_it_looks_to_the_next_deal(resolver: ResolverStub) -> None:
    flop = spot("TsTh9s", 60, 120, "1p all-in", deck="24")
    start_of_hand = start(no_limit(1, 2, deck="24"), [40, 40])
    everything = np.ones(276, "<f4").tobytes()
    for public in (flop.public, start_of_hand):
        request = pb.ResolveRequest(
            spot=pb.Spot(state=encode_state(public), bet_sizes="1p all-in", leaf="equity"),
            own_range=everything, opponent_range=everything, budget=pb.Budget(iterations=200),
        )  # fmt: skip
        answer = resolver.Resolve(request, timeout=60)
        assert (answer.cost.board_count, answer.cost.leaf) == (1, "equity")
        assert answer.cost.exploitability < 0.02 * public.pot
    strategy = floats(answer.strategy, len(answer.actions))
    aces = holding_index(start_of_hand.variant.deck, parse_cards("AsAh"))
    assert strategy[0, aces] < 0.01  # nobody folds them


def test_the_networks_that_come_with_riverboat_are_used(resolver: ResolverStub) -> None:
    used = resolver.ListNetworks(pb.ListNetworksRequest(), timeout=30)
    assert not used.refused
    assert not used.by_name
    assert all(one.yardstick and 0 < one.huber < one.error < 0.2 and not one.reason for one in used.networks)
    assert {("24", "preflop"), ("24", "flop"), ("24", "turn"), ("24", "river"), ("52", "turn"), ("52", "river")} <= {
        (one.deck, one.street) for one in used.networks
    }
    flop = spot("TsTh9s", 60, 120, "1p", deck="24")
    everything = np.ones(276, "<f4").tobytes()
    request = pb.ResolveRequest(
        spot=asked(flop), own_range=everything, opponent_range=everything, budget=pb.Budget(iterations=20)
    )
    answer = resolver.Resolve(request, timeout=60)
    assert answer.cost.leaf.startswith("24-turn-")
    assert answer.cost.board_count > 1
    values = floats(answer.values, 2)
    live = live_holdings(flop.public.variant.deck, flop.public.board)
    assert np.isfinite(values[:, live]).all()
