"""Values of situations before the flop: an estimate for situations on the flop, averaged over all flops.

Evaluating all flops in every iteration of CFR takes too long. So a network learns their average, as DeepStack's does.
"""

from collections.abc import Sequence

import numpy as np

from riverboat.cards import Deck
from riverboat.holdings import holdings_of
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.state import start
from riverboat.rules.tree import Depth
from riverboat.rules.variant import no_limit
from riverboat.situations.labels import Label, LeafMaker
from riverboat.situations.situation import BIG_BLIND, TOTAL, Situation
from riverboat.solving.leaf_values import Leaves
from riverboat.solving.subgame import F64, I64
from riverboat.spots.spot import Spot, build

_MOST_NUMBERS = 2_000_000  # in one array: the ranges of all situations, on as many flops as are evaluated together


class FlopAverage:
    """An estimate averaged over all flops, for ranges in which suits make no difference."""

    def __init__(self, deck: Deck, leaf_values: LeafMaker) -> None:
        public = start(no_limit(BIG_BLIND // 2, BIG_BLIND, deck=deck.name), [TOTAL // 2, TOTAL // 2])
        everything = np.ones((2, holdings_of(deck).count), np.float32)
        built = build(Spot(public, everything, parse_bet_sizes(""), Depth(1, 1)))
        self._boards, self._estimate = built.subgame.boards, leaf_values(built)
        self._flops = np.flatnonzero(self._boards.level == 1)

    def labels(self, situations: Sequence[Situation]) -> list[Label]:
        """Return the values of situations, in pots."""
        return [
            Label((values / situation.pot).astype(np.float32), 0.0, 0)
            for situation, values in zip(situations, self._values(situations), strict=True)
        ]

    def _values(self, situations: Sequence[Situation]) -> F64:
        """Return values in chips [N, 2, H]."""
        weights = np.array([situation.weights for situation in situations], np.float64)  # [N, 2, H]
        stakes = np.array([situation.pot / 2 for situation in situations])
        total = np.zeros_like(weights.transpose(1, 0, 2))  # [2, N, H]
        size = max(1, _MOST_NUMBERS // weights.size)
        for first in range(0, len(self._flops), size):
            flops = self._flops[first : first + size]
            for flop, values in zip(flops, self._values_on(flops, weights, stakes), strict=True):
                part = self._boards.chance[flop] * values
                total += part
                for mirror in self._boards.mirrors[flop]:
                    total[:, :, mirror] += part
        return total.transpose(1, 0, 2)

    def _values_on(self, flops: I64, weights: F64, stakes: F64) -> F64:
        """Return values in chips on each of these flops [flops, 2, N, H]."""
        count = len(stakes)
        live = np.repeat(self._boards.live[flops], count, axis=0)  # [flops * N, H]
        reach = np.tile(weights.transpose(1, 0, 2), (1, len(flops), 1)) * live
        leaves = Leaves(
            np.zeros(len(flops) * count, np.int32),
            np.repeat(flops, count).astype(np.int32),
            np.tile(stakes, len(flops)),
        )
        # Estimates may say anything about holdings that a flop excludes.
        values: F64 = (self._estimate(leaves, reach) * live).reshape(2, len(flops), count, -1)
        return values.transpose(1, 0, 2, 3)
