"""Samples in a trainer's store, for benchmarks that learn from them again."""

from collections.abc import Sequence
from functools import cache, partial

from riverboat.services.trainer.generation.shards import read_shard
from riverboat.services.trainer.learning.batches import ReadShard
from riverboat.services.trainer.learning.network import network_for
from riverboat.services.trainer.learning.training import Training
from riverboat.services.trainer.store import SHARDS, ObjectStore
from riverboat.training.jobs import EXACT, samples_in
from riverboat.training.plans import Recipe

_SUFFIX = ".safetensors"


def shard_names(store: ObjectStore, deck: str, street: str, leaf: str = EXACT) -> list[str]:
    """Return all shards of a deck, street and leaf, in the order of their seeds."""
    prefix = f"{deck}-{street}-{leaf}-"
    return [name.removesuffix(_SUFFIX) for name in store.names(SHARDS, _SUFFIX) if name.startswith(prefix)]


def reader(store: ObjectStore) -> ReadShard:
    """Return a function that reads each shard once."""
    read: ReadShard = cache(partial(read_shard, store))
    return read


def trained(deck: str, street: str, recipe: Recipe, read: ReadShard, names: Sequence[str]) -> Training:
    """Train a network on shards; return the training with the best epoch's network."""
    training = Training(deck, recipe, network_for(street))
    while not training.is_over:
        training.run_epoch(read, names, sum(map(samples_in, names)))
    training.network.load_state_dict(training.best)
    return training
