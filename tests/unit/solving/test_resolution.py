"""Re-solving: ranges by Bayes' rule, safety, and a player that re-solves at every decision."""

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.rules.tree import Depth
from riverboat.solving.best_response import exploitability, worth
from riverboat.solving.cfr import CFR_PLUS, RECENT, Solver, new_solver
from riverboat.solving.gadget import Gadget
from riverboat.solving.leaf_values import Leaves
from riverboat.solving.memory import Precision
from riverboat.solving.nodes import strategy_at
from riverboat.solving.resolution import bayesian_update, read_resolution, resolve_ranges, resolve_safely
from riverboat.solving.subgame import ACT, F64, FOLDED
from riverboat.solving.traversal import BEST
from riverboat.spots.spot import BuiltSpot, Spot, build
from tests.leduc_resolving import continual, replaced
from tests.reference.solved_below import SolvedBelow
from tests.unit.solving.games import kuhn, leduc, solver, spot

RIVER = spot("QsJh2h8d3c", 100, 400, "/ / / 0.5p all-in", ranges=("66+,A8s+,KTs+,QJs,65s", "QQ-22,A2s+,KJo+,T9s"))


def test_ranges_stay_normalised_and_follow_the_strategy() -> None:
    resolution = resolve_ranges(solver(build(RIVER), RECENT), 100)
    assert resolution.ranges.sum(axis=1) == pytest.approx(1)
    chances = resolution.strategy @ resolution.ranges[0]
    assert chances.sum() == pytest.approx(1)
    back = sum(chance * resolution.range_after(a) for a, chance in enumerate(chances))
    assert back == pytest.approx(resolution.ranges[0], abs=1e-9)
    for action in range(len(chances)):
        assert resolution.range_after(action).sum() == pytest.approx(1)


def test_actions_are_sampled_by_the_strategy() -> None:
    resolution = resolve_ranges(solver(build(RIVER), RECENT), 100)
    holding = int(np.argmax(resolution.ranges[0]))
    rng = np.random.default_rng(1)
    counts = np.bincount([resolution.sample(rng, holding) for _ in range(2000)], minlength=len(resolution.strategy))
    assert counts / 2000 == pytest.approx(resolution.strategy[:, holding], abs=0.05)
    same = [resolution.sample(np.random.default_rng(7)) for _ in range(2)]
    assert same[0] == same[1]
    with pytest.raises(InvalidInput, match="not possible"):
        resolution.sample(rng, int(np.flatnonzero(resolution.ranges[0] == 0)[0]))


def test_what_never_happens_tells_nothing() -> None:
    weights = np.array([0.5, 0.5, 0.0])
    assert bayesian_update(weights, np.zeros(3)) == pytest.approx(weights)


def test_values_are_those_of_the_solution() -> None:
    solved = solver(kuhn(), CFR_PLUS, Precision.DOUBLE)
    resolution = resolve_ranges(solved, 3000)
    assert resolution.values == pytest.approx(worth(solved).cfvs)
    mean = (resolution.ranges[0] * resolution.values[0]).sum() / 2  # two holdings are left for the other
    assert mean == pytest.approx(-1 / 18, abs=1e-4)


def test_the_gadget_gives_the_opponent_no_more_than_it_had() -> None:
    """Re-solved from its own values, the whole game stays solved."""
    before = solver(leduc(), CFR_PLUS, Precision.DOUBLE)
    before.run(2000)
    values = worth(before, BEST).cfvs[1]
    again = solver(leduc(), CFR_PLUS, Precision.DOUBLE)
    resolution = resolve_safely(again, values, 1500)
    assert (resolution.values[1] <= values + 0.02).all()


def outcome(solved: Solver, line: int, holdings: tuple[int, int]) -> float:
    """Return player 0's average winnings in Kuhn from a line on, holding against holding, by average strategies."""
    lines = solved.memory.subgame.lines
    kind, stake = int(lines.kind[line]), float(lines.stake[line])
    if kind == ACT:
        player, first = int(lines.player[line]), int(lines.first_child[line])
        chances = strategy_at(solved.memory, line, 0)[:, holdings[player]]
        return sum(float(chance) * outcome(solved, first + a, holdings) for a, chance in enumerate(chances))
    if kind == FOLDED:
        return -stake if lines.player[line] == 0 else stake
    return stake if holdings[0] > holdings[1] else -stake


@pytest.mark.parametrize("taken", [(), (2,), (0, 2)])
def test_own_values_behind_a_gadget_are_over_what_plays_on(taken: tuple[int, ...]) -> None:
    """Slowly, pair by pair; high values keep some of the opponent's holdings out of the subgame."""
    solved = solver(kuhn(), CFR_PLUS, Precision.DOUBLE)
    values = np.full(3, -9.0)
    values[list(taken)] = 9.0
    gadget = Gadget(solved, 1, values)
    gadget.run(50)
    resolution = read_resolution(solved, is_safe=True)
    reach = gadget.plays * kuhn().subgame.weights[1]
    assert (reach[list(taken)] < 0.05).all()
    for own in range(3):
        others = [other for other in range(3) if other != own]
        total = sum(reach[other] * outcome(solved, 0, (own, other)) for other in others)
        assert resolution.values_over_ranges()[0, own] == pytest.approx(total / reach.sum())


