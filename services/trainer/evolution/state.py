"""The state of an evolution as bytes: the generation that plays next, and the records of those before it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from riverboat.evolution.generations import Generation, GenerationRecord
from riverboat.tournaments.series import SeriesResult

_GROUP, _HALL, _FACTS, _RANKS, _SUMS, _HANDS = "group", "hall", "facts", "ranks", "sums", "hands"


@dataclass(frozen=True, slots=True, eq=False)
class EvolutionState:
    """The state of an evolution after a generation."""

    generation: Generation
    records: tuple[GenerationRecord, ...]


def write_state_bytes(state: EvolutionState) -> bytes:
    """Return a state as bytes."""
    facts = {"number": state.generation.number, "records": [asdict(record) for record in state.records]}
    arrays: dict[str, NDArray[Any]] = {
        _GROUP: np.ascontiguousarray(state.generation.group),
        _HALL: np.ascontiguousarray(state.generation.hall),
        _FACTS: np.frombuffer(json.dumps(facts).encode(), np.uint8),
    }
    return bytes(save(arrays))


def read_state_bytes(data: bytes) -> EvolutionState:
    """Return the state in these bytes."""
    arrays = load(data)
    facts: Any = json.loads(bytes(arrays[_FACTS]))
    records = tuple(GenerationRecord(**record) for record in facts["records"])
    return EvolutionState(Generation(facts["number"], arrays[_GROUP], arrays[_HALL]), records)


def write_result(result: SeriesResult) -> bytes:
    """Return the result of one job as bytes."""
    arrays: dict[str, NDArray[np.int64]] = {
        _RANKS: result.ranks,
        _SUMS: result.sums,
        _HANDS: np.array([result.hand_count], np.int64),
    }
    return bytes(save(arrays))


def read_results(results: Sequence[bytes]) -> list[SeriesResult]:
    """Return the results of all jobs of a generation."""
    loaded = [load(data) for data in results]
    return [SeriesResult(arrays[_RANKS], arrays[_SUMS], int(arrays[_HANDS][0])) for arrays in loaded]
