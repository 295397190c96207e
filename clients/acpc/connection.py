"""A connection between the dealer and one agent: lines both ways, with bounded memory."""

import asyncio

from riverboat.errors import RiverboatError
from riverboat.history.acpc_messages import LONGEST_MESSAGE

_MOST_UNREAD = 256 * 1024  # bytes buffered for an agent that does not read
_COMMENTS = ("#", ";")  # first characters of lines that an agent writes for people


class AgentLost(RiverboatError):
    """An agent that has left, or broke the protocol so that the match cannot go on."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} {reason}")
        self.name, self.reason = name, reason


class AgentConnection:
    """Lines to and from one agent. The dealer's buffers stay small, whatever the agent sends or leaves unread."""

    def __init__(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.name = name
        self._reader, self._writer = reader, writer

    def send(self, line: str) -> None:
        """Send a line; raise AgentLost if the agent has left, or leaves too much unread."""
        if self._writer.is_closing():
            raise AgentLost(self.name, "closed its connection")
        self._writer.write(f"{line}\r\n".encode("ascii"))
        if self._writer.transport.get_write_buffer_size() > _MOST_UNREAD:
            raise AgentLost(self.name, f"has left more than {_MOST_UNREAD // 1024} KB unread")

    async def line(self) -> str:
        """Return the agent's next line that is not a comment, without its line end."""
        while True:
            try:
                read = await self._reader.readuntil(b"\n")
            except asyncio.LimitOverrunError:
                raise AgentLost(self.name, f"sent a line of more than {LONGEST_MESSAGE:,} bytes") from None
            except (asyncio.IncompleteReadError, OSError):
                raise AgentLost(self.name, "closed its connection") from None
            text = read.decode("latin-1").rstrip("\r\n")  # any byte decodes; the dealer rejects what is not a message
            if not text.startswith(_COMMENTS):
                return text
            await asyncio.sleep(0)  # endless comments from one agent must not hold up the others

    async def close(self) -> None:
        """Close the connection once all sent lines have left; abort it after a second."""
        self._writer.close()
        try:
            async with asyncio.timeout(1):
                await self._writer.wait_closed()
        except (OSError, TimeoutError):
            self._writer.transport.abort()
