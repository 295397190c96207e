"""Card features after the flop: against a slow twin, exact equities, and exchanges of suits."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.cards import DECKS, Deck, parse_cards
from riverboat.equity import equity, matchup
from riverboat.errors import InvalidInput
from riverboat.features.card_features import all_features, feature_count, holding_features, some_features
from riverboat.holdings import holding_index, holdings_of, live_holdings
from tests.reference import features as reference

FULL = DECKS["52"]
HOLDEM = ("52", "36", "24")
SEED_BOARD, SEED_HOLDING = parse_cards("Kh3sJc"), parse_cards("Ac3h")  # the example of Figs. 2 and 3


def dealt(random: Any, deck: Deck, size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    cards = random.sample(deck.cards, size + 2)
    return tuple(cards[:size]), tuple(cards[size:])


def same(deck: Deck, board: tuple[int, ...], holding: tuple[int, ...]) -> bool:
    """Return whether the features are exactly the twin's, after rounding to float32."""
    wanted = np.array(reference.features(deck, board, holding), np.float32)
    return np.array_equal(holding_features(deck, board, holding), wanted)


def test_how_many_there_are() -> None:
    assert [feature_count(FULL, size) for size in FULL.board_sizes] == [31, 21, 11, 1]


def test_the_example_of_the_paper() -> None:
    turns = reference.future_equities(FULL, SEED_BOARD, SEED_HOLDING, 4)
    rivers = reference.future_equities(FULL, SEED_BOARD, SEED_HOLDING, 5)
    assert (len(turns), len(rivers)) == (47, 1081)
    assert same(FULL, SEED_BOARD, SEED_HOLDING)
    assert holding_features(FULL, SEED_BOARD, SEED_HOLDING)[0] == pytest.approx(0.613804, abs=1e-6)


@pytest.mark.parametrize(
    ("board", "holding"),
    [("AhKhQhJhTh", "2c3d"), ("9h8h7h6h", "AhKc"), ("9h8h7h6h", "AdKc"), ("9h8h7h6h5h", "ThKc"), ("2c2d2h2s", "AcAd")],
)
def test_boards_of_one_suit_or_rank(board: str, holding: str) -> None:
    assert same(FULL, parse_cards(board), parse_cards(holding))


@settings(max_examples=12)
@given(st.sampled_from(HOLDEM), st.sampled_from([4, 5]), st.randoms(use_true_random=False))
def test_turns_and_rivers_equal_the_twin(name: str, size: int, random: Any) -> None:
    assert same(DECKS[name], *dealt(random, DECKS[name], size))


@settings(max_examples=3)
@given(st.randoms(use_true_random=False))
def test_flops_equal_the_twin(random: Any) -> None:
    assert same(DECKS["24"], *dealt(random, DECKS["24"], 3))


@settings(max_examples=12)
@given(st.sampled_from(HOLDEM), st.sampled_from([3, 4, 5]), st.randoms(use_true_random=False))
def test_all_holdings_together_equal_each_alone(name: str, size: int, random: Any) -> None:
    deck = DECKS[name]
    board, _ = dealt(random, deck, size)
    together, live = all_features(deck, board), live_holdings(deck, board)
    assert together.shape == (holdings_of(deck).count, feature_count(deck, size))
    assert np.array_equal(~np.isnan(together).any(axis=1), live)
    for index in random.sample(np.flatnonzero(live).tolist(), 20):
        holding = tuple(holdings_of(deck).cards[index].tolist())
        assert np.array_equal(together[index], holding_features(deck, board, holding))


@settings(max_examples=10)
@given(st.sampled_from(HOLDEM), st.sampled_from([3, 4, 5]), st.randoms(use_true_random=False))
def test_names_of_suits_make_no_difference(name: str, size: int, random: Any) -> None:
    deck = DECKS[name]
    board, holding = dealt(random, deck, size)
    usual = holding_features(deck, board, holding)
    for order in permutations(range(4)):
        renamed = [tuple(card - card % 4 + order[card % 4] for card in cards) for cards in (board, holding)]
        assert np.array_equal(holding_features(deck, *renamed), usual)


@settings(max_examples=10)
@given(st.sampled_from(HOLDEM), st.sampled_from([3, 4, 5]), st.randoms(use_true_random=False))
def test_the_first_is_the_exact_equity_and_deciles_go_up(name: str, size: int, random: Any) -> None:
    deck = DECKS[name]
    board, holding = dealt(random, deck, size)
    hero = np.zeros(holdings_of(deck).count, np.float32)
    hero[holding_index(deck, holding)] = 1
    wanted = equity(matchup(deck, board, hero, [None]), np.random.default_rng(0), exact=True).equity
    features = holding_features(deck, board, holding)
    assert features[0] == pytest.approx(wanted, abs=1e-6)
    for deciles in features[1:].reshape(-1, 10):
        assert (np.diff(deciles) >= 0).all()
        # A tenth of the boards lies between two neighbouring deciles, and equity is the average over all boards.
        assert deciles[:-1].sum() / 10 - 1e-6 <= wanted <= deciles.sum() / 10 + 1e-6


def test_some_holdings_few_or_many() -> None:
    board = parse_cards("Kh3sJc")
    live = [tuple(cards.tolist()) for cards in holdings_of(FULL).cards[live_holdings(FULL, board)]]
    together = all_features(FULL, board)
    for some in ([], live[:3], [cards[::-1] for cards in live[:200]]):
        wanted = together[[holding_index(FULL, cards) for cards in some]]
        assert np.array_equal(some_features(FULL, board, some), wanted)


@pytest.mark.parametrize("count", [1, 150])
def test_a_blocked_holding_is_refused_among_few_and_among_many(count: int) -> None:
    holdings = [*[parse_cards("AcAd")] * count, parse_cards("AcKh")]
    with pytest.raises(InvalidInput, match=rf"holdings\[{count}\]: Kh appears twice"):
        some_features(FULL, parse_cards("KhKdKc"), holdings)


@pytest.mark.parametrize(
    ("deck", "board", "holding", "message"),
    [
        ("52", "", "AcAd", "board: .*before the flop"),
        ("52", "KhKd", "AcAd", "board: .*not 2"),
        ("52", "KhKdKc", "KhAd", r"holdings\[0\]: Kh appears twice"),
        ("52", "KhKdKc", "Ad", r"holdings\[0\]: .*2 cards"),
        ("24", "KhKdKc", "2d2c", r"holdings\[0\]: 2d is not in the 24 deck"),
        ("leduc", "Kh", "Ks", "deck: .*two private cards"),
    ],
)
def test_what_is_refused(deck: str, board: str, holding: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        holding_features(DECKS[deck], parse_cards(board), parse_cards(holding))
