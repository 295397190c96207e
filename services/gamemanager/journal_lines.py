"""Lines of a journal: a change as JSON with a checksum, which reveals damage.

A line has its table's id twice, at the beginning and with the checksum at the end, so that damage to one part does not
hide which table it belongs to. Lines of older versions have no checksum.
"""

import json
import re
import zlib
from collections.abc import Collection, Sequence
from typing import Any

from riverboat.services.gamemanager.journal import Change, Damage, LineEvent
from riverboat.tables.events import decode, dumps, encode
from riverboat.tournaments.events import TournamentChange, decode_change, encode_change, is_of_tournament

_PLAIN_KEYS = {"table", "number", "events"}
_CHECK = re.compile(rb',"check":"([^"]*)"\}$')
_TABLE = re.compile(rb'"(?:table":"([\w-]{1,64})"|check":"([\w-]{1,64}) [0-9a-f]{8}"\})', re.ASCII)
_ID = re.compile(r"[\w-]{1,64}", re.ASCII)  # also the name of a file
_LONGEST_REASON = 200  # characters


def encode_line(table_id: str, number: int, events: Sequence[LineEvent]) -> str:
    """Return a change as a line, without the line end."""
    body = dumps({"table": table_id, "number": number, "events": [_encode_event(event) for event in events]})
    return f'{body[:-1]},"check":"{_check(table_id, body.encode())}"}}'


def decode_line(line: bytes, position: str) -> Change | Damage:
    """Return the change in a line, or what is wrong with it."""
    try:
        return _decode(line)
    except Exception as error:  # whatever it is, the other lines are read
        what = f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)
        return Damage(position, tables_in(line), f"{position} cannot be read: {what[:_LONGEST_REASON]}")


def tables_in(line: bytes) -> tuple[str, ...]:
    """Return the ids of tables in a damaged line, which may be several lines whose ends were damaged."""
    return tuple(dict.fromkeys((first or last).decode() for first, last in _TABLE.findall(line)))


def copies_of(line: bytes, position: str, damaged: Collection[str]) -> Sequence[str]:
    """Return the names of the copies that a line belongs in: its damaged tables, or its position if unreadable."""
    entry = decode_line(line, position)
    if isinstance(entry, Damage):
        return entry.tables or (position,)
    return (entry[0],) if entry[0] in damaged else ()


def _decode(line: bytes) -> Change:
    match = _CHECK.search(line)
    body = line[: match.start()] + b"}" if match else line
    change = json.loads(body)
    if not isinstance(change, dict) or set(change) != _PLAIN_KEYS:
        raise ValueError("it is not a change of a table")
    table_id, number, events = change["table"], change["number"], change["events"]
    if not isinstance(table_id, str) or not _ID.fullmatch(table_id) or type(number) is not int or number < 0:
        raise ValueError("its table or its number is invalid")
    if match and match[1].decode() != _check(table_id, body):
        raise ValueError("its checksum is wrong")
    return table_id, number, [_decode_event(event) for event in events]


def _encode_event(event: LineEvent) -> dict[str, Any]:
    return encode_change(event) if isinstance(event, TournamentChange) else encode(event)


def _decode_event(document: dict[str, Any]) -> LineEvent:
    return decode_change(document) if is_of_tournament(document) else decode(document)


def _check(table_id: str, body: bytes) -> str:
    return f"{table_id} {zlib.crc32(body):08x}"
