"""The posterior over styles: a chance for each style that a player may have, updated by the player's moves."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.opponents.styles import Forest, leaf_of

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

REMEMBERED_MOVES = 1_000  # about so many of a player's last moves decide on the style
_KEEPS = 1 - 1 / REMEMBERED_MOVES


@kernel
def add_evidence(forest: Forest, chances: F32, situation: int, choice: int, numbers: F64, evidence: F64) -> None:
    """Add a move to the evidence [C] for each style; earlier moves are slowly forgotten."""
    for style in range(len(evidence)):
        leaf = leaf_of(forest, forest.roots[style, situation], numbers)
        evidence[style] = _KEEPS * evidence[style] + np.log(chances[leaf, choice])


@kernel
def write_posterior(shares: F64, evidence: F64, out: F64) -> None:
    """Write the chances of styles [C], from their shares of all players and the evidence."""
    most = evidence.max()
    for style in range(len(out)):
        out[style] = shares[style] * np.exp(evidence[style] - most)
    out /= out.sum()
