"""The re-solving gadget: it makes a strategy for part of a game safe to use in the whole game.

The opponent's range is not known, only a counterfactual value for each holding: what the opponent could count on so
far. So the opponent gets a choice before the subgame begins, for each holding: take that value, or play. A strategy
that leaves the opponent no reason to play gives nothing away (Burch, Johanson and Bowling, 2014; DeepStack).
"""

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.solving.capture import captured
from riverboat.solving.cfr import Solver
from riverboat.solving.nodes import check_mirrors
from riverboat.solving.subgame import F64
from riverboat.solving.traversal import BEST, UPDATE


class Gadget:
    """The choice of the player `opponent` before a subgame, with its regrets."""

    def __init__(self, solver: Solver, opponent: int, values: F64) -> None:
        memory = solver.memory
        holdings = memory.layout.holdings(0, opponent)
        if values.shape != (memory.subgame.holding_count,):
            raise InvalidInput("values", f"must be [{memory.subgame.holding_count}], not {list(values.shape)}")
        if not np.isfinite(values[holdings]).all():
            raise InvalidInput("values", "must be finite for every holding that the opponent can have")
        check_mirrors(memory, 0, values, "values")
        self._solver, self._opponent, self._holdings = solver, opponent, holdings
        self._values = values[holdings].astype(np.float64)
        self._weights = memory.subgame.weights[opponent, holdings].astype(np.float64)
        self._regrets = np.zeros((2, len(holdings)))  # of playing, and of taking the value
        self._sum, self._count = np.zeros(len(holdings)), 0.0  # chances of playing, for their average

    def run(self, count: int) -> None:
        """Iterate `count` times."""
        if count < 1:
            return
        solver, opponent = self._solver, self._opponent
        for _ in range(count):
            rule = solver.algorithm.rule(solver.iteration + 1)
            plays = self._play()
            self._set_reach(plays)
            solver.iterate_once([(1 - opponent, UPDATE), (opponent, UPDATE)])
            self._learn(plays, solver.memory.root_values(opponent)[self._holdings])
            self._sum = self._sum * rule.decay + plays
            self._count = self._count * rule.decay + 1
        self._set_reach(self._sum / self._count)  # the reach that belongs to the average strategies

    @property
    def plays(self) -> F64:
        """Probability that each holding plays instead of taking its value, on average [H]; 0 where impossible."""
        chances = np.zeros(self._solver.memory.subgame.holding_count)
        chances[self._holdings] = self._sum / max(self._count, 1e-300)
        return chances

    def shortfall(self) -> float:
        """Return the chips that the opponent's best response wins beyond its values on average."""
        memory = self._solver.memory
        best = captured(self._solver, self._opponent, BEST).at(0)[self._holdings]
        more = self._weights * np.maximum(best - self._values, 0)
        return float(more.sum() / memory.pair_weight)

    def _play(self) -> F64:
        """Return the chance of playing, for each holding."""
        positive = np.maximum(self._regrets, 0)
        total = positive.sum(axis=0)
        chance: F64 = np.divide(positive[0], total, out=np.full(len(total), 0.5), where=total > 0)
        return chance

    def _learn(self, plays: F64, values: F64) -> None:
        mixed = plays * values + (1 - plays) * self._values
        self._regrets = np.maximum(self._regrets + np.array([values - mixed, self._values - mixed]), 0)

    def _set_reach(self, plays: F64) -> None:
        memory = self._solver.memory
        start = self._opponent * memory.layout.levels[0].width
        memory.shared.root_reach[start : start + len(plays)] = plays * self._weights
