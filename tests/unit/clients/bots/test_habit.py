"""Agents with habits: what they bet, what they call, and that both are legal everywhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.arena.asked_bot import AskedBot
from riverboat.arena.match import Match, play_match
from riverboat.cards import DECKS, parse_cards
from riverboat.clients.bots.agents.habit import HABITS, Habit
from riverboat.clients.bots.agents.registry import AGENTS, find_agent
from riverboat.clients.bots.agents.standing import Standing, standing_of
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, live_holdings
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import HandState, View, start_random
from riverboat.rules.variant import KUHN, VARIANTS, Variant, no_limit
from tests.unit.arena.bots import RandomBot
from tests.unit.rules.hands import restricted_setup, seeds

GAME = no_limit(50, 100, deck="24")
RNG = np.random.default_rng(0)
names = st.sampled_from(list(HABITS))


def view_after(*actions: int, variant: Variant = GAME, stack: int = 10_000) -> View:
    """Return the acting player's view after some actions with given cards."""
    hand: HandState = start_random(variant, [stack, stack], np.random.default_rng(4))
    for action in actions:
        hand = hand.play(action)
    assert hand.public.actor is not None
    return hand.view(hand.public.actor)


def played(habit: str, view: View) -> tuple[dict[int, np.ndarray], Standing, np.ndarray]:
    """Return who takes each action [H], the standing of all holdings, and which of them are possible [H]."""
    deck, board = view.public.variant.deck, view.public.board
    strategy = AskedBot(habit, find_agent(f"habit:{habit}"), RNG)(view)
    taken = {action: row > 0 for action, row in zip(strategy.actions, strategy.chances, strict=True)}
    return taken, standing_of(deck, board), live_holdings(deck, board)


FLOP = view_after(CALL, CALL)  # nobody has bet: a pot of 200


def test_weak_holdings_bet_and_strong_ones_check() -> None:
    taken, standing, live = played("weak-bets", FLOP)
    assert set(taken) == {CALL, 100}
    assert (standing.places[live & taken[100]] < 1 / 3).all()
    assert (standing.places[live & taken[CALL]] >= 1 / 3).all()


@pytest.mark.parametrize(("habit", "to"), [("pot", 200), ("minimum", 100)])
def test_everything_bets_the_same(habit: str, to: int) -> None:
    taken, _, live = played(habit, FLOP)
    assert taken[to][live].all()


@pytest.mark.parametrize(("habit", "to"), [("pot", 600 + 1400), ("minimum", 600 + 600)])
def test_everything_that_has_the_price_raises(habit: str, to: int) -> None:
    taken, standing, live = played(habit, view_after(CALL, CALL, 600))
    assert set(taken) == {FOLD, to}
    assert standing.shares[live & taken[FOLD]].max() < standing.shares[live & taken[to]].min()


def test_the_best_and_the_worst_fifth_overbet() -> None:
    taken, standing, live = played("overbet", FLOP)
    assert set(taken) == {CALL, 400}
    places = standing.places[live & taken[400]]
    assert ((places < 0.2) | (places >= 0.8)).all()
    assert taken[400][live].mean() == pytest.approx(0.4, abs=0.03)


@pytest.mark.parametrize("habit", HABITS)
def test_calls_have_their_price(habit: str) -> None:
    """No raise is legal after an all-in of the whole stack, so a holding calls or folds by its share."""
    taken, standing, live = played(habit, view_after(10_000))
    assert set(taken) == {CALL, FOLD}
    assert standing.shares[live & taken[CALL]].min() > 0.5
    assert standing.shares[live & taken[FOLD]].max() < standing.shares[live & taken[CALL]].min()


@pytest.mark.parametrize("habit", HABITS)
def test_raises_end(habit: str) -> None:
    taken, _, _ = played(habit, view_after(CALL, CALL, 200, 600))
    assert set(taken) <= {CALL, FOLD}


@settings(max_examples=60, deadline=None)
@given(names, seeds)
def test_every_action_is_legal_and_strategies_add_up(habit: str, seed: int) -> None:
    variant, stacks = restricted_setup(seed)
    rng = np.random.default_rng(seed)
    bots = [Habit(rng, habit) if seat % 2 == seed % 2 else RandomBot(rng) for seat in range(len(stacks))]
    hand = start_random(variant, stacks, rng)
    while not hand.is_over:
        seat = hand.public.actor
        assert seat is not None
        view = hand.view(seat)
        action = bots[seat].act(view)
        hand.public.verify_action(action)
        if isinstance(bots[seat], Habit) and hand.public.folded.count(False) == 2:
            strategy, index = bots[seat].strategy(view), holding_index(variant.deck, view.holding)
            assert strategy is not None
            assert (strategy.chances.sum(axis=0) == 1).all()
            assert strategy.chances[strategy.actions.index(action), index] == 1
        hand = hand.play(action)


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant.deck.name != "52"])
def test_they_play_every_variant_with_any_number_of_players(habit: str, variant: Variant) -> None:
    for player_count in {2, 3, variant.most_players}:
        bots = {str(seat): AGENTS["random"] for seat in range(1, player_count)}
        stacks = [20 * variant.big_blind] * player_count
        match = Match(variant, stacks, {habit: find_agent(f"habit:{habit}"), **bots}, np.random.default_rng(2))
        assert play_match(match, 2).chips.sum() == pytest.approx(0)


def test_places_are_shares_of_weaker_holdings() -> None:
    assert standing_of(KUHN.deck, ()).places == pytest.approx([1 / 6, 3 / 6, 5 / 6])
    deck, board = DECKS["24"], parse_cards("AdKdTc")
    standing, live = standing_of(deck, board), live_holdings(deck, board)
    assert standing.places[live].mean() == pytest.approx(0.5)
    assert not standing.places[~live].any()


def test_names() -> None:
    assert isinstance(find_agent("habit")(RNG), Habit)
    with pytest.raises(InvalidInput, match="habit:lunch: 'lunch' is not a habit; write habit:weak-bets, habit:pot"):
        find_agent("habit:lunch")
    with pytest.raises(InvalidInput, match="must be one of weak-bets"):
        Habit(RNG, "lunch")
