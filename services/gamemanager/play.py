"""One chair's two-way stream: decisions come in, views and refusals go out."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from riverboat.errors import InvalidInput, RiverboatError
from riverboat.tables.view import Refusal, TableView
from services.gamemanager.manager import Manager

Decision = tuple[str, int, int, int]  # request id, hand number, action number, action
Decode = Callable[[], str | Decision]  # a token or a decision, or an error


async def play(manager: Manager, requests: AsyncIterator[Decode]) -> AsyncIterator[TableView | Refusal]:
    """Views of the chair whose token comes first, as long as both sides stay; decisions are taken meanwhile."""
    first = await anext(requests, None)
    token = first() if first else None
    if not isinstance(token, str):
        raise InvalidInput("token", "must come first")
    answers: asyncio.Queue[TableView | Refusal | None] = asyncio.Queue(maxsize=1)  # who is slow gets the newest view
    tasks = [
        asyncio.create_task(_send_views(manager, token, answers)),
        asyncio.create_task(_take_decisions(manager, token, requests, answers)),
    ]
    try:
        while (answer := await answers.get()) is not None:
            yield answer
        for task in tasks:
            if task.done() and not task.cancelled() and (error := task.exception()):
                raise error
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, Exception):
                await task


async def _send_views(manager: Manager, token: str, answers: "asyncio.Queue[TableView | Refusal | None]") -> None:
    try:
        async for view in manager.views(token):
            await answers.put(view)
    finally:
        await answers.put(None)


async def _take_decisions(
    manager: Manager,
    token: str,
    requests: AsyncIterator[Decode],
    answers: "asyncio.Queue[TableView | Refusal | None]",
) -> None:
    async for decode in requests:
        request_id = ""
        try:
            decision = decode()
            if isinstance(decision, str):
                raise InvalidInput("token", "comes only once")
            request_id = decision[0]
            await manager.act(token, *decision)
        except RiverboatError as error:
            await answers.put(Refusal(request_id, error))
    await answers.put(None)  # the player has hung up
