"""The solver, compared with the literal twin of the seed paper's procedures."""

from dataclasses import replace

import numpy as np
import pytest

from riverboat.holdings import live_holdings
from riverboat.solving.best_response import worth
from riverboat.solving.cfr import SEED_CFR
from riverboat.solving.memory import Precision
from riverboat.solving.nodes import strategy_at
from riverboat.solving.resolution import resolve_ranges
from riverboat.solving.subgame import F64
from riverboat.spots.spot import Spot, build
from tests.reference.resolving import generate_initial_subtree, resolve, subtree_traversal_rollout
from tests.unit.solving.games import kuhn, leduc, solver, spot

# The twin averages what each of T iterations ends with, the solver what each begins with: one later, from the second.
AS_THE_SEED = replace(SEED_CFR, average_from=2)

SPOTS = {
    "kuhn": (kuhn().spot, 40),
    "leduc": (leduc().spot, 20),
    "river, 52 cards": (spot("QsJh2h8d3c", 100, 300, "/ / / 1p all-in", ranges=("66+,A8s+,KTs+", "QQ-22,A2s+")), 6),
    "turn, 24 cards": (spot("TsKh9sJc", 60, 200, "/ / 1p all-in / 1p", deck="24"), 4),
    "turn, 36 cards": (
        spot("TsKh9s6c", 60, 100, "/ / 1p all-in / all-in", deck="36", ranges=("AA-66,AKs,AQs", "TT-66,A6s+,KQo")),
        3,
    ),
}


def ranges_of(where: Spot) -> tuple[F64, F64]:
    live = live_holdings(where.public.variant.deck, where.public.board)
    first, second = ((weights * live).astype(np.float64) for weights in where.weights)
    return first, second


@pytest.mark.parametrize("name", SPOTS)
def test_the_same_strategies_ranges_and_values(name: str) -> None:
    where, iterations = SPOTS[name]
    subtree = generate_initial_subtree(where.public, where.sizes)
    r_1, r_2 = ranges_of(where)
    average, after = resolve(subtree, r_1, r_2, iterations)
    solved = solver(build(where), AS_THE_SEED, Precision.DOUBLE)
    resolution = resolve_ranges(solved, iterations + 1)
    live = (r_1, r_2)[resolution.player] > 0
    assert resolution.strategy[:, live] == pytest.approx(average[live].T, abs=1e-6)
    for action, weights in enumerate(after):
        if weights.sum() > 0:
            assert resolution.range_after(action) == pytest.approx(weights, abs=1e-6)


@pytest.mark.parametrize("name", SPOTS)
def test_the_same_values_of_even_strategies(name: str) -> None:
    where, _ = SPOTS[name]
    subtree = generate_initial_subtree(where.public, where.sizes)
    values = subtree_traversal_rollout(subtree, 0, *ranges_of(where))
    solved = solver(build(where), AS_THE_SEED, Precision.DOUBLE)
    for player in (0, 1):
        live = solved.memory.layout.holdings(0, player)
        assert worth(solved).cfvs[player, live] == pytest.approx(values[player][live], rel=1e-5, abs=1e-4)


def test_all_nodes_of_leduc_agree() -> None:
    where = leduc().spot
    subtree = generate_initial_subtree(where.public, where.sizes)
    resolve(subtree, *ranges_of(where), 15)
    built = build(where, isomorphic=False)
    solved = solver(built, AS_THE_SEED, Precision.DOUBLE)
    solved.run(15)
    tree = subtree.tree
    for node, learnt in subtree.nodes.items():
        line = int(tree.line[node])
        board = built.cards.index(subtree.board(node))
        ours = strategy_at(solved.memory, line, board, source=0)
        live = solved.memory.layout.holdings(board, int(tree.actor[node]))
        assert ours[:, live] == pytest.approx(learnt.strategy[live].T, abs=1e-9)