@pytest.mark.slow
def test_safe_re_solving_does_not_make_a_solution_worse_and_unsafe_does() -> None:
    whole = leduc(isomorphic=False)
    trunk = solver(whole, CFR_PLUS, Precision.DOUBLE)
    trunk.run(1000)
    before = exploitability(trunk)
    assert before < 0.00027  # .000255, plus a tenth for differences in last bits, as in test_cfr
    # What 1,000 iterations of each gadget leave: .00016 more. Without it .105, which is 400 times the solution's.
    assert exploitability(replaced(trunk, whole, safe=True, iterations=1000)) < before + 0.0002
    assert exploitability(replaced(trunk, whole, safe=False, iterations=1000)) > 0.09


@pytest.mark.slow
def test_a_player_that_re_solves_at_every_decision() -> None:
    exact = continual(iterations=100, below=50, error=0.0)
    assert exact < 0.045  # .042 with so few iterations, and .009 with 300 and 100; a strategy solved in 100 has .0134
    assert continual(iterations=100, below=50, error=0.3) > 8 * exact  # .413


def test_a_cut_game_with_exact_leaf_values_is_the_game() -> None:
    """The value of Leduc, from its first street alone."""
    whole = leduc(isomorphic=False)
    cut = build(Spot(whole.spot.public, whole.spot.weights, whole.spot.sizes, Depth(1, 1)), isomorphic=False)
    below = SolvedBelow(whole.subgame, CFR_PLUS, 60)
    solved = new_solver(cut.subgame, CFR_PLUS, precision=Precision.DOUBLE, leaf_values=below)
    solved.run(60)
    first, second = worth(solved).means  # both a little high: leaf values are those of best responses
    assert (first - second) / 2 == pytest.approx(-0.0856, abs=0.01)
    assert first + second < 0.1


def estimate(leaves: Leaves, reach: F64) -> F64:
    """Approximate the values below a cut of Leduc."""
    values = reach[::-1].sum(axis=2, keepdims=True) * np.arange(6) * leaves.stake[:, None]
    return np.stack([values[0], -values[1]])


def cut_leduc() -> BuiltSpot:
    whole = leduc().spot
    return build(Spot(whole.public, whole.weights, whole.sizes, Depth(1, 1)), isomorphic=False)


def test_it_makes_no_difference_how_many_iterations_are_run_at_a_time() -> None:
    """With an estimate below and without: a service runs some iterations between progress reports."""
    collected = []
    for parts in ([12], [5, 7], [1] * 12):
        one = new_solver(cut_leduc().subgame, RECENT, precision=Precision.DOUBLE, leaf_values=estimate)
        for count in parts:
            one.run(count)
        collected.append(worth(one).cfvs)
    assert np.array_equal(collected[0], collected[1])
    assert np.array_equal(collected[0], collected[2])


@pytest.mark.parametrize("opponent", [0, 1, None])
def test_leaf_values_are_averaged_by_each_iterations_own_decay(opponent: int | None) -> None:
    """Whichever player learns first: with the gadget it is the player who re-solves."""
    one = new_solver(cut_leduc().subgame, RECENT, precision=Precision.DOUBLE, leaf_values=estimate)
    decays: dict[int, list[float]] = {0: [], 1: []}
    remember = one.port.remember

    def listened(player: int, decay: float) -> None:
        decays[player].append(decay)
        remember(player, decay)

    one.port.remember = listened  # type: ignore[method-assign]
    (one if opponent is None else Gadget(one, opponent, np.zeros(6))).run(5)
    own = [RECENT.rule(n).decay for n in range(1, 6)]
    assert decays == {0: own, 1: own}


def test_impossible_requests() -> None:
    whole = leduc()
    cut = build(Spot(whole.spot.public, whole.spot.weights, whole.spot.sizes, Depth(1, 1)))
    with pytest.raises(InvalidInput, match="a subgame that is cut"):
        new_solver(cut.subgame)
    with pytest.raises(InvalidInput, match=r"must be \[6\]"):
        Gadget(solver(whole, CFR_PLUS), 1, np.zeros(3))
    with pytest.raises(InvalidInput, match="finite"):
        Gadget(solver(whole, CFR_PLUS), 1, np.full(6, np.nan))
    with pytest.raises(InvalidInput, match="one deal must follow"):
        SolvedBelow(kuhn().subgame, CFR_PLUS, 10)
