"""When a solver stops so that its answer is in time."""

from types import SimpleNamespace
from typing import Any, cast

from riverboat.services.resolver.solvers import Hurry


class Steps:
    """A clock and a solver that move together, with seconds left until a deadline."""

    def __init__(self, left: float) -> None:
        self.now, self.left = 0.0, left
        self.solver = cast(Any, SimpleNamespace(iteration=0))  # all that it looks at
        self.hurry = Hurry(self.solver, lambda: self.left - self.now, lambda: self.now)

    def take(self, count: int, seconds: float) -> bool:
        """Take a step, and return whether it was the last."""
        self.solver.iteration += count
        self.now += seconds
        return self.hurry.is_over()


def test_a_slow_first_iteration_does_not_end_the_work() -> None:
    steps = Steps(12.0)
    assert not steps.take(1, 1.5)
    assert not steps.take(1, 0.1)
    assert not steps.take(1, 0.1)


def test_it_stops_while_the_answer_can_still_be_computed() -> None:
    steps = Steps(3.0)
    steps.take(1, 0.1)
    while not steps.take(1, 0.1):
        pass
    assert 6 * 0.1 <= steps.left - steps.now <= 1.0


def test_a_first_step_that_takes_most_of_the_time_is_the_last() -> None:
    assert Steps(3.0).take(1, 1.0)


def test_without_a_deadline_it_never_stops() -> None:
    hurry = Hurry(SimpleNamespace(iteration=0), lambda: None, lambda: 0.0)  # type: ignore[arg-type]
    assert not hurry.is_over()
