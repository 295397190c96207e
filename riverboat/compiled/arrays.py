"""Arrays for kernels that load and store sixteen numbers at once."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

ALIGNMENT = 64  # bytes: a cache line, and a 512-bit register


def aligned_zeros(count: int, dtype: DTypeLike) -> NDArray[Any]:
    """Return `count` zeros that begin at a cache line, so that no block of sixteen float32 is split over two lines."""
    size = count * np.dtype(dtype).itemsize
    room = np.zeros(size + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + size].view(dtype)
