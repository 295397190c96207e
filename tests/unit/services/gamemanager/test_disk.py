"""A disk that fails: refused changes have not happened, announced ones are kept, and tables continue."""

import asyncio
import errno
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from riverboat.contracts.tables import Decision
from riverboat.errors import Unavailable
from riverboat.rules.betting import FOLD
from riverboat.rules.variant import no_limit
from riverboat.services.gamemanager import creation, live_table
from riverboat.services.gamemanager.file_journal import FileJournal
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Left
from tests.processes import ROOT
from tests.unit.services.gamemanager.fakes import until
from tests.unit.services.gamemanager.test_journal import tables_in

CONFIG = TableConfig(name="t", variant=no_limit(50, 100), chair_count=2, buy_in=10_000, clock_ms=60_000)


def content(path: Path) -> bytes:
    return path.read_bytes()


class Disk:
    """A fake os.fsync: while `error` is set it fails, and bytes since the last success are lost."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._path, self.error, self.durable, self.count = path, 0, b"", 0
        monkeypatch.setattr(os, "fsync", self.fsync)

    def fsync(self, descriptor: int) -> None:
        self.count += 1
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
        self.durable = self._path.read_bytes()


class FaultyFile:
    """A file that takes half a line, then fails, and cannot be truncated while `cuts` is False."""

    def __init__(self, file: Any, error: int, is_short: bool = False) -> None:
        self._file, self._error, self._is_short, self.cuts = file, error, is_short, True

    def write(self, line: bytes) -> int:
        written: int = self._file.write(line[: len(line) // 2])
        if self._is_short:
            return written
        raise OSError(self._error, os.strerror(self._error))

    def truncate(self, size: int) -> int:
        if not self.cuts:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return int(self._file.truncate(size))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC])
async def test_after_an_fsync_that_failed_lines_are_written_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    disk = Disk(path, monkeypatch)
    journal = FileJournal(path, sync=True)
    await journal.append("a", 0, [Left(0)])
    await journal.append("b", 0, [Left(0)])
    whole = content(path)
    disk.error = error
    appends = [journal.append("a", 1, [Left(1)]), journal.append("b", 1, [Left(1)])]  # at once: one is behind the other
    refused = await asyncio.gather(*appends, return_exceptions=True)
    assert [str(refusal) for refusal in refused] == [f"the journal cannot be written: {os.strerror(error)}"] * 2
    assert content(path) == whole
    disk.error = 0
    await journal.append("b", 1, [Left(2)])
    await journal.append("a", 1, [Left(3)])
    assert disk.durable == content(path)
    assert await tables_in(journal) == {"a": [[Left(0)], [Left(3)]], "b": [[Left(0)], [Left(2)]]}
    await journal.close()


async def test_a_line_that_came_while_an_fsync_failed_is_refused_as_well(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line behind bytes that may be lost must be refused: a second fsync would report success."""
    loop, begun, go_on = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    outcomes = [errno.EIO, 0]

    async def in_thread(work: Callable[[int], None], descriptor: int) -> None:
        begun.set()
        await go_on.wait()
        if error := outcomes.pop(0):
            raise OSError(error, os.strerror(error))

    monkeypatch.setattr(asyncio, "to_thread", in_thread)
    journal = FileJournal(path, sync=True)
    first = loop.create_task(journal.append("a", 0, [Left(0)]))
    await begun.wait()
    second = loop.create_task(journal.append("b", 0, [Left(0)]))
    await asyncio.sleep(0)  # written, waiting for the next fsync
    go_on.set()
    refused = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(refusal) for refusal in refused] == [Unavailable, Unavailable]
    await journal.append("b", 0, [Left(1)])
    assert await tables_in(journal) == {"b": [[Left(1)]]}
    await journal.close()


