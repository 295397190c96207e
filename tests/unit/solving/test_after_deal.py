"""Values after the first deal, and the opponent's guaranteed values along a path."""

import numpy as np
import pytest

from riverboat.solving.capture import values_after_deal
from riverboat.solving.cfr import RECENT, Solver
from riverboat.solving.nodes import strategy_at
from riverboat.solving.resolution import read_resolution, resolve_ranges
from riverboat.solving.subgame import CHANCE
from riverboat.solving.traversal import BEST
from riverboat.spots.spot import build
from tests.unit.solving.games import solver, spot, values_on


@pytest.fixture(scope="module")
def solved() -> Solver:
    turn = spot("TsTh9sKd", 60, 120, "/ / 1p all-in / 1p", deck="24", ranges=("AA-99,AKs,JTs", "AA-99,KQs,KQo"))
    turn_solver = solver(build(turn), RECENT)
    turn_solver.run(50)
    return turn_solver


def test_values_after_a_deal_are_the_values_on_its_board(solved: Solver) -> None:
    memory, lines = solved.memory, solved.memory.subgame.lines
    values_on(solved, 1, BEST)
    dealt = values_after_deal(memory, 1)
    gates = np.flatnonzero((lines.kind == CHANCE) & (memory.layout.line_level == 0))
    for board in np.flatnonzero(memory.subgame.boards.level == 1)[::5].tolist():
        on_board = values_on(solved, 1, BEST, board)
        for root, gate in enumerate(gates):
            line = memory.layout.local_line[lines.first_child[gate]]
            assert dealt.at(board, root) == pytest.approx(on_board[line], rel=1e-4, abs=1e-3)


def test_the_opponents_values_are_per_unit_of_the_range_that_remains(solved: Solver) -> None:
    resolution = read_resolution(solved, is_safe=True)
    memory = solved.memory
    lines, boards = memory.subgame.lines, memory.subgame.boards
    check = 0
    second = int(lines.first_child[0]) + check
    gate = int(lines.first_child[second])  # checked back
    assert lines.kind[gate] == CHANCE
    line, board = int(lines.first_child[gate]), 3
    values = resolution.opponent_values_at(line, board, boards.live[board])
    reach = memory.subgame.weights[0] * strategy_at(memory, 0, 0)[check] * boards.live[board]
    expected = resolution.after_deal[1].at(board, list(resolution.deal_lines).index(line)) / reach.sum()
    assert values == pytest.approx(expected, rel=1e-5, abs=1e-6)
    before = resolution.opponent_values_at(second, 0, boards.live[0])
    remaining = (memory.subgame.weights[0] * strategy_at(memory, 0, 0)[check] * boards.live[0]).sum()
    assert before == pytest.approx(resolution.before_deal[1].at(int(resolution.local_line[second])) / remaining)


def test_a_river_has_no_deals() -> None:
    river = spot("TsTh9sKdAc", 60, 120, "/ / / 1p", deck="24")
    resolution = resolve_ranges(solver(build(river), RECENT), 10)
    assert [dealt.rows.size for dealt in resolution.after_deal] == [0, 0]
    assert len(resolution.deal_lines) == 0
    assert [len(resolution.reply(action)) for action in (0, 1)] == [2, 3]  # check or bet, then fold, call or raise
