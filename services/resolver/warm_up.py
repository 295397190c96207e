"""Compiles all kernels, before the service reports that it is healthy."""

from dataclasses import replace

import numpy as np

from riverboat.nets.leaf import compile_kernels
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import new_solver
from riverboat.solving.memory import Precision
from riverboat.solving.subgame import ACT, CHANCE, FOLDED, LEAF, SHOWDOWN, Boards, Lines, Subgame


def warm_up() -> None:
    """Compile every kernel, or load it from the cache, by solving tiny subgames with no, one and two deals."""
    for precision in (Precision.SINGLE, Precision.SHORT):
        for deals in range(3):
            solver = new_solver(_tiny(deals), precision=precision)
            solver.run(1)
            exploitability(solver)
        new_solver(_cut(), precision=precision, leaf_values=lambda leaves, reach: np.zeros_like(reach)).run(1)
    compile_kernels()


def _cut() -> Subgame:
    """Return a tiny subgame that is cut after its deal."""
    subgame = _tiny(1)
    kinds = np.where(subgame.lines.kind == SHOWDOWN, LEAF, subgame.lines.kind).astype(np.int8)
    return replace(subgame, lines=replace(subgame.lines, kind=kinds))


def _tiny(deals: int) -> Subgame:
    """Return a subgame in which a player may fold before each deal and at the end, and two holdings are compared."""
    kinds = [kind for _ in range(deals) for kind in (ACT, CHANCE, FOLDED)] + [ACT, SHOWDOWN, FOLDED]
    count = len(kinds)
    parent = [-1 if i == 0 else i - 2 if i % 3 == 0 else i - i % 3 for i in range(count)]
    first = [i + 1 if kind == ACT else i + 2 if kind == CHANCE else 0 for i, kind in enumerate(kinds)]
    lines = Lines(
        kind=np.array(kinds, np.int8),
        player=np.array([0 if kind in (ACT, FOLDED) else -1 for kind in kinds], np.int8),
        parent=np.array(parent, np.int32),
        first_child=np.array(first, np.int32),
        child_count=np.array([{ACT: 2, CHANCE: 1}.get(kind, 0) for kind in kinds], np.int32),
        action=np.zeros(count, np.int64),
        stake=np.ones(count),
    )
    boards = Boards(
        level=np.arange(deals + 1, dtype=np.int32),
        parent=np.arange(-1, deals, dtype=np.int32),
        chance=np.ones(deals + 1),
        live=np.ones((deals + 1, 2), np.bool_),
        mirrors=(np.zeros((0, 2), np.int32),) * (deals + 1),
    )
    items, strengths = np.array([[0], [1]], np.uint8), np.array([[1, 2]] * (deals + 1), np.uint16)
    return Subgame(lines, boards, items, np.ones((2, 2), np.float32), strengths)
