"""The trees that agents search in games with restrictions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from riverboat.clients.analysis.plans import plan_of, root_of
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import ACT, CALL
from riverboat.rules.sized_raises import restricted_actions
from riverboat.rules.state import PublicState, start, start_random
from riverboat.rules.tree import Depth, count_nodes, expand_betting
from riverboat.rules.variant import no_limit
from riverboat.solving.loop import Limits
from tests.unit.arena.bots import RandomBot
from tests.unit.rules.hands import restricted_setup, seeds

SHORT = no_limit(50, 100, deck="24")
FLOP = (32, 37, 42)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_trees_have_legal_bets_only(seed: int) -> None:
    variant, stacks = restricted_setup(seed)
    rng = np.random.default_rng(seed)
    hand = start_random(replace(variant, blinds=variant.blinds[:2]), stacks[:2], rng)
    bot = RandomBot(rng)
    while not hand.is_over:
        public = hand.public
        sizes, root = parse_bet_sizes(plan_of(public).bet_sizes(public.street)), root_of(public)
        assert restricted_actions(root, sizes) == restricted_actions(public, sizes)
        tree = expand_betting(root, sizes, Depth(root.street, 3))
        for line in np.flatnonzero(tree.kind == ACT):
            in_game = tree.state(int(line), root.board)._replace(variant=public.variant, rules=public.rules)
            first, count = tree.first_child[line], tree.child_count[line]
            assert all(in_game.can_play(action) for action in tree.action[first : first + count].tolist())
        hand = hand.play(bot.act(hand.view(public.actor or 0)))


@pytest.mark.parametrize(
    ("sizes", "raises"), [("1b", (100,)), ("1b 3b", (100, 300)), ("1p", (200,)), ("1b 2b 3b 4b", (100, 200))]
)
def test_few_sizes_of_the_game_are_all_in_the_tree(sizes: str, raises: tuple[int, ...]) -> None:
    """If the game allows more sizes, the plan takes the nearest ones."""
    game = replace(SHORT, bet_sizes=parse_bet_sizes(sizes))
    public = start(game, [10_000] * 2).play(0).play(0).deal(FLOP)
    plan = plan_of(public)
    assert restricted_actions(public, parse_bet_sizes(plan.bet_sizes(1))) == (0, *raises)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_a_raise_that_was_made_is_in_the_tree_and_adds_few_lines(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hand = start_random(no_limit(50, 100), [int(chips) for chips in rng.integers(300, 40_000, 2)], rng)
    bot = RandomBot(rng)
    while not hand.is_over:
        public = hand.public
        action = bot.act(hand.view(public.actor or 0))
        plan = plan_of(public)
        if action > CALL:
            with_it = plan.with_raise(public, action)
            assert action in with_it.actions(public)
            assert with_it.with_raise(public, action) == with_it
            assert len(with_it.actions(public)) <= len(plan.actions(public)) + 1
        hand = hand.play(action)


def test_a_small_raise_is_a_share_of_the_pot() -> None:
    """In chips it would be allowed again and again."""
    public = start(no_limit(50, 100), [10_000] * 2)
    plan = plan_of(public, has_network=True).with_raise(public, 250)
    depth = Depth(1, 0)
    assert 250 in plan.actions(public)
    assert count_nodes(public, parse_bet_sizes(plan.bet_sizes(0)), depth) < 100
    assert count_nodes(public, parse_bet_sizes("150"), depth) > 300


def test_small_raises_do_not_make_endless_trees() -> None:
    game = replace(no_limit(50, 100), bet_sizes=parse_bet_sizes("1b"))
    public = start(game, [10_000] * 2).play(0).play(0).deal((0, 5, 10)).play(0).play(0).deal((20,))
    sizes = parse_bet_sizes(plan_of(public).bet_sizes(2))
    assert count_nodes(public, sizes) > 500_000
    assert count_nodes(root_of(public), sizes) < 20_000
    assert root_of(start(SHORT, [10_000] * 2)).variant is SHORT


def flop_of(deck: str) -> PublicState:
    state = start(no_limit(50, 100, deck=deck), [10_000, 10_000]).play(300).play(CALL)
    return state.deal(tuple(state.variant.deck.cards[place] for place in (0, 9, 22)))


def test_a_flop_of_a_small_deck_is_solved_to_the_end_if_the_caller_allows_it() -> None:
    flop = flop_of("24")
    exact, cut = plan_of(flop, has_network=True, may_be_exact=True), plan_of(flop, has_network=True)
    assert (exact.is_whole, exact.depth(flop)) == (True, (4, 0))
    assert (cut.is_whole, cut.depth(flop)) == (False, None)
    assert not plan_of(flop_of("52"), has_network=True, may_be_exact=True).is_whole
    assert not plan_of(start(no_limit(50, 100, deck="24"), [10_000] * 2), may_be_exact=True).is_whole


def test_more_than_planned_is_never_asked_of_a_network() -> None:
    over_network, exact = plan_of(flop_of("52"), has_network=True), plan_of(flop_of("24"), may_be_exact=True)
    for wish in (Limits(1000), Limits(1000, seconds=5.0), Limits(None, seconds=5.0)):
        assert over_network.limits(wish) == Limits(over_network.iterations, seconds=wish.seconds)
        assert exact.limits(wish) == wish
    assert over_network.limits(Limits(5)) == Limits(5)
    assert exact.limits(None) == Limits(exact.iterations)
