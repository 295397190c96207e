"""Learning from the samples of a run: epoch by epoch with checkpoints, to a network in the store."""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from riverboat.errors import NotFound
from riverboat.kernels import source_stamp
from riverboat.nets.layout import LAYOUT, About
from riverboat.training.plans import Plan, samples_in
from riverboat.training.progress import Epoch
from services.trainer.generating.jobs import CODE
from services.trainer.generating.shards import read_shard
from services.trainer.learning.checkpoints import read_checkpoint, write_checkpoint
from services.trainer.learning.curves import draw_curves
from services.trainer.learning.export import export
from services.trainer.learning.training import Training
from services.trainer.models import make_card, put_model
from services.trainer.store import RUNS, SHARDS, Store

Tell = Callable[[Epoch], None]


def learn(store: Store, run_id: str, plan: Plan, names: Sequence[str], tell: Tell) -> str:
    """Train the network of a run on shards, from its last checkpoint on; the name of the network in the store."""
    training, sample_count = _begin(store, run_id, plan), sum(map(samples_in, names))
    start = time.perf_counter()
    while not training.is_over:
        tell(training.run_epoch(partial(read_shard, store), names, sample_count))
        store.put(RUNS, f"{run_id}.safetensors", write_checkpoint(training))
    return _store_network(store, run_id, plan, names, training, time.perf_counter() - start)


def _begin(store: Store, run_id: str, plan: Plan) -> Training:
    try:
        return read_checkpoint(store.get(RUNS, f"{run_id}.safetensors"), plan.deck, plan.recipe)
    except NotFound:
        return Training(plan.deck, plan.recipe)


def _store_network(
    store: Store, run_id: str, plan: Plan, names: Sequence[str], training: Training, seconds: float
) -> str:
    training.network.load_state_dict(training.best)
    best = training.best_epoch
    about = About(
        LAYOUT,
        plan.deck,
        plan.street,
        _data_hash(store, names),
        source_stamp(Path(__file__), CODE)[:16],
        sum(map(samples_in, names)),
        best.train_loss,
        best.held_out_loss,
    )
    data = export(training.network, about)
    more = {
        "run": run_id,
        "labels": plan.leaf,
        "recipe": asdict(plan.recipe),
        "generating_core_seconds": round(_core_seconds(store, names)),
        "learning_seconds": round(seconds),
        "parameters": sum(parameter.numel() for parameter in training.network.parameters()),
    }
    picture = draw_curves(f"{plan.deck} cards, {plan.street}: {about.samples:,} situations", training.history)
    return put_model(store, data, make_card(data, about, training.history, more), picture)


def _data_hash(store: Store, names: Sequence[str]) -> str:
    """A hash of all shards that were learnt from."""
    digest = hashlib.sha256()
    for name in names:
        digest.update(hashlib.sha256(store.get(SHARDS, name + ".safetensors")).digest())
    return digest.hexdigest()[:16]


def _core_seconds(store: Store, names: Sequence[str]) -> float:
    """What the samples took to generate, by their receipts."""
    total = 0.0
    for name in names:
        try:
            receipt = json.loads(store.get(SHARDS, name + ".json"))
            total += float(receipt.get("core_seconds", receipt["seconds"]))
        except (NotFound, ValueError, KeyError):
            continue
    return total
