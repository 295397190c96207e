"""Bots think in separate threads, so that a slow bot does not delay others."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


def in_thread(work: Callable[[], T]) -> "asyncio.Future[T]":
    """Do some work in a daemon thread, which does not keep the process alive; return its future result."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def tell(setter: Callable[[Any], None], value: object) -> None:
        if not result.done():
            setter(value)

    def run() -> None:
        setter: Callable[[Any], None] = result.set_result
        try:
            value: object = work()
        except Exception as error:
            setter, value = result.set_exception, error
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(tell, setter, value)

    threading.Thread(target=run, name="bot", daemon=True).start()
    return result
