"""Values on one board: only that board and what follows it is walked, and the numbers are those of the whole walk."""

import numpy as np
import pytest

from riverboat.solving.cfr import RECENT, Solver
from riverboat.solving.layout import COLLECT, ENTER, LEAVE, events_below
from riverboat.solving.memory import Precision
from riverboat.solving.regrets import AVERAGE
from riverboat.solving.traversal import BEST, EVALUATE
from riverboat.spots.spot import build
from tests.unit.solving.games import solver, spot, values_on

FLOP = spot("TsTh9s", 60, 120, "/ 1p / 1p / 1p", deck="24", ranges=("AA-99,AKs,JTs", "AA-99,KQs,KQo"))


@pytest.fixture(scope="module", params=[(1, Precision.SINGLE), (2, Precision.SHORT)])
def solved(request: pytest.FixtureRequest) -> Solver:
    threads, precision = request.param
    flop_solver = solver(build(FLOP), RECENT, precision, threads)
    flop_solver.run(20)
    return flop_solver


@pytest.mark.parametrize("purpose", [EVALUATE, BEST])
@pytest.mark.parametrize("player", [0, 1])
def test_the_values_are_those_of_the_whole_walk(solved: Solver, player: int, purpose: int) -> None:
    boards = solved.memory.layout.boards
    for level in (1, 2):
        for board in np.flatnonzero(boards.level == level)[::7].tolist():
            part = values_on(solved, player, purpose, board)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(solved, "walk_below", lambda *_: whole_walk(solved, player, purpose))
                whole = values_on(solved, player, purpose, board)
            assert np.array_equal(part, whole)
            assert part.any()


def whole_walk(solved: Solver, player: int, purpose: int) -> None:
    solved.walk([(player, purpose)], [solved.algorithm.rule(1)], AVERAGE)


def test_only_boards_on_the_way_and_below_are_entered() -> None:
    parent = np.array([-1, 0, 0, 1, 1, 2], np.int32)
    assert events_below(parent, 1).tolist() == [
        [0, ENTER], [1, ENTER],
        [3, ENTER], [3, LEAVE], [3, COLLECT],
        [4, ENTER], [4, LEAVE], [4, COLLECT],
        [1, LEAVE],
    ]  # fmt: skip
    assert events_below(parent, 5).tolist() == [[0, ENTER], [2, ENTER], [5, ENTER], [5, LEAVE]]
