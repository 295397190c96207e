"""Where a server computes: off the event loop, on a bounded number of threads.

Kernels release the GIL, so that threads use all cores. Three groups of threads keep calls apart:
short calls have their own, so that no long call delays them; long calls take turns, a step at a time,
on threads that mostly wait; and the pieces of all their steps share the workers, first come first
served.
"""

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from riverboat.errors import RiverboatError, TooLarge
from riverboat.parallel import Runner, on_threads
from riverboat.rpc.logs import log

T = TypeVar("T")
_SHORT_THREADS = 4
_LONG_THREADS = 16
_FEW = 8  # items of about 20 microseconds each: a change of threads takes longer
_END = object()


class Workers:
    """Threads for the calls of one server."""

    def __init__(self, worker_count: int, long_call_limit: int) -> None:
        self._limit = long_call_limit
        self._long_calls = 0
        self._short = ThreadPoolExecutor(_SHORT_THREADS, "short")
        self._long = ThreadPoolExecutor(_LONG_THREADS, "long")
        self._pieces = ThreadPoolExecutor(worker_count, "worker")
        self.run: Runner = on_threads(self._pieces, in_flight=worker_count + 1)

    @property
    def long_calls(self) -> int:
        """How many long calls are open."""
        return self._long_calls

    async def prepare(self, function: Callable[[], None]) -> None:
        """Run a function that must end before the first call, such as compiling kernels."""
        await asyncio.get_running_loop().run_in_executor(self._short, function)

    async def call(self, function: Callable[[], T], size: int) -> T:
        """Return the result of a short function, which runs on a thread unless it has little to do."""
        return function() if size <= _FEW else await self.call_on_thread(function)

    async def call_on_thread(self, function: Callable[[], T]) -> T:
        """Return the result of a short function, which runs on a thread."""
        # With the context, so that the calls it makes carry the id of this one.
        return await asyncio.get_running_loop().run_in_executor(self._short, contextvars.copy_context().run, function)

    async def stream(self, start: Callable[[], Generator[T, None, None]]) -> AsyncIterator[T]:
        """Run a generator on threads, a step at a time, each when the previous item was taken; yield its items.

        If the caller goes away, the generator is closed at its next item.
        """
        if self._long_calls >= self._limit:
            raise TooLarge(f"{self._limit} long calls are open, which is the limit: try again later")
        self._long_calls += 1
        loop, run = asyncio.get_running_loop(), contextvars.copy_context().run
        under_way: asyncio.Future[Generator[T, None, None]] = loop.run_in_executor(self._long, run, start)
        step: asyncio.Future[T | object] | None = None
        try:
            steps = await _result_of(under_way)
            while True:
                step = loop.run_in_executor(self._long, run, _next, steps)
                item = await _result_of(step)
                if item is _END:
                    return
                yield item  # type: ignore[misc]  # not _END, hence a T
        except (asyncio.CancelledError, GeneratorExit):
            (step or under_way).add_done_callback(_note_bug)
            raise
        finally:
            last: asyncio.Future[Any] = step or under_way
            if last.done():
                self._end(under_way)
            else:  # a thread is in the generator: nobody else may close it
                last.add_done_callback(lambda _: self._end(under_way))

    def _end(self, started: "asyncio.Future[Generator[T, None, None]]") -> None:
        """Close a generator that is no longer running, and make room for another call."""
        self._long_calls -= 1
        if not started.cancelled() and not started.exception():
            started.result().close()

    def close(self) -> None:
        """Release the threads; calls under way end at their next item."""
        for pool in (self._short, self._long, self._pieces):
            pool.shutdown(wait=False, cancel_futures=True)


def _next(steps: Generator[T, None, None]) -> T | object:
    return next(steps, _END)


async def _result_of(under_way: "asyncio.Future[T]") -> T:
    """Return the result of a thread; the waiting task may be cancelled while the thread goes on."""
    await asyncio.wait((under_way,))  # not shield, whose own future may hold an error that nobody asks for
    return under_way.result()


def _note_bug(last: "asyncio.Future[Any]") -> None:
    """Log the error of a step whose caller is gone if it is a bug; refusals no longer matter."""
    error = None if last.cancelled() else last.exception()
    if error is not None and not isinstance(error, RiverboatError):
        log.error("bug", message="in a call that was given up", exc_info=error)


async def last_of(items: AsyncIterator[T | None]) -> T:
    """Return the last item of a stream; earlier items may be None."""
    last: T | None = None
    async for item in items:
        last = item
    if last is None:
        raise RuntimeError("a stream ended without an answer")
    return last
