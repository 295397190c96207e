"""The state of a run of opponent models as bytes: cuts, clusters, and what has been learnt so far."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from riverboat.opponents.styles import MoveTree

F32 = NDArray[np.float32]
I16 = NDArray[np.int16]
_FACTS, _CUTS, _CLUSTERS = "facts", "cuts", "clusters"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OpponentsState:
    """Where a run stands."""

    fingerprint: str  # of the store
    cuts: list[F32]  # where the bins of each feature end
    clusters: I16  # [P]: the style of each player, by first appearance in the store
    trees: dict[str, MoveTree] = field(default_factory=dict)  # by role, style and situation; cuts are bins
    facts: dict[str, Any] = field(default_factory=dict)  # for the card


def write_state_bytes(state: OpponentsState) -> bytes:
    """Return a state as bytes."""
    facts = {
        "fingerprint": state.fingerprint, "facts": state.facts, "trees": list(state.trees),
        "cuts": [len(cuts) for cuts in state.cuts],
    }  # fmt: skip
    arrays: dict[str, NDArray[Any]] = {
        _FACTS: np.frombuffer(json.dumps(facts).encode(), np.uint8),
        _CUTS: np.concatenate([np.zeros(0, np.float32), *state.cuts]),
        _CLUSTERS: state.clusters,
    }
    for name, tree in state.trees.items():
        arrays |= tree_arrays(tree, f"{name}.")
    return bytes(save(arrays))


def read_state_bytes(data: bytes) -> OpponentsState:
    """Return the state of such bytes."""
    arrays = load(data)
    facts: Any = json.loads(bytes(arrays[_FACTS]))
    ends = np.cumsum(facts["cuts"])[:-1]
    return OpponentsState(
        fingerprint=facts["fingerprint"],
        cuts=np.split(arrays[_CUTS], ends),
        clusters=arrays[_CLUSTERS],
        trees={name: tree_of(arrays, f"{name}.") for name in facts["trees"]},
        facts=facts["facts"],
    )


def tree_arrays(tree: MoveTree, prefix: str = "") -> dict[str, NDArray[Any]]:
    """Return a tree as arrays by name."""
    return {f"{prefix}{name}": np.ascontiguousarray(value) for name, value in tree._asdict().items()}


def tree_of(arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> MoveTree:
    """Return the tree of such arrays."""
    return MoveTree(*(arrays[f"{prefix}{name}"] for name in MoveTree._fields))


def write_trees(trees: Mapping[str, MoveTree]) -> bytes:
    """Return the trees of a job as bytes."""
    arrays: dict[str, NDArray[Any]] = {"names": np.frombuffer(json.dumps(list(trees)).encode(), np.uint8)}
    for name, tree in trees.items():
        arrays |= tree_arrays(tree, f"{name}.")
    return bytes(save(arrays))


def read_trees(data: bytes) -> dict[str, MoveTree]:
    """Return the trees of such bytes."""
    arrays = load(data)
    return {name: tree_of(arrays, f"{name}.") for name in json.loads(bytes(arrays["names"]))}
