"""Journals: changes are read as they were written, also after faults."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks.redis_server import redis_server
from riverboat.errors import Unavailable
from riverboat.rpc.settings import CannotStart
from riverboat.services.gamemanager.file_journal import FileJournal
from riverboat.services.gamemanager.journal import Damage, Journal, settled
from riverboat.services.gamemanager.redis_journal import RedisJournal
from riverboat.tables.events import Closing, Left, Rebought
from tests.processes import free_port


async def tables_in(journal: Journal) -> dict[str, Any]:
    """Return the changes that count, by table."""
    tables: dict[str, Any] = {}
    async for entry in settled(journal):
        assert not isinstance(entry, Damage), entry
        table_id, number, events = entry
        assert number == len(tables.setdefault(table_id, []))
        tables[table_id].append(events)
    return tables


async def test_what_is_written_is_read(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "journal.jsonl", sync=True)
    await journal.append("a", 0, [Left(1)])
    await journal.append("b", 0, [Closing()])
    await journal.append("a", 1, [Left(2), Rebought(0, 5)])
    await journal.close()
    again = FileJournal(tmp_path / "journal.jsonl", sync=False)
    assert await tables_in(again) == {"a": [[Left(1)], [Left(2), Rebought(0, 5)]], "b": [[Closing()]]}


async def test_of_two_changes_with_one_number_the_later_counts(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "journal.jsonl", sync=False)
    await journal.append("a", 0, [Left(0)])
    await journal.append("a", 1, [Left(1)])  # perhaps written, perhaps not: it was never announced
    await journal.append("a", 1, [Left(2)])
    await journal.append("a", 2, [Left(3)])
    assert await tables_in(journal) == {"a": [[Left(0)], [Left(2)], [Left(3)]]}


async def entries_of(journal: Journal) -> list[Any]:
    return [entry async for entry in settled(journal)]


async def test_a_table_with_a_gap_is_damaged_and_no_other(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "journal.jsonl", sync=False)
    for table_id, number in (("a", 0), ("b", 0), ("a", 1), ("a", 4), ("b", 1), ("a", 5), ("c", 1)):
        await journal.append(table_id, number, [Left(number)])
    assert await entries_of(journal) == [
        ("a", 0, [Left(0)]),
        ("b", 0, [Left(0)]),
        Damage("", ("a",), "changes 2 to 3 are missing"),
        Damage("", ("c",), "change 0 is missing"),
        ("b", 1, [Left(1)]),
    ]


async def test_a_change_that_comes_too_late_does_not_count(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "journal.jsonl", sync=False)
    for place, number in enumerate((0, 0, 1, 2, 1)):
        await journal.append("a", number, [Left(place)])
    assert await tables_in(journal) == {"a": [[Left(0)], [Left(2)], [Left(3)]]}


async def test_nothing_arrives_that_was_sent_before_an_outage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with redis_server(tmp_path / "redis", free_port()) as redis:
        journal = RedisJournal(redis.url)
        await tables_in(journal)
        await journal.append("a", 0, [Left(0)])
        late = partial(journal._append, keys=[journal._KEY, journal._OWNER_KEY], args=[journal._name, "late"])
        for script in ("_append", "_rename"):  # each call fails once; the rename is done nevertheless
            with monkeypatch.context() as patch:
                patch.setattr(journal, script, lost(getattr(journal, script), is_done=script == "_rename"))
                with pytest.raises(Unavailable, match="does not answer"):
                    await journal.append("a", 1, [Left(1)])
        await journal.append("a", 1, [Left(2)])
        assert await late() is None
        assert await tables_in(journal) == {"a": [[Left(0)], [Left(2)]]}
        await journal.close()


def lost(script: Any, is_done: bool) -> Any:
    """Make a call without an answer, whether or not it arrives."""

    async def call(**arguments: Any) -> None:
        if is_done:
            await script(**arguments)
        raise ConnectionError("no answer")

    return call


async def test_who_takes_a_journal_over_is_alone(tmp_path: Path) -> None:
    with redis_server(tmp_path / "redis", free_port()) as redis:
        first, second = RedisJournal(redis.url), RedisJournal(redis.url)
        await tables_in(first)
        await tables_in(second)
        await second.append("a", 0, [Left(0)])
        with pytest.raises(Unavailable, match="another game manager has taken it over"):
            await first.append("a", 1, [Left(1)])
        for journal in (first, second):
            await journal.close()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(CannotStart, match="Redis URL must specify"):
        RedisJournal("foo")
