"""The state of a policy run as bytes: the blueprint at first, then the states, then the models learnt so far."""

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from riverboat.policies.game_states import StreetStates, joined

_FACTS, _BLUEPRINT, _PREFLOP, _MODEL = "facts", "blueprint", "preflop", "model"
F32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PolicyState:
    """The state of a policy run after a round."""

    blueprint: bytes
    preflop: F32  # [classes, 31]
    learnt_from: tuple[StreetStates, ...] = ()  # by street
    held_out: tuple[StreetStates, ...] = ()
    models: tuple[bytes, ...] = ()  # by street, so far
    facts: list[dict[str, float]] = field(default_factory=list)  # about each model
    seconds: float = 0.0  # of learning


def write_policy_state(state: PolicyState) -> bytes:
    """Return a state as bytes."""
    facts = {"facts": state.facts, "seconds": state.seconds, "streets": len(state.learnt_from)}
    arrays: dict[str, NDArray[Any]] = {
        _FACTS: _bytes(json.dumps(facts).encode()),
        _BLUEPRINT: _bytes(state.blueprint),
        _PREFLOP: state.preflop,
    }
    arrays |= _entries("learnt", state.learnt_from) | _entries("held_out", state.held_out)
    arrays |= {f"{_MODEL}{street}": _bytes(model) for street, model in enumerate(state.models)}
    return bytes(save(arrays))


def read_policy_state(data: bytes) -> PolicyState:
    """Return the state in these bytes."""
    arrays = load(data)
    facts: Any = json.loads(bytes(arrays[_FACTS]))
    return PolicyState(
        blueprint=bytes(arrays[_BLUEPRINT]),
        preflop=arrays[_PREFLOP],
        learnt_from=_states(arrays, "learnt", facts["streets"]),
        held_out=_states(arrays, "held_out", facts["streets"]),
        models=tuple(bytes(arrays[f"{_MODEL}{street}"]) for street in range(len(facts["facts"]))),
        facts=facts["facts"],
        seconds=facts["seconds"],
    )


def write_states(states: tuple[StreetStates, ...]) -> bytes:
    """Return the states that a job drew as bytes."""
    return bytes(save(_entries("drawn", states)))


def read_states(results: list[bytes], street_count: int) -> tuple[StreetStates, ...]:
    """Return the states of some jobs, joined."""
    return joined([_states(load(data), "drawn", street_count) for data in results])


def _bytes(data: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(data, np.uint8)


def _entries(name: str, states: tuple[StreetStates, ...]) -> dict[str, NDArray[Any]]:
    entries: dict[str, NDArray[Any]] = {}
    for street, one in enumerate(states):
        entries |= {f"{name}.features{street}": one.features, f"{name}.chances{street}": one.chances}
    return entries


def _states(arrays: dict[str, Any], name: str, street_count: int) -> tuple[StreetStates, ...]:
    return tuple(
        StreetStates(arrays[f"{name}.features{street}"], arrays[f"{name}.chances{street}"])
        for street in range(street_count)
    )
