"""The labels of a situation: both players' counterfactual values, found by solving the rest of the hand."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.tree import Depth
from riverboat.situations.situation import Situation
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import RISING, Solver, new_solver
from riverboat.solving.leaf_values import LeafValues
from riverboat.solving.regrets import AVERAGE
from riverboat.solving.subgame import F32
from riverboat.solving.traversal import EVALUATE
from riverboat.spots.spot import BuiltSpot, Spot, build

LeafMaker = Callable[[BuiltSpot], LeafValues]  # makes an estimate of what lies below the cut of a spot
_FIRST_CHECK = 40  # iterations
_CHECK_EVERY = 20  # a check takes as long as an iteration
# One size on every street, so that trees are small, and so that each street's network gives values of the same game as
# the labels that are solved with it. A bet larger than the stack is all-in.
BET_SIZES = "1p"
_SIZES = parse_bet_sizes(BET_SIZES)


@dataclass(frozen=True, slots=True)
class Care:
    """How carefully a situation is solved."""

    target: float = 0.004  # exploitability as a share of the pot at which solving ends
    iterations: int = 300  # most iterations
    # The same above a cut. More iterations hardly bring values nearer to exact ones: the network's errors are larger.
    target_above_cut: float = 0.02
    iterations_above_cut: int = 60


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """The values of a situation, from solving it."""

    values: F32  # [2, H]: counterfactual values in pots, for ranges that add up to one
    exploitability: float  # share of the pot; above the cut, if there is one
    iterations: int


def spot_of(situation: Situation, is_cut: bool) -> Spot:
    """Return a situation as a spot: to the end of the hand, or cut at the first decision of the next street."""
    depth = Depth(situation.street + 1, 1) if is_cut else None
    return Spot(situation.public(), situation.weights, _SIZES, depth)


def label(situation: Situation, care: Care, leaf_values: LeafMaker | None = None) -> Label:
    """Return the values of a situation: exact, or with an estimate of what follows the next deal."""
    built = build(spot_of(situation, is_cut=leaf_values is not None))
    if leaf_values is None:
        solver = new_solver(built.subgame, RISING)
        share = _solve(solver, situation.pot, care.target, care.iterations)
    else:
        solver = new_solver(built.subgame, leaf_values=leaf_values(built), asks_once=True)
        most = min(care.iterations, care.iterations_above_cut)
        share = _solve(solver, situation.pot, care.target_above_cut, most)
    values = np.array(solver.values(EVALUATE, AVERAGE)) / situation.pot
    return Label(values.astype(np.float32), share, solver.iteration)


def _solve(solver: Solver, pot: int, target: float, most: int) -> float:
    """Iterate until exploitability reaches `target`, `most` times at most; return it as a share of the pot."""
    count = min(_FIRST_CHECK, most)
    while True:
        solver.run(count)
        share = exploitability(solver) / pot
        if share <= target or solver.iteration >= most:
            return share
        count = min(_CHECK_EVERY, most - solver.iteration)
