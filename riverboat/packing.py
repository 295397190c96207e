"""Arrays and what is to be said about them as bytes: a line with the format's name, a header in JSON, and the arrays
compressed with zlib.

The layout is: the line, four bytes with the header's length (little-endian), the header, then for each array in the
header's list as many bytes as it says. Numbers are little-endian. There is no code inside, and nothing is executed.
"""

import json
import zlib
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput, RiverboatError

_LENGTH = 4
_MOST_HEADER = 100_000
_MOST_BYTES = 1 << 30  # of one array, unpacked
_TYPES = ("<u1", "<u2", "<f4", "<f8", "<i8")


@dataclass(frozen=True, slots=True)
class _StoredArray:
    """An array in a file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    byte_count: int  # compressed


def pack(magic: bytes, entries: dict[str, Any], arrays: dict[str, NDArray[Any]], level: int = 9) -> bytes:
    """Return entries and arrays as bytes, the same for the same content; `level` is how hard zlib tries."""
    parts, packed = [], []
    for name, array in arrays.items():
        little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
        packed.append(zlib.compress(little.tobytes(), level))
        kind = little.dtype.str.replace("|", "<")
        parts.append(asdict(_StoredArray(name, kind, little.shape, len(packed[-1]))))
    header = json.dumps({"entries": entries, "arrays": parts}, sort_keys=True).encode()
    return magic + len(header).to_bytes(_LENGTH, "little") + header + b"".join(packed)


def unpack(magic: bytes, noun: str, data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the entries and arrays of bytes; raise InvalidInput if they are no such thing, or damaged."""
    if not data.startswith(magic):
        raise InvalidInput("", f"not a {noun}: the file begins with something else")
    start = len(magic) + _LENGTH
    size = int.from_bytes(data[len(magic) : start], "little")
    if size > _MOST_HEADER:
        raise InvalidInput("", f"the {noun} is damaged: its header is too long")
    try:
        header = json.loads(data[start : start + size])
        parts = [
            _StoredArray(part["name"], part["dtype"], tuple(part["shape"]), part["byte_count"])
            for part in header["arrays"]
        ]
        at, arrays = start + size, {}
        for part in parts:
            arrays[part.name] = _unpacked(noun, part, data[at : at + part.byte_count])
            at += part.byte_count
        if at != len(data):
            raise InvalidInput("", f"the {noun} is damaged: its length is not the one in its header")
        return dict(header["entries"]), arrays
    except RiverboatError:
        raise
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise InvalidInput("", f"the {noun} is damaged: {error}") from None


def _unpacked(noun: str, part: _StoredArray, data: bytes) -> NDArray[Any]:
    count = int(np.prod(part.shape, dtype=np.int64))
    if part.dtype not in _TYPES or not 0 <= count * np.dtype(part.dtype).itemsize <= _MOST_BYTES:
        raise InvalidInput("", f"the {noun} is damaged: {part.name} has an unknown type or is too large")
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(data, count * np.dtype(part.dtype).itemsize + 1)
    if len(raw) != count * np.dtype(part.dtype).itemsize:
        raise InvalidInput("", f"the {noun} is damaged: the size of {part.name} is not the one in the header")
    return np.frombuffer(raw, part.dtype).reshape(part.shape).astype(np.dtype(part.dtype).newbyteorder("="))
