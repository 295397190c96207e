"""The place of each holding among all holdings that a board allows."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.clients.bots.agents.rollout_shares import shares_against_random
from riverboat.holdings import live_holdings

F64 = NDArray[np.float64]
_DIGITS = 9  # of a share: smaller differences are rounding


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """How good some holdings are."""

    places: F64  # [H]: the part of all holdings that are weaker, counting half of those that are equal
    shares: F64  # [H]: expected shares of the pot if nobody bets again

    def of(self, index: int, share: float | None = None) -> "Standing":
        """Return the standing of one holding, with another share if one is given."""
        shares = self.shares[index : index + 1] if share is None else np.array([share])
        return Standing(self.places[index : index + 1], shares)


@lru_cache(maxsize=1024)
def standing_of(deck: Deck, board: tuple[int, ...]) -> Standing:
    """Return the standing of every holding against one random holding; 0 for those that the board excludes."""
    shares, live = shares_against_random(deck, board), live_holdings(deck, board)
    rounded = shares.round(_DIGITS)
    ordered = np.sort(rounded[live])
    below, up_to = (np.searchsorted(ordered, rounded, side) for side in ("left", "right"))
    return Standing(np.where(live, (below + up_to) / (2 * len(ordered)), 0.0), shares)
