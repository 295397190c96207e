"""Solvers for spots: memory is reserved before it is allocated, and their cost is counted."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import numpy as np

from riverboat.contracts.resolver import Cost, scope_of
from riverboat.services.resolver.solutions import Solutions, bytes_of_values
from riverboat.services.resolver.spots import PreparedSpot
from riverboat.solving.cfr import Algorithm, Solver, new_solver
from riverboat.solving.memory import Precision, bytes_needed

_LAST_SECONDS = 0.3  # of a deadline, at least, that are left for the answer
_LAST_WALKS = 6  # iterations that take as long as computing the answer
_NEXT_SECONDS = 0.1  # that the next step takes, if an iteration takes no longer

Clock = Callable[[], float]
TimeLeft = Callable[[], float | None]


@dataclass(frozen=True, slots=True, eq=False)
class Started:
    """A solver with its spot, and when it started."""

    spot: PreparedSpot
    solver: Solver
    byte_count: int
    start: float
    built_at: float

    def cost(self, exploitability: float, now: float, is_partial: bool, is_safe: bool = False) -> Cost:
        """Return the cost so far. With the opponent's values given, exploitability is what it wins beyond them."""
        subgame = self.spot.subgame
        leaf = self.spot.leaf_name
        return Cost(
            iterations=self.solver.iteration,
            exploitability=exploitability,
            solving_seconds=now - self.built_at,
            total_seconds=now - self.start,
            line_count=subgame.lines.count,
            board_count=subgame.boards.count,
            byte_count=self.byte_count,
            is_partial=is_partial,
            leaf=leaf,
            scope=scope_of(leaf, is_safe),
        )


class Solvers:
    """Creates solvers."""

    def __init__(self, solutions: Solutions, threads: int, clock: Clock) -> None:
        self._solutions, self._threads, self.clock = solutions, threads, clock

    def start(self, spot: PreparedSpot, algorithm: Algorithm, precision: Precision, start: float) -> Started:
        """Create a solver for a spot. Its bytes are reserved; the caller frees or keeps them."""
        spot.subgame.check()
        threads = self._threads if spot.subgame.boards.count > 1 else 1
        needed = bytes_needed(spot.subgame, precision, algorithm.predictive, threads) + bytes_of_values(spot.subgame)
        needed += spot.below.byte_count if spot.below else 0
        self._solutions.reserve(needed)
        try:
            solver = new_solver(
                spot.subgame,
                algorithm,
                precision=precision,
                threads=threads,
                leaf_values=spot.below.make() if spot.below else None,
                asks_once=True,
                sampled=spot.question.sampled,
                rng=np.random.default_rng(spot.question.seed),
            )
        except BaseException:
            self._solutions.free(needed)
            raise
        return Started(spot, solver, needed, start, self.clock())


class Hurry:
    """Decides when to stop so that the answer, which takes a few walks through the subgame, is still in time."""

    def __init__(self, solver: Solver, time_left: TimeLeft, clock: Clock) -> None:
        self._solver, self._time_left, self._clock = solver, time_left, clock
        self._last, self._iteration = clock(), solver.iteration
        self._first: float | None = None  # seconds of the first step, in which memory is touched for the first time
        self._fastest = inf  # seconds of an iteration

    def is_over(self) -> bool:
        """Return whether to stop now. Call this after each step."""
        now = self._clock()
        step, count = now - self._last, max(1, self._solver.iteration - self._iteration)
        self._last, self._iteration = now, self._solver.iteration
        left = self._time_left()
        if left is None:
            return False
        if self._first is None:  # it says little about later steps: one more may follow if there is room for three
            self._first = step
            return left < max(_LAST_SECONDS, 3 * step)
        self._fastest = min(self._fastest, step / count)
        ahead = 2 * max(self._fastest, _NEXT_SECONDS) + _LAST_WALKS * self._fastest
        return left < max(_LAST_SECONDS, ahead)
