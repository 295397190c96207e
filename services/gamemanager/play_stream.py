"""One chair's two-way stream: decisions and contributions come in, views and refusals go out."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

from riverboat.contracts.tables import Decision, Refusal
from riverboat.dealing.memory import Contribution
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.services.gamemanager.manager import Manager
from riverboat.tables.view import TableView

Decode = Callable[[], str | Decision | Contribution]  # returns a token, a decision or a contribution, or raises
Answers = asyncio.Queue[TableView | Refusal]


async def play(manager: Manager, requests: AsyncIterator[Decode]) -> AsyncIterator[TableView | Refusal]:
    """Yield views of the chair whose token comes first, and take its decisions, until one side hangs up."""
    first = await anext(requests, None)
    token = first() if first else None
    if not isinstance(token, str):
        raise InvalidInput("token", "must come first")
    answers: Answers = asyncio.Queue(maxsize=1)  # a slow client gets the newest view
    tasks = [
        asyncio.create_task(_send_views(manager, token, answers)),
        asyncio.create_task(_take_decisions(manager, token, requests, answers)),
    ]
    try:
        while (answer := await _next_answer(answers, tasks)) is not None:
            yield answer
        for task in tasks:
            if task.done():
                task.result()
    finally:
        # Not awaited: they may wait for something that never comes once this stream is gone.
        for task in tasks:
            task.cancel()
            task.add_done_callback(_forget)


async def _next_answer(answers: Answers, tasks: "list[asyncio.Task[None]]") -> TableView | Refusal | None:
    """Return the next message to send; None when one side has left."""
    getting = asyncio.create_task(answers.get())
    try:
        await asyncio.wait({getting, *tasks}, return_when=asyncio.FIRST_COMPLETED)
        if getting.done():
            return getting.result()
        return None if answers.empty() else answers.get_nowait()
    finally:
        getting.cancel()


def _forget(task: "asyncio.Task[None]") -> None:
    if not task.cancelled():
        task.exception()  # retrieved, so that asyncio does not report it


async def _send_views(manager: Manager, token: str, answers: Answers) -> None:
    async with aclosing(manager.views(token)) as views:
        async for view in views:
            await answers.put(view)


async def _take_decisions(manager: Manager, token: str, requests: AsyncIterator[Decode], answers: Answers) -> None:
    """Take decisions until the player hangs up; bytes that do not decode end the stream with an error."""
    async for decode in requests:
        request_id = ""
        try:
            decision = decode()
            if isinstance(decision, str):
                raise InvalidInput("token", "must be sent only once, in the first message")
            if isinstance(decision, Contribution):
                await manager.contribute(token, decision)
                continue
            request_id = decision.request_id
            await manager.act(token, decision)
        except RiverboatError as error:
            await answers.put(Refusal(request_id=request_id, error=error))
