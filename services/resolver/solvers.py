"""Solvers for spots: memory is asked for before it is taken, and what they cost is counted."""

from collections.abc import Callable
from dataclasses import dataclass

from riverboat.solving.answers import Cost
from riverboat.solving.cfr import Algorithm, Solver, new_solver
from riverboat.solving.memory import Precision, bytes_needed
from services.resolver.solutions import Solutions
from services.resolver.spots import BuiltSpot

_LAST_SECONDS = 0.3  # of a deadline, which are needed to answer

Clock = Callable[[], float]
TimeLeft = Callable[[], float | None]


@dataclass(frozen=True, slots=True, eq=False)
class Started:
    """A solver with its spot, and since when."""

    built: BuiltSpot
    solver: Solver
    byte_count: int
    start: float
    built_at: float

    def cost(self, exploitability: float, now: float, is_partial: bool) -> Cost:
        """What it took so far."""
        subgame = self.built.subgame
        return Cost(
            self.solver.iteration,
            exploitability,
            now - self.built_at,
            now - self.start,
            subgame.lines.count,
            subgame.boards.count,
            self.byte_count,
            is_partial,
        )


class Solvers:
    """Makes solvers."""

    def __init__(self, solutions: Solutions, threads: int, clock: Clock) -> None:
        self._solutions, self._threads, self.clock = solutions, threads, clock

    def start(self, built: BuiltSpot, algorithm: Algorithm, precision: Precision, start: float) -> Started:
        """A solver for a spot; its bytes are reserved, and whoever has it frees or keeps them."""
        built.subgame.check()
        needed = bytes_needed(built.subgame, precision, algorithm.predictive)
        self._solutions.reserve(needed)
        try:
            solver = new_solver(
                built.subgame,
                algorithm,
                precision=precision,
                threads=self._threads if built.subgame.boards.count > 1 else 1,
            )
        except BaseException:
            self._solutions.free(needed)
            raise
        return Started(built, solver, needed, start, self.clock())


def is_nearly_over(seconds: float | None) -> bool:
    """Whether a caller's time is up, but for what it takes to answer."""
    return seconds is not None and seconds < _LAST_SECONDS
