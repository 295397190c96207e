"""The quality of an estimate below a cut: the exploitability, in the whole game, of the strategies that it leads to."""

from dataclasses import replace

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.rules.tree import Depth
from riverboat.situations.labels import LeafMaker, spot_of
from riverboat.situations.situation import Situation
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import Solver, new_solver
from riverboat.solving.leaf_values import compared
from riverboat.solving.nodes import lock, strategy_at
from riverboat.solving.subgame import ACT, F64, Lines
from riverboat.spots.spot import build
from riverboat.utility import runout_utility


def with_estimate(situation: Situation, iterations: int, leaf_values: LeafMaker) -> Solver:
    """Return the solver of a situation that is cut at the next deal, with an estimate of what follows."""
    built = build(spot_of(situation, is_cut=True), isomorphic=False)
    solver = new_solver(built.subgame, leaf_values=leaf_values(built))
    solver.run(iterations)
    return solver


def with_equity(situation: Situation, iterations: int) -> Solver:
    """Return the solver of a situation that is cut at the next deal, as if nobody bet after that."""
    spot = spot_of(situation, is_cut=True)
    subgame = build(replace(spot, depth=Depth(situation.street + 1, 0)), isomorphic=False).subgame
    deck, board = situation.deck, situation.board
    solver = new_solver(
        replace(
            subgame,
            lines=compared(subgame.lines),
            utility=lambda _, rows, columns: runout_utility(deck, board, rows, columns),
        )
    )
    solver.run(iterations)
    return solver


def judge(situation: Situation, solved: Solver, iterations: int) -> float:
    """Return the exploitability of this street's solved strategies in the whole game, as a share of the pot.

    On later streets both players play best after these strategies, as re-solving there would.
    """
    whole = new_solver(build(spot_of(situation, is_cut=False), isomorphic=False).subgame)
    for line, strategy in _strategies(solved, whole.memory.subgame.lines).items():
        lock(whole.memory, line, 0, strategy)
    whole.run(iterations)
    whole.memory.store.locked[:] = 0  # best responses may do anything
    return exploitability(whole) / situation.pot


def _strategies(solved: Solver, whole: Lines) -> dict[int, F64]:
    """Return the strategies on the first street [A, H], by their lines in the whole game."""
    lines, strategies = solved.memory.subgame.lines, {}
    waiting = [(0, 0)]
    while waiting:
        line, other = waiting.pop()
        if lines.kind[line] != ACT or whole.kind[other] != ACT:
            continue
        strategies[other] = strategy_at(solved.memory, line, 0)
        first, there = int(lines.first_child[line]), int(whole.first_child[other])
        for a in range(int(lines.child_count[line])):
            if lines.action[first + a] != whole.action[there + a]:
                raise InvalidInput("situation", "the tree that was solved is not the beginning of the whole one")
            waiting.append((first + a, there + a))
    return {line: _filled(strategy) for line, strategy in strategies.items()}


def _filled(strategy: F64) -> F64:
    """Return a strategy that adds up to one for every holding; uniform for those that had none."""
    total = strategy.sum(axis=0)
    filled: F64 = np.where(total > 0, strategy / np.where(total > 0, total, 1), 1 / len(strategy))
    return filled
