"""Shards: the same job makes the same bytes, and damaged files are never used."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.errors import InvalidInput, NotFound
from riverboat.services.trainer.generation.jobs import do_job
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.generation.samples import DamagedShard, Samples, pack, unpack
from riverboat.services.trainer.generation.shards import ShardState, StaleShard, put_shard, read_shard, shard_state
from riverboat.services.trainer.learning.batches import batches
from riverboat.services.trainer.store import SHARDS, ObjectStore
from riverboat.situations.labels import Care
from riverboat.situations.split import Side
from riverboat.training.jobs import Job

JOB = Job("24", "river", 7, 12)
ABOUT = {"seed": 7, "leaf": "exact"}
OURS = Origin("our code")


@pytest.fixture(scope="module")
def samples() -> Samples:
    return do_job(JOB, Care(iterations=60))


def test_the_same_job_gives_the_same_bytes(samples: Samples) -> None:
    again = do_job(JOB, Care(iterations=60))
    assert pack(samples, ABOUT) == pack(again, ABOUT)
    other = do_job(replace(JOB, seed=8), Care(iterations=60))
    assert not np.array_equal(other.ranges, samples.ranges)


def test_what_is_packed_comes_out(samples: Samples) -> None:
    read, about = unpack(pack(samples, ABOUT))
    assert (about["seed"], about["leaf"], about["count"]) == (7, "exact", 12)
    for name in ("boards", "pot_shares", "ranges", "values", "exploitability", "iterations"):
        assert np.array_equal(getattr(read, name), getattr(samples, name))


@given(st.data())
def test_any_byte_that_is_changed_is_noticed(samples: Samples, data: st.DataObject) -> None:
    packed = bytearray(pack(samples, ABOUT))
    place = data.draw(st.integers(0, len(packed) - 1))
    packed[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(DamagedShard):
        unpack(bytes(packed))


@given(st.data())
def test_any_end_that_is_missing_is_noticed(samples: Samples, data: st.DataObject) -> None:
    packed = pack(samples, ABOUT)
    with pytest.raises(DamagedShard):
        unpack(packed[: data.draw(st.integers(0, len(packed) - 1))])


@pytest.mark.parametrize("kind", ["folder", "memory"])
def test_shards_in_a_store(kind: str, tmp_path: Path, samples: Samples) -> None:
    store = ObjectStore(str(tmp_path) if kind == "folder" else f"memory://{tmp_path.name}")
    assert shard_state(store, JOB, OURS) is ShardState.MISSING
    with pytest.raises(NotFound):
        read_shard(store, JOB.name)
    put_shard(store, JOB, samples, OURS, 1.5, 1.25)
    assert shard_state(store, JOB, OURS) is ShardState.WHOLE
    assert read_shard(store, JOB.name).count == 12
    assert store.names(SHARDS, ".safetensors") == [f"{JOB.name}.safetensors"]
    assert b'"seconds": 1.5' in store.get(SHARDS, f"{JOB.name}.json")


def test_a_damaged_shard_is_named_and_removed(tmp_path: Path, samples: Samples) -> None:
    store = ObjectStore(str(tmp_path))
    put_shard(store, JOB, samples, OURS, 1.0, 1.0)
    file = tmp_path / SHARDS / f"{JOB.name}.safetensors"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(DamagedShard, match=JOB.name):
        read_shard(store, JOB.name)
    assert shard_state(store, JOB, OURS) is ShardState.DAMAGED
    assert not file.exists()


@pytest.mark.parametrize("other", [Origin("older code"), Origin("our code", "a" * 64), Origin("")])
def test_a_shard_of_another_origin_is_stale(tmp_path: Path, samples: Samples, other: Origin) -> None:
    """The shard is intact, and would be used again if its recorded hash were ignored."""
    store = ObjectStore(str(tmp_path))
    put_shard(store, JOB, samples, other, 1.0, 1.0)
    assert read_shard(store, JOB.name).count == 12
    assert shard_state(store, JOB, OURS) is ShardState.STALE
    with pytest.raises(StaleShard, match=f"{JOB.name} is stale: it was made by code {other.code or 'unknown'}"):
        read_shard(store, JOB.name, OURS)
    put_shard(store, JOB, samples, OURS, 1.0, 1.0)
    assert shard_state(store, JOB, OURS) is ShardState.WHOLE


def test_stores_that_nothing_can_open_are_refused() -> None:
    with pytest.raises(InvalidInput, match="store"):
        ObjectStore("nonsense://somewhere")


def test_batches_have_everything_once(samples: Samples) -> None:
    shards = {str(n): do_job(Job("24", "river", n, 30), Care(iterations=10)) for n in range(3)}
    kept: list[float] = []
    for side in Side:
        for batch in batches(shards.__getitem__, list(shards), 8, side, np.random.default_rng(1)):
            assert batch.ranges.shape[1:] == (1, 2, 276)
            kept += batch.values[:, 0, 0].sum(axis=1).tolist()
    assert len(kept) == 90
    every = np.concatenate([shard.values[:, 0].sum(axis=1) for shard in shards.values()])
    assert np.allclose(np.sort(kept), np.sort(every), atol=1e-5)


def test_a_whole_shard_under_another_name_is_refused(tmp_path: Path, samples: Samples) -> None:
    store, other = ObjectStore(str(tmp_path)), replace(JOB, seed=8)
    put_shard(store, JOB, samples, OURS, 0.0, 0.0)
    store.put(SHARDS, f"{other.name}.safetensors", store.get(SHARDS, f"{JOB.name}.safetensors"))
    assert shard_state(store, JOB, OURS) is ShardState.WHOLE
    with pytest.raises(DamagedShard, match=f"what is in it is called {JOB.name}"):
        read_shard(store, other.name)
    assert shard_state(store, other, OURS) is ShardState.DAMAGED
