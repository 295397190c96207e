"""All hands, counted by category."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import comb

import numpy as np
import pytest

from riverboat.cards import DECKS, Deck, Ordering
from riverboat.contracts.oracle import Category
from riverboat.parallel import Runner, on_threads, serial
from riverboat.strength.census import strength_counts
from riverboat.strength.tables import scale_of
from tests.reference.strength import category_and_ranks, value_of_five

FULL = DECKS["52"]
# Published counts, royal flush first.
FIVE_CARDS = [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]
SEVEN_CARDS = [4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460]


def category_counts(deck: Deck, card_count: int, run: Runner = serial) -> dict[Category, int]:
    """Return the number of hands of 5, 6 or 7 cards in each category."""
    scale = scale_of(deck.ordering)
    counts = dict.fromkeys(Category, 0)
    for value, count in enumerate(strength_counts(deck, card_count, run)):
        if count:
            counts[scale.category(value)] += int(count)
    return counts


def test_all_five_card_hands() -> None:
    counts = category_counts(FULL, 5)
    assert [counts[category] for category in reversed(Category)] == FIVE_CARDS
    assert sum(counts.values()) == 2_598_960
    assert np.count_nonzero(strength_counts(FULL, 5)) == 7462


def test_all_seven_card_hands() -> None:
    with ThreadPoolExecutor(2) as threads:
        counts = category_counts(FULL, 7, on_threads(threads, 4))
    assert [counts[category] for category in reversed(Category)] == SEVEN_CARDS
    assert sum(counts.values()) == 133_784_560


def test_seven_cards_make_fewer_strengths_than_five() -> None:
    assert np.count_nonzero(strength_counts(FULL, 7)) == 4824  # published


@pytest.mark.parametrize("name", ["24", "36"])
def test_five_cards_of_a_short_deck_against_the_book(name: str) -> None:
    deck = DECKS[name]
    short = deck.ordering is Ordering.SHORT
    expected = Counter(category_and_ranks(five, short)[0] for five in combinations(deck.cards, 5))
    assert category_counts(deck, 5) == {category: expected[category] for category in Category}
    assert sum(expected.values()) == comb(len(deck.cards), 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["24", "36"])
def test_seven_cards_of_a_short_deck_against_the_book(name: str) -> None:
    """The strength of seven cards is that of the best of their 21 five-card hands, valued by the slow twin."""
    deck = DECKS[name]
    short = deck.ordering is Ordering.SHORT
    fives = list(combinations(range(len(deck.cards)), 5))
    values = [value_of_five([deck.cards[place] for place in five], short) for five in fives]
    ordered = sorted(set(values))
    place = {value: i for i, value in enumerate(ordered)}
    table = np.full((len(deck.cards),) * 5, -1, np.int16)
    for five, value in zip(fives, values, strict=True):
        table[five] = place[value]
    sevens = np.array(list(combinations(range(len(deck.cards)), 7)), np.int8)
    best = np.full(len(sevens), -1, np.int16)
    for chosen in combinations(range(7), 5):
        best = np.maximum(best, table[tuple(sevens[:, i] for i in chosen)])
    categories = {i: category_and_ranks([deck.cards[p] for p in five], short)[0]
                  for five, i in zip(fives, (place[v] for v in values), strict=True)}  # fmt: skip
    expected = Counter(dict.fromkeys(Category, 0))
    for i, count in zip(*np.unique(best, return_counts=True), strict=True):
        expected[categories[int(i)]] += int(count)
    assert category_counts(deck, 7) == dict(expected)
    assert sum(expected.values()) == comb(len(deck.cards), 7)


def test_with_24_cards_everybody_has_at_least_a_pair() -> None:
    counts = category_counts(DECKS["24"], 7)
    assert counts[Category.HIGH_CARD] == 0
    assert all(counts[category] > 0 for category in Category if category > Category.PAIR)
