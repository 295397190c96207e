from itertools import combinations, permutations
from math import comb

import pytest

from riverboat.cards import DECKS, Ordering, parse_cards
from riverboat.equity.runouts import Runouts, class_order, runouts_of, suit_classes
from riverboat.ranges import parse_range
from riverboat.strength.evaluation import EMPTY_KEY
from riverboat.strength.tables import tables_of

FULL = DECKS["52"]


def boards(runouts: Runouts) -> dict[int, float]:
    """Return every listed board as a set of bits, with its weight; check keys on the way."""
    tables = tables_of(Ordering.STANDARD, 7)
    weights: dict[int, float] = {}
    for r in range(len(runouts.starts)):
        for t in range(runouts.starts[r], runouts.ends[r]):
            bits = int(runouts.head_bits[r] | runouts.tail_bits[t])
            cards = [4 * (b & 15) + (b >> 4) for b in range(64) if bits >> b & 1]
            key = EMPTY_KEY + sum(tables.card_keys[card] for card in cards)
            assert runouts.head_keys[r] + runouts.tail_keys[t] == key
            assert bits not in weights
            weights[bits] = float(runouts.head_weights[r] * runouts.tail_weights[t])
    return weights


def renamed(bits: int, suits: tuple[int, ...]) -> int:
    return sum(((bits >> (16 * old)) & 0x1FFF) << (16 * new) for old, new in enumerate(suits))


@pytest.mark.parametrize(
    ("hero", "villain", "board", "order"),
    [
        ("random", "QQ+", "", 24),
        ("AhKh", "QQ+", "", 6),
        ("AhAs", "random", "", 4),
        ("AhAs", "KhKs", "", 4),
        ("AhKd", "random", "", 2),
        ("AhKd", "QsJc", "", 1),
        ("random", "random", "TdThTs", 6),
        ("AKs", "random", "Td9d2c", 2),
    ],
)
def test_suits_that_are_alike(hero: str, villain: str, board: str, order: int) -> None:
    ranges = [parse_range(hero, FULL), parse_range(villain, FULL)]
    assert class_order(suit_classes(FULL, parse_cards(board), ranges)) == order


@pytest.mark.parametrize(
    ("deck", "hero", "board", "dead"),
    [
        ("24", "random", "", ""),
        ("24", "AhKh", "", "AhKh"),
        ("24", "AhAs", "", "AhAs"),
        ("24", "AhKd", "", "AhKd"),
        ("24", "AhKd,QsJc", "", ""),
        ("24", "random", "AhKhQh", ""),
        ("24", "random", "AhKdQs", ""),
        ("36", "AhKh", "Td9d8c", "AhKh"),
        ("52", "AhAs", "Td9d2c5h", "AhAs"),
        ("52", "random", "Td9d2c5h3s", ""),
    ],
)
def test_listed_boards_stand_for_all(deck: str, hero: str, board: str, dead: str) -> None:
    """Renaming interchangeable suits in every listed board gives every possible board, once."""
    cards = DECKS[deck]
    ranges = [parse_range(hero, cards)]
    gone = [*parse_cards(board), *parse_cards(dead)]
    classes = suit_classes(cards, gone, ranges)
    listed = boards(runouts_of(cards, parse_cards(board), parse_cards(dead), ranges))
    names = [p for p in permutations(range(4)) if all(classes[a] == classes[b] for a, b in enumerate(p))]
    expected = set()
    for more in combinations([card for card in cards.cards if card not in gone], 5 - len(parse_cards(board))):
        expected.add(sum(1 << (16 * (card & 3) + (card >> 2)) for card in [*parse_cards(board), *more]))
    covered: set[int] = set()
    for bits, weight in listed.items():
        twins = {renamed(bits, name) for name in names}
        assert len(twins) == weight
        assert not twins & covered
        covered |= twins
    assert covered == expected


def test_the_published_number_of_boards() -> None:
    """134,459 five-card boards up to suits."""
    runouts = runouts_of(FULL, (), (), [parse_range("random", FULL)])
    counts = runouts.ends - runouts.starts
    assert counts.sum() == 134_459
    weights = [runouts.head_weights[r] * runouts.tail_weights[runouts.starts[r] : runouts.ends[r]].sum()
               for r in range(len(counts))]  # fmt: skip
    assert sum(weights) == comb(52, 5)


def listed(runouts: Runouts) -> list[tuple[int, float]]:
    """Return every board's key and weight, in order."""
    return [
        (int(runouts.head_keys[r] + runouts.tail_keys[t]), float(runouts.head_weights[r] * runouts.tail_weights[t]))
        for r in range(len(runouts.starts))
        for t in range(runouts.starts[r], runouts.ends[r])
    ]


@pytest.mark.parametrize("board_count", [1, 7, 1000, 10_000])
def test_parts_are_the_whole(board_count: int) -> None:
    """Also if one run is longer than a part."""
    whole = runouts_of(FULL, parse_cards("2c7d"), parse_cards("AhAs"), [parse_range("AhAs", FULL)])
    parts = whole.parts(board_count)
    sizes = [int((part.ends - part.starts).sum()) for part in parts]
    assert max(sizes) < 2 * board_count
    assert len(parts) <= 2 + 2 * sum(sizes) // board_count
    assert [pair for part in parts for pair in listed(part)] == listed(whole)
