import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Generator

import pytest
from structlog.testing import capture_logs

from riverboat.errors import InvalidInput, TooLarge
from riverboat.rpc.work import Workers


class Gate(threading.Event):
    """A gate that blocks until it is set, and knows whether a thread waits."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = threading.Event()

    def pass_through(self) -> None:
        self.reached.set()
        self.wait(timeout=10)


def counting(closed: threading.Event, gate: Gate | None = None) -> Generator[int, None, None]:
    try:
        for n in range(1000):
            if gate and n:
                gate.pass_through()
            yield n
    finally:
        closed.set()


async def abandon(stream: AsyncIterator[int], gate: Gate) -> None:
    """Read a stream, and go away while its next step waits at the gate."""

    async def read() -> None:
        async for _ in stream:
            pass

    reader = asyncio.create_task(read())
    assert await asyncio.to_thread(gate.reached.wait, 10)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader


async def test_a_stream_yields_everything_and_is_closed() -> None:
    workers, closed = Workers(1, 1), threading.Event()
    assert [n async for n in workers.stream(lambda: counting(closed))] == list(range(1000))
    assert await asyncio.to_thread(closed.wait, 5)


async def test_calls_of_some_size_run_on_threads() -> None:
    workers = Workers(1, 1)
    here = threading.current_thread().name
    assert await workers.call(lambda: threading.current_thread().name, size=1) == here
    assert (await workers.call(lambda: threading.current_thread().name, size=100)).startswith("short")


async def test_an_abandoned_stream_is_closed_at_its_next_item() -> None:
    workers, closed, gate = Workers(1, 1), threading.Event(), Gate()

    await abandon(workers.stream(lambda: counting(closed, gate)), gate)
    assert not closed.is_set()
    gate.set()
    assert await asyncio.to_thread(closed.wait, 5)


async def test_long_calls_are_limited_and_room_is_given_back() -> None:
    workers, closed, gate = Workers(1, 1), threading.Event(), Gate()
    stream = workers.stream(lambda: counting(closed, gate))
    assert await anext(stream) == 0
    with pytest.raises(TooLarge, match="1 long calls are open, which is the limit"):
        await anext(workers.stream(lambda: counting(closed)))
    gate.set()
    await stream.aclose()  # type: ignore[attr-defined]  # it is a generator
    assert await anext(workers.stream(lambda: counting(closed))) == 0


async def test_errors_of_a_stream_reach_the_caller() -> None:
    def failing() -> Generator[int, None, None]:
        yield 1
        raise InvalidInput("x", "why")

    def refusing() -> Generator[int, None, None]:
        raise InvalidInput("y", "at once")

    workers = Workers(1, 1)
    with pytest.raises(InvalidInput, match="x: why"):
        assert [n async for n in workers.stream(failing)] == []
    with pytest.raises(InvalidInput, match="y: at once"):
        assert [n async for n in workers.stream(refusing)] == []
    assert [n async for n in workers.stream(lambda: (n for n in range(3)))] == [0, 1, 2]


@pytest.mark.parametrize(
    ("error", "events"), [(InvalidInput("pot", "is odd"), []), (ZeroDivisionError("a bug"), ["bug"])]
)
async def test_what_an_abandoned_step_raises_is_logged_only_if_it_is_a_bug(error: Exception, events: list[str]) -> None:
    """Otherwise asyncio logs an error for every late refusal."""
    workers, gate = Workers(1, 1), Gate()
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))

    def failing() -> Generator[int, None, None]:
        gate.pass_through()
        raise error
        yield 0

    await abandon(workers.stream(failing), gate)
    with capture_logs() as logs:
        gate.set()
        await workers.prepare(lambda: workers._long.shutdown(wait=True))  # until the step is over
        await asyncio.sleep(0.1)
        gc.collect()
        await asyncio.sleep(0)
    assert [line["event"] for line in logs] == events
    assert complaints == []
