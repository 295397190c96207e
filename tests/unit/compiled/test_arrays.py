"""Arrays for kernels are aligned to cache lines."""

import numpy as np
import pytest

from riverboat.compiled.arrays import ALIGNMENT, aligned_zeros
from riverboat.solving.memory import Precision, allocate
from tests.unit.solving.games import leduc


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.float64])
@pytest.mark.parametrize("count", [1, 17, 100_000])
def test_aligned_zeros_begin_at_a_cache_line(dtype: type, count: int) -> None:
    array = aligned_zeros(count, dtype)
    assert array.shape == (count,)
    assert array.dtype == np.dtype(dtype)
    assert array.ctypes.data % ALIGNMENT == 0
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert not array.any()


@pytest.mark.parametrize("precision", list(Precision))
def test_arrays_of_a_solver_are_aligned(precision: Precision) -> None:
    memory = allocate(leduc().subgame, precision=precision, threads=2)
    rooms = [room for work in memory.works for room in work]
    arrays = [array for room in rooms for array in (room if isinstance(room, tuple) else (room,))]
    arrays += [memory.store.regrets, memory.store.sums, memory.shared.root_reach, memory.layout.boards.dense]
    assert all(array.ctypes.data % ALIGNMENT == 0 for array in arrays if len(array))
