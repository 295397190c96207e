"""A damaged journal: damaged tables are set aside with their bytes, and all others are unchanged."""

import asyncio
import errno
import json
import os
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.redis_server import redis_server
from riverboat.errors import IllegalAction, NotFound
from riverboat.rules.variant import no_limit
from riverboat.services.gamemanager.file_journal import FileJournal
from riverboat.services.gamemanager.journal_lines import encode_line
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.services.gamemanager.redis_journal import RedisJournal
from riverboat.services.gamemanager.restoration import Restoration, Restored, restore
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Created, Joined, JournalEvent
from riverboat.tables.log import Shelf
from riverboat.tables.table import Table, hash_of
from tests.processes import free_port

IDS = ("aaaa00000001", "bbbb00000002", "cccc00000003")
CONFIG = TableConfig(name="t", variant=no_limit(50, 100), chair_count=2, buy_in=10_000)


def changes_of(table_id: str, hands: int) -> list[list[JournalEvent]]:
    """Return what happens at a table: two sit down, and call and check through some hands."""
    created = Created(CONFIG, hash_of("dealer"), table_id[:2] * 32, creator=hash_of("somebody"))
    table, changes = Table(table_id, created), list[list[JournalEvent]]([[created]])

    def add(events: list[JournalEvent]) -> None:
        changes.append(events)
        for event in events:
            table.apply(event)

    for chair, name in enumerate(("ann", "bob")):
        add(
            [
                Joined(
                    chair=chair,
                    name=name,
                    token_hash=hash_of(f"{table_id}.{name}"),
                    request_id=f"player {name}",
                    is_agent=False,
                )
            ]
        )
    for hand in range(hands):
        add(table.start_hand(bytes([hand]) * 32))
        while table.actor is not None:
            add(table.act(table.actor, f"r{len(changes)}", hand + 1, table.hand.action_count, 0))  # type: ignore[union-attr]
    return changes


@cache
def lines() -> tuple[tuple[str, bytes], ...]:
    """Return the lines of a journal of three tables, each with its table."""
    of_tables = {table_id: changes_of(table_id, hands=1 + place) for place, table_id in enumerate(IDS)}
    longest = max(map(len, of_tables.values()))
    return tuple(
        (table_id, encode_line(table_id, number, changes[number]).encode() + b"\n")
        for number in range(longest)
        for table_id, changes in of_tables.items()
        if number < len(changes)
    )


def look(restored: Restored) -> Any:
    """Return everything about a table, for comparisons."""
    table = restored.table
    hand = table.hand and (table.hand.number, table.hand.action_count, table.hand.seed, table.hand.state.holdings)
    return restored.change_count, table.log.since(0), table.players, table.stacks, hand, table.button, table.creator


def restored_from(data: bytes, folder: Path) -> Restoration:
    path = folder / "journal.jsonl"
    path.write_bytes(data)

    async def read() -> Restoration:
        journal = FileJournal(path, sync=False)
        try:
            return await restore(journal, Shelf(), 10)
        finally:
            await journal.close()

    return asyncio.run(read())


@cache
def before() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        restoration = restored_from(b"".join(line for _, line in lines()), Path(folder))
    assert not restoration.damaged
    return {table_id: look(restored) for table_id, restored in restoration.tables.items()}


def with_line(place: int, change: Any) -> bytes:
    """Return the journal with one line changed."""
    return b"".join(change(line) if i == place else line for i, (_, line) in enumerate(lines()))


def without_check(line: bytes) -> bytes:
    """Return a line as older versions wrote it."""
    return line[: line.rindex(b',"check":')] + b"}\n"


def edited(**changes: Any) -> Any:
    """Return a line of an older version with other values in its first event."""

    def edit(line: bytes) -> bytes:
        change = json.loads(without_check(line))
        change["events"][0].update(changes)
        return json.dumps(change, separators=(",", ":")).encode() + b"\n"

    return edit


MOVE = 12  # a line in the middle of the journal, a move of the first table
DAMAGES = {
    "no JSON": lambda line: line.replace(b"{", b"[", 1),
    "bytes that are not text": lambda line: line[:40] + b"\xff\xfe" + line[42:],
    "zeros": lambda line: line[:60] + bytes(len(line) - 61) + b"\n",
    "another digit": lambda line: line.replace(b'"action":0', b'"action":7'),
    "nothing": lambda line: b"",
    "an unknown event": edited(kind="Teleported"),
    "an unknown field": edited(colour="red"),
    "a field of another type": edited(request_id=7),
    "an impossible event": edited(action=123_456),
    "a value that is not an event": lambda line: without_check(line).replace(b'[{"kind"', b'[7,{"kind"'),
    "a value that is not a number": lambda line: without_check(line).replace(b'"number":', b'"number":-'),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_sets_one_table_aside(name: str, tmp_path: Path) -> None:
    damaged, line = lines()[MOVE]
    assert b'"Moved"' in line
    data = with_line(MOVE, DAMAGES[name])
    assert data != b"".join(line for _, line in lines())
    restoration = restored_from(data, tmp_path)
    assert list(restoration.damaged) == [damaged]
    assert {table_id: look(restored) for table_id, restored in restoration.tables.items()} == {
        table_id: state for table_id, state in before().items() if table_id != damaged
    }
    copy = tmp_path / "journal.damaged" / f"{damaged}.jsonl"
    own = [DAMAGES[name](line) if i == MOVE else line for i, (of, line) in enumerate(lines()) if of == damaged]
    assert copy.read_bytes() == b"".join(own)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert copy.parent.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "journal.jsonl").read_bytes() == data


