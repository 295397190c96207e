"""The terminals of a spot, filled in this process from a deck of cards."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, format_cards, parse_cards
from riverboat.holdings import holdings_of
from riverboat.solving.interfaces import DealtBoards, Terminals
from riverboat.solving.subgame import F32, I32
from riverboat.spots.boards import deal_all, deck_places
from riverboat.strength.hands import strengths_on_boards
from riverboat.utility import runout_utility


class CardTerminals(Terminals):
    """`Terminals` of a deck. With `isomorphic` off, no suits are merged."""

    def __init__(self, deck: Deck, *, isomorphic: bool = True) -> None:
        self._deck, self._isomorphic = deck, isomorphic

    def deal(self, board: str, deal_count: int, weights: F32) -> DealtBoards:
        """Return the boards after up to `deal_count` more deals."""
        deals = deal_all(self._deck, parse_cards(board), deal_count, weights, isomorphic=self._isomorphic)
        return DealtBoards(
            boards=deals.boards,
            cards=tuple(map(format_cards, deals.cards)),
            sizes=np.array([len(cards) for cards in deals.cards], np.int32),
            items=deck_places(self._deck)[holdings_of(self._deck).cards],
        )

    def strengths(self, boards: Sequence[str]) -> NDArray[np.uint16]:
        """Return the strengths of all holdings on complete boards [n, H]."""
        return strengths_on_boards(self._deck, np.array([parse_cards(board) for board in boards], np.uint8))

    def utility(self, board: str, rows: I32, columns: I32) -> F32:
        """Return the mean winnings of holdings against others over all run-outs, per chip at stake [rows, columns]."""
        return runout_utility(self._deck, parse_cards(board), rows, columns)
