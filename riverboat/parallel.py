"""Independent tasks run in order, one after another or on several threads.

Long computations here are generators over a sequence of tasks. The caller passes a `Runner`, which decides on threads,
and may stop after any task. The result never depends on the runner.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import Protocol, TypeVar

T = TypeVar("T")
ParallelTask = Callable[[], T]


class Runner(Protocol):
    """Runs tasks and yields their results in the order of the tasks."""

    def __call__(self, tasks: Iterable[ParallelTask[T]]) -> Iterator[T]: ...


def serial(tasks: Iterable[ParallelTask[T]]) -> Iterator[T]:
    """Run each task when its result is asked for; yield the results."""
    for task in tasks:
        yield task()


def on_threads(executor: Executor, in_flight: int) -> Runner:
    """Return a runner that keeps up to `in_flight` tasks on the executor; closing it drops the tasks that have not
    begun.
    """

    def run(tasks: Iterable[ParallelTask[T]]) -> Iterator[T]:
        waiting: deque[Future[T]] = deque()
        try:
            for task in tasks:
                waiting.append(executor.submit(task))
                if len(waiting) >= in_flight:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    return run