def test_damage_is_the_same_at_every_start(tmp_path: Path) -> None:
    data = with_line(MOVE, DAMAGES["no JSON"])
    restorations = [restored_from(data, tmp_path) for _ in range(2)]
    assert restorations[0].damaged == restorations[1].damaged
    copy = tmp_path / "journal.damaged" / f"{lines()[MOVE][0]}.jsonl"
    assert copy.read_bytes().count(b"\n") == sum(of == lines()[MOVE][0] for of, _ in lines())


def test_a_line_whose_table_cannot_be_read_is_kept_by_its_position(tmp_path: Path) -> None:
    """The gap in the changes shows which table is damaged."""
    garbage = b"\x00" * 50 + b"\n"
    restoration = restored_from(with_line(MOVE, lambda line: garbage), tmp_path)
    assert list(restoration.damaged) == [lines()[MOVE][0]]
    assert "missing" in restoration.damaged[lines()[MOVE][0]]
    assert list(restoration.unknown) == [f"line {MOVE + 1}"]
    assert (tmp_path / "journal.damaged" / f"line-{MOVE + 1}.jsonl").read_bytes() == garbage


def test_a_name_that_leads_elsewhere_is_no_table(tmp_path: Path) -> None:
    evil = b'{"table":"../../evil","number":0,"events":[]}\n'
    restoration = restored_from(evil + b"".join(line for _, line in lines()), tmp_path)
    assert list(restoration.unknown) == ["line 1"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["journal.damaged", "journal.jsonl"]


def test_a_damaged_last_line_is_not_taken_back_in_silence(tmp_path: Path) -> None:
    """Nothing follows that would show a gap: the line itself names its table, at its beginning and at its end."""
    last = lines()[-1][0]
    for start, end in ((0, 30), (-40, -2)):
        restoration = restored_from(with_line(len(lines()) - 1, lambda line: blanked(line, start, end)), tmp_path)  # noqa: B023
        assert list(restoration.damaged) == [last]


def blanked(line: bytes, start: int, end: int) -> bytes:
    """Return a line with a part of it zeroed."""
    places = range(*slice(start, end).indices(len(line)))
    return bytes(0 if place in places else byte for place, byte in enumerate(line))


def test_a_line_that_was_cut_off_is_removed_and_kept_aside(tmp_path: Path) -> None:
    whole = b"".join(line for _, line in lines())
    cut = encode_line(IDS[0], 99, []).encode()[:30]
    restoration = restored_from(whole + cut, tmp_path)
    assert not restoration.damaged
    assert (tmp_path / "journal.jsonl").read_bytes() == whole
    assert (tmp_path / "journal.damaged" / f"byte-{len(whole)}.jsonl").read_bytes() == cut


@pytest.mark.parametrize("end", [b"", b"X"])
def test_a_last_line_that_lacks_only_its_end_counts(end: bytes, tmp_path: Path) -> None:
    whole = b"".join(line for _, line in lines())
    restoration = restored_from(whole[:-1] + end, tmp_path)
    assert {table_id: look(restored) for table_id, restored in restoration.tables.items()} == before()
    assert (tmp_path / "journal.jsonl").read_bytes() == whole


def test_a_damaged_line_without_an_end_is_no_line_that_was_cut_off(tmp_path: Path) -> None:
    data = b"".join(line for _, line in lines())[:-30] + b"\xff" * 10
    restoration = restored_from(data, tmp_path)
    assert list(restoration.damaged) == [lines()[-1][0]]
    assert (tmp_path / "journal.jsonl").read_bytes() == data + b"\n"


def test_lines_of_older_versions_are_read(tmp_path: Path) -> None:
    creator = f',"creator":"{hash_of("somebody")}"'.encode()
    old = b"".join(without_check(line).replace(creator, b"") for _, line in lines())
    assert b"creator" not in old
    restoration = restored_from(old, tmp_path)
    assert not restoration.damaged
    assert {table_id: look(restored)[:-1] for table_id, restored in restoration.tables.items()} == {
        table_id: state[:-1] for table_id, state in before().items()
    }


def touched(places: Iterable[int]) -> set[str]:
    """Return the tables whose lines, or the line ends before them, contain one of these bytes."""
    tables, start = set(), 0
    for table_id, line in lines():
        end = start + len(line)
        if any(max(0, start - 1) <= place < end for place in places):
            tables.add(table_id)
        start = end
    return tables


SIZE = sum(len(line) for _, line in lines())


@settings(max_examples=60)
@given(st.dictionaries(st.integers(0, SIZE - 1), st.integers(0, 255), min_size=1, max_size=4), st.integers(1, 600))
def test_random_damage_touches_no_other_table(wrong: dict[int, int], length: int) -> None:
    """Change some bytes, and a whole stretch after the first, as when a sector is lost."""
    data = bytearray(b"".join(line for _, line in lines()))
    for place, byte in wrong.items():
        data[place] = byte
    first = next(iter(wrong))
    stretch = range(first, min(SIZE, first + length)) if wrong[first] % 2 else range(first, first + 1)
    if len(stretch) > 1:
        data[stretch.start : stretch.stop] = bytes(len(stretch))
    hit = touched([*wrong, *stretch])
    with tempfile.TemporaryDirectory() as folder:
        restoration = restored_from(bytes(data), Path(folder))
    states = {table_id: look(restored) for table_id, restored in restoration.tables.items()}
    for table_id in IDS:
        if table_id not in hit:
            assert states[table_id] == before()[table_id]
        elif table_id in states and states[table_id] != before()[table_id]:
            # All of its last lines are gone, names included: the damage is noticed, but not whose it is.
            assert restoration.unknown or restoration.damaged or not data.endswith(b"\n")
            assert states[table_id][0] < before()[table_id][0]
    assert not set(states) & set(restoration.damaged)


@pytest.mark.parametrize("sector", [1, 2])
def test_a_sector_that_cannot_be_read_touches_no_other_table(
    sector: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk reports EIO in the middle of the file or at its end; nothing may be cut off then."""
    size, data = 4096, b"".join(line for _, line in lines())
    lost, read = range(sector * size, min(SIZE, (sector + 1) * size)), os.pread

    def fail(descriptor: int, length: int, start: int) -> bytes:
        if start < lost.stop and lost.start < start + length:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return read(descriptor, length, start)

    monkeypatch.setattr(os, "pread", fail)
    restoration = restored_from(data, tmp_path)
    assert restoration.damaged
    states = {table_id: look(restored) for table_id, restored in restoration.tables.items()}
    assert all(states[table_id] == before()[table_id] for table_id in set(IDS) - touched(lost))
    assert (tmp_path / "journal.jsonl").read_bytes()[:SIZE] == data


async def test_a_manager_starts_with_what_is_whole(tmp_path: Path) -> None:
    damaged = lines()[MOVE][0]
    path = tmp_path / "journal.jsonl"
    path.write_bytes(with_line(MOVE, DAMAGES["no JSON"]))
    manager = Manager(FileJournal(path, sync=False), TableQuota(10), 3600)
    await manager.load()
    try:
        infos, set_aside = manager.find_tables(include_closed=False, table_id="")
        assert {info.table_id for info in infos} == set(IDS) - {damaged}
        assert set_aside == (damaged,)
        for ask in (lambda: manager.info(damaged), lambda: manager.view(f"{damaged}.ann")):
            with pytest.raises(IllegalAction, match=f"table {damaged} is set aside"):
                ask()
        with pytest.raises(NotFound):
            manager.info("dddd00000004")
        other = next(table_id for table_id in IDS if table_id != damaged)
        assert await manager.leave(f"{other}.ann")
    finally:
        await manager.close()


def test_damage_in_redis_sets_one_table_aside(tmp_path: Path) -> None:
    damaged, _ = lines()[MOVE]

    async def write_and_restore(url: str) -> tuple[Restoration, list[bytes]]:
        journal = RedisJournal(url)
        async for _ in journal.read():
            raise AssertionError("it is empty")
        for i, (_, line) in enumerate(lines()):
            text = line[:-1] if i != MOVE else line[:40] + b"\xff" + line[41:-1]
            await journal._redis.xadd(journal._KEY, {"change": text})
        await journal._redis.xadd(journal._KEY, {"colour": "red"})
        restoration = await restore(journal, Shelf(), 10)
        copy = await journal._redis.lrange(f"riverboat:journal:damaged:{damaged}", 0, -1)
        await journal.close()
        return restoration, copy

    with redis_server(tmp_path / "redis", free_port()) as redis:
        restoration, copy = asyncio.run(write_and_restore(redis.url))
    assert list(restoration.damaged) == [damaged]
    assert len(restoration.unknown) == 1
    assert {table_id: look(restored) for table_id, restored in restoration.tables.items()} == {
        table_id: state for table_id, state in before().items() if table_id != damaged
    }
    assert len(copy) == sum(of == damaged for of, _ in lines())
    assert any(b"\xff" in line for line in copy)
