"""Decisions by their budgets: more iterations never lose more, and the plans' leave little to a best response."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.budgets import by_budget
from riverboat.cards import DECKS
from riverboat.clients.analysis.plans import plan_of
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
