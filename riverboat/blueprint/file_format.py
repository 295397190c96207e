"""A blueprint as bytes: a line with the format's name, a header in JSON, and arrays compressed with zlib.

The layout is: MAGIC, four bytes with the header's length (little-endian), the header, then for each array in the
header's list as many bytes as it says. Numbers are little-endian. There is no code inside, and nothing is executed.
"""

import json
import zlib
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.blueprint.blueprint import Blueprint
from riverboat.blueprint.game import AbstractGame
from riverboat.blueprint.groups import Grouping
from riverboat.cards import DECKS
from riverboat.errors import InvalidInput, RiverboatError
from riverboat.rules.bet_sizes import parse_bet_sizes

MAGIC = b"RIVERBOAT BLUEPRINT 1\n"
_LENGTH = 4
_MOST_HEADER = 100_000
_MOST_BYTES = 1 << 30  # of one array, unpacked
_TYPES = ("<u1", "<u2", "<f4", "<f8", "<i8")
_BYTE = 256


@dataclass(frozen=True, slots=True)
class _StoredArray:
    """An array in a file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    byte_count: int  # compressed


def write_blueprint(blueprint: Blueprint) -> bytes:
    """Return a blueprint as bytes."""
    grouping = blueprint.grouping
    arrays: dict[str, NDArray[Any]] = {"weights": blueprint.weights, "flops": _narrow(grouping.flops)}
    arrays |= {f"centres{street}": centres for street, centres in enumerate(grouping.centres)}
    return pack(game_entries(blueprint.game), arrays)


def read_blueprint(data: bytes) -> Blueprint:
    """Return the blueprint of a file; raise InvalidInput if the file is damaged or not a blueprint."""
    entries, arrays = unpack(data)
    try:
        game = game_of(entries)
        centres = tuple(arrays[f"centres{street}"] for street in range(len(game.group_counts)))
        flops = arrays["flops"].astype(np.uint16)
        flops[arrays["flops"] == np.iinfo(arrays["flops"].dtype).max] = np.iinfo(np.uint16).max
        return Blueprint(game, Grouping(DECKS[game.deck], centres, flops), arrays["weights"])
    except KeyError as error:
        raise InvalidInput("", f"the blueprint lacks {error}") from None
    except InvalidInput as error:
        raise InvalidInput("", f"the blueprint's parts do not fit together: {error}") from None


def game_entries(game: AbstractGame) -> dict[str, Any]:
    """Return a game as JSON values."""
    return {
        "deck": game.deck,
        "stack": game.stack,
        "sizes": str(game.sizes),
        "raise_cap": game.raise_cap,
        "group_counts": list(game.group_counts),
    }


def game_of(entries: dict[str, Any]) -> AbstractGame:
    """Return the game that JSON describes."""
    try:
        return AbstractGame(
            deck=entries["deck"],
            stack=int(entries["stack"]),
            sizes=parse_bet_sizes(entries["sizes"]),
            raise_cap=int(entries["raise_cap"]),
            group_counts=tuple(int(count) for count in entries["group_counts"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput("game", f"cannot be read: {error!r}") from None


def pack(entries: dict[str, Any], arrays: dict[str, NDArray[Any]], level: int = 9) -> bytes:
    """Return entries and arrays as bytes, the same for the same content; `level` is zlib's."""
    parts, packed = [], []
    for name, array in arrays.items():
        little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
        packed.append(zlib.compress(little.tobytes(), level))
        kind = little.dtype.str.replace("|", "<")
        parts.append(asdict(_StoredArray(name, kind, little.shape, len(packed[-1]))))
    header = json.dumps({"entries": entries, "arrays": parts}, sort_keys=True).encode()
    return MAGIC + len(header).to_bytes(_LENGTH, "little") + header + b"".join(packed)


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the entries and arrays of bytes; raise InvalidInput if they are damaged or something else."""
    if not data.startswith(MAGIC):
        raise InvalidInput("", "not a blueprint: the file begins with something else")
    start = len(MAGIC) + _LENGTH
    size = int.from_bytes(data[len(MAGIC) : start], "little")
    if size > _MOST_HEADER:
        raise InvalidInput("", "the blueprint is damaged: its header is too long")
    try:
        header = json.loads(data[start : start + size])
        parts = [
            _StoredArray(part["name"], part["dtype"], tuple(part["shape"]), part["byte_count"])
            for part in header["arrays"]
        ]
        at, arrays = start + size, {}
        for part in parts:
            arrays[part.name] = _unpacked(part, data[at : at + part.byte_count])
            at += part.byte_count
        if at != len(data):
            raise InvalidInput("", "the blueprint is damaged: its length is not the one in its header")
        return dict(header["entries"]), arrays
    except RiverboatError:
        raise
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise InvalidInput("", f"the blueprint is damaged: {error}") from None


def _unpacked(part: _StoredArray, data: bytes) -> NDArray[Any]:
    count = int(np.prod(part.shape, dtype=np.int64))
    if part.dtype not in _TYPES or not 0 <= count * np.dtype(part.dtype).itemsize <= _MOST_BYTES:
        raise InvalidInput("", f"the blueprint is damaged: {part.name} has an unknown type or is too large")
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(data, count * np.dtype(part.dtype).itemsize + 1)
    if len(raw) != count * np.dtype(part.dtype).itemsize:
        raise InvalidInput("", f"the blueprint is damaged: the size of {part.name} is not the one in the header")
    return np.frombuffer(raw, part.dtype).reshape(part.shape).astype(np.dtype(part.dtype).newbyteorder("="))


def _narrow(groups: NDArray[np.uint16]) -> NDArray[Any]:
    """Return groups in one byte each if they fit; the largest number then stands for NOBODY, as with two bytes."""
    nobody = np.iinfo(np.uint16).max
    if groups.size and groups[groups != nobody].max(initial=0) >= _BYTE - 1:
        return groups
    return np.where(groups == nobody, _BYTE - 1, groups).astype(np.uint8)
