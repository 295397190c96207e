"""Single nodes: strategies written and read, locking."""

from typing import Any

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.solving.best_response import exploitability, worth
from riverboat.solving.cfr import CFR_PLUS, PREDICTIVE_PLUS, RECENT
from riverboat.solving.gadget import Gadget
from riverboat.solving.memory import Precision
from riverboat.solving.nodes import lock, strategy_at, write_strategy_at
from riverboat.solving.regrets import AVERAGE, CURRENT
from riverboat.solving.subgame import ACT
from riverboat.spots.spot import build
from tests.unit.solving.games import kuhn, leduc, solver, spot

RIVER = spot("QsJh2h8d3c", 100, 400, "/ / / 0.5p all-in", ranges=("66+,A8s+,KTs+,QJs,65s", "QQ-22,A2s+,KJo+,T9s"))


@pytest.mark.parametrize("precision", Precision)
def test_what_is_written_is_read(precision: Precision) -> None:
    solved = solver(leduc(isomorphic=False), CFR_PLUS, precision)
    rng = np.random.default_rng(1)
    memory = solved.memory
    written = {}
    for line in np.flatnonzero(memory.subgame.lines.kind == ACT).tolist():
        for board in np.flatnonzero(memory.subgame.boards.level == memory.layout.line_level[line]).tolist():
            chances = rng.dirichlet(np.ones(int(memory.subgame.lines.child_count[line])), 6).T
            write_strategy_at(memory, line, board, chances)
            written[line, board] = chances
    for (line, board), chances in written.items():
        live = memory.layout.holdings(board, int(memory.subgame.lines.player[line]))
        assert strategy_at(memory, line, board)[:, live] == pytest.approx(chances[:, live], abs=1e-4)


def test_a_known_strategy_of_kuhn_has_its_known_exploitability() -> None:
    """A player who always bets or calls loses 1/3 to the best response, computed by hand."""
    solved = solver(kuhn(), CFR_PLUS, Precision.DOUBLE)
    lines = solved.memory.subgame.lines
    for line in np.flatnonzero(lines.kind == ACT).tolist():
        aggressive = np.zeros((2, 3))
        aggressive[1] = 1  # raise, or call a bet
        write_strategy_at(solved.memory, line, 0, aggressive)
    assert worth(solved).means == pytest.approx([0, 0])
    # Against it a jack loses 1 (it checks and folds, or folds to the bet), a queen wins as often 2 as it loses 2, a
    # king wins 2: (-1 + 0 + 2) / 3, for either player.
    assert exploitability(solved) == pytest.approx(1 / 3)


def test_a_locked_node_is_played_as_it_is_and_the_rest_adapts() -> None:
    free, locked = solver(build(RIVER), RECENT), solver(build(RIVER), RECENT)
    count = int(locked.memory.subgame.lines.child_count[0])
    never_bets = np.zeros((count, locked.memory.subgame.holding_count))
    never_bets[0] = 1
    lock(locked.memory, 0, 0, never_bets)
    free.run(600)
    locked.run(600)
    live = locked.memory.layout.holdings(0, 0)
    assert strategy_at(locked.memory, 0, 0)[:, live] == pytest.approx(never_bets[:, live])
    assert worth(locked).means[0] < worth(free).means[0] + 0.05
    assert exploitability(locked) < 0.1, "the best response cannot change a locked strategy either"
    second = int(locked.memory.subgame.lines.first_child[0])
    mine, theirs = (strategy_at(one.memory, second, 0) for one in (locked, free))
    assert np.abs(mine - theirs).max() > 0.2


@pytest.mark.parametrize(
    ("line", "board", "change", "reason"),
    [
        (99, 0, None, "nobody acts at line 99"),
        (0, 3, None, "line 0 is not played on board 3"),
        (0, 0, (slice(None), 2.0), "add up to one"),
        (0, 0, (0, np.nan), "finite"),
        (0, 0, (0, -1.0), "not negative"),
    ],
)
def test_impossible_locks(line: int, board: int, change: tuple[Any, float] | None, reason: str) -> None:
    solved = solver(kuhn(), CFR_PLUS)
    chances = np.full((2, 3), 0.5)
    if change is not None:
        chances[change[0]] = change[1]
    with pytest.raises(InvalidInput, match=reason):
        lock(solved.memory, line, board, chances)
    with pytest.raises(InvalidInput, match=r"must be \[2, 3\]"):
        lock(solved.memory, 0, 0, np.ones((3, 3)))


def test_a_lock_is_played_from_the_first_moment_and_for_ever() -> None:
    always = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    for algorithm in (CFR_PLUS, PREDICTIVE_PLUS):
        for before in (0, 3, 200):
            solved = solver(kuhn(), algorithm, Precision.DOUBLE)
            solved.run(before)
            lock(solved.memory, 0, 0, always)
            for _ in range(3):
                for source in (CURRENT, AVERAGE):
                    assert strategy_at(solved.memory, 0, 0, source) == pytest.approx(always)
                solved.run(20)


def test_what_differs_between_merged_suits_is_refused() -> None:
    merged, whole = leduc(), leduc(isomorphic=False)
    uneven = np.full((2, 6), 0.5)
    uneven[:, 0] = (1, 0)
    with pytest.raises(InvalidInput, match="without merging suits"):
        lock(solver(merged, CFR_PLUS).memory, 0, 0, uneven)
    with pytest.raises(InvalidInput, match="without merging suits"):
        Gadget(solver(merged, CFR_PLUS), 1, np.arange(6.0))
    solved = solver(whole, CFR_PLUS, Precision.DOUBLE)
    lock(solved.memory, 0, 0, uneven)
    solved.run(2000)
    assert worth(solved).means.sum() == pytest.approx(0, abs=1e-9)
    assert exploitability(solved) < 1e-3
