"""Tables from a journal: unchanged, without the oldest closed ones, and a damaged one stops no other."""

import asyncio
from pathlib import Path

from riverboat.rules.variant import no_limit
from riverboat.services.gamemanager.file_journal import FileJournal
from riverboat.services.gamemanager.restoration import Restored, restore
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Closed, Closing, Created, Joined, JournalEvent, Left
from riverboat.tables.log import Shelf
from riverboat.tables.table import hash_of

CREATED = Created(
    TableConfig(name="t", variant=no_limit(50, 100), chair_count=2, buy_in=10_000), hash_of("dealer"), "ab" * 32
)


def restored(
    path: Path, changes: list[tuple[str, int, list[JournalEvent]]], most_closed: int = 10
) -> dict[str, Restored]:
    async def write_and_restore() -> dict[str, Restored]:
        journal = FileJournal(path / "journal.jsonl", sync=False)
        for change in changes:
            await journal.append(*change)
        return (await restore(journal, Shelf(), most_closed)).tables

    return asyncio.run(write_and_restore())


def test_tables_are_as_they_were(tmp_path: Path) -> None:
    joined = Joined(chair=1, name="ann", token_hash=hash_of("token"), request_id="player 1", is_agent=False)
    tables = restored(tmp_path, [("a", 0, [CREATED]), ("b", 0, [CREATED]), ("a", 1, [joined])])  # oldest first
    assert list(tables) == ["a", "b"]
    assert tables["a"].change_count == 2
    assert tables["a"].table.chair_of("token") == 1
    assert tables["b"].change_count == 1


def test_the_oldest_closed_tables_are_forgotten(tmp_path: Path) -> None:
    changes: list[tuple[str, int, list[JournalEvent]]] = [("open", 0, [CREATED])]
    for name in ("a", "b", "c"):
        changes += [(name, 0, [CREATED]), (name, 1, [Closing(), Closed()]), ("open", 1, [Closing()])]
    assert set(restored(tmp_path, changes, most_closed=2)) == {"open", "b", "c"}


def test_who_gets_up_from_a_closed_table_closes_it_no_second_time(tmp_path: Path) -> None:
    joined = Joined(chair=0, name="ann", token_hash=hash_of("token"), request_id="player 1", is_agent=False)
    changes: list[tuple[str, int, list[JournalEvent]]] = [("a", 0, [CREATED]), ("a", 1, [joined])]
    changes += [("a", 2, [Closing(), Closed()]), ("a", 3, [Left(0)])]
    changes += [("b", 0, [CREATED]), ("b", 1, [Closing(), Closed()])]
    assert list(restored(tmp_path, changes, most_closed=2)) == ["a", "b"]


def test_a_table_whose_creation_failed_is_not_there(tmp_path: Path) -> None:
    assert list(restored(tmp_path, [("a", 0, [CREATED]), ("b", 0, [CREATED]), ("a", 0, [])])) == ["b"]


def test_a_broken_table_holds_nobody_up(tmp_path: Path) -> None:
    nobody = Left(7)  # a chair that does not exist
    tables = restored(tmp_path, [("a", 0, [CREATED]), ("b", 0, [CREATED]), ("a", 1, [nobody]), ("a", 2, [Closing()])])
    assert set(tables) == {"b"}
