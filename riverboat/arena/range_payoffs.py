"""The winnings at a showdown, averaged over all holdings that a player might have had.

If a bot knows how likely each holding would have acted as it did in a hand, its own cards can be part of the average:
whatever the opponent holds, the bot would have come to the same showdown with each holding in proportion to its reach.
The expected result of a match stays the same, and less of it is luck (the imaginary observations of Bowling, Johanson,
Burch and Szafron, 2008).
"""

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.arena.showdown_shares import SMALL_DECK
from riverboat.cards import Deck
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.preflop import all_in_utility
from riverboat.rules.state import PublicState
from riverboat.utility import runout_utility

_MOST_WORK = 200_000_000  # comparisons


Cards = tuple[int, ...]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]


def payoffs_over_ranges(
    public: PublicState, holdings: Sequence[Cards], board: Cards, reaches: Sequence[F64 | None]
) -> tuple[float, float] | None:
    """Return the chips that each of two seats wins or loses on average, when the last decision was made on `board`.

    Each reach [H] says how likely each holding would have acted as the seat did; None, or 0 for the holding it has,
    means unknown. The result is None if no reach is known, or if it would take too long.
    """
    deck = public.variant.deck
    if len(holdings) != 2 or not deck.is_holdem or any(public.dead):
        return None
    places = [holding_index(deck, holding) for holding in holdings]
    known = [reach is not None and reach[place] > 0 for reach, place in zip(reaches, places, strict=True)]
    if not any(known):
        return None
    live = live_holdings(deck, board)
    weights = [
        np.where(live, reach, 0.0) if reach is not None and is_known else _only(place, len(live))
        for reach, place, is_known in zip(reaches, places, known, strict=True)
    ]
    rows, columns = (np.flatnonzero(row).astype(np.int32) for row in weights)
    utility = _utility(deck, board, rows, columns)
    if utility is None:
        return None
    masks = holdings_of(deck).masks
    pairs = np.outer(weights[0][rows], weights[1][columns]) * ((masks[rows, None] & masks[None, columns]) == 0)
    won = float(min(public.paid) * (pairs * utility).sum() / pairs.sum())
    return won, -won


def _only(place: int, count: int) -> F64:
    weights = np.zeros(count)
    weights[place] = 1
    return weights


def _utility(deck: Deck, board: Cards, rows: I32, columns: I32) -> F32 | None:
    """Return mean winnings of holdings against others over all run-outs [rows, columns]; None if too slow."""
    if not board:
        return all_in_utility(deck)[rows][:, columns] if len(deck.cards) <= SMALL_DECK else None
    run_outs = comb(len(deck.cards) - len(board), deck.board_sizes[-1] - len(board))
    if len(rows) * len(columns) * run_outs > _MOST_WORK:
        return None
    return runout_utility(deck, board, rows, columns)
