"""Parts of a store as bytes: one safetensors file each, with columns as tensors and everything else as metadata.

docs/hands.md describes the format for other programs.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.history.store.columns import COLUMN_NAMES, HandColumns, check_columns
from riverboat.history.store.games import game_of_dict
from riverboat.history.store.reading import LeftOut
from riverboat.history.store.replaying import NOT_KNOWN

FORMAT, VERSION = "riverboat hands", "1"
_TYPES: dict[str, Any] = {"U8": np.uint8, "I8": np.int8, "I16": np.int16, "I32": np.int32, "I64": np.int64}
_WHOLE_TYPES = ("I8", "I16", "I32", "I64")
_CARDS = ("board", "holding", "shown", "mover")  # always bytes
_NAMES, _NAME_STARTS = "name_bytes", "name_start"
_NO_CHECKSUM = "0" * 64
_MOST_HEADER = 100_000_000


@dataclass(frozen=True, slots=True)
class PartSource:
    """Where the hands of a part come from."""

    file: str  # its name, without folders
    sha256: str  # of the file
    place: int  # of the part among those of the file, from 0
    first_line: int  # of the file, from 1


@dataclass(frozen=True, slots=True, eq=False)
class StoredPart:
    """Hands in columns, their source, and the hands of the source that were left out."""

    columns: HandColumns
    source: PartSource
    left_out: tuple[LeftOut, ...]


def encode_part(part: StoredPart) -> bytes:
    """Return a part as a safetensors file. The same part gives the same bytes."""
    columns = part.columns
    texts = [name.encode() for name in columns.names]
    tensors: dict[str, NDArray[Any]] = {name: _narrow(name, columns.column(name)) for name in COLUMN_NAMES}
    tensors[_NAMES] = np.frombuffer(b"".join(texts), np.uint8)
    tensors[_NAME_STARTS] = _narrow(_NAME_STARTS, np.cumsum([0, *map(len, texts)]))
    header: dict[str, Any] = {
        "__metadata__": {
            "format": FORMAT,
            "version": VERSION,
            "source": json.dumps(asdict(part.source)),
            "games": json.dumps([game.as_dict() for game in columns.games]),
            "left_out": json.dumps([asdict(hand) for hand in part.left_out]),
            "sha256": _NO_CHECKSUM,
        }
    }
    end = 0
    for name, values in sorted(tensors.items(), key=lambda item: -item[1].itemsize):  # so that all are aligned
        kind = next(kind for kind, dtype in _TYPES.items() if values.dtype == dtype)
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": [end, end + values.nbytes]}
        end += values.nbytes
    data = b"".join(tensors[name].tobytes() for name in header if name in tensors)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    checksum = hashlib.sha256(text + data).hexdigest()
    text = text.replace(f'"sha256":"{_NO_CHECKSUM}"'.encode(), f'"sha256":"{checksum}"'.encode())
    return len(text).to_bytes(8, "little") + text + data


def _narrow(name: str, values: NDArray[Any]) -> NDArray[Any]:
    """Return numbers in the smallest type that holds them; its smallest number stands for NOT_KNOWN."""
    if name in _CARDS:
        return np.ascontiguousarray(values, np.uint8)
    known = values[values != NOT_KNOWN]
    least, most = (int(known.min()), int(known.max())) if len(known) else (0, 0)
    for kind in _WHOLE_TYPES:
        limits = np.iinfo(_TYPES[kind])
        if limits.min < least and most <= limits.max:
            return np.where(values == NOT_KNOWN, limits.min, values).astype(_TYPES[kind])
    raise InvalidInput(name, "a number is beyond 64 bits")


def decode_part(data: bytes) -> StoredPart:
    """Return the part in a file; raise InvalidInput, with the reason, if it is damaged or of another kind."""
    header, body = _open(data)
    metadata = header.pop("__metadata__")
    try:
        tensors = {name: _tensor(entry, body) for name, entry in header.items()}
        source = PartSource(**json.loads(metadata["source"]))
        games = tuple(map(game_of_dict, json.loads(metadata["games"])))
        left_out = tuple(LeftOut(**hand) for hand in json.loads(metadata["left_out"]))
        names = _split_names(tensors.pop(_NAMES), tensors.pop(_NAME_STARTS))
        columns = HandColumns(games=games, names=names, **{name: tensors[name] for name in COLUMN_NAMES})
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("", f"not a whole part of a store: {error}") from None
    check_columns(columns)
    return StoredPart(columns, source, left_out)


def part_source(data: bytes) -> PartSource:
    """Return where a part comes from, after its checksum was compared; raise InvalidInput if it is damaged."""
    header, _ = _open(data)
    try:
        return PartSource(**json.loads(header["__metadata__"]["source"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("", f"not a whole part of a store: {error}") from None


def _open(data: bytes) -> tuple[dict[str, Any], memoryview]:
    """Return the header and the body of a file whose checksum is right."""
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 2 <= size <= min(len(data) - 8, _MOST_HEADER):
        raise InvalidInput("", "cut off, or not a safetensors file")
    text = data[8 : 8 + size]
    try:
        header = json.loads(text)
        metadata = header["__metadata__"]
        kind, checksum = (metadata["format"], metadata["version"]), str(metadata["sha256"])
    except (ValueError, KeyError, TypeError):
        raise InvalidInput("", "its header cannot be read") from None
    if kind != (FORMAT, VERSION):
        raise InvalidInput("", f"holds {kind[0]!r} of version {kind[1]!r}, not {FORMAT!r} of version {VERSION!r}")
    plain = text.replace(f'"sha256":"{checksum}"'.encode(), f'"sha256":"{_NO_CHECKSUM}"'.encode())
    digest = hashlib.sha256(plain)
    digest.update(memoryview(data)[8 + size :])
    if digest.hexdigest() != checksum:
        raise InvalidInput("", "its checksum is wrong")
    return header, memoryview(data)[8 + size :]


def _tensor(entry: Mapping[str, Any], body: memoryview) -> NDArray[Any]:
    begin, end = entry["data_offsets"]
    values = np.frombuffer(body[begin:end], _TYPES[entry["dtype"]]).reshape(entry["shape"])
    if values.dtype == np.uint8:
        return values
    wide = values.astype(np.int64)
    return np.where(values == np.iinfo(values.dtype).min, NOT_KNOWN, wide)


def _split_names(data: NDArray[Any], starts: NDArray[Any]) -> tuple[str, ...]:
    text = data.tobytes()
    places: Sequence[int] = starts.tolist()
    return tuple(text[begin:end].decode() for begin, end in pairwise(places))
