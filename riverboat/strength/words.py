"""Strengths in words."""

from collections.abc import Sequence

from riverboat.contracts.oracle import Category

_ONE = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_MANY = tuple(word + ("es" if word == "six" else "s") for word in _ONE)

CATEGORY_NAMES = {category: category.name.lower().replace("_", " ") for category in Category}


def describe(category: Category, ranks: Sequence[int]) -> str:
    """Return a hand in words, from its category and the ranks that decide: "full house, kings over fours"."""
    name = CATEGORY_NAMES[category]
    first, rest = ranks[0], ranks[1:]
    match category:
        case Category.ROYAL_FLUSH:
            return name
        case Category.STRAIGHT_FLUSH | Category.STRAIGHT:
            return f"{name}, {_ONE[first]} high"
        case Category.FULL_HOUSE:
            return f"{name}, {_MANY[first]} over {_MANY[rest[0]]}"
        case Category.FOUR_OF_A_KIND | Category.THREE_OF_A_KIND:
            return f"{name}, {_MANY[first]}{_kickers(rest)}"
        case Category.TWO_PAIR:
            return f"{name}, {_MANY[first]} and {_MANY[rest[0]]}{_kickers(rest[1:])}"
        case Category.PAIR:
            return f"{name} of {_MANY[first]}{_kickers(rest)}"
        case _:
            return f"{name}, {'-'.join(_ONE[rank] for rank in ranks)}"


def _kickers(ranks: Sequence[int]) -> str:
    if not ranks:
        return ""
    return f", {'-'.join(_ONE[rank] for rank in ranks)} kicker{'s' if len(ranks) > 1 else ''}"
