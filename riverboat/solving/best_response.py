"""The value of strategies, and of best responses to them."""

from dataclasses import dataclass

import numpy as np

from riverboat.solving.cfr import Solver
from riverboat.solving.regrets import AVERAGE
from riverboat.solving.subgame import F64
from riverboat.solving.traversal import BEST, EVALUATE


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """The worth of a strategy to both players, in chips."""

    cfvs: F64  # [2, H]: counterfactual values at the root, over the opponent's weights
    evs: F64  # [2, H]: the same for one deal in which the holding is dealt; NaN where it cannot be
    means: F64  # [2]: over both ranges; zero-sum


def worth(solver: Solver, purpose: int = EVALUATE) -> Worth:
    """Return the value of the average strategies, or with BEST of each player's best response to the other's."""
    memory = solver.memory
    cfvs = np.array(solver.values(purpose, AVERAGE))
    opposing = memory.subgame.opposing_weights()
    evs = np.divide(cfvs, opposing, out=np.full_like(cfvs, np.nan), where=opposing > 1e-12 * opposing.max())
    means = (memory.subgame.weights.astype(np.float64) * cfvs).sum(axis=1) / memory.pair_weight
    return Worth(cfvs, evs, means)


def exploitability(solver: Solver) -> float:
    """Return the chips per hand that best responses win from the average strategies: half of NashConv.

    Values below a cut are held fixed, so that of a cut subgame says nothing about how good its estimate is.
    """
    return float(worth(solver, BEST).means.sum() / 2)
