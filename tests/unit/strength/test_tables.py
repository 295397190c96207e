from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

from riverboat.cards import DECKS, Ordering
from riverboat.contracts.oracle import Category
from riverboat.strength.tables import NO_SUITS, RANK_KEYS, ROW_LENGTH, ROW_SHIFT, holding_tables, scale_of, tables_of


def rank_sums(card_count: int) -> list[int]:
    hands = combinations_with_replacement(range(13), card_count)
    return [sum(RANK_KEYS[rank] for rank in hand) for hand in hands if max(Counter(hand).values()) <= 4]


@pytest.mark.parametrize(("card_count", "expected"), [(5, 6175), (6, 18395), (7, 49205)])
def test_no_two_collections_of_ranks_have_the_same_sum(card_count: int, expected: int) -> None:
    sums = rank_sums(card_count)
    assert len(sums) == expected
    assert len(set(sums)) == expected


@pytest.mark.parametrize("card_count", [5, 6, 7])
def test_displaced_rows_do_not_collide(card_count: int) -> None:
    tables = tables_of(Ordering.STANDARD, card_count)
    places = [2 * int(tables.offsets[s >> ROW_SHIFT]) + s % ROW_LENGTH for s in rank_sums(card_count)]
    assert len(set(places)) == len(places)
    assert max(places) < len(tables.strengths)


def test_even_impossible_hands_stay_inside_the_tables() -> None:
    """Kernels look up impossible hands such as five aces, and discard the answer."""
    for ordering in (Ordering.STANDARD, Ordering.SHORT):
        for card_count in (5, 6, 7):
            tables = tables_of(ordering, card_count)
            largest = card_count * RANK_KEYS[-1]
            assert largest >> ROW_SHIFT < len(tables.offsets)
            assert 2 * int(tables.offsets.max()) + ROW_LENGTH <= len(tables.strengths)


def test_distinct_strengths_of_five_cards() -> None:
    assert scale_of(Ordering.STANDARD).strength_count == 7462
    assert scale_of(Ordering.SHORT).strength_count == 1404


def test_strengths_by_category() -> None:
    """The published numbers of distinct five-card hands in each category."""
    scale = scale_of(Ordering.STANDARD)
    counts = Counter(scale.category(strength) for strength in range(1, 7463))
    assert [counts[category] for category in Category] == [1277, 2860, 858, 858, 10, 1277, 156, 156, 9, 1]


def test_orderings_put_categories_in_their_place() -> None:
    standard, short = scale_of(Ordering.STANDARD).places, scale_of(Ordering.SHORT).places
    assert list(standard) == list(Category)
    assert short.index(Category.FLUSH) == short.index(Category.FULL_HOUSE) + 1
    assert [c for c in short if c is not Category.FLUSH] == [c for c in Category if c is not Category.FLUSH]


def test_holding_tables_add_up() -> None:
    deck = DECKS["52"]
    tables = tables_of(Ordering.STANDARD, 7)
    holdings = holding_tables(deck)
    assert holdings.keys[0] == tables.card_keys[0] + tables.card_keys[1]
    assert holdings.bits[-1] == tables.card_bits[50] | tables.card_bits[51]
    assert np.uint64(NO_SUITS) & holdings.bits[0] == 0
