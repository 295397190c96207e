"""Which situations are held out: by their boards, so that no network is judged on a board it was trained on.

Before the flop there is no board, and ranges decide.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from riverboat.solving.subgame import F32
from riverboat.strength.boards import board_keys

_PARTS = 10  # one of which is held out
_MIXER = np.uint64(0x9E3779B97F4A7C15)


def held_out(boards: NDArray[np.uint8], ranges: F32 | None = None) -> NDArray[np.bool_]:
    """Whether each situation is for judging, about one in ten [N]; without boards by its ranges [N, 2, H]."""
    keys = board_keys(boards)
    if not boards.shape[1] and ranges is not None:
        keys = ranges.astype(np.float32).view(np.uint32).astype(np.uint64).sum(axis=(1, 2), dtype=np.uint64)
    mixed = keys * _MIXER
    found: NDArray[np.bool_] = (mixed >> np.uint64(32)) % np.uint64(_PARTS) == 0
    return found


def follows(boards: NDArray[np.uint8], earlier: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether each board [N, cards] can come after any of some with fewer cards [M, fewer], but for names of suits."""
    known = np.unique(board_keys(earlier))
    found = np.zeros(len(boards), np.bool_)
    for places in combinations(range(boards.shape[1]), earlier.shape[1]):
        found |= np.isin(board_keys(boards[:, places]), known)
    return found
