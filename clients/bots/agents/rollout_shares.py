"""Each holding's exact share of the pot against a random holding, and how far an estimate by rollouts may be off."""

from functools import lru_cache
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.clients.bots.agents.preflop_shares import DECK as FULL_DECK
from riverboat.clients.bots.agents.preflop_shares import preflop_shares
from riverboat.equity.enumeration import enumerate_deals
from riverboat.equity.matchup import matchup
from riverboat.holdings import live_holdings
from riverboat.parallel import serial
from riverboat.spots.symmetry import SuitSymmetry
from riverboat.utility import board_utility

F64 = NDArray[np.float64]


@lru_cache(maxsize=1024)  # an agent asks about one board at each of its decisions
def shares_against_random(deck: Deck, board: tuple[int, ...]) -> F64:
    """Return each holding's expected share of the pot against a random holding, without further bets [H].

    A holding that the board excludes has 0.
    """
    if deck == FULL_DECK and not board:
        return preflop_shares()
    shares = enumerated_shares(deck, board) if deck.is_holdem else _matrix_shares(deck, board)
    return np.where(live_holdings(deck, board), shares, 0.0)


def enumerated_shares(deck: Deck, board: tuple[int, ...]) -> F64:
    """Return the shares for a hold'em deck by enumerating all deals [H]; with 52 cards preflop this takes seconds."""
    live = live_holdings(deck, board)
    *_, (_, totals) = enumerate_deals(matchup(deck, board, live.astype(np.float32), [None]), serial)
    if totals is None:
        raise RuntimeError("an enumeration ended without a result")
    shares = np.zeros(len(live))
    shares[totals.heroes] = (totals.totals[:, 0] + totals.totals[:, 1] / 2) / totals.weights
    # Run-outs that differ only by names of suits were counted once, so only means over such holdings are right.
    return SuitSymmetry(deck, [board]).mean(shares)


def _matrix_shares(deck: Deck, board: tuple[int, ...]) -> F64:
    """Return the shares by averaging the rows of the utility matrix [H]; quick for small decks."""
    utility = board_utility(deck, board).matrix()
    possible = ~np.isnan(utility)
    total = np.where(possible, utility, 0.0).sum(axis=1, dtype=np.float64)
    counts = possible.sum(axis=1)
    shares: F64 = (1 + np.divide(total, counts, out=np.zeros(len(counts)), where=counts > 0)) / 2
    return shares


def chance_below(shares: F64, limit: float, rollout_count: int) -> F64:
    """Return the chance that an estimate by `rollout_count` rollouts is below a limit [H]; 0 means exact shares.

    Uses the normal approximation and ignores ties: with 2,000 rollouts the standard error is about 1 %.
    """
    if not rollout_count:
        return (shares < limit).astype(np.float64)
    errors = np.sqrt(shares * (1 - shares) / rollout_count)
    chances = [
        0.5 * (1 + erf((limit - share) / (error * sqrt(2)))) if error > 0 else float(share < limit)
        for share, error in zip(shares.tolist(), errors.tolist(), strict=True)
    ]
    return np.array(chances)
