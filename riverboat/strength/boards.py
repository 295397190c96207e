"""Complete boards: all that can follow a board, and those that differ by more than names of suits."""

from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck

_SUITS = 4
_BOARD = 5


def runouts(deck: Deck, board: Sequence[int]) -> NDArray[np.uint8]:
    """All complete boards that can follow a board [R, cards]."""
    rest = [card for card in deck.cards if card not in board]
    more = combinations(rest, deck.board_sizes[-1] - len(board))
    return np.array([[*board, *cards] for cards in more], np.uint8)


@cache
def different_boards(deck: Deck) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """One board of each kind that is the same but for names of suits [K, 5], and how many there are of it [K]."""
    cards = chain.from_iterable(combinations(deck.cards, _BOARD))
    every = np.fromiter(cards, np.uint8, _BOARD * comb(len(deck.cards), _BOARD)).reshape(-1, _BOARD)
    smallest = np.full(len(every), np.iinfo(np.int64).max)
    for order in permutations(range(_SUITS)):
        renamed = np.sort(every - every % _SUITS + np.array(order, np.uint8)[every % _SUITS], axis=1)
        key = np.zeros(len(every), np.int64)
        for column in range(_BOARD):
            key = 64 * key + renamed[:, column]
        np.minimum(smallest, key, out=smallest)
    keys, weights = np.unique(smallest, return_counts=True)
    columns = [keys >> (6 * (_BOARD - 1 - column)) & 63 for column in range(_BOARD)]
    return np.stack(columns, axis=1).astype(np.uint8), weights
