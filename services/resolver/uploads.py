"""Files that clients send in chunks, within a limit on the bytes of all uploads."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from riverboat.errors import InvalidInput, TooLarge

T = TypeVar("T")
_CHUNK_SECONDS = 30  # a client's time limit for the next chunk


class Uploads:
    """Counts the bytes of all uploads under way."""

    def __init__(self, byte_limit: int) -> None:
        self._limit, self._taken = byte_limit, 0

    async def take(self, chunks: AsyncIterator[bytes], use: Callable[[bytes], Awaitable[T]]) -> T:
        """Collect a file, pass it to `use` and return the result; its bytes count until `use` is done."""
        parts: list[bytes] = []
        try:
            while (chunk := await _next(chunks)) is not None:
                parts.append(chunk)
                self._taken += len(chunk)
                if self._taken > self._limit:
                    raise TooLarge(f"{self._taken:,} bytes of uploads are under way; the limit is {self._limit:,}")
            return await use(b"".join(parts))
        finally:
            self._taken -= sum(map(len, parts))


async def _next(chunks: AsyncIterator[bytes]) -> bytes | None:
    try:
        async with asyncio.timeout(_CHUNK_SECONDS):
            return await anext(chunks, None)
    except TimeoutError:
        raise InvalidInput("chunk", f"no chunk arrived for {_CHUNK_SECONDS} seconds") from None
