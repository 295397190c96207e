"""Borrowed arrays: the same items, in tuples of tuples too, and no owner."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.borrowing import borrowed
from riverboat.compiled.kernels import kernel


class Inner(NamedTuple):
    """A tuple in a tuple."""

    items: NDArray[np.float64]
    factor: int


class Outer(NamedTuple):
    """A tuple of arrays, a number and a tuple."""

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    inner: Inner
    length: int


@kernel
def _double_all(lent: Outer) -> float:
    own = borrowed(lent)
    total = 0.0
    for i in range(own.length):
        own.first[i] *= own.inner.factor
        part = own.second[i:]
        total += own.first[i] + part[0] + own.inner.items[i]
    return total


def test_a_kernel_writes_to_borrowed_arrays_and_their_owner_keeps_them() -> None:
    first, second, items = np.arange(4.0), np.ones(4), np.full(4, 0.5)
    for _ in range(3):
        total = _double_all(Outer(first, second, Inner(items, 2), 4))
    assert first.tolist() == [0, 8, 16, 24]
    assert total == 48 + 4 + 2
    again = [np.arange(4.0) for _ in range(100)]  # memory that was freed too early would be used here
    assert first.tolist() == [0, 8, 16, 24]
    assert second.tolist() == [1] * 4
    assert all(array.tolist() == [0, 1, 2, 3] for array in again)
