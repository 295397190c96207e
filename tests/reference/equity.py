"""Equity by enumerating every deal, one at a time."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, Ordering
from riverboat.holdings import holdings_of
from tests.reference.strength import value


def equity(deck: Deck, board: Sequence[int], ranges: Sequence[NDArray[np.float32]]) -> tuple[float, float, float]:
    """Return win, tie and equity of the first range against the others."""
    short = deck.ordering is Ordering.SHORT
    total = win = tie = share = 0.0
    for held, weight in _deals(deck, ranges, frozenset(board)):
        used = {card for holding in held for card in holding} | set(board)
        rest = [card for card in deck.cards if card not in used]
        for more in combinations(rest, deck.board_sizes[-1] - len(board)):
            values = [value([*holding, *board, *more], short) for holding in held]
            best = max(values)
            level = values.count(best)
            total += weight
            if values[0] == best:
                win += weight * (level == 1)
                tie += weight * (level > 1)
                share += weight / level
    return win / total, tie / total, share / total


def _deals(
    deck: Deck, ranges: Sequence[NDArray[np.float32]], used: frozenset[int]
) -> Iterator[tuple[list[tuple[int, ...]], float]]:
    if not ranges:
        yield [], 1.0
        return
    for index, weight in enumerate(ranges[0]):
        holding = tuple(int(card) for card in holdings_of(deck).cards[index])
        if weight > 0 and not used & set(holding):
            for others, rest in _deals(deck, ranges[1:], used | set(holding)):
                yield [holding, *others], float(weight) * rest
