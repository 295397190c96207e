"""Decisions by their budgets: more iterations never lose more, and the plans' leave little to a best response.

A flop of one suit stands for flops: its run-outs are few. Bounds are a quarter above what was measured.
"""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.budgets import by_budget
from benchmarks.following import compare
from riverboat.cards import DECKS, parse_cards
from riverboat.clients.analysis.plans import plan_of
from riverboat.holdings import live_holdings
from riverboat.situations.situation import Situation
from riverboat.situations.yardsticks import sample_held_out
from riverboat.streets import STREET_NUMBERS

ROUNDING = 0.005  # % of the pot


@pytest.mark.parametrize("street", ["turn", "river"])
def test_more_iterations_lose_no_more(street: str) -> None:
    """On boards that nothing was tuned on; the plans run 100 and 200 iterations."""
    rng = np.random.default_rng(18)
    for spot in sample_held_out(DECKS["24"], STREET_NUMBERS[street], 4, rng):
        planned = plan_of(spot.public(), may_be_exact=True).iterations
        lost = by_budget(spot, [planned // 4, planned // 2, planned, 2 * planned])
        assert all(later <= earlier + ROUNDING for earlier, later in pairwise(lost))
        assert lost[2] < 1.0  # % of the pot


def flop_of_one_suit(pot: int) -> Situation:
    board = parse_cards("AsKs9s")
    live = live_holdings(DECKS["24"], board).astype(np.float32)
    return Situation(DECKS["24"], board, pot, np.array([live / live.sum()] * 2))


@pytest.mark.parametrize(("pot", "most"), [(1_000, 2.5), (8_000, 0.08)])
def test_a_planned_flop_leaves_little(pot: int, most: float) -> None:
    """In % of the pot."""
    spot = flop_of_one_suit(pot)
    planned = plan_of(spot.public(), may_be_exact=True).iterations
    assert by_budget(spot, [planned])[0] < most


def test_following_a_solution_loses_no_more_than_solving_again() -> None:
    compared = compare(flop_of_one_suit(1_000), 40)
    assert compared is not None
    assert compared.following < compared.solved_again
