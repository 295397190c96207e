"""Playing a blueprint: bets of the tree are themselves, others are translated, and every answer is legal."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.blueprint.player import blueprint_chances, nodes_of
from riverboat.holdings import live_holdings
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import View, start, start_random
from riverboat.rules.variant import no_limit
from tests.unit.blueprint.games import random_blueprint

GAME = no_limit(50, 100, deck="24")
STACKS = (2_000, 2_000)


def view_after(*actions: int) -> View:
    public = start(GAME, STACKS)
    for action in actions:
        public = public.play(action)
    return View(public.actor or 0, public, (30, 31), actions)


def test_the_root_is_one_node() -> None:
    assert nodes_of(random_blueprint("24"), view_after()) == {0: 1.0}


def test_a_bet_of_the_tree_is_itself() -> None:
    game = random_blueprint("24").game
    (node,) = nodes_of(random_blueprint("24"), view_after(300))
    assert game.betting.action[node] == 300  # the pot: 100 to call, then 200 more
    (node,) = nodes_of(random_blueprint("24"), view_after(2_000))
    assert game.betting.action[node] == 2_000


def test_a_bet_between_two_sizes_is_both() -> None:
    game = random_blueprint("24").game
    nodes = nodes_of(random_blueprint("24"), view_after(600))
    weights = {int(game.betting.action[node]): weight for node, weight in nodes.items()}
    assert set(weights) == {300, 2_000}
    a, x, b = 1.0, 2.5, 9.5  # fractions of a pot of 200
    assert weights[300] == pytest.approx((b - x) * (1 + a) / ((b - a) * (1 + x)))
    assert sum(weights.values()) == pytest.approx(1)


def test_a_bet_below_the_smallest_counts_as_the_smallest() -> None:
    game = random_blueprint("24").game
    (node,) = nodes_of(random_blueprint("24"), view_after(200))
    assert game.betting.action[node] == 300


def test_raises_beyond_the_trees_are_not_known() -> None:
    assert blueprint_chances(random_blueprint("24"), view_after(200, 300, 400)) is None


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_every_answer_is_a_legal_strategy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    stack = int(rng.integers(1_000, 4_000))
    hand = start_random(GAME, (stack, stack), rng)
    while not hand.is_over:
        public = hand.public
        assert public.actor is not None
        chances = blueprint_chances(random_blueprint("24"), hand.view(public.actor))
        if chances is not None:
            assert all(public.can_play(action) for action in chances)
            total = np.sum(list(chances.values()), axis=0)
            assert np.allclose(total[live_holdings(GAME.deck, public.board)], 1, atol=1e-5)
        actions = [action for action in (FOLD, CALL) if public.can_play(action)]
        if public.raise_limits:
            actions += [int(rng.integers(public.raise_limits[0], public.raise_limits[1] + 1))] * 2
        hand = hand.play(int(rng.choice(actions)))
