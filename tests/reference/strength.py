"""Poker hands by the book: sort, count, look. No tables, no tricks."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from riverboat.contracts.oracle import Category

Value = tuple[int, tuple[int, ...]]

_STANDARD = list(Category)
_SHORT = [
    Category.HIGH_CARD,
    Category.PAIR,
    Category.TWO_PAIR,
    Category.THREE_OF_A_KIND,
    Category.STRAIGHT,
    Category.FULL_HOUSE,
    Category.FLUSH,
    Category.FOUR_OF_A_KIND,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
]


def category_and_ranks(five: Sequence[int], short: bool) -> tuple[Category, tuple[int, ...]]:
    """Return the category of five cards, and the ranks that break ties, most important first."""
    ranks = sorted((card >> 2 for card in five), reverse=True)
    counts = Counter(ranks)
    groups = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card & 3 for card in five}) == 1
    low_ace = [12, 7, 6, 5, 4] if short else [12, 3, 2, 1, 0]
    straight = None
    if len(counts) == 5 and ranks[0] - ranks[4] == 4:
        straight = ranks[0]
    elif ranks == low_ace:
        straight = ranks[1]
    if straight is not None and flush:
        return (Category.ROYAL_FLUSH if straight == 12 else Category.STRAIGHT_FLUSH), (straight,)
    if shape == [4, 1]:
        return Category.FOUR_OF_A_KIND, tuple(groups)
    if shape == [3, 2]:
        return Category.FULL_HOUSE, tuple(groups)
    if flush:
        return Category.FLUSH, tuple(ranks)
    if straight is not None:
        return Category.STRAIGHT, (straight,)
    if shape == [3, 1, 1]:
        return Category.THREE_OF_A_KIND, tuple(groups)
    if shape == [2, 2, 1]:
        return Category.TWO_PAIR, tuple(groups)
    if shape == [2, 1, 1, 1]:
        return Category.PAIR, tuple(groups)
    return Category.HIGH_CARD, tuple(ranks)


def value_of_five(five: Sequence[int], short: bool = False) -> Value:
    """Return a comparable value; the larger wins."""
    category, ranks = category_and_ranks(five, short)
    return (_SHORT if short else _STANDARD).index(category), ranks


def value(cards: Iterable[int], short: bool = False) -> Value:
    """Return the value of the best five of any number of cards."""
    return max(value_of_five(five, short) for five in combinations(cards, 5))
