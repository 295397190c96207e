"""Before the flop: ranges without suits, and values that are averages over all flops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import DECKS
from riverboat.preflop import all_in_utility, suit_exchanges
from riverboat.situations.flops import FlopAverage
from riverboat.situations.sampler import sample
from riverboat.situations.situation import Situation
from riverboat.situations.split import sides
from riverboat.solving.leaf_values import Leaves
from riverboat.solving.subgame import F64
from riverboat.spots.spot import BuiltSpot
from riverboat.utility import runout_utility

DECK = DECKS["24"]


class Equity:
    """Values if nobody bets, and nonsense for impossible holdings."""

    def __init__(self, built: BuiltSpot) -> None:
        self._cards = built.cards

    def __call__(self, leaves: Leaves, reach: F64) -> F64:
        estimates = np.full_like(reach, 7.0)
        everyone = np.arange(reach.shape[2], dtype=np.int32)
        tables: dict[int, F64] = {}
        for n, board in enumerate(leaves.board.tolist()):
            if board not in tables:
                tables[board] = runout_utility(DECK, self._cards[board], everyone, everyone).astype(np.float64)
            estimates[:, n] = leaves.stake[n] * reach[::-1, n] @ tables[board].T
            estimates[:, n, ~(np.abs(tables[board]).sum(axis=1) > 0)] = 7.0
        return estimates


@pytest.fixture(scope="module")
def average() -> FlopAverage:
    return FlopAverage(DECK, Equity)


@pytest.fixture(scope="module")
def situations() -> list[Situation]:
    return list(sample(DECK, 0, 30, np.random.default_rng(4)))


def test_the_average_of_equities_is_what_all_ins_before_the_flop_win(
    average: FlopAverage, situations: list[Situation]
) -> None:
    utility = all_in_utility(DECK).astype(np.float64)
    for situation, label in zip(situations, average.labels(situations), strict=True):
        assert np.allclose(label.values, situation.weights[::-1] @ utility.T / 2, atol=1e-5)


def test_ranges_do_not_depend_on_names_of_suits(situations: list[Situation]) -> None:
    for situation in situations:
        assert situation.board == ()
        assert np.allclose(situation.weights.sum(axis=1), 1, atol=1e-5)
        assert (situation.weights > 0).all()
        for exchange in suit_exchanges(DECK):
            assert np.allclose(situation.weights[:, exchange], situation.weights, atol=1e-5)


@given(st.integers(0, 2**32 - 1))
def test_without_boards_ranges_decide(seed: int) -> None:
    ranges = np.random.default_rng(seed).random((2000, 2, 36)).astype(np.float32)
    boards = np.zeros((2000, 0), np.uint8)
    chosen = sides(boards, ranges)
    shares = np.bincount(chosen, minlength=3) / 2000
    assert ((shares[1:] > 0.05) & (shares[1:] < 0.15)).all()
    order = np.random.default_rng(seed).permutation(2000)
    assert np.array_equal(sides(boards, ranges[order]), chosen[order])
