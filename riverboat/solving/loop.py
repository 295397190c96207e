"""The loop that solves until a limit is reached: iterations, time or exploitability."""

from collections.abc import Callable, Generator
from dataclasses import dataclass

from riverboat.errors import InvalidInput
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import Solver
from riverboat.solving.gadget import Gadget

_CHECK_SHARE = 10  # exploitability is measured again after a tenth more iterations
_FIRST_CHECK = 20
_PART_SECONDS = 0.1  # iterations between two chances to stop take about as long as this


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of solving; the first one reached ends it."""

    iterations: int | None = None
    exploitability: float | None = None  # chips
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is None and self.exploitability is None and self.seconds is None:
            raise InvalidInput("limits", "give iterations, an exploitability or seconds; otherwise solving never ends")
        if self.iterations is not None and self.iterations < 1:
            raise InvalidInput("limits.iterations", f"must be at least 1, not {self.iterations}")
        for name in ("exploitability", "seconds"):
            limit = getattr(self, name)
            if limit is not None and not limit > 0:
                raise InvalidInput(f"limits.{name}", f"must be above 0, not {limit}")


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a solver."""

    iteration: int
    seconds: float
    exploitability: float | None  # chips; None when it was not measured
    is_last: bool


def solve(
    solver: Solver, limits: Limits, clock: Callable[[], float], gadget: Gadget | None = None
) -> Generator[Progress, None, None]:
    """Iterate until a limit is reached, and yield progress; a caller that stops iterating stops the solver.

    The last progress always has the exploitability; behind a gadget that is what the opponent wins beyond its values.
    """
    run = gadget.run if gadget else solver.run
    start, first = clock(), solver.iteration
    part, next_check = 1, first + _FIRST_CHECK
    while True:
        count = part
        if limits.iterations is not None:
            count = min(count, first + limits.iterations - solver.iteration)
        if limits.exploitability is not None:
            count = min(count, next_check - solver.iteration)
        before = clock()
        run(count)
        now = clock()
        part = _next_part(count, now - before)
        is_last = _is_over(limits, solver.iteration - first, now - start)
        exploitable = None
        if is_last or (limits.exploitability is not None and solver.iteration >= next_check):
            exploitable = gadget.shortfall() if gadget else exploitability(solver)
            next_check = solver.iteration + max(_FIRST_CHECK, (solver.iteration - first) // _CHECK_SHARE)
            is_last = is_last or (limits.exploitability is not None and exploitable <= limits.exploitability)
        yield Progress(solver.iteration, clock() - start, exploitable, is_last)
        if is_last:
            return


def _next_part(count: int, seconds: float) -> int:
    """Return the number of iterations to do next: about a tenth of a second, at most four times as many as before."""
    wanted = int(count * _PART_SECONDS / seconds) if seconds > 0 else 4 * count
    return max(1, min(wanted, 4 * count))


def _is_over(limits: Limits, iterations: int, seconds: float) -> bool:
    by_count = limits.iterations is not None and iterations >= limits.iterations
    return by_count or (limits.seconds is not None and seconds >= limits.seconds)
