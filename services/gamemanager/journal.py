"""Where tables are kept: every event is written before anybody hears of it.

A journal is lines of JSON, one for each change of a table. With a file, a line is handed to the operating
system before the change is announced, so that killing the process loses nothing; `sync` also waits for the
disk, for machines that lose power. With Redis it is an entry of a stream.
"""

import asyncio
import fcntl
import json
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

from riverboat.rpc.server import CannotStart
from riverboat.tables.events import Event, decode, dumps, encode

Change = tuple[str, list[Event]]  # a table's id, and what happened at it


class Journal(Protocol):
    """Keeps changes in order."""

    def read(self) -> AsyncIterator[Change]:
        """All changes so far."""

    async def append(self, table_id: str, events: Sequence[Event]) -> None:
        """Add a change; it is safe when this returns."""

    async def close(self) -> None:
        """No more changes."""


class FileJournal:
    """A journal in a local file."""

    def __init__(self, path: Path, sync: bool) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = path.open("a+b", buffering=0)
        except OSError as error:
            raise CannotStart("journal", f"cannot write to {path}: {error.strerror}") from None
        self._sync = sync
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotStart("journal", f"another process writes to {path}") from None

    async def read(self) -> AsyncIterator[Change]:
        """All changes so far. A last line that was cut off was never announced: it is removed."""
        self._file.seek(0)
        good = 0
        with os.fdopen(os.dup(self._file.fileno()), "rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                good += len(line)
                yield _loads(line.decode())
        self._file.truncate(good)

    async def append(self, table_id: str, events: Sequence[Event]) -> None:
        """Add a line."""
        self._file.write(_line(table_id, events).encode() + b"\n")
        if self._sync:
            await asyncio.to_thread(os.fsync, self._file.fileno())

    async def close(self) -> None:
        """Give the file up."""
        self._file.close()


class RedisJournal:
    """A journal in a stream of Redis, which keeps it as safe as its own settings say."""

    _KEY = "riverboat:journal"
    _AT_A_TIME = 1000

    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis

        self._redis: Any = Redis.from_url(url, decode_responses=True)

    async def read(self) -> AsyncIterator[Change]:
        """All changes so far."""
        after = "-"
        while entries := await self._redis.xrange(self._KEY, min=after, count=self._AT_A_TIME):
            for entry_id, fields in entries:
                yield _loads(fields["change"])
                after = f"({entry_id}"

    async def append(self, table_id: str, events: Sequence[Event]) -> None:
        """Add an entry."""
        await self._redis.xadd(self._KEY, {"change": _line(table_id, events)})

    async def close(self) -> None:
        """Hang up."""
        await self._redis.aclose()


def _line(table_id: str, events: Sequence[Event]) -> str:
    return dumps({"table": table_id, "events": [encode(event) for event in events]})


def _loads(line: str) -> Change:
    found = json.loads(line)
    return found["table"], [decode(event) for event in found["events"]]