async def test_one_fsync_does_for_all_that_wait(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(path, monkeypatch)
    journal = FileJournal(path, sync=True)
    await asyncio.gather(*(journal.append(f"t{i}", 0, [Left(0)]) for i in range(50)))
    assert disk.count <= 2
    assert disk.durable == content(path)
    await journal.close()


@pytest.mark.parametrize(("error", "is_short"), [(errno.ENOSPC, False), (errno.EIO, False), (errno.ENOSPC, True)])
async def test_half_a_line_is_cut_off_before_the_next_one(path: Path, error: int, is_short: bool) -> None:
    journal = FileJournal(path, sync=False)
    await journal.append("a", 0, [Left(0)])
    file, whole = journal._file, content(path)
    faulty = FaultyFile(file, error, is_short)
    journal._file = faulty  # type: ignore[assignment]
    faulty.cuts = False
    for table_id, number in (("a", 1), ("b", 0)):
        with pytest.raises(Unavailable, match="cannot be written"):
            await journal.append(table_id, number, [Left(1)])
    assert len(content(path)) > len(whole)  # the rest of the first try; nothing follows it
    journal._file = file
    await journal.append("b", 0, [Left(2)])
    await journal.append("a", 1, [Left(3)])
    assert await tables_in(journal) == {"a": [[Left(0)], [Left(3)]], "b": [[Left(2)]]}
    await journal.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full does not exist here")
async def test_a_device_that_is_full_and_cannot_be_cut() -> None:
    journal = FileJournal(Path("/dev/full"), sync=False)
    for _ in range(3):
        with pytest.raises(Unavailable, match=r"No space left on device|Invalid argument"):
            await journal.append("a", 0, [Left(0)])
    await journal.close()


LIMITED = """
import asyncio, resource, sys
from pathlib import Path
from riverboat.errors import Unavailable
from riverboat.tables.events import Left
from riverboat.services.gamemanager.file_journal import FileJournal

async def main():
    journal = FileJournal(Path(sys.argv[1]), sync=True)
    written, refusals = 0, []
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
    while len(refusals) < 3:
        try:
            await journal.append("a", written, [Left(written)])
            written += 1
        except Unavailable as error:
            refusals.append(str(error))
    assert all("File too large" in refusal or "No space" in refusal for refusal in refusals), refusals
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    for _ in range(10):
        await journal.append("a", written, [Left(written)])
        written += 1
    print(written)

asyncio.run(main())
"""


async def test_a_real_file_that_may_not_grow(path: Path) -> None:
    """The kernel itself takes a part of a line, then nothing, as on a full disk."""
    words = [sys.executable, "-c", LIMITED, str(path)]
    done = await asyncio.to_thread(
        subprocess.run, words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    written = int(done.stdout)
    assert written > 10
    journal = FileJournal(path, sync=False)
    assert await tables_in(journal) == {"a": [[Left(number)] for number in range(written)]}
    await journal.close()


# Whole tables


@asynccontextmanager
async def managing(path: Path) -> AsyncIterator[Manager]:
    made = Manager(FileJournal(path, sync=True), TableQuota(10), 3600)
    await made.load()
    yield made
    await made.close()


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (creation, live_table):
        monkeypatch.setattr(module, "_RETRY_SECONDS", 0.02)


@pytest.mark.usefixtures("soon")
async def test_a_table_waits_for_the_disk_and_goes_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(path, monkeypatch)
    async with managing(path) as made:
        info, _ = await made.create(CONFIG, "a client")
        tokens = [(await made.join(info.table_id, name, None, name * 16))[1] for name in "ab"]
        await until(lambda: any(made.view(token).is_your_turn for token in tokens))
        disk.error = errno.EIO
        actor = next(token for token in tokens if made.view(token).is_your_turn)
        before = made.view(actor)
        with pytest.raises(Unavailable, match="Input/output error"):
            await made.act(
                actor,
                Decision(
                    request_id="r1", hand_number=before.hand_number, action_number=before.action_number, action=FOLD
                ),
            )
        assert made.view(actor).waits_for == "the journal cannot be written: Input/output error"
        assert made.view(actor).action_number == before.action_number
        disk.error = 0
        await until(lambda: not made.view(actor).waits_for)
        # A fold ends the hand, and a timer deals the next one: it must have survived, too.
        await made.act(
            actor,
            Decision(request_id="r1", hand_number=before.hand_number, action_number=before.action_number, action=FOLD),
        )
        await until(lambda: made.view(actor).hand_number == before.hand_number + 1)
        stacks = made.tables.table(info.table_id).table.stacks
    assert disk.durable == content(path)
    async with managing(path) as again:
        assert again.view(actor).hand_number == before.hand_number + 1
        assert again.tables.table(info.table_id).table.stacks == stacks


@pytest.mark.usefixtures("soon")
async def test_what_happens_by_itself_is_tried_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer deals the first hand while the disk fails."""
    disk = Disk(path, monkeypatch)
    async with managing(path) as made:
        info, _ = await made.create(CONFIG, "a client")
        token = (await made.join(info.table_id, "ann", None, "a" * 16))[1]
        table = made.tables.table(info.table_id)
        start_hand, errors = table._next_hand, [errno.EIO]

        async def fail_first() -> None:
            if errors:
                disk.error = errors.pop()
            await start_hand()

        monkeypatch.setattr(table, "_next_hand", fail_first)
        await made.join(info.table_id, "bob", None, "b" * 16)
        await until(lambda: table.waits_for)
        disk.error = 0
        await until(lambda: made.view(token).hand_number == 1)


@pytest.mark.usefixtures("soon")
async def test_a_disk_that_is_full_at_the_start_keeps_nobody_down(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(path, monkeypatch)
    async with managing(path) as made:
        info, dealer = await made.create(CONFIG, "a client")
        live = made.tables.table(info.table_id)
        monkeypatch.setattr(live.table, "tidy", list)  # killed between closing and closed
        await made.close_table(info.table_id, dealer)
    disk.error = errno.ENOSPC
    async with managing(path) as again:
        assert again.tables.table(info.table_id).waits_for
        disk.error = 0
        await until(lambda: again.tables.table(info.table_id).table.is_closed)


@pytest.mark.usefixtures("soon")
async def test_a_table_that_could_not_be_created_is_not_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(path, monkeypatch)
    async with managing(path) as made:
        disk.error = errno.EIO
        with pytest.raises(Unavailable):
            await made.create(CONFIG, "a client")
        disk.error = 0
        await until(lambda: content(path))
    async with managing(path) as again:
        assert not again.tables.infos(include_closed=True)
