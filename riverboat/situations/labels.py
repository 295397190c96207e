"""What a situation is worth: both players' counterfactual values, by solving what is ahead."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from riverboat.rules.bet_sizes import BetSizes, parse_bet_sizes
from riverboat.rules.tree import Depth
from riverboat.situations.situation import Situation
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import Solver, new_solver
from riverboat.solving.leaf_values import LeafValues
from riverboat.solving.regrets import AVERAGE
from riverboat.solving.subgame import F32
from riverboat.solving.traverse import EVALUATE
from riverboat.spots.spot import BuiltSpot, Spot, build

LeafMaker = Callable[[BuiltSpot], LeafValues]  # makes an estimate of what lies below the cut of a spot
_FIRST_CHECK = 60  # iterations
_CHECK_EVERY = 40
_SHALLOW = 5.0  # stacks in pots, up to which somebody may think of betting them at once


@dataclass(frozen=True, slots=True)
class Care:
    """How carefully a situation is solved."""

    target: float = 0.004  # exploitability as a share of the pot at which solving ends
    iterations: int = 300  # at most


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """What solving has found."""

    values: F32  # [2, H]: counterfactual values in pots, for ranges that add up to one
    exploitability: float  # share of the pot
    iterations: int


def sizes_of(situation: Situation) -> BetSizes:
    """The bets that are thought of: half the pot and the pot on the last street, the pot before it, and all chips."""
    street = len(situation.board) - 2
    all_in = " all-in" if situation.stack <= _SHALLOW * situation.pot else ""
    last = len(situation.deck.board_sizes) - 1
    bets = f"0.5p 1p{all_in}; 1p{all_in}" if street == last else f"1p{all_in}"
    return parse_bet_sizes("/".join([*[""] * street, bets, *[f"1p{all_in}"] * (last - street)]))


def spot_of(situation: Situation, is_cut: bool) -> Spot:
    """A situation as a spot: to the end of the hand, or cut at the first decision of the next street."""
    street = len(situation.board) - 2
    depth = Depth(street + 1, 1) if is_cut else None
    return Spot(situation.public(), situation.weights, sizes_of(situation), depth)


def label(situation: Situation, care: Care, leaf_values: LeafMaker | None = None) -> Label:
    """The values of a situation, exact or through an estimate of what lies after the next deal."""
    built = build(spot_of(situation, is_cut=leaf_values is not None))
    solver = new_solver(built.subgame, leaf_values=leaf_values(built) if leaf_values else None)
    share = _solve(solver, situation.pot, care)
    values = np.array(solver.values(EVALUATE, AVERAGE)) / situation.pot
    return Label(values.astype(np.float32), share, solver.iteration)


def _solve(solver: Solver, pot: int, care: Care) -> float:
    """Iterate until it is good enough; the exploitability then, as a share of the pot."""
    count = min(_FIRST_CHECK, care.iterations)
    while True:
        solver.run(count)
        share = exploitability(solver) / pot
        if share <= care.target or solver.iteration >= care.iterations:
            return share
        count = min(_CHECK_EVERY, care.iterations - solver.iteration)
