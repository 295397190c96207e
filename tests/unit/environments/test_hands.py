"""Hands in arrays: the same cards, chips and winners as the rules as values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.environments.game import CALL_NUMBER, FIRST_RAISE, FOLD_NUMBER, LearningGame, learning_game
from riverboat.environments.hands import NOBODY, Hands
from riverboat.environments.observation import layout, observation_parts, observation_size
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import start_with_cards
from riverboat.rules.variant import KUHN, LEDUC, fixed_limit, no_limit, pot_limit

GAMES = (
    learning_game(no_limit(50, 100)),
    learning_game(no_limit(50, 100, ante=10), 6, 1_500),
    learning_game(no_limit(50, 100, deck="36"), 4),
    learning_game(no_limit(50, 100, deck="24"), 2, sizes="2b 1p; 1p / 0.33p 1p all-in"),
    learning_game(pot_limit(50, 100), 9),
    learning_game(fixed_limit(100), 3),
    learning_game(LEDUC),
    learning_game(KUHN),
)


def hands_of(game: LearningGame, seed: int, table_count: int = 1) -> Hands:
    hands = Hands(game, table_count)
    hands.seed(np.random.default_rng(seed))
    return hands


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_a_hand_is_the_hand_that_the_rules_play(game: LearningGame, seed: int) -> None:
    hands, rng = hands_of(game, seed), np.random.default_rng(seed)
    hands.start(0)
    seats = range(game.player_count)
    board = tuple(hands.arrays.deals[0, : game.variant.board_sizes[-1]].tolist())
    twin = start_with_cards(game.variant, game.stacks, [hands.holding(0, seat) for seat in seats], board)
    while not twin.is_over:
        assert hands.public_state(0) == twin.public
        assert hands.arrays.actors[0] == twin.public.actor
        number = int(rng.choice(np.flatnonzero(hands.arrays.masks[0])))
        action = hands.chips_of(0, number)
        hands.choose(0, number)
        twin = twin.play(action)
    assert hands.arrays.actors[0] == NOBODY
    assert tuple(hands.arrays.payoffs[0].tolist()) == twin.payoffs()
    assert hands.arrays.payoffs[0].sum() == 0
    assert not hands.arrays.masks[0].any()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_an_observation_has_what_the_seat_may_see_and_nothing_else(game: LearningGame, seed: int) -> None:
    hands, rng = hands_of(game, seed), np.random.default_rng(seed)
    hands.start(0)
    cards = game.variant.deck.cards
    while hands.arrays.actors[0] != NOBODY:
        public, seat = hands.public_state(0), int(hands.arrays.actors[0])
        observation = hands.arrays.observations[0]
        assert observation.min() >= 0
        assert observation.max() <= game.player_count
        parts = observation_parts(game, observation)
        assert {card for card, held in zip(cards, parts["own cards"], strict=True) if held} == set(
            hands.holding(0, seat)
        )
        assert {card for card, there in zip(cards, parts["board"], strict=True) if there} == set(public.board)
        assert parts["street"].index(1.0) == public.street
        unit = max(game.stacks)
        stacks = np.roll(public.stacks, -seat) / unit
        assert parts["stack by seat"] == pytest.approx(stacks, abs=1e-6)
        paid = np.array(parts["chips bet on each street by seat"]).reshape(-1, game.player_count).sum(axis=0) * unit
        if not any(game.variant.antes):
            assert paid == pytest.approx(np.roll(public.paid, -seat), abs=0.01)
        hands.choose(0, int(rng.choice(np.flatnonzero(hands.arrays.masks[0]))))
    assert not hands.arrays.observations[0].any()


def test_hidden_cards_change_nothing_that_is_observed() -> None:
    game = learning_game(no_limit(50, 100), 3)
    hands = hands_of(game, 1)
    hands.start(0)
    seen, actor = hands.arrays.observations[0].copy(), int(hands.arrays.actors[0])
    first = game.variant.board_sizes[-1]
    for seat in range(3):
        if seat != actor:
            hands.arrays.deals[0, first + 2 * seat : first + 2 * seat + 2] = [0, 1]
    hands.arrays.deals[0, :first] = range(2, 7)  # the board to come
    other = Hands(game)
    for name, array in hands.arrays._asdict().items():
        getattr(other.arrays, name)[...] = array
    other.play(0, CALL)
    hands.play(0, CALL)
    assert np.array_equal(hands.arrays.observations, other.arrays.observations)
    assert seen[list(game.variant.deck.cards)].sum() == 2


def test_actions_have_numbers_and_names() -> None:
    game = learning_game(no_limit(50, 100), sizes="2b 1p; 3b / 0.5p all-in")
    assert game.action_names == ("fold", "check or call", "raise by 2b or 3b or 0.5p", "raise by 1p or all-in")
    hands = hands_of(game, 3)
    hands.start(0)
    assert (hands.chips_of(0, FOLD_NUMBER), hands.chips_of(0, CALL_NUMBER)) == (FOLD, CALL)
    assert hands.chips_of(0, FIRST_RAISE) == 400  # the blinds are a bet, so it is a raise by three big blinds
    with pytest.raises(IllegalAction, match="cannot choose action 3, only 0, 1, 2"):
        hands.chips_of(0, 3)
    with pytest.raises(IllegalAction, match="cannot raise to 150"):
        hands.play(0, 150)
    hands.play(0, 777)  # any legal size may be played by its chips
    hands.choose(0, FOLD_NUMBER)
    assert hands.arrays.payoffs[0].tolist() == [-100, 100]
    with pytest.raises(IllegalAction, match="the hand is over"):
        hands.choose(0, CALL_NUMBER)


def test_sizes_that_come_to_the_same_raise_are_one_action() -> None:
    hands = hands_of(learning_game(no_limit(50, 100), stack=300, sizes="1p 5p all-in"), 1)
    hands.start(0)
    assert hands.arrays.masks[0].tolist() == [1, 1, 1, 0, 0]  # a raise by the pot is all-in


def test_the_same_seed_deals_the_same_hands() -> None:
    game = learning_game(no_limit(50, 100))
    deals = []
    for _ in range(2):
        hands = hands_of(game, 7, table_count=3)
        for table in (2, 0, 1, 2):
            hands.start(table)
        deals.append(hands.arrays.deals.copy())
    assert np.array_equal(deals[0], deals[1])
    assert len({tuple(deal) for deal in deals[0].tolist()}) == 3


def test_every_card_is_dealt_equally_often() -> None:
    hands = hands_of(learning_game(KUHN), 5)
    counts = np.zeros((2, 52), int)
    for _ in range(3_000):
        hands.start(0)
        counts[np.arange(2), hands.arrays.deals[0]] += 1
    assert np.all(np.abs(counts[:, list(KUHN.deck.cards)] - 1_000) < 150)  # six standard deviations


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sizes": "/"}, "at least one size"),
        ({"sizes": "2x"}, "sizes: '2x' is not a size"),
        ({"stack": 0}, "at least one chip"),
        ({"player_count": 30}, "players"),
    ],
)
def test_bad_games(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        learning_game(no_limit(50, 100), **arguments)  # type: ignore[arg-type]


def test_the_layout_adds_up() -> None:
    for game in GAMES:
        assert sum(part.size for part in layout(game)) == observation_size(game)
