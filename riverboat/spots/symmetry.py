"""Suits that no card on the board distinguishes, and boards that differ only in the names of suits.

A hand begins with every holding equally likely, so holdings that differ only by such suits are played alike and are
worth the same. Rounding in a solver makes them differ a little; their mean makes them equal again, to the bit, which
lets the next solve merge boards. For the same reason a player may rename suits before it solves anything.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from riverboat.cards import Deck
from riverboat.holdings import holdings_of
from riverboat.solving.subgame import F64
from riverboat.spots.boards import Exchange, every_exchange, exchanges

_MOST_BOARDS_KEPT = 4096


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


@dataclass(frozen=True, slots=True, eq=False)
class RenamedBoard:
    """A board with its suits renamed, and the exchange that renames them."""

    board: tuple[int, ...]
    exchange: Exchange

    def back(self, numbers: F64) -> F64:
        """Return numbers [..., H] that are for the renamed suits, for the board as it was dealt."""
        dealt: F64 = numbers[..., self.exchange.holdings]
        return dealt


@lru_cache(_MOST_BOARDS_KEPT)
def renamed(deck: Deck, board: tuple[int, ...]) -> RenamedBoard:
    """Return the one board that stands for all that differ from this only by suits, or by order within a deal.

    The beginning of such a board stands for the beginning of the board: a hand keeps its names from street to street.
    """
    deals = list(_deals(deck, board))
    named = ((tuple(card for cards in deals for card in each.of(cards)), each) for each in every_exchange(deck))
    return RenamedBoard(*min(named, key=lambda pair: pair[0]))


def symmetry_of(deck: Deck, board: tuple[int, ...]) -> SuitSymmetry:
    """Return the symmetry on a board whose cards are in the order of their streets."""
    return SuitSymmetry(deck, list(_deals(deck, board)))


def _deals(deck: Deck, board: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the cards that came together."""
    for start, end in pairwise([0, *(size for size in deck.board_sizes if 0 < size <= len(board))]):
        yield board[start:end]
