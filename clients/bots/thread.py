"""Bots think in threads of their own, so that others go on meanwhile; nobody waits for one that never comes back."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


def in_thread(work: Callable[[], T]) -> "asyncio.Future[T]":
    """What comes of some work, done in a thread that does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[T] = loop.create_future()

    def tell(say: Callable[[Any], None], what: object) -> None:
        if not found.done():
            say(what)

    def run() -> None:
        say: Callable[[Any], None] = found.set_result
        try:
            what: object = work()
        except Exception as error:
            say, what = found.set_exception, error
        with suppress(RuntimeError):  # nobody is there any more
            loop.call_soon_threadsafe(tell, say, what)

    threading.Thread(target=run, name="bot", daemon=True).start()
    return found
