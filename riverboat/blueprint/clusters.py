"""Clusters of feature vectors: k-means, in order of equity.

Deciles are points of a quantile function, so the Euclidean distance between two vectors is, up to a factor, the
2-Wasserstein distance between the distributions of equity that they describe: how far equity must be moved to turn one
distribution into the other. Clusters are numbered by the equity of their centre: number 0 is the weakest.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import summing_kernel
from riverboat.errors import InvalidInput

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
U16 = NDArray[np.uint16]
_ROUNDS = 60
_AT_A_TIME = 20_000  # vectors whose distances to all centres are in memory at once


def cluster_centres(vectors: F32, count: int, rng: np.random.Generator) -> F32:
    """Return up to `count` centres [G, F] of vectors [N, F] by k-means, the one with the least equity first.

    Equity is a vector's first number. There are fewer centres where there are fewer different vectors.
    """
    if not len(vectors) or count < 1:
        raise InvalidInput("group_counts", "clusters need vectors, and a count of at least 1")
    different = np.unique(vectors, axis=0)
    if len(different) <= count:
        return different[np.lexsort(different.T[::-1])]
    # Seeds at quantiles of equity are spread already, and the same for every run.
    order = vectors[np.lexsort(vectors.T[::-1])]
    places = ((np.arange(count) + rng.random(count)) * len(order) / count).astype(np.int64)
    centres = order[places].astype(np.float32)
    for _ in range(_ROUNDS):
        nearest = nearest_centres(vectors, centres)
        sizes = np.bincount(nearest, minlength=count)
        totals = np.stack([np.bincount(nearest, column, count) for column in vectors.T], axis=1)
        moved = totals / np.maximum(sizes, 1)[:, None]
        empty = np.flatnonzero(sizes == 0)
        moved[empty] = vectors[rng.integers(len(vectors), size=len(empty))]
        if np.abs(moved - centres).max() < 1e-5:
            break
        centres = moved.astype(np.float32)
    return centres[np.lexsort(centres.T[::-1])]


def nearest_centres(vectors: F32, centres: F32) -> U16:
    """Return the number of the nearest centre of each vector [N]."""
    out = np.empty(len(vectors), np.uint16)
    half = 0.5 * (centres.astype(np.float64) ** 2).sum(axis=1)
    for first in range(0, len(vectors), _AT_A_TIME):
        part = vectors[first : first + _AT_A_TIME]
        out[first : first + len(part)] = (part @ centres.T - half.astype(np.float32)).argmax(axis=1)
    return out


def distances(vectors: F32, centres: F32) -> F64:
    """Return how far each vector is from its nearest centre, as a root mean square over its numbers [N]."""
    nearest = nearest_centres(vectors, centres)
    out = np.empty(len(vectors))
    _write_distances(vectors, centres, nearest, out)
    return out


@summing_kernel
def _write_distances(vectors: F32, centres: F32, nearest: U16, out: F64) -> None:
    for n in range(vectors.shape[0]):
        total = 0.0
        for f in range(vectors.shape[1]):
            total += (vectors[n, f] - centres[nearest[n], f]) ** 2
        out[n] = np.sqrt(total / vectors.shape[1])
