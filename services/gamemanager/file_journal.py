"""A journal in a local file. While the disk fails, tables wait."""

import asyncio
import errno
import fcntl
import os
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from riverboat.errors import Unavailable
from riverboat.rpc.logs import log
from riverboat.rpc.settings import CannotStart
from riverboat.services.gamemanager.journal import Change, Damage, LineEvent
from riverboat.services.gamemanager.journal_lines import copies_of, decode_line, encode_line

_BLOCK, _SECTOR = 1 << 20, 4096  # bytes read at a time, and bytes that a disk loses at a time
_UNREADABLE = b"\xff"  # stands for each byte that cannot be read; no line contains it


class FileJournal:
    """A journal in a file that only its owner can read: it has the seeds of hands in play.

    A line that could not be written completely is cut off before anything else is added. After a failed fsync it is
    unknown which bytes since the last successful one are on the disk, and the next fsync may succeed all the same. So
    all lines since then are cut off and refused, and their tables write again, with the same numbers.
    """

    def __init__(self, path: Path, sync: bool) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = open(path, "a+b", buffering=0, opener=_private)  # noqa: SIM115
            self._end = self._file.seek(0, os.SEEK_END)  # of all whole lines
        except OSError as error:
            raise CannotStart("journal", f"cannot write to {path}: {error.strerror}") from None
        self._path, self._sync = path, sync
        self._synced = self._end  # the disk has everything up to here
        self._is_torn = False  # whether bytes after the end have to be cut off
        self._waiting: list[asyncio.Future[None]] = []  # lines that wait for the next fsync
        self._syncing: asyncio.Task[None] | None = None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotStart("journal", f"another process writes to {path}") from None

    # Reading

    async def read(self) -> AsyncIterator[Change | Damage]:
        """Yield all changes so far. A cut-off last line was never announced; it is moved to a file of its own."""
        end, tail, position = 0, b"", ""
        for position, line in self._lines():
            if line.endswith(b"\n"):
                end += len(line)
                yield decode_line(line[:-1], position)
            else:
                tail = line
        self._end = self._synced = end
        if tail:
            readable = [part for part in (tail, tail[:-1]) if not isinstance(decode_line(part, position), Damage)]
            whole = readable[0] if readable else b"" if _is_cut_off(tail) else tail
            self._end_tail(tail, whole)
            if whole:
                yield decode_line(whole, position)

    def _lines(self) -> Iterator[tuple[str, bytes]]:
        """Yield all lines, each with its position."""
        number, parts = 1, list[bytes]()
        for start in range(0, self._size(), _BLOCK):
            first, *others = self._block(start, min(_BLOCK, self._size() - start)).split(b"\n")
            parts.append(first)
            for other in others:
                yield f"line {number}", b"".join(parts) + b"\n"
                number, parts = number + 1, [other]
        if tail := b"".join(parts):
            yield f"line {number}", tail

    def _size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def _block(self, start: int, length: int) -> bytes:
        """Return a part of the file, sector by sector if the disk cannot read all of it."""
        try:
            return os.pread(self._file.fileno(), length, start)
        except OSError as error:
            if length > _SECTOR:
                parts = range(start, start + length, _SECTOR)
                return b"".join(self._block(part, min(_SECTOR, start + length - part)) for part in parts)
            log.error("journal_sector_unreadable", position=f"byte {start}", bytes=length, reason=error.strerror)
            return _UNREADABLE * length

    def _end_tail(self, tail: bytes, whole: bytes) -> None:
        """Add the missing line end to the last line, or remove the line if `whole` is empty."""
        log.warning("journal_line_cut_off", position=f"byte {self._end}", bytes=len(tail), is_kept=bool(whole))
        if not whole:
            self._copy(f"byte {self._end}", tail, {})
        self._end += len(whole)
        self._cut_off()
        try:
            self._write(b"\n" if whole else b"")
        except Unavailable as error:
            if whole:  # the next line must not become part of it
                raise CannotStart("journal", str(error)) from None
        self._synced = self._end

    async def set_aside(self, tables: Collection[str]) -> Mapping[str, str]:
        """Copy lines to files in a folder beside the journal."""
        copies: dict[str, str] = {}
        for position, line in self._lines():
            for name in copies_of(line.removesuffix(b"\n"), position, tables):
                self._copy(name, line, copies)
        return copies

    def _copy(self, name: str, line: bytes, copies: dict[str, str]) -> None:
        """Add a line to a copy; the first line replaces the copy of an earlier start."""
        path = self._path.with_suffix(".damaged") / f"{name.replace(' ', '-')}.jsonl"
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            with open(path, "ab" if name in copies else "wb", opener=_private) as file:
                file.write(line)
        except OSError as error:
            log.error("journal_copy_failed", copy=str(path), reason=error.strerror)
        else:
            copies[name] = str(path)

    # Writing

    async def append(self, table_id: str, number: int, events: Sequence[LineEvent]) -> None:
        """Add a line, all of it or nothing."""
        self._write(encode_line(table_id, number, events).encode() + b"\n")
        if self._sync:
            await self._wait_for_disk()

    def _write(self, line: bytes) -> None:
        try:
            self._mend()
            if line and self._file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            self._cut_off()
            raise _unavailable(error) from error
        self._end += len(line)

    def _mend(self) -> None:
        """Cut off bytes after the end. While that fails, nothing can be added."""
        if self._is_torn:
            self._file.truncate(self._end)
            self._is_torn = False

    def _cut_off(self) -> None:
        """Cut off bytes after the end, now or before the next line."""
        self._is_torn = True
        with suppress(OSError):
            self._mend()

    async def _wait_for_disk(self) -> None:
        """Wait for an fsync that begins from now on; many tables share one."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        if self._syncing is None:
            self._syncing = asyncio.create_task(self._sync_all())
        await waiter

    async def _sync_all(self) -> None:
        while self._waiting:
            waiters, self._waiting = self._waiting, []
            end = self._end
            try:
                await asyncio.to_thread(os.fsync, self._file.fileno())
            except OSError as error:
                waiters += self._waiting  # later lines are behind the lost ones
                self._waiting = []
                self._end = self._synced
                self._cut_off()
                _finish(waiters, error)
            else:
                self._synced = end
                _finish(waiters, None)
        self._syncing = None

    async def close(self) -> None:
        """Close the file."""
        if self._syncing is not None:
            await self._syncing
        self._file.close()


def _is_cut_off(tail: bytes) -> bool:
    """Return whether a last line is incomplete, perhaps followed by zeros after a power failure."""
    text = tail.rstrip(b"\0")
    return text.isascii() and text.decode("ascii").isprintable()


def _finish(waiters: Sequence["asyncio.Future[None]"], error: OSError | None) -> None:
    for waiter in waiters:
        if waiter.done():  # its caller has gone
            continue
        if error is None:
            waiter.set_result(None)
        else:
            refusal = _unavailable(error)
            refusal.__cause__ = error
            waiter.set_exception(refusal)


def _unavailable(error: OSError) -> Unavailable:
    return Unavailable(f"the journal cannot be written: {error.strerror}")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)
