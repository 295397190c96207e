"""All-ins before the flop: the winnings of each holding against every other over all boards.

By symmetry of suits one holding of each class stands for its class. Boards that differ only by names of suits are
counted once, with a weight.
"""

from functools import cache
from itertools import permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, holdings_of_class
from riverboat.strength.boards import different_boards
from riverboat.strength.hands import strengths_on_boards
from riverboat.utility import Utility, add_signs

_SUITS = 4
_BOARD = 5
_AT_A_TIME = 2_000  # boards whose strengths are in memory at once

Rows = NDArray[np.int32]  # [classes, H]: run-outs won less run-outs lost


def preflop_rows(deck: Deck) -> Rows:
    """Return, for one holding of each class, run-outs won less run-outs lost against each holding that can be dealt
    beside it.

    This takes half a minute with 52 cards, a second with 36.
    """
    if not deck.is_holdem:
        raise InvalidInput("deck", f"the {deck.name} deck has no boards of five cards")
    count = holdings_of(deck).count
    weighted = np.zeros((count, count), np.int64)
    boards, weights = different_boards(deck)
    for weight in np.unique(weights):
        chosen = boards[weights == weight]
        for first in range(0, len(chosen), _AT_A_TIME):
            balance = np.zeros((count, count), np.int32)
            add_signs(strengths_on_boards(deck, chosen[first : first + _AT_A_TIME]), 0, count, balance)
            weighted += weight * balance.astype(np.int64)
    orders = suit_exchanges(deck)
    first_of = representatives(deck)
    total = sum(weighted[order[first_of]][:, order] for order in orders) // len(orders)
    # Run-outs with a card of the other holding were counted as won; their number is constant.
    left, size = len(deck.cards), deck.holding_size
    taken = comb(left - size, _BOARD) - comb(left - 2 * size, _BOARD)
    rows: Rows = np.where(_exclude(deck, first_of), 0, total - taken).astype(np.int32)
    return rows


def preflop_utility(deck: Deck, rows: Rows) -> Utility:
    """Return the utility of every holding against every other before the flop [H, H]; 0 where they share a card."""
    utility = np.zeros((holdings_of(deck).count,) * 2, np.float32)
    scale = comb(len(deck.cards) - 2 * deck.holding_size, _BOARD)
    first_of = representatives(deck)
    for order in suit_exchanges(deck):
        # A holding wins as much against another as its image wins against the other's image.
        utility[np.ix_(order[first_of], order)] = rows / scale
    return utility


@cache
def all_in_utility(deck: Deck) -> Utility:
    """Return the utility before the flop [H, H].

    The first call computes it: half a second with 24 cards, half a minute with 52.
    """
    return preflop_utility(deck, preflop_rows(deck))


@cache
def representatives(deck: Deck) -> NDArray[np.int64]:
    """Return the first holding of each class [classes]."""
    return np.array([members[0] for members in holdings_of_class(deck).values()])


@cache
def suit_exchanges(deck: Deck) -> tuple[NDArray[np.int64], ...]:
    """Return, for every permutation of suits, the index of the holding that each holding becomes [H]."""
    cards = holdings_of(deck).cards.astype(np.int64)
    places = np.zeros(52, np.int64)
    places[list(deck.cards)] = np.arange(len(deck.cards))
    exchanges = []
    for order in permutations(range(_SUITS)):
        low, high = np.sort(places[cards - cards % _SUITS + np.array(order)[cards % _SUITS]], axis=1).T
        exchanges.append(high * (high - 1) // 2 + low)
    return tuple(exchanges)


def _exclude(deck: Deck, chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
    masks = holdings_of(deck).masks
    shares_card: NDArray[np.bool_] = (masks[chosen, None] & masks[None, :]) != 0
    return shares_card
