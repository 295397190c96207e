"""The learner: from the samples of a run, epoch by epoch with checkpoints, to a network in the store."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from riverboat.compiled.kernels import source_stamp
from riverboat.errors import NotFound
from riverboat.nets.layout import LAYOUT, About
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.generation.samples import Samples
from riverboat.services.trainer.generation.shards import read_shard
from riverboat.services.trainer.learning.census import Count, census
from riverboat.services.trainer.learning.checkpoints import read_checkpoint, write_checkpoint
from riverboat.services.trainer.learning.curves import draw_curves
from riverboat.services.trainer.learning.export import export
from riverboat.services.trainer.learning.network import network_for
from riverboat.services.trainer.learning.training import SplitScore, Training
from riverboat.services.trainer.models import make_card, put_model
from riverboat.services.trainer.store import RUNS, SHARDS, ObjectStore, checkpoint_name
from riverboat.situations.split import Side
from riverboat.training.plans import TrainingPlan
from riverboat.training.progress import Epoch

TellEpoch = Callable[[Epoch], None]


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """The samples that a network learns from, and their origin."""

    store: ObjectStore
    run_id: str
    plan: TrainingPlan
    names: Sequence[str]  # of shards
    origin: Origin  # of the samples in them

    def read(self, name: str) -> Samples:
        """Return the samples of a shard; DamagedShard or StaleShard if they are not those of this origin."""
        return read_shard(self.store, name, self.origin)


def learn(lesson: Lesson, tell: TellEpoch) -> str:
    """Train the network of a run from its last checkpoint; return its name in the store."""
    counts, training = census(lesson.read, lesson.names), _begin(lesson)
    sample_count = sum(count.samples for count in counts.values())
    start = time.perf_counter()
    while not training.is_over:
        tell(training.run_epoch(lesson.read, lesson.names, sample_count))
        lesson.store.put(RUNS, checkpoint_name(lesson.run_id), write_checkpoint(training))
    seconds = time.perf_counter() - start
    training.network.load_state_dict(training.best)
    # The only use of the test boards, after everything has been chosen.
    test = training.score(lesson.read, lesson.names, Side.TEST) if counts[Side.TEST].samples else None
    return _store_network(lesson, training, counts, test, seconds)


def _begin(lesson: Lesson) -> Training:
    plan, make = lesson.plan, network_for(lesson.plan.street)
    try:
        return read_checkpoint(lesson.store.get(RUNS, checkpoint_name(lesson.run_id)), plan.deck, plan.recipe, make)
    except NotFound:
        return Training(plan.deck, plan.recipe, make)


def _store_network(
    lesson: Lesson, training: Training, counts: Mapping[Side, Count], test: SplitScore | None, seconds: float
) -> str:
    plan, best = lesson.plan, training.best_epoch
    about = About(
        layout=LAYOUT,
        deck=plan.deck,
        street=plan.street,
        data=_data_hash(lesson.store, lesson.names),
        code=source_stamp(Path(__file__))[:16],
        samples=sum(count.samples for count in counts.values()),
        train_loss=best.train_loss,
        held_out_loss=best.held_out_loss,
        test_loss=test.loss if test else None,
        test_mean_absolute_error=test.mean_absolute_error if test else None,
        test_samples=counts[Side.TEST].samples,
        test_boards=counts[Side.TEST].boards,
    )
    data = export(training.network, about)
    split = {side.name.lower(): {"samples": count.samples, "boards": count.boards} for side, count in counts.items()}
    more = {
        "run": lesson.run_id,
        "labels": plan.leaf,
        "labels_network": lesson.origin.network,
        "samples_code": lesson.origin.code,
        "recipe": asdict(plan.recipe),
        "validation_loss": best.held_out_loss,
        "split": split,
        "generating_core_seconds": round(_core_seconds(lesson.store, lesson.names)),
        "learning_seconds": round(seconds),
        "parameters": sum(parameter.numel() for parameter in training.network.parameters()),
    }
    picture = draw_curves(f"{plan.deck} cards, {plan.street}: {about.samples:,} situations", training.history)
    return put_model(lesson.store, data, make_card(data, about, training.history, more), picture)


def _data_hash(store: ObjectStore, names: Sequence[str]) -> str:
    """Return a hash of all shards."""
    digest = hashlib.sha256()
    for name in names:
        digest.update(hashlib.sha256(store.get(SHARDS, name + ".safetensors")).digest())
    return digest.hexdigest()[:16]


def _core_seconds(store: ObjectStore, names: Sequence[str]) -> float:
    """Return the core-seconds that the samples took, by their receipts."""
    total = 0.0
    for name in names:
        try:
            receipt = json.loads(store.get(SHARDS, name + ".json"))
            total += float(receipt.get("core_seconds", receipt["seconds"]))
        except (NotFound, ValueError, KeyError):
            continue
    return total
