"""Small games with known solutions, algorithms against open_spiel, and properties that hold everywhere."""

from dataclasses import replace

import numpy as np
import pytest

from riverboat.solving.best_response import exploitability, worth
from riverboat.solving.cfr import (
    ALGORITHMS,
    CFR,
    CFR_PLUS,
    DISCOUNTED,
    LINEAR,
    PREDICTIVE_PLUS,
    RECENT,
    RISING,
    SEED_CFR,
    STEADY,
    Algorithm,
    Solver,
)
from riverboat.solving.memory import Precision
from riverboat.solving.nodes import strategy_at
from riverboat.solving.regrets import CURRENT
from riverboat.solving.traversal import BEST
from riverboat.spots.spot import build
from tests.unit.solving.games import kuhn, leduc, solver, spot

RIVER = spot("QsJh2h8d3c", 100, 400, "/ / / 0.5p all-in", ranges=("66+,A8s+,KTs+,QJs,65s", "QQ-22,A2s+,KJo+,T9s"))
TURN = spot("TsKh9sJc", 60, 200, "/ / 1p all-in / 1p", deck="24", ranges=("AA-99,AKs,JTs", "AA-99,AQs-ATs,KQo"))


def name_of(parameter: object) -> str:
    return str(getattr(parameter, "name", ""))


def test_kuhn_has_the_known_value_and_one_of_the_known_equilibria() -> None:
    solved = solver(kuhn(), CFR_PLUS, Precision.DOUBLE)
    solved.run(20_000)
    assert worth(solved).means[0] == pytest.approx(-1 / 18, abs=1e-6)
    assert exploitability(solved) < 1e-5
    lines = solved.memory.subgame.lines
    root = strategy_at(solved.memory, 0, 0)  # call, raise by jack, queen, king
    bluff = root[1, 0]
    assert 0 <= bluff <= 1 / 3 + 1e-3
    assert root[1, 1] == pytest.approx(0, abs=2e-3)
    assert root[1, 2] == pytest.approx(3 * bluff, abs=5e-3)
    checked = int(lines.first_child[0])
    second = strategy_at(solved.memory, checked, 0)
    assert second[1] == pytest.approx([1 / 3, 0, 1], abs=5e-3)
    facing = strategy_at(solved.memory, int(lines.first_child[0]) + 1, 0)  # fold, call
    assert facing[1] == pytest.approx([0, 1 / 3, 1], abs=5e-3)
    again = strategy_at(solved.memory, int(lines.first_child[checked]) + 1, 0)
    assert again[1] == pytest.approx([0, bluff + 1 / 3, 1], abs=5e-3)


def shaken(algorithm: Algorithm, iterations: int, seed: int) -> Solver:
    """Return a run whose early regrets differ in their last bits, and soon in more than those."""
    solved = solver(leduc(), algorithm, Precision.DOUBLE)
    solved.run(20)
    regrets = solved.memory.store.regrets
    regrets *= 1 + 1e-15 * np.random.default_rng(seed).integers(-4, 5, regrets.shape)
    solved.run(iterations - 20)
    return solved


# Exploitability of Leduc (NashConv / 2, chips a hand) after 100 iterations, as open_spiel has it, and after 1,000. By
# then runs of CFR that differ in their last bits are still within 0.02 %. Of 30 runs of each of the others the lowest,
# the median and the highest were
#     CFR+ .000239 .000254 .000265      linear .0043 .0053 .0069      discounted .000132 .000161 .000200
# and open_spiel's one run has .000257, .0048 and .00014, all within what last bits do. One run of ours says as little
# as one of theirs, so a median of 31 is compared: a bar is the median above and three standard errors.
LEDUC = [
    (CFR, 0.0957164, 0.01182),  # open_spiel's own figure
    (LINEAR, 0.0344896, 0.0057),
    (CFR_PLUS, 0.0134160, 0.00026),
    (DISCOUNTED, 0.0077533, 0.000173),
]


@pytest.mark.parametrize(("algorithm", "at_100", "at_1000"), LEDUC, ids=name_of)
@pytest.mark.slow
def test_leduc_like_open_spiel(algorithm: Algorithm, at_100: float, at_1000: float) -> None:
    early = solver(leduc(), algorithm, Precision.DOUBLE)
    early.run(100)
    # Repeated halving brings negative regrets so close to zero that last bits matter sooner: .0077605 here.
    assert exploitability(early) == pytest.approx(at_100, rel=2e-3 if algorithm is DISCOUNTED else 2e-5)
    runs = 1 if algorithm is CFR else 31
    assert np.median([exploitability(shaken(algorithm, 1000, seed)) for seed in range(runs)]) <= at_1000


# After 3,000 iterations: how far the value may be from Leduc's, and the exploitability, both in chips a hand. Each bar
# is a tenth above the worst of 24 runs that differ in their last bits.
AT_3000 = {
    CFR: (6.6e-4, 0.0059),
    SEED_CFR: (3.5e-3, 0.024),  # both players learn at once, which converges more slowly
    CFR_PLUS: (1.5e-6, 4.5e-5),
    LINEAR: (1.4e-4, 0.0032),
    DISCOUNTED: (1e-7, 2.8e-5),
    RECENT: (1e-7, 3.7e-5),
    PREDICTIVE_PLUS: (4.1e-6, 2.1e-4),
    STEADY: (2e-7, 6e-5),
    RISING: (1e-7, 2.8e-5),
}


