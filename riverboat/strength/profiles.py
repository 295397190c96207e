"""How strong holdings are on a board, and may become: where they end among all others, over all run-outs.

A holding's percentile on a complete board is the share of holdings that it beats, ties as halves. A profile says how
likely it ends in each of some bins of percentiles; one that lies between the middles of two bins is shared by both.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.kernels import kernel
from riverboat.strength.hands import runouts, strengths_on_boards

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]


def strength_profile(deck: Deck, board: Sequence[int], bin_count: int) -> tuple[F32, F64]:
    """How likely a holding ends in each bin [H, bins], and its average percentile [H]; 0 and -1 if it is impossible."""
    strengths = strengths_on_boards(deck, runouts(deck, board))
    profile = np.zeros((strengths.shape[1], bin_count), np.float32)
    mean = np.zeros(strengths.shape[1])
    _add_runouts(strengths, profile, mean)
    count = (strengths > 0).sum(axis=0)
    profile /= np.maximum(count, 1)[:, None].astype(np.float32)
    return profile, np.where(count > 0, mean / np.maximum(count, 1), -1.0)


def strength_profiles(deck: Deck, boards: NDArray[np.uint8], bin_count: int) -> tuple[F32, F32]:
    """The same for K boards: [K, H, bins] and [K, H]."""
    found = [strength_profile(deck, board, bin_count) for board in boards.tolist()]
    return np.array([profile for profile, _ in found]), np.array([mean for _, mean in found], np.float32)


@kernel
def _add_runouts(strengths: NDArray[np.uint16], profile: F32, mean: F64) -> None:
    bins = profile.shape[1]
    for k in range(strengths.shape[0]):
        row = strengths[k]
        below = np.zeros(np.int64(row.max()) + 2)  # first how many have each strength, then how many have less
        for h in range(len(row)):
            if row[h] > 0:
                below[row[h] + 1] += 1
        for s in range(1, len(below)):
            below[s] += below[s - 1]
        for h in range(len(row)):
            if row[h] > 0:
                percentile = 0.5 * (below[row[h]] + below[row[h] + 1]) / below[-1]
                mean[h] += percentile
                place = min(max(percentile * bins - 0.5, 0.0), bins - 1.0)
                low = min(int(place), bins - 2)
                profile[h, low] += np.float32(1 - place + low)
                profile[h, low + 1] += np.float32(place - low)
