"""Spots to study: solved, asked about node by node, saved and loaded."""

import base64
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from riverboat.errors import InvalidInput, in_field
from riverboat.rpc.convert.resolver import decode_source
from riverboat.services.resolver.equity import equity_at
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.solutions import Solution, Solutions
from riverboat.services.resolver.solvers import Hurry, Solvers, Started, TimeLeft
from riverboat.services.resolver.spots import BuiltSpot, Place, build, find
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.answers import Loaded, NodeAnswer, Solved
from riverboat.solving.best_response import exploitability, worth
from riverboat.solving.capture import Captured
from riverboat.solving.memory import Precision
from riverboat.solving.nodes import lock, reach_at, strategy_at
from riverboat.solving.questions import (
    EQUITY,
    GoOnQuestion,
    LockQuestion,
    SolveQuestion,
    SpotQuestion,
    Step,
    is_network_name,
)
from riverboat.solving.solution import read_header, resume, save
from riverboat.solving.solve import Limits, solve
from riverboat.solving.subgame import ACT, CHANCE, F64, compatible

_SMALLEST = 1e-12
_CHUNK = 1_000_000  # bytes
_NAMES = ("ranges[0]", "ranges[1]")


class Study:
    """Solutions, from the first iteration to the last question."""

    def __init__(self, upstream: Upstream, networks: Networks, solvers: Solvers, solutions: Solutions) -> None:
        self._upstream, self._networks, self._solvers, self._solutions = upstream, networks, solvers, solutions

    # Solving

    def solve(self, question: SolveQuestion | GoOnQuestion, time_left: TimeLeft) -> Generator[Solved, None, None]:
        """Progress, and in the end a handle; when the caller's time is up, with what there is."""
        if isinstance(question, GoOnQuestion):
            yield from self._go_on(question, time_left)
            return
        started = self._start(question)
        solution = Solution(question, started.built, started.solver, started.byte_count)
        with self._kept_or_freed(started):
            for i, wanted in enumerate(question.locks):
                with in_field(f"locks[{i}]"):
                    self._lock(started, wanted)
            is_partial = yield from self._iterate(solution, started, question.limits, time_left)
            handle = self._solutions.keep(solution)
        yield self._last(solution, started, handle, is_partial)

    def _start(self, question: SolveQuestion) -> Started:
        begin = self._solvers.clock()
        if len(question.ranges) % 2:
            raise InvalidInput("ranges", "must be two, of the same length")
        ranges = question.ranges.reshape(2, -1)
        locks = [wanted.strategy for wanted in question.locks if wanted.strategy.size % ranges.shape[1] == 0]
        rows = [row for strategy in locks for row in strategy.reshape(-1, ranges.shape[1])]
        built = build(self._upstream, self._networks, question.spot, ranges, _NAMES, rows)
        precision = Precision.SHORT if question.short_storage else Precision.SINGLE
        return self._solvers.start(built, question.algorithm, precision, begin)

    @contextmanager
    def _kept_or_freed(self, started: Started) -> Iterator[None]:
        """A block at whose end a solution is kept; if it does not come to that, its memory is free again."""
        try:
            yield
        except BaseException:  # also if the caller goes away
            started.solver.close()
            self._solutions.free(started.byte_count)
            raise

    def _go_on(self, question: GoOnQuestion, time_left: TimeLeft) -> Generator[Solved, None, None]:
        with self._solutions.solved_on(question.handle) as solution:
            now = self._solvers.clock()
            started = Started(solution.built, solution.solver, solution.byte_count, now, now)
            is_partial = yield from self._iterate(solution, started, question.limits, time_left)
            yield self._last(solution, started, question.handle, is_partial)

    def _iterate(
        self, solution: Solution, started: Started, limits: Limits, time_left: TimeLeft
    ) -> Generator[Solved, None, bool]:
        """Solve a step at a time, so that whoever asks about nodes meanwhile gets a turn; whether time ran out."""
        steps = solve(started.solver, limits, self._solvers.clock)
        hurry = Hurry(started.solver, time_left, self._solvers.clock)
        while True:
            with solution.lock:
                progress = next(steps)
                solution.forget_values()
                if progress.is_last or hurry.is_over():
                    known = progress.exploitability
                    solution.exploitability = exploitability(started.solver) if known is None else known
                    return not progress.is_last
            left = progress.exploitability if progress.exploitability is not None else float("nan")
            yield Solved(started.cost(left, self._solvers.clock(), is_partial=False))

    def _last(self, solution: Solution, started: Started, handle: str, is_partial: bool) -> Solved:
        cost = started.cost(solution.exploitability, self._solvers.clock(), is_partial)
        with solution.lock:
            means = worth(solution.solver).means + solution.question.spot.pot / 2
        return Solved(cost, handle, tuple(means.tolist()), self._solutions.expire_seconds)

    def _lock(self, started: Started, wanted: LockQuestion) -> None:
        built = started.built
        place = find(self._upstream, built, wanted.path)
        count = len(built.actions(place.line))
        if not count or wanted.strategy.size != count * built.subgame.holding_count:
            raise InvalidInput("strategy", f"must be [{count}, {built.subgame.holding_count}]")
        asked = wanted.strategy.reshape(count, -1).astype(np.float64)
        lock(started.solver.memory, place.line, place.board, asked[:, place.names])

    # Asking

    def node(self, handle: str, path: tuple[Step, ...]) -> NodeAnswer:
        """One node of a solution."""
        solution = self._solutions.find(handle)
        built, solver = solution.built, solution.solver
        place = find(self._upstream, built, path)
        lines = built.subgame.lines
        kind = int(lines.kind[place.line])
        with solution.lock:
            values = solution.values(place.board)
            reach = reach_at(solver.memory, place.line, place.board)
            acts = kind == ACT
            strategy = strategy_at(solver.memory, place.line, place.board) if acts else np.zeros((0, reach.shape[1]))
        player = int(lines.player[place.line]) if acts else -1
        first = int(lines.first_child[place.line])
        children = range(first, first + len(strategy))
        action_evs = [_evs(solution, place, values[player], child, player, reach) for child in children]
        return NodeAnswer(
            player=player,
            actions=tuple(built.actions(place.line)),
            strategy=_named(strategy, place),
            evs=_named(np.array([_evs(solution, place, values[p], place.line, p, reach) for p in (0, 1)]), place),
            action_evs=_named(np.array(action_evs).reshape(strategy.shape), place),
            reach=_named(reach, place),
            equity=_named(equity_at(self._upstream, built, place.board, reach), place),
            pot=int(built.tree.pot[place.line]),
            board=place.cards,
            deals=self._deals(built, place) if kind == CHANCE else (),
            state=self._upstream.apply(built.spot.state, path),
        )

    def _deals(self, built: BuiltSpot, place: Place) -> tuple[str, ...]:
        """What may be dealt next: all boards that follow, mirrors included."""
        question = SpotQuestion(b"", built.spot.deck, place.cards, 0, 0, "", None, None, 0)
        nothing = np.arange(built.subgame.holding_count, dtype=np.float32)[None, :]  # which no exchange leaves
        cards = self._upstream.boards(question, 1, nothing)[1]
        return tuple(text[len(place.cards) :] for text in cards[1:])

    def release(self, handle: str) -> bool:
        """Forget a solution; whether it was there."""
        return self._solutions.release(handle)

    # Keeping

    def save(self, handle: str) -> Generator[tuple[bytes, int], None, None]:
        """A solution as bytes, in chunks, and how many there are in all."""
        solution = self._solutions.find(handle)
        note = {"request": base64.b64encode(solution.question.source).decode(), "leaf": solution.built.leaf_name}
        with solution.lock:
            data = save(solution.solver, note)
        for start in range(0, len(data), _CHUNK):
            yield data[start : start + _CHUNK], len(data)

    def load(self, data: bytes) -> Generator[Loaded, None, None]:
        """A solution that was saved, under a new handle."""
        note = read_header(data).note
        question = _same_leaf(decode_source(_source(note)), note)
        started = self._start(question)
        solution = Solution(question, started.built, started.solver, started.byte_count)
        with self._kept_or_freed(started):
            _check_leaf(started.built, note)
            resume(data, started.solver)
            solution.exploitability = exploitability(started.solver)
            handle = self._solutions.keep(solution)
        yield Loaded(self._last(solution, started, handle, is_partial=False), question.source)


