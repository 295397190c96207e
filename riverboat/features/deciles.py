"""Deciles of a discrete distribution.

The k-th decile, k = 1..10, is the smallest value v for which at least k/10 of the distribution is at most v. Of n
equally likely values in ascending order it is number ceil(k * n / 10). So every decile is a value that occurs, the
fifth is the (lower) median, and the tenth is the largest value.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel

DECILES = 10


@kernel
def write_deciles(values: NDArray[Any], weights: NDArray[Any], unit: int, out: NDArray[np.float32]) -> None:
    """Write the deciles of ascending integers [N] with integer weights [N], divided by `unit`, to out [10]."""
    total = np.int64(0)
    for weight in weights:
        total += np.int64(weight)
    seen, k = np.int64(0), 0
    for place in range(values.size):
        seen += np.int64(weights[place])
        while k < DECILES and DECILES * seen >= (k + 1) * total:
            out[k] = np.int64(values[place]) / unit
            k += 1
        if k == DECILES:
            return
