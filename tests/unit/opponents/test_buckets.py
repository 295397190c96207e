"""Buckets keep their size on every board, and the order of strengths."""

import numpy as np
import pytest

from riverboat.cards import DECKS, parse_cards
from riverboat.holdings import holding_index
from riverboat.opponents.buckets import (
    BUCKET_COUNTS,
    NOWHERE,
    SHARES,
    holding_classes,
    places_on,
    strengths_on,
    write_membership,
)

BOARDS = ("AsKsQsJsTs", "2c7dTh", "2c7dTh5s", "AhKd8c3s2h", "8s8h8d8cAs")


def memberships(text: str) -> np.ndarray:
    """Return to which part each live holding is in each bucket [live, buckets]."""
    board = np.array(parse_cards(text), np.uint8)
    shares = SHARES[len(board) - 2]
    rows = []
    for low, high in places_on(board).tolist():
        if low == NOWHERE:
            continue
        room = np.zeros(20)
        first, end = write_membership(low, high, shares, room)
        row = np.zeros(len(shares))
        row[first:end] = room[first:end]
        rows.append(row)
    return np.array(rows)


@pytest.mark.parametrize("text", BOARDS)
def test_buckets_keep_their_size_on_every_board(text: str) -> None:
    rows = memberships(text)
    street = len(text) // 2 - 2
    np.testing.assert_allclose(rows.sum(1), 1)
    np.testing.assert_allclose(rows.mean(0), SHARES[street], atol=0.012)


def test_a_royal_flush_on_the_board_puts_everybody_into_every_bucket() -> None:
    rows = memberships(BOARDS[0])
    np.testing.assert_allclose(rows, np.broadcast_to(SHARES[3], rows.shape), atol=1e-9)


def test_stronger_holdings_are_in_higher_buckets() -> None:
    board = np.array(parse_cards("2c7dTh"), np.uint8)
    places, strengths = places_on(board), strengths_on(board)
    set_of_tens, nothing = (holding_index(DECKS["52"], parse_cards(text)) for text in ("TcTd", "4c3d"))
    assert strengths[set_of_tens] > strengths[nothing] > 0
    assert places[set_of_tens, 0] >= 225
    assert places[nothing, 1] <= 50


def test_holdings_of_a_class_share_their_bucket_before_the_flop() -> None:
    classes, deck = holding_classes(), DECKS["52"]
    assert len(set(classes.tolist())) == BUCKET_COUNTS[0] == 169
    pairs = {int(classes[holding_index(deck, parse_cards(text))]) for text in ("AsAh", "AcAd", "AhAd")}
    assert len(pairs) == 1
