"""Shards in a store: one file for each job, and beside it a receipt of how long it took."""

import json
import platform
from collections.abc import Mapping
from enum import Enum
from typing import Any

from riverboat.errors import InvalidInput, NotFound, RiverboatError
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.generation.samples import DamagedShard, Samples, pack, unpack
from riverboat.services.trainer.store import SHARDS, ObjectStore
from riverboat.training.jobs import Job

_END = ".safetensors"
_SHOWN = 8  # digits of a network's hash, as in its name


class StaleShard(RiverboatError):
    """A whole shard that was made by other code, or through another network."""


class ShardState(Enum):
    """The state of a job's shard in the store."""

    WHOLE = "whole"
    MISSING = "missing"
    DAMAGED = "damaged"
    STALE = "stale"


def put_shard(
    store: ObjectStore, job: Job, samples: Samples, origin: Origin, seconds: float, core_seconds: float
) -> None:
    """Store a job's samples, and beside them the time that they took: the shard itself must be the same every time."""
    about = {"seed": job.seed, "leaf": job.leaf, "code": origin.code, "network": origin.network}
    receipt = {
        "seconds": round(seconds, 3),
        "core_seconds": round(core_seconds, 3),  # less than seconds if other processes had the core meanwhile
        "machine": platform.node(),
        "exploitability": round(float(samples.exploitability.mean()), 6),
    }
    store.put(SHARDS, job.name + ".json", json.dumps(receipt).encode())
    store.put(SHARDS, job.name + _END, pack(samples, about))


def read_shard(store: ObjectStore, name: str, origin: Origin | None = None) -> Samples:
    """Return the samples of a job, by its name.

    Raise DamagedShard, with its name, if they are not what was stored; StaleShard if their origin is not the given one.
    """
    try:
        samples, header = unpack(store.get(SHARDS, name + _END))
        says = _name_in(header)
        if says != name:
            raise DamagedShard(f"what is in it is called {says}")
    except DamagedShard as error:
        raise DamagedShard(f"shard {name} is damaged: {error}") from None
    made_by = Origin(str(header.get("code", "")), str(header.get("network", "")))
    if origin is not None and made_by != origin:
        raise StaleShard(f"shard {name} is stale: it was made by {_words(made_by)}, not by {_words(origin)}")
    return samples


def _words(origin: Origin) -> str:
    network = f" through the network {origin.network[:_SHOWN]}" if origin.network else ""
    return f"code {origin.code or 'unknown'}{network}"


def _name_in(header: Mapping[str, Any]) -> str:
    """Return the name of a shard with this header."""
    try:
        return Job(header["deck"], header["street"], header["seed"], header["count"], header["leaf"]).name
    except (KeyError, TypeError, InvalidInput) as error:
        raise DamagedShard(f"its header cannot be read: {error!r}") from None


def shard_state(store: ObjectStore, job: Job, origin: Origin) -> ShardState:
    """Return the state of a job's shard; a damaged one is removed, a stale one stays until it is made again."""
    try:
        read_shard(store, job.name, origin)
    except NotFound:
        return ShardState.MISSING
    except StaleShard:
        return ShardState.STALE
    except DamagedShard:
        store.remove(SHARDS, job.name + _END)
        return ShardState.DAMAGED
    return ShardState.WHOLE
