"""What rollouts estimate for every holding at once: the exact share against one random holding, and its error."""

from functools import lru_cache
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.holdings import holdings_of, live_holdings
from riverboat.preflop import all_in_utility
from riverboat.utility import board_utility

F64 = NDArray[np.float64]


@lru_cache(maxsize=256)  # a river is asked about several times; a flop of 52 cards takes a second
def shares_against_random(deck: Deck, board: tuple[int, ...]) -> F64:
    """Return the expected share of the pot of each holding against a random one without further bets [H].

    It is 0 for holdings that the board excludes. Before the flop with 52 cards the first call takes half a minute.
    """
    live = live_holdings(deck, board)
    if deck.is_holdem and not board:
        masks = holdings_of(deck).masks
        possible = (masks[:, None] & masks[None, :]) == 0
        utility = all_in_utility(deck)
    else:
        utility = board_utility(deck, board).matrix()
        possible = ~np.isnan(utility)
    total = np.where(possible, utility, 0.0).sum(axis=1, dtype=np.float64)
    means = np.divide(total, possible.sum(axis=1), out=np.zeros(len(live)), where=live)
    return np.where(live, (1 + means) / 2, 0.0)


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
