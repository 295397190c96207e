"""Utility matrices: the winnings at showdown for each pair of private holdings, per chip at stake.

Entry [i, j] is for the player with holding i against an opponent with holding j: +1, 0 or -1 when the
board is complete, and the average over all run-outs before. Pairs that cannot both be dealt are NaN.
For one board the matrix is antisymmetric: U[i, j] = -U[j, i].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, check_board, check_cards
from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput, TooLarge, in_field
from riverboat.holdings import holdings_of, live_holdings
from riverboat.strength.boards import runouts
from riverboat.strength.hands import strengths_of_hands, strengths_on_boards

Utility = NDArray[np.float32]
_MOST_RUNOUTS = 20_000  # for the utility of single pairs


@dataclass(frozen=True, slots=True, eq=False)
class BoardUtility:
    """The utility matrix of one board, worked out row by row."""

    deck: Deck
    board: tuple[int, ...]
    strengths: NDArray[np.uint16]  # [K, H], on each run-out

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of the whole matrix, (H, H)."""
        return self.strengths.shape[1], self.strengths.shape[1]

    def rows(self, start: int, end: int) -> Utility:
        """Return rows `start` up to `end` of the matrix, [end - start, H]."""
        deck, masks = self.deck, holdings_of(self.deck).masks
        unseen = len(deck.cards) - len(self.board)
        to_come = deck.board_sizes[-1] - len(self.board)
        both = comb(unseen - 2 * deck.holding_size, to_come)
        one = comb(unseen - deck.holding_size, to_come)
        balance = np.zeros((end - start, len(masks)), np.int32)
        add_signs(self.strengths, start, end, balance)
        # Run-outs with a card of holding j were counted as wins for i; their number is constant.
        utility = ((balance - (one - both)) / both).astype(np.float32)
        live = live_holdings(deck, self.board)
        utility[~live[start:end], :] = np.nan
        utility[:, ~live] = np.nan
        utility[(masks[start:end, None] & masks[None, :]) != 0] = np.nan
        return utility

    def matrix(self) -> Utility:
        """Return the whole matrix, [H, H]."""
        return self.rows(0, self.shape[0])


def board_utility(deck: Deck, board: Sequence[int]) -> BoardUtility:
    """Return the utility of a board of 3, 4 or 5 cards (in a one-card deck: of any board it has)."""
    check_board(deck, board)
    if deck.is_holdem and not board:
        raise InvalidInput("", "a utility matrix needs a board of 3, 4 or 5 cards")
    return BoardUtility(deck, tuple(board), strengths_on_boards(deck, runouts(deck, board)))


def stud_utility(deck: Deck, mine: Sequence[int], theirs: Sequence[int]) -> Utility:
    """Return the utility of five-card stud from four visible cards each: [N, N], by the places of the two hidden cards
    in the deck.
    """
    check_stud_deck(deck)
    for field, cards in (("mine", mine), ("theirs", theirs)):
        with in_field(field):
            if len(cards) != 4:
                raise InvalidInput("", f"five-card stud has four visible cards, not {len(cards)}")
            check_cards(deck, cards)
    with in_field("theirs"):
        check_cards(deck, mine, theirs)
    strengths = [
        strengths_of_hands(deck, np.array([[*cards, hidden] for hidden in deck.cards], np.uint8)).astype(np.int32)
        for cards in (mine, theirs)
    ]
    utility: Utility = np.sign(strengths[0][:, None] - strengths[1][None, :]).astype(np.float32)
    taken = np.isin(deck.cards, [*mine, *theirs])
    utility[taken, :] = np.nan
    utility[:, taken] = np.nan
    np.fill_diagonal(utility, np.nan)
    return utility


def check_stud_deck(deck: Deck) -> None:
    """Raise unless five-card hands can be made of the deck."""
    if not deck.is_holdem:
        raise InvalidInput("deck", f"five-card stud needs hands of five cards; the {deck.name} deck has none")


@kernel
def add_signs(strengths: NDArray[np.uint16], start: int, end: int, balance: NDArray[np.int32]) -> None:
    """Add run-outs won less run-outs lost against each holding to `balance`, for rows start : end.

    Run-outs with a card of the row's holding are left out; those with a card of the other holding,
    whose strength is 0 there, count as won.
    """
    for i in range(start, end):
        row = balance[i - start]
        for k in range(strengths.shape[0]):
            mine = strengths[k, i]
            if mine > 0:
                for j in range(row.size):
                    row[j] += np.int32(mine > strengths[k, j]) - np.int32(mine < strengths[k, j])


def runout_utility(deck: Deck, board: Sequence[int], rows: NDArray[np.int32], columns: NDArray[np.int32]) -> Utility:
    """Return the utility of the holdings `rows` against the holdings `columns` over all run-outs [rows, columns].

    It is 0 for impossible pairs.
    """
    check_board(deck, board)
    rest = [card for card in deck.cards if card not in board]
    count = comb(len(rest), deck.board_sizes[-1] - len(board))
    if count > _MOST_RUNOUTS:
        raise TooLarge(f"an all-in here has {count:,} run-outs; the limit is {_MOST_RUNOUTS:,}")
    strengths = strengths_on_boards(deck, runouts(deck, board))
    masks = holdings_of(deck).masks
    out = np.zeros((len(rows), len(columns)), np.float32)
    _add_runouts(
        np.ascontiguousarray(strengths[:, rows].T), np.ascontiguousarray(strengths[:, columns].T),
        masks[rows], masks[columns], out,
    )  # fmt: skip
    return out


@kernel
def _add_runouts(
    rows: NDArray[np.uint16], columns: NDArray[np.uint16], row_masks: NDArray[np.uint64],
    column_masks: NDArray[np.uint64], out: Utility,
) -> None:  # fmt: skip
    """Write to `out` [rows, columns] the signs of strengths [holdings, run-outs], averaged over run-outs that allow
    both holdings; 0 if they share a card.
    """
    for i in range(len(rows)):
        for j in range(len(columns)):
            if row_masks[i] & column_masks[j]:
                continue
            balance, count = np.int32(0), np.int32(0)
            for k in range(rows.shape[1]):
                a, b = np.int32(rows[i, k]), np.int32(columns[j, k])
                if a > 0 and b > 0:
                    count += np.int32(1)
                    balance += np.int32(a > b) - np.int32(a < b)
            if count:
                out[i, j] = np.float32(balance / count)
