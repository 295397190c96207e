"""Shards in a store: one file for each job, and beside it a receipt of how long it took."""

import json
import platform
from collections.abc import Mapping
from typing import Any

from riverboat.errors import InvalidInput, NotFound
from riverboat.training.plans import VERSION, Job
from services.trainer.generating.samples import DamagedShard, Samples, pack, unpack
from services.trainer.store import SHARDS, Store

_END = ".safetensors"


def put_shard(store: Store, job: Job, samples: Samples, code: str, seconds: float, core_seconds: float) -> None:
    """Store what a job has made. How long it took goes beside it: the shard itself is the same every time."""
    about = {"seed": job.seed, "leaf": job.leaf, "version": VERSION, "code": code}
    receipt = {
        "seconds": round(seconds, 3),
        "core_seconds": round(core_seconds, 3),  # less, where others had the core meanwhile
        "machine": platform.node(),
        "exploitability": round(float(samples.exploitability.mean()), 6),
    }
    store.put(SHARDS, job.name + ".json", json.dumps(receipt).encode())
    store.put(SHARDS, job.name + _END, pack(samples, about))


def read_shard(store: Store, name: str) -> Samples:
    """The samples of a job, by its name; DamagedShard, with its name, if they are not what was stored there."""
    try:
        samples, header = unpack(store.get(SHARDS, name + _END))
        says = _name_in(header)
        if says != name:
            raise DamagedShard(f"what is in it is called {says}")
        return samples
    except DamagedShard as error:
        raise DamagedShard(f"shard {name} is damaged: {error}") from None


def _name_in(header: Mapping[str, Any]) -> str:
    """What a shard with this header is called."""
    try:
        job = Job(header["deck"], header["street"], header["seed"], header["count"], header["leaf"])
        return job.name if header["version"] == VERSION else f"of version {header['version']}"
    except (KeyError, TypeError, InvalidInput) as error:
        raise DamagedShard(f"its header cannot be read: {error!r}") from None


def has_whole_shard(store: Store, job: Job) -> bool:
    """Whether a job's shard is there, and as it should be; a damaged one is removed."""
    try:
        read_shard(store, job.name)
    except NotFound:
        return False
    except DamagedShard:
        store.remove(SHARDS, job.name + _END)
        return False
    return True
