"""A journal in a Redis stream."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any

from riverboat.errors import Unavailable
from riverboat.rpc.logs import log
from riverboat.rpc.settings import CannotStart
from riverboat.services.gamemanager.journal import Change, Damage, LineEvent
from riverboat.services.gamemanager.journal_lines import copies_of, decode_line, encode_line

_AWAY = "the journal cannot be written: its Redis does not answer"


class RedisJournal:
    """A journal in a Redis stream, as safe as the settings of that Redis.

    After a call without an answer the writer takes a new name, and Redis refuses anything sent under the old one: a
    change that is still under way cannot arrive after its replacement.
    """

    _KEY = "riverboat:journal"
    _OWNER_KEY = "riverboat:journal:owner"
    _COPY_KEY = "riverboat:journal:damaged:"
    _FIELD = b"change"
    _AT_A_TIME = 1000
    # The last reader of the journal may write to it: a manager that was presumed dead cannot interfere.
    _APPEND = """
        if redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
        return redis.call('XADD', KEYS[1], '*', 'change', ARGV[2])
    """
    # What was sent under the old name is refused from now on. This call may have to be retried as well.
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
            self._redis: Any = Redis.from_url(url)  # as bytes: a damaged entry may not be text
        except ValueError as error:
            raise CannotStart("redis_url", str(error)) from None
        self._append = self._redis.register_script(self._APPEND)
        self._rename = self._redis.register_script(self._RENAME)
        self._name = self._next_name = secrets.token_hex(8)
        self._renaming = asyncio.Lock()

    # Reading

    async def read(self) -> AsyncIterator[Change | Damage]:
        """Yield all changes so far; from now on nobody else can add any."""
        await self._ask(self._redis.set(self._OWNER_KEY, self._name))
        async for position, line in self._lines():
            yield decode_line(line, position)

    async def _lines(self) -> AsyncIterator[tuple[str, bytes]]:
        """Yield all lines, each with its position."""
        after = "-"
        while entries := await self._ask(self._redis.xrange(self._KEY, min=after, count=self._AT_A_TIME)):
            for entry_id, fields in entries:
                yield f"entry {entry_id.decode()}", fields.get(self._FIELD) or repr(fields).encode()
            after = f"({entries[-1][0].decode()}"

    async def _ask(self, answer: Any) -> Any:
        try:
            return await answer
        except self._failures as error:
            raise CannotStart("redis_url", f"the journal cannot be read: {error}") from None

    async def set_aside(self, tables: Collection[str]) -> Mapping[str, str]:
        """Copy lines to lists, one for each table."""
        copies: dict[str, str] = {}
        async for position, line in self._lines():
            for name in copies_of(line, position, tables):
                await self._copy(name, line, copies)
        return copies

    async def _copy(self, name: str, line: bytes, copies: dict[str, str]) -> None:
        """Add a line to a copy; the first line replaces the copy of an earlier start."""
        key = self._COPY_KEY + name.replace(" ", "-")
        try:
            if name not in copies:
                await self._redis.delete(key)
            await self._redis.rpush(key, line)
        except self._failures as error:
            log.error("journal_copy_failed", copy=key, reason=str(error))
        else:
            copies[name] = key

    # Writing

    async def append(self, table_id: str, number: int, events: Sequence[LineEvent]) -> None:
        """Add an entry."""
        line = encode_line(table_id, number, events)
        try:
            await self._take_next_name()
            name = self._name
            added = await self._append(keys=[self._KEY, self._OWNER_KEY], args=[name, line])
        except self._answers as error:  # it refused, for instance because it is full: nothing was written
            raise Unavailable("the journal cannot be written: its Redis refuses more data") from error
        except self._failures as error:
            if self._next_name == self._name:  # what was sent may still arrive, but not under the next name
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
        """Close the connection."""
        await self._redis.aclose()
