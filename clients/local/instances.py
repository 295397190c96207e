"""More processes of the same command, each with a memory of its own, which end when the first one does."""

import asyncio
import sys
from collections.abc import Coroutine, Sequence
from typing import Any

from riverboat.clients.remote.refusals import Refused

_STOP_SECONDS = 5


async def run_with_instances(work: Coroutine[Any, Any, None], words: Sequence[str], more: int) -> None:
    """Run some work, and beside it so many processes of `riverboat` with these words; all end when one of them does."""
    processes = [await _started(words) for _ in range(more)]
    working = asyncio.create_task(work)
    ends = [asyncio.create_task(process.wait()) for process in processes]
    try:
        await asyncio.wait([working, *ends], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():  # it has said why
            codes = ", ".join(str(end.result()) for end in ends if end.done())
            raise Refused(f"another instance of the bot has ended with exit code {codes}")
        working.result()
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        for process in processes:
            await _stop(process)
        await asyncio.gather(*ends, return_exceptions=True)


async def _started(words: Sequence[str]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "riverboat.clients.console", *words),
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
