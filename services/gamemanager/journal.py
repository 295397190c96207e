"""Where tables are kept: every event is written before anybody hears of it.

A journal is lines of JSON, one for each change of a table. With a file, a line is handed to the operating
system before the change is announced, so that killing the process loses nothing; `sync` also waits for the
disk, for machines that lose power. With Redis it is an entry of a stream.

Changes of a table are numbered. When it is not known whether a change was written, because Redis went away before
it answered, the table stays as it was and its next change has the same number: the later one counts. So that the first
one cannot arrive after that, whatever the network does, nothing is accepted any more that was sent before.
"""

import asyncio
import errno
import fcntl
import json
import os
import secrets
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

from riverboat.errors import Unavailable
from riverboat.rpc.logs import log
from riverboat.rpc.settings import CannotStart
from riverboat.tables.events import Event, decode, dumps, encode

_AWAY = "the journal cannot be written: its Redis does not answer"

Change = tuple[str, int, list[Event]]  # a table's id, the number of the change from 0, and what happened


class Journal(Protocol):
    """Keeps changes in order."""

    def read(self) -> AsyncIterator[Change]:
        """All changes so far."""

    async def append(self, table_id: str, number: int, events: Sequence[Event]) -> None:
        """Add a change; it is safe when this returns. Unavailable if it cannot be written."""

    async def close(self) -> None:
        """No more changes."""


async def settled(journal: Journal) -> AsyncIterator[Change]:
    """The changes that count, in order. A table's last one is held back until it is known that none replaces it.

    Its first one, which creates it, is not held back: if it is replaced, then by nothing, because that failed.
    """
    places: dict[str, int] = {}
    held: dict[str, Change] = {}
    async for change in journal.read():
        table_id, number, events = change
        place = places.get(table_id, -1)
        if number > place + 1:
            raise CannotStart("journal", f"table {table_id} lacks changes before number {number}")
        if number < place or (number == place == 0 and events):
            log.warning("a change that came too late", table=table_id, number=number)
            continue
        if number > place and table_id in held:
            yield held.pop(table_id)
        places[table_id] = number
        if number == 0:
            yield change
        else:
            held[table_id] = change
    for change in held.values():
        yield change


class FileJournal:
    """A journal in a local file."""

    def __init__(self, path: Path, sync: bool) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # For nobody else's eyes: it has the seeds of hands that are being played.
            self._file: IO[bytes] = open(path, "a+b", buffering=0, opener=_private)  # noqa: SIM115
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
                yield _loads(line)
        self._file.truncate(good)

    async def append(self, table_id: str, number: int, events: Sequence[Event]) -> None:
        """Add a line; all of it or nothing."""
        line, end = _line(table_id, number, events).encode() + b"\n", self._file.seek(0, os.SEEK_END)
        try:
            if self._file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            self._file.truncate(end)
            raise Unavailable(f"the journal cannot be written: {error.strerror}") from None
        if self._sync:
            await asyncio.to_thread(os.fsync, self._file.fileno())

    async def close(self) -> None:
        """Give the file up."""
        self._file.close()


class RedisJournal:
    """A journal in a stream of Redis, which keeps it as safe as its own settings say."""

    _KEY = "riverboat:journal"
    _OWNER_KEY = "riverboat:journal:owner"
    _AT_A_TIME = 1000
    # Whoever has read the journal last may write to it: a manager that was thought dead cannot get in between.
    _APPEND = """
        if redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
        return redis.call('XADD', KEYS[1], '*', 'change', ARGV[2])
    """
    # Under a new name, what was sent under the old one is refused. This may have to be tried again as well.
    _RENAME = """
        local owner = redis.call('GET', KEYS[1])
        if owner ~= ARGV[1] and owner ~= ARGV[2] then return false end
        return redis.call('SET', KEYS[1], ARGV[2])
    """

    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis
        from redis.exceptions import RedisError, ResponseError

        self._failures, self._answers = (RedisError, OSError), ResponseError
        try:
            self._redis: Any = Redis.from_url(url, decode_responses=True)
        except ValueError as error:
            raise CannotStart("redis_url", str(error)) from None
        self._append = self._redis.register_script(self._APPEND)
        self._rename = self._redis.register_script(self._RENAME)
        self._name = self._next_name = secrets.token_hex(8)
        self._renaming = asyncio.Lock()

    async def read(self) -> AsyncIterator[Change]:
        """All changes so far; from now on nobody else can add any."""
        await self._ask(self._redis.set(self._OWNER_KEY, self._name))
        after = "-"
        while entries := await self._read_after(after):
            for entry_id, fields in entries:
                yield _loads(fields["change"].encode())
                after = f"({entry_id}"

    async def _read_after(self, after: str) -> Any:
        return await self._ask(self._redis.xrange(self._KEY, min=after, count=self._AT_A_TIME))

    async def _ask(self, answer: Any) -> Any:
        try:
            return await answer
        except self._failures as error:
            raise CannotStart("redis_url", f"the journal cannot be read: {error}") from None

    async def append(self, table_id: str, number: int, events: Sequence[Event]) -> None:
        """Add an entry."""
        line = _line(table_id, number, events)
        try:
            await self._take_next_name()
            name = self._name
            added = await self._append(keys=[self._KEY, self._OWNER_KEY], args=[name, line])
        except self._answers as error:  # it has refused, so nothing was written: it is full, say
            raise Unavailable("the journal cannot be written: its Redis takes nothing more") from error
        except self._failures as error:
            if self._next_name == self._name:  # what was sent may still arrive: not under this name
                self._next_name = secrets.token_hex(8)
            raise Unavailable(_AWAY) from error
        if not added:
            taken_over = "the journal cannot be written: another game manager has taken it over"
            raise Unavailable(taken_over if name == self._name else _AWAY)

    async def _take_next_name(self) -> None:
        if self._next_name == self._name:
            return
        async with self._renaming:
            name, next_name = self._name, self._next_name
            if name != next_name and await self._rename(keys=[self._OWNER_KEY], args=[name, next_name]):
                self._name = next_name

    async def close(self) -> None:
        """Hang up."""
        await self._redis.aclose()


def _line(table_id: str, number: int, events: Sequence[Event]) -> str:
    return dumps({"table": table_id, "number": number, "events": [encode(event) for event in events]})


def _loads(line: bytes) -> Change:
    try:
        found = json.loads(line)
        return found["table"], found["number"], [decode(event) for event in found["events"]]
    except (ValueError, KeyError, TypeError) as error:
        raise CannotStart("journal", f"an entry cannot be read ({error}): {line[:60]!r}") from None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)
