"""Rollouts, compared with exact values, and their standard error."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from riverboat.cards import DECKS
from riverboat.equity import equity, matchup
from riverboat.equity.rollouts import CHUNK, rollout_steps
from riverboat.errors import InvalidInput, TooLarge
from riverboat.parallel import on_threads
from tests.unit.equity.test_matchup import ask

MATCHUPS = [
    ("AsAh", ["KsKh"], "", "52"),
    ("AsAh", ["random"], "2c7dTh", "52"),
    ("QQ+,AKs:0.5", ["JJ,TT,AQs:0.25"], "", "52"),
    ("AhKh", ["QQ,JJ", "random"], "Td9d2c4s", "52"),
    ("AA,KK", ["AK,QQ", "AQ,KK:0.5"], "9cTdJhQs", "24"),
    ("AA", ["AK", "AQ", "KQ"], "9cTdJhQs9s", "24"),
    ("8h8d", ["random"], "6h7hTh", "36"),
    ("2c2d", ["AsAh"], "AcAdKhKs", "52"),  # always loses
]


@pytest.mark.parametrize(("hero", "opponents", "board", "deck"), MATCHUPS)
def test_within_their_own_error_over_many_seeds(hero: str, opponents: list[str], board: str, deck: str) -> None:
    """Deviations divided by the standard error are normally distributed: none above 5, most below 2."""
    question = ask(hero, opponents, board, deck)
    truth = equity(question, np.random.default_rng(), exact=True).equity
    scores = []
    for seed in range(60):
        estimate = equity(question, np.random.default_rng(seed), rollout_count=4000)
        assert estimate.error > 0
        scores.append((estimate.equity - truth) / estimate.error)
    assert max(map(abs, scores)) < 5
    assert sum(abs(score) < 2 for score in scores) >= 52
    assert abs(np.mean(scores)) < 0.5  # no bias: the mean's standard error is 1/sqrt(60) = 0.13
    if 0 < truth < 1:
        assert 0.6 < np.std(scores) < 1.5  # the standard error is neither too small nor too large


def test_wins_and_ties_agree_with_exact_values() -> None:
    question = ask("AhKh", ["AdKd", "random"], "QhJs2c")
    truth = equity(question, np.random.default_rng(), exact=True)
    estimate = equity(question, np.random.default_rng(3), rollout_count=400_000)
    assert estimate.win == pytest.approx(truth.win, abs=0.005)
    assert estimate.tie == pytest.approx(truth.tie, abs=0.005)
    assert estimate.equity == pytest.approx(truth.equity, abs=5 * estimate.error)


def test_same_seed_same_result_on_any_number_of_threads() -> None:
    question = ask("QQ+,AKs", ["random", "JJ-99"])

    def last(seed: int, threads: int) -> object:
        with ThreadPoolExecutor(threads) as executor:
            run = on_threads(executor, 2 * threads)
            *_, step = rollout_steps(question, np.random.default_rng(seed), 5 * CHUNK + 17, run=run)
        return step

    assert last(1, 1) == last(1, 3)
    assert last(1, 1) != last(2, 1)


def test_count_and_progress() -> None:
    steps = list(rollout_steps(ask("AsAh", [""]), np.random.default_rng(0), rollout_count=3 * CHUNK + 1))
    assert [round(step.done, 2) for step in steps] == [0.33, 0.67, 1.0, 1.0]
    assert steps[-1].equity is not None
    assert steps[-1].equity.deal_count == 3 * CHUNK + 1


def test_target_error_stops() -> None:
    *_, last = rollout_steps(ask("AsAh", [""]), np.random.default_rng(0), target_error=0.0005)
    assert last.equity is not None
    assert last.equity.error <= 0.0005
    assert last.equity.deal_count % CHUNK == 0
    assert 300_000 < last.equity.deal_count < 1_000_000


def test_a_certain_win_still_has_an_error() -> None:
    estimate = equity(ask("AsAh", ["2c2d"], "AcAdKhKs"), np.random.default_rng(0), rollout_count=1000)
    assert estimate.equity == 1
    assert 0.0005 < estimate.error < 0.002


def test_tight_ranges_of_many_players() -> None:
    """Ranges that nearly always collide are still dealt, and equities add up."""
    estimate = equity(ask("AsAh", ["22+,A2+,KT+"] * 9), np.random.default_rng(1), rollout_count=300_000)
    assert estimate.equity == pytest.approx(
        0.1751, abs=5 * estimate.error
    )  # 0.1751 by 2e8 joint deals, with collisions discarded
    assert estimate.error < 0.004


def test_ranges_that_never_fit_are_refused() -> None:
    few = np.zeros(1326, np.float32)
    few[: 17 * 16 // 2] = 1  # seventeen cards for eighteen places
    question = matchup(DECKS["52"], (), few, [few] * 8)
    with pytest.raises(InvalidInput, match="gave every player a holding in range"):
        next(rollout_steps(question, np.random.default_rng(0)))


@pytest.mark.parametrize(("count", "target"), [(0, 0.0), (-1, 0.0), (100, -0.1), (100, float("nan"))])
def test_bad_parameters(count: int, target: float) -> None:
    with pytest.raises(InvalidInput):
        next(rollout_steps(ask("AsAh", [""]), np.random.default_rng(0), count, target))


def test_too_many_are_refused_with_the_limit() -> None:
    with pytest.raises(TooLarge, match="100,000,000,000 rollouts are too many; the limit is 10,000,000,000"):
        next(rollout_steps(ask("AsAh", [""]), np.random.default_rng(0), 10**11))


@pytest.mark.parametrize(
    ("hero", "opponents", "truth"),
    [
        # By weight both nearly always hold the same aces, which is impossible: queens remain.
        ("AsAh", ["AhAd:1,QcQd:1e-7"], 0.809),
        ("AhAd:1,QcQd:0.000001", ["AsAh:1,KcKd:0.000000000001"], 0.191),
        ("AA:1,22:0.003", ["AhAd,AsAh,AsAd"], None),
    ],
)
def test_weights_that_hardly_ever_meet(hero: str, opponents: list[str], truth: float | None) -> None:
    question = ask(hero, opponents)
    exact = equity(question, np.random.default_rng(), exact=True)
    if truth is not None:
        assert exact.equity == pytest.approx(truth, abs=0.005)
    estimate = equity(question, np.random.default_rng(5), rollout_count=100_000)
    assert estimate.equity == pytest.approx(exact.equity, abs=5 * estimate.error)
    assert estimate.error < 0.01
