"""The share of the pot that one holding wins against every other without further bets."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from riverboat.arena.bot import F64
from riverboat.cards import Deck
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.preflop import all_in_utility
from riverboat.strength.hands import strengths_on_boards
from riverboat.utility import runout_utility

SMALL_DECK = 36  # cards, up to which all-ins before the flop are exact in a moment
_SAMPLED = 1000  # boards before the flop with more cards


def is_exact(deck: Deck, board: Sequence[int]) -> bool:
    """Return whether `showdown_shares` goes through all run-outs."""
    return bool(board) or not deck.is_holdem or len(deck.cards) <= SMALL_DECK


def showdown_shares(deck: Deck, board: Sequence[int], holding: Sequence[int], rng: np.random.Generator) -> F64:
    """Return the expected share of the pot against each holding [H], 0 where the two cannot be dealt together.

    Exact, except before the flop with 52 cards: there it is the average over a sample of boards from `rng`.
    """
    place = holding_index(deck, holding)
    live = live_holdings(deck, (*board, *holding))
    if not is_exact(deck, board):
        return np.where(live, _over_boards(deck, place, _sample(deck, holding, rng)), 0.0)
    if not deck.is_holdem:
        rest = [card for card in deck.cards if card not in (*board, *holding)]
        rows = [(*board, *more) for more in combinations(rest, deck.board_sizes[-1] - len(board))]
        return np.where(live, _over_boards(deck, place, np.array(rows, np.uint8).reshape(len(rows), -1)), 0.0)
    if not board:
        utility = all_in_utility(deck)[place]
    else:
        columns = np.arange(holdings_of(deck).count, dtype=np.int32)
        utility = runout_utility(deck, board, np.array([place], np.int32), columns)[0]
    return np.where(live, (1 + utility.astype(np.float64)) / 2, 0.0)


def _sample(deck: Deck, holding: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    """Return whole boards without the cards of a holding [K, 5]."""
    rest = np.array([card for card in deck.cards if card not in holding], np.uint8)
    return rng.permuted(np.tile(rest, (_SAMPLED, 1)), axis=1)[:, : deck.board_sizes[-1]]


def _over_boards(deck: Deck, place: int, boards: np.ndarray) -> F64:
    """Return the share over the boards that allow both holdings [H]; a half where there are none."""
    strengths = strengths_on_boards(deck, np.ascontiguousarray(boards)).astype(np.int32)  # [K, H]; 0 if impossible
    possible = strengths > 0
    signs = np.sign(strengths[:, [place]] - strengths) * possible
    count = possible.sum(axis=0)
    shares: F64 = (1 + np.divide(signs.sum(axis=0), count, out=np.zeros(len(count)), where=count > 0)) / 2
    return shares
