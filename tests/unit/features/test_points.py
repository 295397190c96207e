"""Points of all holdings on complete boards, against one hand at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.features.points import BLOCKED, best_points, points_on_boards
from riverboat.holdings import holdings_of, live_holdings
from riverboat.strength.hands import strengths_on_boards

HOLDEM = ("52", "36", "24")


def test_the_best_points_is_twice_the_number_of_opposing_holdings() -> None:
    assert [best_points(DECKS[name]) for name in HOLDEM] == [1980, 812, 272]


@settings(max_examples=15)
@given(st.sampled_from(HOLDEM), st.randoms(use_true_random=False))
def test_equal_to_comparing_every_pair(name: str, random: object) -> None:
    deck = DECKS[name]
    board = np.array([random.sample(deck.cards, 5)], np.uint8)  # type: ignore[attr-defined]  # hypothesis has no type
    points, strengths = points_on_boards(deck, board)[0], strengths_on_boards(deck, board)[0].astype(int)
    masks, live = holdings_of(deck).masks, live_holdings(deck, board[0].tolist())
    assert np.array_equal(points == BLOCKED, ~live)
    apart = ((masks[:, None] & masks) == 0) & live
    wanted = (apart * (1 + np.sign(strengths[:, None] - strengths))).sum(axis=1)
    assert np.array_equal(points[live], wanted[live])
    assert points[live].sum(dtype=int) == live.sum() * best_points(deck) // 2  # what one wins another loses


def test_boards_must_be_complete() -> None:
    with pytest.raises(InvalidInput, match="rows of 5"):
        points_on_boards(DECKS["52"], np.zeros((1, 4), np.uint8))
    with pytest.raises(InvalidInput, match="uint8"):
        points_on_boards(DECKS["52"], np.zeros((1, 5), np.int64))
