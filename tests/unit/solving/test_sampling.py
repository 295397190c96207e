"""Iterations that sample some of the boards still solve all of them."""

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.solving.best_response import exploitability, worth
from riverboat.solving.cfr import RECENT, SEED_CFR, Solver, new_solver
from riverboat.solving.gadget import Gadget
from riverboat.solving.memory import Precision
from riverboat.solving.sampling import BoardSampler
from riverboat.solving.solution import resume, save
from riverboat.solving.traversal import BEST
from riverboat.spots.spot import build
from tests.unit.solving.games import kuhn, spot

RANGES = ("AA-99,AKs,JTs,AQ,KJ", "AA-99,KQs,KQo,QT,AJ")
TURN = build(spot("TsKh9sJc", 60, 120, "/ / 0.5p all-in / 1p", deck="24", ranges=RANGES)).subgame
FLOP = build(spot("TsKh9s", 60, 120, "/ 1p / 1p / 1p", deck="24", ranges=("AA-QQ,AKs", "AA-QQ,KQs"))).subgame


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def sampled(count: int | None, seed: int = 1, threads: int = 1) -> Solver:
    return new_solver(TURN, RECENT, precision=Precision.DOUBLE, sampled=count, rng=rng(seed), threads=threads)


def test_the_number_is_that_of_all_boards_and_falls_with_iterations() -> None:
    """A fixed sample of one board reported 0.0002 % of the pot; the exploitability on all boards was 13 %."""
    pot, left = 60, {}
    for count in (1, 4, None):
        solved = sampled(count)
        for iterations in (100, 900):
            solved.run(iterations)
            left[count, iterations] = exploitability(solved) / pot
    for count in (1, 4, None):
        assert left[count, 900] < left[count, 100] / 2
    assert left[None, 900] < left[4, 900] < left[1, 900] < 0.02
    assert left[1, 100] > 0.005  # the reported number is not too low


def test_each_round_has_an_order_of_its_own() -> None:
    """In a fixed order, a board would always be sampled together with the same others."""
    sampler = BoardSampler(TURN.boards, 1, rng(1))
    after = int((TURN.boards.level == 1).sum())
    rounds = [tuple(sampler.next().boards[1] for _ in range(after)) for _ in range(4)]
    assert all(sorted(order) == sorted(rounds[0]) for order in rounds)
    assert len(set(rounds)) == 4


def test_values_are_those_of_the_whole_game() -> None:
    exact, solved = sampled(None), sampled(4)
    exact.run(300)
    solved.run(1500)
    assert worth(solved).means == pytest.approx(worth(exact).means, abs=0.3)


def test_every_board_is_gone_through_as_often_as_the_others_at_its_deal() -> None:
    sampler = BoardSampler(FLOP.boards, 2, np.random.default_rng(1))
    first = np.flatnonzero(FLOP.boards.level == 1)
    for _ in range(len(first) * 3):
        sample = sampler.next()
        assert np.bincount(FLOP.boards.level[sample.boards]).tolist() == [1, 2, 4]
    assert set(sample.visits[first].tolist()) == {6}
    for board in first:
        assert np.ptp(sample.visits[FLOP.boards.parent == board]) <= 1


def test_a_sample_of_all_boards_is_no_sample() -> None:
    sample = BoardSampler(TURN.boards, 1000, np.random.default_rng(1)).next()
    assert len(sample.boards) == TURN.boards.count
    assert np.array_equal(sample.chance, TURN.boards.chance)


def test_the_same_seed_has_the_same_samples_however_many_iterations_are_run_at_a_time() -> None:
    results = []
    for seed, parts, threads in ((5, [6], 1), (5, [1, 2, 3], 1), (5, [6], 2), (6, [6], 1)):
        solved = sampled(3, seed, threads)
        for count in parts:
            solved.run(count)
        solved.close()
        results.append(solved.memory.store.sums.tobytes())
    assert results[0] == results[1] == results[2] != results[3]


def test_a_saved_solution_goes_on() -> None:
    before, after = sampled(2), sampled(2)
    before.run(200)
    resume(save(before, {}), after)
    assert after.iteration == 200
    after.run(400)
    assert exploitability(after) < 0.7 * exploitability(before)


def test_a_made_up_number_of_iterations_takes_no_time() -> None:
    solved = sampled(2)
    solved.start_at(10**9)
    solved.run(1)
    assert solved.iteration == 10**9 + 1


def test_both_at_once_and_behind_a_gadget() -> None:
    together = new_solver(TURN, SEED_CFR, precision=Precision.DOUBLE, sampled=4, rng=rng(1))
    together.run(50)
    early = exploitability(together)
    together.run(450)
    assert exploitability(together) < early / 2
    exact = sampled(None)
    exact.run(300)
    gadget = Gadget(sampled(6), 1, worth(exact, BEST).cfvs[1])
    gadget.run(40)
    first = gadget.shortfall()
    gadget.run(1000)
    assert gadget.shortfall() < first / 2


def test_nothing_to_sample() -> None:
    with pytest.raises(InvalidInput, match="sampled: must be at least 1"):
        sampled(0)
    with pytest.raises(InvalidInput, match="must be at least 1 and come with a random generator"):
        new_solver(TURN, sampled=3)
    one = new_solver(kuhn().subgame, RECENT, precision=Precision.DOUBLE, sampled=3, rng=rng(1))  # nothing is dealt
    other = new_solver(kuhn().subgame, RECENT, precision=Precision.DOUBLE)
    for which in (one, other):
        which.run(10)
    assert np.array_equal(one.memory.store.sums, other.memory.store.sums)
