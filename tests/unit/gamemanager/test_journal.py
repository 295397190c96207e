"""Journals: what is read is what was written, also after faults."""

import asyncio
import errno
from pathlib import Path
from typing import Any

import pytest

from riverboat.errors import Unavailable
from riverboat.rpc.settings import CannotStart
from riverboat.tables.events import Closing, Left, Rebought
from services.gamemanager.journal import FileJournal, Journal, settled


async def tables_in(journal: Journal) -> dict[str, Any]:
    """The changes that count, by table."""
    tables: dict[str, Any] = {}
    async for table_id, number, events in settled(journal):
        assert number == len(tables.setdefault(table_id, []))
        tables[table_id].append(events)
    return tables


def test_what_is_written_is_read(tmp_path: Path) -> None:
    async def write_and_read() -> dict[str, Any]:
        journal = FileJournal(tmp_path / "journal.jsonl", sync=True)
        await journal.append("a", 0, [Left(1)])
        await journal.append("b", 0, [Closing()])
        await journal.append("a", 1, [Left(2), Rebought(0, 5)])
        await journal.close()
        again = FileJournal(tmp_path / "journal.jsonl", sync=False)
        return await tables_in(again)

    assert asyncio.run(write_and_read()) == {"a": [[Left(1)], [Left(2), Rebought(0, 5)]], "b": [[Closing()]]}


def test_of_two_changes_with_one_number_the_later_counts(tmp_path: Path) -> None:
    async def write_and_read() -> dict[str, Any]:
        journal = FileJournal(tmp_path / "journal.jsonl", sync=False)
        await journal.append("a", 0, [Left(0)])
        await journal.append("a", 1, [Left(1)])  # perhaps written, perhaps not: nobody has heard of it
        await journal.append("a", 1, [Left(2)])
        await journal.append("a", 2, [Left(3)])
        return await tables_in(journal)

    assert asyncio.run(write_and_read()) == {"a": [[Left(0)], [Left(2)], [Left(3)]]}


def test_a_journal_with_a_gap_is_refused(tmp_path: Path) -> None:
    async def write_and_read() -> None:
        journal = FileJournal(tmp_path / "journal.jsonl", sync=False)
        await journal.append("a", 0, [Left(0)])
        await journal.append("a", 2, [Left(1)])
        await tables_in(journal)

    with pytest.raises(CannotStart, match="table a lacks changes before number 2"):
        asyncio.run(write_and_read())


@pytest.mark.parametrize("numbers", [(0, 0), (0, 1, 2, 1)])
def test_a_change_cannot_replace_one_that_counts_already(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    async def write_and_read() -> None:
        journal = FileJournal(tmp_path / "journal.jsonl", sync=False)
        for number in numbers:
            await journal.append("a", number, [Left(number)])
        await tables_in(journal)

    with pytest.raises(CannotStart, match=f"table a has number {numbers[-1]} again after number {numbers[-2]}"):
        asyncio.run(write_and_read())


class FullDisk:
    """A file that takes half a line and then fails."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, line: bytes) -> int:
        self._file.write(line[: len(line) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_a_full_disk_loses_nothing_that_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def write_and_read() -> dict[str, Any]:
        journal = FileJournal(tmp_path / "journal.jsonl", sync=False)
        await journal.append("a", 0, [Left(0)])
        with monkeypatch.context() as patch:
            patch.setattr(journal, "_file", FullDisk(journal._file))
            with pytest.raises(Unavailable, match="No space left"):
                await journal.append("a", 1, [Left(1)])
        await journal.append("a", 1, [Left(2)])
        return await tables_in(journal)

    assert asyncio.run(write_and_read()) == {"a": [[Left(0)], [Left(2)]]}