@pytest.mark.parametrize("algorithm", ALGORITHMS.values(), ids=name_of)
def test_all_find_the_value_of_leduc(algorithm: Algorithm) -> None:
    solved = solver(leduc(), algorithm, Precision.DOUBLE)
    solved.run(3000)
    value_bar, exploitability_bar = AT_3000[algorithm]
    assert worth(solved).means[0] == pytest.approx(-0.0856064240, abs=value_bar)
    assert exploitability(solved) < exploitability_bar


def test_alpha_rises_up_to_its_maximum() -> None:
    """Positive regrets before iteration t are multiplied by s^a / (s^a + 1) with s = t - 1 and a = 1 + t / 40."""
    for iteration, alpha in ((2, 1.05), (40, 2.0), (80, 3.0), (200, 3.0)):
        weight = (iteration - 1) ** alpha
        assert RISING.rule(iteration).positive == pytest.approx(weight / (weight + 1))
        assert RISING.rule(iteration).negative == pytest.approx(0.5)


def test_exploitability_is_open_spiel_s() -> None:
    """Of the strategy that plays every action with the same chance."""
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.algorithms import expected_game_score
    from open_spiel.python.algorithms import exploitability as reference

    for name, built in (("kuhn_poker", kuhn()), ("leduc_poker", leduc())):
        game = pyspiel.load_game(name)
        even = policy.UniformRandomPolicy(game)
        solved = solver(built, CFR, Precision.DOUBLE)
        assert exploitability(solved) == pytest.approx(reference.exploitability(game, even), rel=1e-9)
        state_value = worth(solved).means[0]
        expected = expected_game_score.policy_value(game.new_initial_state(), [even, even])
        assert state_value == pytest.approx(expected[0], rel=1e-9)


@pytest.mark.parametrize("algorithm", [CFR, SEED_CFR, DISCOUNTED, PREDICTIVE_PLUS], ids=name_of)
@pytest.mark.parametrize("precision", Precision)
def test_zero_sum_and_strategies_add_up(algorithm: Algorithm, precision: Precision) -> None:
    for where in (build(RIVER), build(TURN), leduc()):
        solved = solver(where, algorithm, precision)
        solved.run(30)
        result = worth(solved)
        assert result.means.sum() == pytest.approx(0, abs=1e-3)
        best = worth(solved, BEST)
        assert (best.means >= result.means - 1e-3).all()
        lines, boards, layout = solved.memory.subgame.lines, solved.memory.subgame.boards, solved.memory.layout
        for line in np.flatnonzero(lines.kind == 0):
            for board in np.flatnonzero(boards.level == layout.line_level[line]):
                for source in (CURRENT, 1):
                    chances = strategy_at(solved.memory, int(line), int(board), source)
                    live = solved.memory.layout.holdings(int(board), int(lines.player[line]))
                    assert (chances >= 0).all()
                    assert chances[:, live].sum(axis=0) == pytest.approx(1, abs=1e-5)


def test_learning_in_parts_is_the_same_as_in_one_go() -> None:
    whole, parts = solver(build(TURN), DISCOUNTED), solver(build(TURN), DISCOUNTED)
    whole.run(30)
    for count in (1, 9, 20):
        parts.run(count)
    assert whole.memory.store.sums.tobytes() == parts.memory.store.sums.tobytes()
    assert whole.memory.store.regrets.tobytes() == parts.memory.store.regrets.tobytes()


@pytest.mark.parametrize("algorithm", [DISCOUNTED, SEED_CFR], ids=name_of)
def test_two_threads_find_the_same_as_one(algorithm: Algorithm) -> None:
    one, two = solver(build(TURN), algorithm), solver(build(TURN), algorithm, threads=2)
    one.run(25)
    two.run(25)
    assert one.memory.store.sums.tobytes() == two.memory.store.sums.tobytes()
    assert worth(one).cfvs.tobytes() == worth(two).cfvs.tobytes()
    two.close()


def test_the_average_can_begin_later() -> None:
    """From the last iteration on, it is that iteration's strategy."""
    late, whole = (solver(leduc(), replace(CFR, average_from=first), Precision.DOUBLE) for first in (100, 1))
    late.run(100)
    whole.run(99)
    last = [strategy_at(whole.memory, 0, 0, CURRENT), strategy_at(whole.memory, 1, 0, CURRENT)]
    whole.run(1)
    assert late.memory.store.regrets.tobytes() == whole.memory.store.regrets.tobytes()
    for line, chances in enumerate(last):
        assert strategy_at(late.memory, line, 0) == pytest.approx(chances, abs=1e-12)


def test_sixteen_bits_are_nearly_as_good() -> None:
    short, single = solver(build(TURN), DISCOUNTED, Precision.SHORT), solver(build(TURN), DISCOUNTED)
    short.run(300)
    single.run(300)
    assert exploitability(single) < 0.002 * 60
    assert exploitability(short) < 0.003 * 60
    assert worth(short).means == pytest.approx(worth(single).means, abs=0.05)
