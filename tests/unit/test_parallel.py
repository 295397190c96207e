import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from riverboat.parallel import ParallelTask, on_threads, serial


def test_results_come_in_the_order_of_the_tasks() -> None:
    barrier = threading.Barrier(3)

    def slow(n: int) -> int:
        if n < 3:
            barrier.wait(timeout=10)  # the first three must run at once
        return n

    with ThreadPoolExecutor(3) as threads:
        results = list(on_threads(threads, 3)(partial(slow, n) for n in range(20)))
    assert results == list(range(20)) == list(serial(partial(int, n) for n in range(20)))


def test_tasks_are_taken_only_as_needed() -> None:
    taken = []

    def tasks() -> Iterator[ParallelTask[int]]:
        for n in range(100):
            taken.append(n)
            yield partial(int, n)

    with ThreadPoolExecutor(2) as threads:
        results = on_threads(threads, 4)(tasks())
        assert next(results) == 0
        results.close()  # type: ignore[attr-defined]  # it is a generator
    assert len(taken) == 4


def test_errors_reach_the_caller() -> None:
    with ThreadPoolExecutor(2) as threads:
        results = on_threads(threads, 2)([partial(int, "1"), partial(int, "x")])
        assert next(results) == 1
        with pytest.raises(ValueError, match="invalid literal"):
            next(results)
