"""Streams in both directions, with values instead of messages."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

AnswerT = TypeVar("AnswerT")


class ValueStream(Generic[AnswerT]):
    """An open call: requests go out one at a time, answers come in decoded. Errors are grpc.RpcError."""

    def __init__(self, call: Any, decode: Callable[[Any], AnswerT]) -> None:
        self._call, self._decode = call, decode
        self._writing = asyncio.Lock()  # gRPC ends a stream when two writes overlap

    async def write(self, message: Any) -> None:
        """Send a message, unless the stream has just ended: reading finds out why."""
        with suppress(asyncio.InvalidStateError):
            async with self._writing:
                await self._call.write(message)

    async def __aiter__(self) -> AsyncIterator[AnswerT]:
        async for answer in self._call:
            yield self._decode(answer)

    def cancel(self) -> None:
        """End the call."""
        self._call.cancel()
