"""Suits that no card on the board distinguishes.

A hand begins with every holding equally likely, so holdings that differ only by such suits are played alike and are
worth the same. Rounding in a solver makes them differ a little; their mean makes them equal again, to the bit, which
lets the next solve merge boards.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from riverboat.cards import Deck
from riverboat.holdings import holdings_of
from riverboat.solving.subgame import F64
from riverboat.spots.boards import exchanges


class SuitSymmetry:
    """The holdings of a deck in classes: those that differ only by suits which the deals so far treat alike."""

    def __init__(self, deck: Deck, deals: Sequence[Sequence[int]]) -> None:
        """Find the classes; each of `deals` is the cards that came together, such as a flop, in any order."""
        count = holdings_of(deck).count
        first = np.arange(count)
        for exchange in exchanges(deck, (), np.ones((2, count), np.float32)):
            if all(exchange.of(cards) == tuple(sorted(cards)) for cards in deals):
                first = np.minimum(first, exchange.holdings)
        # `first` is the least member of each class, because exchanges form a group.
        self._class_of = np.unique(first, return_inverse=True)[1]
        self._sizes = np.bincount(self._class_of)

    def mean(self, numbers: F64) -> F64:
        """Return numbers [..., H] with each class's mean in place of its members."""
        rows = numbers.reshape(-1, numbers.shape[-1])
        means = [(np.bincount(self._class_of, row) / self._sizes)[self._class_of] for row in rows]
        return np.array(means).reshape(numbers.shape)


def symmetry_of(deck: Deck, board: tuple[int, ...]) -> SuitSymmetry:
    """Return the symmetry on a board whose cards are in the order of their streets."""
    sizes = [0, *(size for size in deck.board_sizes if 0 < size <= len(board))]
    return SuitSymmetry(deck, [board[start:end] for start, end in pairwise(sizes)])
