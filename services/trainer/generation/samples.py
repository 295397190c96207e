"""Solved situations in bulk, and as the bytes of a shard: tensors with a header, no code, and a hash over all of it."""

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from riverboat.errors import RiverboatError
from riverboat.holdings import holdings_of
from riverboat.situations.situation import find_deck
from riverboat.solving.subgame import F32, I32
from riverboat.streets import STREET_NUMBERS

TENSORS = ("boards", "pot_shares", "ranges", "values", "exploitability", "iterations")
NOTE = "riverboat"  # name of the text beside the tensors


class DamagedShard(RiverboatError):
    """A shard whose content is not what was written."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Samples:
    """N solved situations of one deck and street."""

    deck: str
    street: str
    boards: NDArray[np.uint8]  # [N, cards]
    pot_shares: F32  # [N]: the pot as a share of all chips
    ranges: F32  # [N, 2, H], each adding up to one
    values: F32  # [N, 2, H]: counterfactual values in pots
    exploitability: F32  # [N]: of the solution, shares of the pot; above the cut, if there is one
    iterations: I32  # [N]

    @property
    def count(self) -> int:
        """N."""
        return len(self.boards)


def pack(samples: Samples, about: Mapping[str, Any]) -> bytes:
    """Return the bytes of a shard; the same for the same samples and the same header."""
    tensors = {name: np.ascontiguousarray(getattr(samples, name)) for name in TENSORS}
    header = {**about, "deck": samples.deck, "street": samples.street, "count": samples.count}
    header["hash"] = _hash(tensors, header)
    return save(tensors, {NOTE: json.dumps(header, sort_keys=True)})


def unpack(data: bytes) -> tuple[Samples, dict[str, Any]]:
    """Return the samples and the header of a shard; DamagedShard if they are not what was packed."""
    try:
        tensors = load(data)
        header = read_note(data)
        expected = header.pop("hash")
        if set(tensors) != set(TENSORS) or _hash(tensors, header) != expected:
            raise DamagedShard("its hash is not that of what is in it")
        samples = Samples(deck=str(header["deck"]), street=str(header["street"]), **tensors)
    except (SafetensorError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise DamagedShard(f"it cannot be read: {error}") from None
    _check(samples)
    return samples, header


def read_note(data: bytes) -> dict[str, Any]:
    """Return the note beside the tensors of a file."""
    (size,) = struct.unpack("<Q", data[:8])
    return dict(json.loads(json.loads(data[8 : 8 + size])["__metadata__"][NOTE]))


def _hash(tensors: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in TENSORS:
        digest.update(f"{name} {tensors[name].dtype} {tensors[name].shape}".encode())
        digest.update(tensors[name].tobytes())
    return digest.hexdigest()


def _check(samples: Samples) -> None:
    """Raise DamagedShard unless shapes and numbers make sense."""
    deck = find_deck(samples.deck)
    size, count = deck.board_sizes[STREET_NUMBERS[samples.street]], holdings_of(deck).count
    shapes = (samples.boards.shape[1:], samples.ranges.shape[1:], samples.values.shape[1:])
    if shapes != ((size,), (2, count), (2, count)):
        raise DamagedShard(f"it has tensors of shapes {shapes}")
    if not all(np.isfinite(array).all() for array in (samples.pot_shares, samples.ranges, samples.values)):
        raise DamagedShard("it has numbers that are not finite")
