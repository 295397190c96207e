"""The order in which the hands of a match are played, and the sums of their results."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from riverboat.marks import DecisionCounts, add_counts

_BLOCK = 50  # deals that are played once before any of them is played again


class Schedule:
    """Maps each hand of a match at one table to its deal and to its rotation of that deal.

    A duplicate match has one table for each rotation (sides.py). Older versions played all rotations at one table, and
    their journals must still work: fifty deals in a secret order, then again, rotated, in another order, and so on.
    """

    def __init__(self, deal_count: int, rotation_count: int, secret: str) -> None:
        self._deal_count, self._rotation_count, self._secret = deal_count, rotation_count, secret

    def place(self, hand: int) -> tuple[int, int]:
        """Return the deal and the rotation of a hand, both from 0."""
        block, rest = divmod(hand, _BLOCK * self._rotation_count)
        size = min(_BLOCK, self._deal_count - block * _BLOCK)
        rotation, n = divmod(rest, size)
        return block * _BLOCK + _order(self._secret, block, rotation, size)[n], rotation


@lru_cache(maxsize=256)
def _order(secret: str, block: int, rotation: int, size: int) -> tuple[int, ...]:
    def key(deal: int) -> bytes:
        return hashlib.sha256(f"riverboat order v1 {secret} {block} {rotation} {deal}".encode()).digest()

    return tuple(sorted(range(size), key=key))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A deal that has been played in part."""

    hand_count: int
    chips: NDArray[np.float64]  # by chair
    decisions: tuple[DecisionCounts, ...]  # by chair


class MatchTally:
    """The players' winnings in a match, deal by deal; only sums are kept."""

    def __init__(self, player_count: int, rotation_count: int) -> None:
        self._rotation_count = rotation_count
        self._open: dict[int, _Part] = {}  # deals that have been played in part
        self._sum, self._squares = np.zeros(player_count), np.zeros(player_count)
        self.decisions = (DecisionCounts(),) * player_count  # by chair, of deals that are complete
        self.deal_count = 0
        self.hand_count = 0

    def add(self, deal: int, payoffs: Sequence[int], decisions: Sequence[DecisionCounts]) -> None:
        """Add a finished hand of a deal; payoffs and decisions are by chair."""
        self.hand_count += 1
        part = self._open.pop(deal, None) or _Part(0, np.zeros(len(self._sum)), (DecisionCounts(),) * len(self._sum))
        part = _Part(part.hand_count + 1, part.chips + payoffs, add_counts(part.decisions, decisions))
        if part.hand_count < self._rotation_count:
            self._open[deal] = part
            return
        self.deal_count += 1
        self._sum += part.chips
        self._squares += part.chips**2
        self.decisions = add_counts(self.decisions, part.decisions)

    def mean(self) -> NDArray[np.float64]:
        """Return chips per deal, by chair."""
        return self._sum / max(1, self.deal_count)

    def deviation(self) -> NDArray[np.float64]:
        """Return the standard deviation of chips per deal, by chair; there must be two deals or more."""
        deviation: NDArray[np.float64] = np.sqrt(
            np.maximum(0, self._squares - self.deal_count * self.mean() ** 2) / (self.deal_count - 1)
        )
        return deviation
