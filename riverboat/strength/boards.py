"""Boards: all complete boards that can follow a board, and one board of each kind up to names of suits."""

from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck

_SUITS = 4
_BOARD = 5
_SPAN = np.uint64(64)  # more than there are cards


def runouts(deck: Deck, board: Sequence[int]) -> NDArray[np.uint8]:
    """Return all complete boards that can follow a board [R, cards]."""
    rest = [card for card in deck.cards if card not in board]
    more = combinations(rest, deck.board_sizes[-1] - len(board))
    return np.array([[*board, *cards] for cards in more], np.uint8)


def board_keys(boards: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return a number for each board [N, cards], the same for boards that differ only by suits [N]."""
    smallest = np.full(len(boards), np.iinfo(np.uint64).max, np.uint64)
    for order in permutations(range(_SUITS)):
        renamed = np.sort(boards - boards % _SUITS + np.array(order, np.uint8)[boards % _SUITS], axis=1)
        key = np.zeros(len(boards), np.uint64)
        for column in range(boards.shape[1]):
            key = _SPAN * key + renamed[:, column]
        np.minimum(smallest, key, out=smallest)
    return smallest


@cache
def different_boards(deck: Deck, size: int = _BOARD) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return one board of each kind up to names of suits [K, size], and how many boards are of that kind [K]."""
    cards = chain.from_iterable(combinations(deck.cards, size))
    every = np.fromiter(cards, np.uint8, size * comb(len(deck.cards), size)).reshape(-1, size)
    keys, weights = np.unique(board_keys(every), return_counts=True)
    columns = [keys // _SPAN ** np.uint64(size - 1 - column) % _SPAN for column in range(size)]
    return np.stack(columns, axis=1).astype(np.uint8), weights
