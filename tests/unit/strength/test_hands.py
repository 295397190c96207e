from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from riverboat.cards import DECKS, Deck, Ordering, format_cards, parse_cards
from riverboat.contracts.oracle import Category
from riverboat.errors import InvalidInput
from riverboat.strength.hands import classify, showdown, strengths_of_hands, strengths_on_boards
from tests.reference.strength import category_and_ranks, value_of_five

FULL = DECKS["52"]
HOLDEM = [DECKS[name] for name in ("52", "36", "24")]


@pytest.mark.parametrize(
    ("deck", "cards", "words", "best"),
    [
        ("52", "KhKdKs4c4d2c7h", "full house, kings over fours", "KsKhKd4d4c"),
        ("52", "AhKhQhJhTh9c2d", "royal flush", "AhKhQhJhTh"),
        ("52", "5h4h3h2hAhAcAd", "straight flush, five high", "5h4h3h2hAh"),
        ("52", "9c8c7c6c5c4c2d", "straight flush, nine high", "9c8c7c6c5c"),
        ("52", "7h7d7c7sAhKdQc", "four of a kind, sevens, ace kicker", "7s7h7d7cAh"),
        ("52", "6h6d6c9s9h", "full house, sixes over nines", "6h6d6c9s9h"),
        ("52", "AhQh9h5h3h2hKd", "flush, ace-queen-nine-five-three", "AhQh9h5h3h"),
        ("52", "Ah2d3c4s5hKdKc", "straight, five high", "5h4s3c2dAh"),
        ("52", "2c2d2h9sKdQh7c", "three of a kind, twos, king-queen kickers", "2h2d2cKdQh"),
        ("52", "2c2d3h3sKdKh9c", "two pair, kings and threes, nine kicker", "KhKd3s3h9c"),
        ("52", "6c6dAh9sKd2h3c", "pair of sixes, ace-king-nine kickers", "6d6cAhKd9s"),
        ("52", "AcKdJh9s7d5c3c", "high card, ace-king-jack-nine-seven", "AcKdJh9s7d"),
        ("36", "Ah6d7c8s9h", "straight, nine high", "9h8s7c6dAh"),
        ("24", "AhKdQcJs9h", "high card, ace-king-queen-jack-nine", "AhKdQcJs9h"),
        ("leduc", "KhKs", "pair of kings", "KhKs"),
        ("leduc", "JhKs", "high card, jack", "Jh"),
        ("kuhn", "Qs", "high card, queen", "Qs"),
    ],
)
def test_hands_in_words(deck: str, cards: str, words: str, best: str) -> None:
    hand = classify(DECKS[deck], parse_cards(cards))
    assert hand.words == words
    assert format_cards(hand.best) == best


@given(st.sampled_from(HOLDEM), st.integers(5, 7), st.data())
def test_best_five_are_of_the_hand_and_have_its_strength(deck: Deck, size: int, data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.sampled_from(deck.cards), min_size=size, max_size=size, unique=True))
    hand = classify(deck, cards)
    assert set(hand.best) <= set(cards)
    assert len(set(hand.best)) == 5
    assert strengths_of_hands(deck, np.array([hand.best], np.uint8))[0] == hand.strength
    category, _ = category_and_ranks(hand.best, deck.ordering is Ordering.SHORT)
    assert category is hand.category


def test_short_deck_ordering() -> None:
    short, full = DECKS["36"], FULL
    flush, house = parse_cards("AhKh9h8h6h"), parse_cards("AcAdAsKcKd")
    assert classify(short, flush).strength > classify(short, house).strength
    assert classify(full, flush).strength < classify(full, house).strength
    low = parse_cards("Ah6d7c8s9h")
    assert classify(short, low).category is Category.STRAIGHT
    assert classify(full, low).category is Category.HIGH_CARD


def test_an_ace_is_not_low_with_24_cards() -> None:
    assert classify(DECKS["24"], parse_cards("Ah9dTcJsQh")).category is Category.HIGH_CARD


@pytest.mark.parametrize("count", [0, 1, 2, 4, 8])
def test_hands_have_five_to_seven_cards(count: int) -> None:
    with pytest.raises(InvalidInput, match=f"5, 6 or 7 cards, not {count}"):
        classify(FULL, list(range(count)))


def test_showdown_with_ties() -> None:
    result = showdown(FULL, parse_cards("Td9d2c5h3s"), [parse_cards(t) for t in ("AhKh", "Ts9s", "AsKs", "QdJd")])
    assert result.winners == (1,)
    assert result.places == (2, 1, 2, 4)
    result = showdown(FULL, parse_cards("AhKhQhJhTh"), [parse_cards(t) for t in ("2c2d", "3c3d", "4c4d")])
    assert result.winners == (0, 1, 2)
    assert result.places == (1, 1, 1)


@given(st.sampled_from(HOLDEM), st.integers(1, 8), st.data())
def test_showdown_agrees_with_the_book(deck: Deck, players: int, data: st.DataObject) -> None:
    size = 3 + 2 * players
    if size > len(deck.cards):
        return
    cards = data.draw(st.lists(st.sampled_from(deck.cards), min_size=size, max_size=size, unique=True))
    board, rest = cards[:3], cards[3:]
    holdings = [rest[2 * i : 2 * i + 2] for i in range(players)]
    result = showdown(deck, board, holdings)
    values = [value_of_five([*board, *holding], deck.ordering is Ordering.SHORT) for holding in holdings]
    assert result.winners == tuple(i for i, value in enumerate(values) if value == max(values))
    assert result.places == tuple(1 + sum(other > value for other in values) for value in values)


@pytest.mark.parametrize(
    ("board", "holdings", "field"),
    [
        ("Td9d", ["AhKh"], "board"),
        ("Td9d2c", [], "holdings"),
        ("Td9d2c", ["AhKhQh"], r"holdings\[0\]"),
        ("", ["AhKh"], "board"),
        ("Td9d2c", ["AhKh", "AhQh"], r"holdings\[1\]"),
        ("Td9d2c", ["Td9s"], r"holdings\[0\]"),
    ],
)
def test_bad_showdowns_name_the_field(board: str, holdings: list[str], field: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}: "):
        showdown(FULL, parse_cards(board), [parse_cards(text) for text in holdings])


@pytest.mark.parametrize(
    "cards",
    [
        np.zeros((3, 5), np.int64),
        np.zeros(5, np.uint8),
        np.zeros((3, 8), np.uint8),
        np.zeros((3, 2), np.uint8),
        np.full((3, 5), 52, np.uint8),
    ],
)
def test_arrays_that_kernels_would_misread_are_refused(cards: NDArray[Any]) -> None:
    with pytest.raises(InvalidInput):
        strengths_of_hands(FULL, cards)
    with pytest.raises(InvalidInput):
        strengths_on_boards(FULL, cards)
