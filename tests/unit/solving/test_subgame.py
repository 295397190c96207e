"""Invalid subgames are refused, with the reason and the place, before anything is allocated."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.solving.best_response import worth
from riverboat.solving.cfr import CFR_PLUS, RECENT, new_solver
from riverboat.solving.loop import Limits, Progress, solve
from riverboat.solving.memory import Precision
from riverboat.solving.subgame import CHANCE, FOLDED, Lines, Subgame
from riverboat.spots.spot import build
from tests.unit.solving.games import kuhn, leduc, solver, spot

RIVER = spot("QsJh2h8d3c", 100, 400, "/ / / 0.5p all-in", ranges=("66+,A8s+,KTs+,QJs,65s", "QQ-22,A2s+,KJo+,T9s"))


def with_weight(place: tuple[int, int], weight: float) -> Callable[[Subgame], Subgame]:
    def change(subgame: Subgame) -> Subgame:
        weights = subgame.weights.copy()
        weights[place] = weight
        return replace(subgame, weights=weights)

    return change


def with_ranges(first: list[float], second: list[float]) -> Callable[[Subgame], Subgame]:
    return lambda subgame: replace(subgame, weights=np.array([first, second], np.float32))


def with_line(name: str, line: int, value: float) -> Callable[[Subgame], Subgame]:
    def change(subgame: Subgame) -> Subgame:
        column = getattr(subgame.lines, name).copy()
        column[line] = value
        return replace(subgame, lines=replace(subgame.lines, **{name: column}))

    return change


def without_lines(subgame: Subgame) -> Subgame:
    names = ("kind", "player", "parent", "first_child", "child_count", "action", "stake")
    return replace(subgame, lines=replace(subgame.lines, **{name: getattr(subgame.lines, name)[:0] for name in names}))


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        (with_weight((0, 1), np.nan), "weights[0][1]", "finite"),
        (with_weight((1, 2), -0.5), "weights[1][2]", "not negative"),
        (with_weight((1, 0), np.inf), "weights[1][0]", "finite"),
        (with_ranges([0, 0, 0], [1, 1, 1]), "weights[0]", "nothing in this range is possible"),
        (with_ranges([0, 1, 0], [0, 1, 0]), "weights", "exclude each other"),
        (with_ranges([1, 1], [1, 1]), "weights", "must be [2, 3]"),
        (without_lines, "lines", "there are none"),
        (with_line("kind", 0, 3), "lines.kind[0]", "nothing to solve"),
        (with_line("player", 0, 4), "lines.player", "must be 0 or 1"),
        (with_line("stake", 8, np.nan), "lines.stake", "finite"),
        (with_line("child_count", 0, 0), "lines.child_count[0]", "impossible"),
        (with_line("parent", 1, 5), "lines.parent[1]", "must be 0"),
    ],
)
def test_bad_subgames(change: Callable[[Subgame], Subgame], field: str, reason: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        change(kuhn().subgame).check()
    assert caught.value.field == field
    assert reason in str(caught.value)


def test_bad_boards() -> None:
    subgame = leduc().subgame
    fewer = replace(subgame.boards, level=np.zeros_like(subgame.boards.level))
    with pytest.raises(InvalidInput, match="boards"):
        replace(subgame, boards=fewer).check()
    with pytest.raises(InvalidInput, match=r"boards\.chance"):
        replace(subgame, boards=replace(subgame.boards, chance=np.zeros(subgame.boards.count))).check()
    with pytest.raises(InvalidInput, match="no utility either"):
        replace(subgame, strengths=np.zeros_like(subgame.strengths), utility=None).check()
    uneven = subgame.weights.copy()
    uneven[0, 0] = 0.5
    with pytest.raises(InvalidInput, match="differ under this exchange of suits"):
        replace(subgame, weights=uneven).check()


class Clock:
    """Goes on by itself."""

    def __init__(self, step: float) -> None:
        self.now, self._step = 0.0, step

    def __call__(self) -> float:
        self.now += self._step
        return self.now


def run(limits: Limits, step: float = 0.001) -> list[Progress]:
    return list(solve(solver(build(RIVER), RECENT), limits, Clock(step)))


def test_solving_stops_at_what_comes_first() -> None:
    by_count = run(Limits(iterations=50))
    assert by_count[-1].iteration == 50
    by_time = run(Limits(iterations=10_000, seconds=0.5), step=0.05)
    assert by_time[-1].iteration < 10_000
    assert by_time[-1].seconds >= 0.5
    by_target = run(Limits(exploitability=0.5))
    last = by_target[-1]
    assert last.exploitability is not None
    assert last.exploitability <= 0.5
    for progress in (by_count, by_time, by_target):
        assert [one.is_last for one in progress] == [False] * (len(progress) - 1) + [True]
        assert progress[-1].exploitability is not None


def test_whoever_does_not_listen_stops_it() -> None:
    solved = solver(build(RIVER), RECENT)
    listening = solve(solved, Limits(iterations=10**9), Clock(0.001))
    next(listening)
    listening.close()
    assert solved.iteration < 10


@pytest.mark.parametrize(
    ("limits", "field"),
    [({}, "limits"), ({"iterations": 0}, "limits.iterations"), ({"seconds": 0.0}, "limits.seconds")],
)
def test_impossible_limits(limits: dict[str, float], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Limits(**limits)  # type: ignore[arg-type]
    assert caught.value.field == field


def shuffled(subgame: Subgame) -> Subgame:
    """Return the same lines, the children of each line still in a row, but depth first."""
    lines = subgame.lines
    order, waiting = [0], [0]
    while waiting:
        line = waiting.pop()
        first, count = int(lines.first_child[line]), int(lines.child_count[line])
        order += range(first, first + count)
        waiting += range(first, first + count)
    place = np.argsort(order)
    parent = np.where(lines.parent[order] < 0, -1, place[lines.parent[order]]).astype(np.int32)
    first_child = np.where(lines.child_count[order] > 0, place[lines.first_child[order]], 0).astype(np.int32)
    rest = {name: getattr(lines, name)[order] for name in ("kind", "player", "child_count", "action", "stake")}
    return replace(subgame, lines=Lines(parent=parent, first_child=first_child, **rest))


def test_lines_need_not_be_breadth_first() -> None:
    solved = new_solver(shuffled(leduc().subgame), CFR_PLUS, precision=Precision.DOUBLE)
    solved.run(500)
    assert worth(solved).means[0] == pytest.approx(-0.0856, abs=1e-3)


def test_what_would_break_the_arrays_is_refused() -> None:
    subgame = leduc().subgame
    lines, boards = subgame.lines, subgame.boards
    gate = int(np.flatnonzero(lines.kind == CHANCE)[0])
    names = ("kind", "player", "parent", "first_child", "child_count", "action", "stake")
    more = {name: np.append(getattr(lines, name), 0) for name in names}
    more["kind"][-1], more["parent"][-1] = FOLDED, gate
    with pytest.raises(InvalidInput, match="child of one other"):
        replace(subgame, lines=Lines(**{name: more[name].astype(getattr(lines, name).dtype) for name in names})).check()
    live = boards.live.copy()
    live[0, 0] = False
    with pytest.raises(InvalidInput, match="the one before it must leave too"):
        replace(subgame, boards=replace(boards, live=live)).check()
    twice = tuple(np.zeros_like(mirrors) for mirrors in boards.mirrors)
    with pytest.raises(InvalidInput, match="permutations"):
        replace(subgame, boards=replace(boards, mirrors=twice)).check()
    with pytest.raises(InvalidInput, match="items"):
        replace(subgame, items=np.full_like(subgame.items, 250)).check()
    for scale in (1e-32, 1e35, 3e38):  # the last ones add up to more than a float32 takes
        with np.errstate(all="raise"), pytest.raises(InvalidInput, match="the largest weight"):
            replace(subgame, weights=(subgame.weights * scale).astype(np.float32)).check()
