"""The search beside the exact best response to a known opponent, on Kuhn and Leduc."""

import numpy as np
import pytest

from riverboat.holdings import holdings_of
from riverboat.rules.state import start
from riverboat.search.search import SearchSettings, root_value
from tests.reference.best_response import best_value
from tests.unit.search.small_games import GAMES, STACK, problem_of, random_opponent

PAID = 1  # the ante: values are over folding at once


@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 60_000), ("leduc", 100_000)])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_value_is_that_of_the_exact_best_response(name: str, iterations: int, seat: int) -> None:
    opponent, deck = random_opponent(name, 3), GAMES[name].deck
    settings = SearchSettings(iterations=iterations, backup="maximum", explore=2.0)
    exact, searched = [], []
    for holding in range(holdings_of(deck).count):
        reach = np.ones(holdings_of(deck).count) / (holdings_of(deck).count - 1)
        reach[holding] = 0
        state = start(GAMES[name], [STACK, STACK])
        exact.append(best_value(state, seat, holding, reach, opponent.of))
        problem = problem_of(opponent, seat, holding)
        searched.append(root_value(problem, settings, np.random.default_rng(holding)) - PAID)
    assert abs(np.mean(searched) - np.mean(exact)) < 0.01 * max(1.0, float(np.mean(exact)))
    np.testing.assert_allclose(searched, exact, atol=0.06)
