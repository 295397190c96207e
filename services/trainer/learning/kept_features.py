"""Features of boards, kept from epoch to epoch: computing a flop's takes longer than learning from them."""

import numpy as np
from numpy.typing import NDArray

from riverboat.nets.features import BINS, board_features
from riverboat.situations.situation import find_deck
from riverboat.solving.subgame import F32, F64
from riverboat.strength.profiles import strength_profile

_Profile = tuple[NDArray[np.float16], F64]  # [H, BINS] and [H], as `strength_profile` has them


class KeptFeatures:
    """Computes features, and keeps the profiles of the first boards it meets, up to a number of bytes."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._profiles: dict[tuple[str, tuple[int, ...]], _Profile] = {}

    def of(self, deck: str, board: tuple[int, ...]) -> F32:
        """Return a network's features of a board [H, F]; the same numbers each time."""
        known = self._profiles.get((deck, board))
        if known is None:
            profile, mean = strength_profile(find_deck(deck), board, BINS)
            known = profile.astype(np.float16), mean
            size = known[0].nbytes + mean.nbytes
            if self._size + size <= self._limit:
                self._profiles[deck, board] = known
                self._size += size
        return board_features(known[0].astype(np.float32), known[1])
