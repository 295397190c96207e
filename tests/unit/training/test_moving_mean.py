"""The moving average in pictures of runs."""

import numpy as np

from riverboat.training.moving_mean import moving_mean


def test_the_moving_mean_looks_back() -> None:
    assert moving_mean([1, 2, 3, 4], 2).tolist() == [1, 1.5, 2.5, 3.5]
    assert np.isclose(moving_mean(list(range(100)))[-1], 74.5)
