"""Random numbers inside kernels: SplitMix64 on one word of state."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A, _MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)
_UNIT = 1.0 / (1 << 53)


@kernel
def next_unit(state: NDArray[np.uint64]) -> float:
    """Return a number from 0 up to 1 and move the state [1] on."""
    state[0] += _GOLDEN
    word = state[0]
    word = (word ^ (word >> _S30)) * _MIX_A
    word = (word ^ (word >> _S27)) * _MIX_B
    word = word ^ (word >> _S31)
    return float(word >> _S11) * _UNIT
