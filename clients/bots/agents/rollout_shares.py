"""What rollouts estimate for every holding at once: the exact share against one random holding, and its error."""

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


@lru_cache(maxsize=1024)  # a river is asked about several times
def shares_against_random(deck: Deck, board: tuple[int, ...]) -> F64:
    """Return the expected share of the pot of each holding against a random one without further bets [H].

    It is 0 for holdings that the board excludes.
    """
    if deck == FULL_DECK and not board:
        return preflop_shares()
    shares = enumerated_shares(deck, board) if deck.is_holdem else _over_matrix(deck, board)
    return np.where(live_holdings(deck, board), shares, 0.0)


def enumerated_shares(deck: Deck, board: tuple[int, ...]) -> F64:
    """Return the same for a deck of hold'em by going through all deals; some seconds before the flop with 52 cards."""
    live = live_holdings(deck, board)
    *_, (_, totals) = enumerate_deals(matchup(deck, board, live.astype(np.float32), [None]), serial)
    if totals is None:
        raise RuntimeError("an enumeration ended without a result")
    shares = np.zeros(len(live))
    shares[totals.heroes] = (totals.totals[:, 0] + totals.totals[:, 1] / 2) / totals.weights
    # Run-outs that differ only by names of suits were counted once, so only means over such holdings are right.
    return SuitSymmetry(deck, [board]).mean(shares)


def _over_matrix(deck: Deck, board: tuple[int, ...]) -> F64:
    utility = board_utility(deck, board).matrix()
    possible = ~np.isnan(utility)
    total = np.where(possible, utility, 0.0).sum(axis=1, dtype=np.float64)
    counts = possible.sum(axis=1)
    shares: F64 = (1 + np.divide(total, counts, out=np.zeros(len(counts)), where=counts > 0)) / 2
    return shares


def below(shares: F64, limit: float, rollout_count: int) -> F64:
    """Return the chance that an estimate by `rollout_count` rollouts is below a limit [H]; 0 rollouts mean no error.

    By the normal approximation, without ties: with 2,000 rollouts the standard error is 1 %.
    """
    if not rollout_count:
        return (shares < limit).astype(np.float64)
    errors = np.sqrt(shares * (1 - shares) / rollout_count)
    chances = [
        0.5 * (1 + erf((limit - share) / (error * sqrt(2)))) if error > 0 else float(share < limit)
        for share, error in zip(shares.tolist(), errors.tolist(), strict=True)
    ]
    return np.array(chances)