def _source(note: dict[str, Any]) -> bytes:
    """What was asked for, as it stands in a saved solution."""
    try:
        return base64.b64decode(str(note["request"]), validate=True)
    except (KeyError, TypeError, ValueError):
        raise InvalidInput("", "the solution does not say what was solved") from None


def _same_leaf(question: SolveQuestion, note: dict[str, Any]) -> SolveQuestion:
    """What was asked, with the estimate that was used then: by now another network may be the default."""
    leaf = str(note.get("leaf", ""))
    is_known = leaf == EQUITY or is_network_name(leaf)
    return replace(question, spot=replace(question.spot, leaf=leaf)) if is_known else question


def _check_leaf(built: BuiltSpot, note: dict[str, Any]) -> None:
    """Raise InvalidInput if what lay below the cut is not there any more."""
    if note.get("leaf", built.leaf_name) != built.leaf_name:
        raise InvalidInput("", f"it was solved with {str(note['leaf'])[:80]} below the cut, which is not here")


def _evs(solution: Solution, place: Place, values: Captured, line: int, player: int, reach: F64) -> F64:
    """EVs of a line for a player, counted from the node on [H]."""
    built, layout = solution.built, solution.solver.memory.layout
    opposing = compatible(built.subgame.items, reach[1 - player])
    cfvs = values.at(int(layout.local_line[line]))
    possible = built.subgame.boards.live[place.board] & (built.subgame.weights[player] > 0)
    found = np.full(len(cfvs), np.nan)
    sure = possible & (opposing > _SMALLEST)
    found[sure] = cfvs[sure] / opposing[sure] + built.tree.share(place.line, player)
    return found


def _named(values: F64, place: Place) -> F64:
    """Columns by the names that holdings have where somebody asked."""
    found = np.zeros_like(values)
    found[:, place.names] = values
    return found
