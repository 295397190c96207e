"""An outbox: what one browser is still to be sent."""

import asyncio
from collections import deque

_MOST = 60  # messages: a browser that is further behind gets only the newest


class Outbox:
    """Messages for one socket. One that does not keep up misses some, and never holds up others."""

    def __init__(self) -> None:
        self._messages: deque[str] = deque()
        self._arrived = asyncio.Event()

    def put(self, message: str) -> None:
        """Add a message."""
        if len(self._messages) >= _MOST:
            self._messages.clear()
        self._messages.append(message)
        self._arrived.set()

    async def get(self) -> str:
        """Wait for the next message."""
        while not self._messages:
            self._arrived.clear()
            await self._arrived.wait()
        return self._messages.popleft()
