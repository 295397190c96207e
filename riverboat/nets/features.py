"""What a network sees of a board: how strong each holding is on it, and may become.

Nothing here knows cards. A board is given by strengths on all complete boards that can follow; names of suits make
no difference to them, so a network that sees only these treats boards that differ by suits alike.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.kernels import kernel
from riverboat.solving.subgame import F32, F64

BINS = 32  # of strength, from the weakest holding on a board to the strongest
FEATURES = 2 * BINS  # numbers for each holding


def percentiles(strengths: NDArray[np.uint16]) -> F64:
    """The share of holdings that each one beats, ties as halves, on complete boards [K, H]; -1 if not possible."""
    out = np.full(strengths.shape, -1.0)
    _write_percentiles(strengths, out)
    return out


def mean_percentiles(found: F64) -> F64:
    """The average of percentiles over the complete boards that a holding allows [H]; -1 if there are none."""
    possible = found >= 0
    count = possible.sum(axis=0)
    mean: F64 = np.where(count > 0, np.where(possible, found, 0).sum(axis=0) / np.maximum(count, 1), -1.0)
    return mean


def board_features(strengths: NDArray[np.uint16]) -> F32:
    """A board as a network sees it [H, FEATURES], from strengths on the complete boards that follow [K, H].

    The first half says how likely a holding ends in which bin of strength, the second in which it is on average.
    Each half adds up to one for a holding that is possible, and is zeros for others.
    """
    found = percentiles(strengths)
    out = np.zeros((strengths.shape[1], FEATURES), np.float32)
    _add_hats(found, 0, out)
    out /= np.maximum((found >= 0).sum(axis=0), 1)[:, None].astype(np.float32)
    _add_hats(mean_percentiles(found)[None], BINS, out)
    return out


@kernel
def _write_percentiles(strengths: NDArray[np.uint16], out: F64) -> None:
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
                out[k, h] = 0.5 * (below[row[h]] + below[row[h] + 1]) / below[-1]


@kernel
def _add_hats(places: F64, first: int, out: F32) -> None:
    """Share each of the places [K, H] between the two bins that it lies between; bins begin at column `first`."""
    for k in range(places.shape[0]):
        for h in range(places.shape[1]):
            if places[k, h] >= 0:
                at = min(max(places[k, h] * BINS - 0.5, 0.0), BINS - 1.0)
                low = min(int(at), BINS - 2)
                part = at - low
                out[h, first + low] += np.float32(1 - part)
                out[h, first + low + 1] += np.float32(part)
