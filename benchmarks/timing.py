"""Measurements on a busy machine: Riverboat and the peer take turns, and medians and ratios are compared."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

TimedCall = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    work: str
    ours: str
    peer: str = ""
    ratio: str = ""  # how many times better than the peer
    bar: str = ""
    met: bool | None = None  # None without a bar


def seconds(work: TimedCall) -> float:
    """Return the seconds that one run takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turn(*works: TimedCall, rounds: int = 7) -> list[float]:
    """Return the median seconds of each, run in turn so that noise affects all alike, after one round of warm-up."""
    for work in works:
        work()
    times = [[seconds(work) for work in works] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def per_second(count: float, duration: float) -> str:
    """Return a rate with a unit."""
    rate = count / duration
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if rate >= size:
            return f"{rate / size:.3g} {unit}/s"
    return f"{rate:.3g} /s"


def milliseconds(duration: float) -> str:
    """Return a duration with a unit."""
    return f"{duration:.3g} s" if duration >= 1 else f"{1000 * duration:.3g} ms"
