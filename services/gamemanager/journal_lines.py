"""Lines of a journal: a change as JSON, with a checksum, so that a line that was damaged is known as such.

A line has its table's id twice, at the beginning and with the checksum at the end: damage to one part of it does not
hide whose it is. Lines of older versions have no checksum.
"""

import json
import re
import zlib
from collections.abc import Collection, Sequence

from riverboat.services.gamemanager.journal import Change, Damage
from riverboat.tables.events import Event, decode, dumps, encode

_PLAIN_KEYS = {"table", "number", "events"}
_CHECK = re.compile(rb',"check":"([^"]*)"\}$')
_TABLE = re.compile(rb'"(?:table":"([\w-]{1,64})"|check":"([\w-]{1,64}) [0-9a-f]{8}"\})', re.ASCII)
_ID = re.compile(r"[\w-]{1,64}", re.ASCII)  # also the name of a file
_LONGEST_REASON = 200  # characters


def encode_line(table_id: str, number: int, events: Sequence[Event]) -> str:
    """A change as a line, without its end."""
    body = dumps({"table": table_id, "number": number, "events": [encode(event) for event in events]})
    return f'{body[:-1]},"check":"{_check(table_id, body.encode())}"}}'


def decode_line(line: bytes, position: str) -> Change | Damage:
    """The change that a line is, or what is wrong with it."""
    try:
        return _decode(line)
    except Exception as error:  # whatever it is, the other lines are read
        what = f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)
        return Damage(position, tables_in(line), f"{position} cannot be read: {what[:_LONGEST_REASON]}")


def tables_in(line: bytes) -> tuple[str, ...]:
    """The ids of tables that a damaged line still has in it; it may be several lines whose ends were damaged."""
    return tuple(dict.fromkeys((first or last).decode() for first, last in _TABLE.findall(line)))


def copies_of(line: bytes, position: str, damaged: Collection[str]) -> Sequence[str]:
    """The names of the copies that a line belongs in, when these tables are damaged: tables, or else its position."""
    entry = decode_line(line, position)
    if isinstance(entry, Damage):
        return entry.tables or (position,)
    return (entry[0],) if entry[0] in damaged else ()


def _decode(line: bytes) -> Change:
    match = _CHECK.search(line)
    body = line[: match.start()] + b"}" if match else line
    change = json.loads(body)
    if not isinstance(change, dict) or set(change) != _PLAIN_KEYS:
        raise ValueError("it is no change of a table")
    table_id, number, events = change["table"], change["number"], change["events"]
    if not isinstance(table_id, str) or not _ID.fullmatch(table_id) or type(number) is not int or number < 0:
        raise ValueError("its table or its number is none")
    if match and match[1].decode() != _check(table_id, body):
        raise ValueError("its checksum is wrong")
    return table_id, number, [decode(event) for event in events]


def _check(table_id: str, body: bytes) -> str:
    return f"{table_id} {zlib.crc32(body):08x}"
