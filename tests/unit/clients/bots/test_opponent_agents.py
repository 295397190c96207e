"""The agents that model people: human:N plays as they do, mcts searches against them."""

from dataclasses import replace

import numpy as np
import pytest

from riverboat.arena.hand import play_hand
from riverboat.cards import DECKS, parse_cards
from riverboat.clients.bots.agents.human import Human
from riverboat.clients.bots.agents.mcts import MctsAgent
from riverboat.clients.bots.agents.registry import find_agent
from riverboat.clients.bots.opponent_models.shelf import nearest_models
from riverboat.errors import RiverboatError
from riverboat.holdings import holding_index
from riverboat.marks import Mark, mark_of
from riverboat.opponents.buckets import holding_classes
from riverboat.opponents.likely_holdings import follow, mixed_range
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import HandState, start_random
from riverboat.rules.variant import no_limit
from riverboat.search.problems import WorldSettings, problem_of

GAME = no_limit(50, 100)


def test_human_says_and_plays_the_same_strategy() -> None:
    view = start_random(GAME, [10_000] * 2, np.random.default_rng(1)).view(1)
    bot = Human(np.random.default_rng(2), style=1)
    strategy = bot.strategy(view)
    assert strategy is not None
    np.testing.assert_allclose(strategy.chances.sum(0), 1)
    assert bot.act(view) in strategy.actions
    assert FOLD in strategy.actions


@pytest.mark.parametrize("players", [2, 4])
def test_hands_end(players: int) -> None:
    rng = np.random.default_rng(3)
    for deal in range(3):
        hand = start_random(GAME, [4_000] * players, rng)
        bots = [MctsAgent(rng, iterations=200), *(Human(rng, style=deal) for _ in range(players - 1))]
        assert sum(play_hand(hand, bots).payoffs()) == 0


def test_a_search_does_not_see_the_cards_of_others() -> None:
    """The problem of a view is the same whatever opponents hold, and their ranges have no card of the view's own."""
    first = start_random(GAME, [10_000] * 2, np.random.default_rng(4))
    other = tuple(card for card in range(52) if card not in (*first.holdings[1], *first.whole_board))[:2]
    second = replace_holding(first, other)
    models = nearest_models(2)
    styles = np.tile(models.styles.shares, (2, 1))
    problems = [
        problem_of(hand.play(CALL).view(1), models.cards, styles, np.random.default_rng(5), WorldSettings(boards=3))
        for hand in (first, second)
    ]
    for name in ("state", "record", "ranges", "boards", "places"):
        np.testing.assert_array_equal(getattr(problems[0], name), getattr(problems[1], name))


def replace_holding(hand: HandState, holding: tuple[int, ...]) -> HandState:
    return hand._replace(holdings=(holding, hand.holdings[1]))


def test_a_raise_makes_strong_holdings_likelier() -> None:
    models = nearest_models(2)
    hand = start_random(GAME, [10_000] * 2, np.random.default_rng(6)).play(300)
    followed = follow(hand.view(0 if hand.public.actor == 0 else 1), models.cards)
    raiser = 1 - int(hand.public.actor or 0)
    likely = mixed_range(followed.ranges[raiser], models.styles.shares)
    assert likely.sum() == pytest.approx(1)
    classes = holding_classes()
    aces, rags = (classes == classes[holding_index(DECKS["52"], parse_cards(text))] for text in ("AsAh", "7c2d"))
    assert likely[aces].sum() / aces.sum() > likely[rags].sum() / rags.sum()


@pytest.mark.parametrize("name", ["human:99", "human:x", "mcts:5", "mcts:deaf"])
def test_wrong_parameters_are_refused(name: str) -> None:
    with pytest.raises(RiverboatError):
        find_agent(name)


def test_other_decks_are_played_by_rollouts() -> None:
    game = replace(no_limit(50, 100, deck="24"), name="small")
    view = start_random(game, [1_000] * 2, np.random.default_rng(7)).view(1)
    mark, reason = mark_of(Human(np.random.default_rng(8)).act(view))
    assert mark is Mark.FALLBACK
    assert "52 cards" in reason
