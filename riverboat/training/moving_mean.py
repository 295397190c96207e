"""The moving average that is drawn in pictures of runs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WINDOW = 50  # rounds or generations


def moving_mean(values: Sequence[float], window: int = WINDOW) -> NDArray[np.float64]:
    """Return the mean of each value and up to `window` - 1 values before it."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(0, ends - window)
    means: NDArray[np.float64] = (sums[ends] - sums[starts]) / (ends - starts)
    return means
