"""Bots in several processes, each with a memory of its own, which end together."""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine, Sequence
from typing import Any

from riverboat.clients.remote.refusals import Refused

_STOP_SECONDS = 5


async def run_with_instances(work: Coroutine[Any, Any, None], arguments: Sequence[str], more: int) -> None:
    """Run some work beside `more` processes of `riverboat WORDS`; all end when one of them does."""
    processes = [await _started(arguments) for _ in range(more)]
    working = asyncio.create_task(work)
    ends = [asyncio.create_task(process.wait()) for process in processes]
    try:
        await asyncio.wait([working, *ends], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():  # an instance ended, and its own output says why
            codes = ", ".join(str(end.result()) for end in ends if end.done())
            raise Refused(f"another instance of the bot ended with exit code {codes}")
        working.result()
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        for process in processes:
            await _stop(process)
        await asyncio.gather(*ends, return_exceptions=True)


async def _started(arguments: Sequence[str]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "riverboat.clients.console", *arguments),
        stdin=asyncio.subprocess.PIPE,  # it ends with its input, however we end
        start_new_session=True,  # Ctrl-C is for us: we stop it in order
    )


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), _STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


def run_until_stopped(work: Coroutine[Any, Any, None], until_input_ends: bool = False) -> None:
    """Run until done, until SIGTERM or SIGHUP, or until the process that started us is gone.

    The signals cancel the work, as Ctrl-C does. An exception raised by a signal handler could hit the loop's own code,
    and the chair would not be given back.
    """
    stopped: list[int] = []

    async def until_stopped() -> None:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()

        def stop(number: int) -> None:
            stopped.append(number)
            if task:
                task.cancel()

        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop, number)
        if until_input_ends:
            reading = sys.stdin.fileno()
            loop.add_reader(reading, lambda: None if os.read(reading, 1024) else stop(signal.SIGTERM))
        await work

    try:
        asyncio.run(until_stopped())
    except asyncio.CancelledError:
        if not stopped:
            raise
        sys.exit(128 + stopped[0])
