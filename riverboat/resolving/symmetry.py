"""Suits that no card on the board tells apart.

A hand begins with every holding equally likely, so holdings that differ only by such suits are played alike and are
worth the same. Rounding in a solver makes them differ a little; their mean makes them equal again, to the bit, which
lets the next solve merge boards.
"""

import numpy as np

from riverboat.cards import Deck
from riverboat.holdings import holdings_of
from riverboat.solving.subgame import F64
from riverboat.spots.boards import exchanges


class SuitSymmetry:
    """The holdings of a deck in classes, on a board that was dealt street by street."""

    def __init__(self, deck: Deck, board: tuple[int, ...]) -> None:
        sizes = [size for size in deck.board_sizes if size <= len(board)]
        count = holdings_of(deck).count
        everything = np.ones((2, count), np.float32)
        first = np.arange(count)
        for exchange in exchanges(deck, (), everything):
            if all(exchange.of(board[:size]) == tuple(sorted(board[:size])) for size in sizes):
                first = np.minimum(first, exchange.holdings)
        # `first` is the least member of each class, because exchanges form a group.
        self._class_of = np.unique(first, return_inverse=True)[1]
        self._sizes = np.bincount(self._class_of)

    def mean(self, numbers: F64) -> F64:
        """Return numbers [..., H] with each class's mean in place of its members."""
        rows = numbers.reshape(-1, numbers.shape[-1])
        means = [(np.bincount(self._class_of, row) / self._sizes)[self._class_of] for row in rows]
        return np.array(means).reshape(numbers.shape)
