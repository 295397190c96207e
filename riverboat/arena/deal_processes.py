"""Independent deals on one process or several: the same numbers either way."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from signal import SIG_IGN, SIGINT, signal
from typing import Any

import numpy as np

from riverboat.parallel import Runner, on_threads, serial

Prepare = Callable[[], None]  # a function at the top of a module: processes that are started afresh import it

_LARGEST_PART = 32  # deals: some milliseconds with quick bots, much longer than handing them to a process takes
_PARTS = 100  # of a progress bar, if there are as many deals


@contextmanager
def running(processes: int, prepare: Prepare | None = None) -> Iterator[Runner]:
    """Yield a runner for parts of a long computation on this many processes, each of which may prepare first.

    Preparing is for other processes only: a single process is the caller's own.
    """
    if processes == 1:
        yield serial
        return
    # Not forked: a copy of a process that has threads, such as a server's, may hang.
    # Ctrl-C reaches all processes of a terminal: this one decides what happens then.
    executor = ProcessPoolExecutor(processes, get_context("spawn"), _begin, (prepare,))
    try:
        yield on_threads(executor, 2 * processes)
    finally:
        executor.shutdown(cancel_futures=True)


def _begin(prepare: Prepare | None) -> None:
    signal(SIGINT, SIG_IGN)
    if prepare is not None:
        prepare()


def parts_of(deals: range, whole_count: int, most: int = _LARGEST_PART) -> list[range]:
    """Return deals in parts that are done together, of at most `most`; `whole_count` deals make a hundred parts."""
    size = max(1, min(most, -(-whole_count // _PARTS)))
    return [range(first, min(first + size, deals.stop)) for first in range(deals.start, deals.stop, size)]


def child_of(rng: np.random.Generator, *places: int) -> np.random.Generator:
    """Return `rng.spawn(place + 1)[place]` of a fresh generator, then its child, and so on, without spawning others."""
    seed: Any = rng.bit_generator.seed_seq
    child = type(seed)(seed.entropy, spawn_key=(*seed.spawn_key, *places), pool_size=seed.pool_size)
    return np.random.Generator(type(rng.bit_generator)(child))
