import numpy as np
import pytest

from riverboat.cards import DECKS, parse_cards
from riverboat.equity import equity, matchup
from riverboat.ranges import parse_range


@pytest.mark.parametrize(
    ("deck", "board", "hero", "opponents", "expected"),
    [
        ("kuhn", "", "K", 1, 1.0),
        ("kuhn", "", "Q", 1, 0.5),
        ("kuhn", "", "J", 2, 0.0),
        ("leduc", "Kh", "Ks", 1, 1.0),
        ("leduc", "Kh", "Qs", 1, (2 + 0.5) / 4),  # beats two jacks, ties a queen, loses to a king
        ("leduc", "", "random", 1, 0.5),
    ],
)
def test_small_decks(deck: str, board: str, hero: str, opponents: int, expected: float) -> None:
    cards = DECKS[deck]
    question = matchup(cards, parse_cards(board), parse_range(hero, cards), [None] * opponents)
    answer = equity(question, np.random.default_rng(0))
    assert answer.equity == pytest.approx(expected)
    assert answer.exact
