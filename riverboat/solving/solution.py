"""A solver's memory as bytes for a file, without pickle; they are checked when they are loaded.

    8 bytes       "RBSOLVE1"
    4 bytes       the length of the header, little-endian
    header        JSON in UTF-8: precision, iteration, algorithm, fingerprint of the subgame, the caller's note, and
                  for each array its name, dtype and length
    arrays        one after another, little-endian
    32 bytes      SHA-256 of everything before

The arrays are those of `Store`, in the order of layout.py.
"""

import hashlib
import json
import struct
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.solving.cfr import Algorithm, Solver
from riverboat.solving.memory import Memory, Precision
from riverboat.solving.subgame import Subgame

MAGIC = b"RBSOLVE1"
_DIGEST_BYTES = 32
_LONGEST_HEADER = 10_000_000
_MOST_ITERATIONS = 10**9
_ARRAYS = ("sums", "sum_scales", "locked", "regrets", "regret_scales", "predictions")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a saved solution."""

    precision: Precision
    iteration: int
    algorithm: Algorithm
    fingerprint: str
    note: dict[str, Any]
    arrays: tuple[tuple[str, str, int], ...]


def fingerprint(subgame: Subgame) -> str:
    """Return a hash of all arrays of a subgame; utilities follow from its boards."""
    digest = hashlib.sha256()
    lines, boards = subgame.lines, subgame.boards
    parts: list[NDArray[Any]] = [
        lines.kind, lines.player, lines.parent, lines.first_child, lines.child_count, lines.action, lines.stake,
        boards.level, boards.parent, boards.chance, boards.live, *boards.mirrors,
        subgame.items, subgame.weights, subgame.strengths,
    ]  # fmt: skip
    for part in parts:
        digest.update(repr(part.shape).encode())
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


def save(solver: Solver, note: dict[str, Any]) -> bytes:
    """Return the solver's memory as bytes."""
    arrays = [(name, getattr(solver.memory.store, name)) for name in _ARRAYS]
    header = {
        "precision": _precision_of(solver.memory).name,
        "iteration": solver.iteration,
        "algorithm": asdict(solver.algorithm),
        "fingerprint": fingerprint(solver.memory.subgame),
        "note": note,
        "arrays": [[name, array.dtype.str.lstrip("|<"), len(array)] for name, array in arrays],
    }
    text = json.dumps(header).encode()
    body = b"".join([MAGIC, struct.pack("<I", len(text)), text, *(_little(array) for _, array in arrays)])
    return body + hashlib.sha256(body).digest()


def _precision_of(memory: Memory) -> Precision:
    kinds = {"i2": Precision.SHORT, "f4": Precision.SINGLE, "f8": Precision.DOUBLE}
    return kinds[memory.store.sums.dtype.str.lstrip("|<")]


def _little(array: NDArray[Any]) -> bytes:
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def read_header(data: bytes) -> Header:
    """Return the header of saved bytes; raise InvalidInput if they are damaged."""
    if len(data) < len(MAGIC) + 4 + _DIGEST_BYTES or data[: len(MAGIC)] != MAGIC:
        raise InvalidInput("", "this is not a saved solution")
    if hashlib.sha256(data[:-_DIGEST_BYTES]).digest() != data[-_DIGEST_BYTES:]:
        raise InvalidInput("", "the solution is damaged: its checksum is wrong")
    try:
        header = json.loads(data[_header_end(data, 0) : _header_end(data)])
        arrays = tuple((str(name), str(kind), int(length)) for name, kind, length in header["arrays"])
        algorithm = Algorithm(**header["algorithm"])
        precision = Precision[header["precision"]]
        iteration = int(header["iteration"])
        if not 0 <= iteration <= _MOST_ITERATIONS:
            raise ValueError(f"{iteration} iterations")
        return Header(
            precision=precision,
            iteration=iteration,
            algorithm=algorithm,
            fingerprint=header["fingerprint"],
            note=header["note"],
            arrays=arrays,
        )
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInput("", f"the solution's header cannot be read: {error}") from None


def _header_end(data: bytes, length: int | None = None) -> int:
    start = len(MAGIC) + 4
    if length is None:
        (length,) = struct.unpack("<I", data[len(MAGIC) : start])
    if length > min(_LONGEST_HEADER, len(data)):
        raise InvalidInput("", "the solution's header is too long")
    return start + length


def restore(data: bytes, memory: Memory) -> Header:
    """Put saved bytes into memory that was allocated for the same subgame with the same precision."""
    header = read_header(data)
    if header.fingerprint != fingerprint(memory.subgame):
        raise InvalidInput("", "the solution belongs to another spot")
    at = _header_end(data)
    parts: list[tuple[NDArray[Any], NDArray[Any]]] = []
    for name, kind, length in header.arrays:
        target: NDArray[Any] | None = getattr(memory.store, name) if name in _ARRAYS else None
        if target is None or kind != target.dtype.str.lstrip("|<") or length != len(target):
            raise InvalidInput("", f"the solution's {name[:30]!r} do not fit: {length:,} of {kind[:10]}")
        if at + length * target.dtype.itemsize > len(data) - _DIGEST_BYTES:
            raise InvalidInput("", f"the solution ends before its {name} do")
        parts.append((target, np.frombuffer(data, target.dtype.newbyteorder("<"), length, at)))
        at += length * target.dtype.itemsize
    if missing := sorted(set(_ARRAYS) - {name for name, _, _ in header.arrays}):
        raise InvalidInput("", f"the solution has no {', '.join(missing)}")
    for target, part in parts:  # only now: all of it or nothing
        target[:] = part
    return header


def resume(data: bytes, solver: Solver) -> None:
    """Continue where another solver stopped, with any algorithm."""
    solver.start_at(restore(data, solver.memory).iteration)
