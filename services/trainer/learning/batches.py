"""Batches from shards, one shard after another: memory holds only a few shards at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.services.trainer.generation.samples import TENSORS, Samples
from riverboat.services.trainer.learning.kept_features import KeptFeatures
from riverboat.situations.split import Side, sides
from riverboat.solving.subgame import F32

ReadShard = Callable[[str], Samples]
_FEATURES = KeptFeatures(1_000_000_000)
_MIXED = 2_000  # minimum number of samples shuffled together


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """N situations, for a network: K = N boards with L = 1 on each."""

    ranges: F32  # [N, 1, 2, H]
    pot: F32  # [N, 1, 1]
    board: F32  # [N, H, F]
    values: F32  # [N, 1, 2, H]
    live: F32  # [N, 1, 1, H]: 1 for holdings that are possible

    @property
    def count(self) -> int:
        """N."""
        return len(self.ranges)


def batches(
    read: ReadShard, names: Sequence[str], size: int, side: Side, rng: np.random.Generator | None = None
) -> Iterator[Batch]:
    """Yield batches of one side of the split (training, validation or test), shuffled if `rng` is given."""
    order = np.arange(len(names)) if rng is None else rng.permutation(len(names))
    waiting: list[Samples] = []
    for place, shard in enumerate(order):
        samples = read(names[int(shard)])
        waiting.append(chosen(samples, np.flatnonzero(sides(samples.boards, samples.ranges) == side)))
        count = sum(samples.count for samples in waiting)
        if count < max(_MIXED, size) and place + 1 < len(order):
            continue
        mixed = _joined(waiting)
        rows = np.arange(count) if rng is None else rng.permutation(count)
        # Samples that do not fill a batch wait for more; the last ones are a smaller batch.
        whole = count if place + 1 == len(order) else count // size * size
        for first in range(0, whole, size):
            yield to_batch(chosen(mixed, rows[first : min(first + size, whole)]))
        waiting = [chosen(mixed, rows[whole:])]


def chosen(samples: Samples, rows: NDArray[np.integer]) -> Samples:
    """Return some of the samples."""
    arrays = {name: getattr(samples, name)[rows] for name in TENSORS}
    return Samples(deck=samples.deck, street=samples.street, **arrays)


def _joined(parts: Sequence[Samples]) -> Samples:
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in TENSORS}
    return Samples(deck=parts[0].deck, street=parts[0].street, **arrays)


def to_batch(samples: Samples) -> Batch:
    """Return samples as a network's inputs and labels."""
    rows = [_FEATURES.of(samples.deck, tuple(board)) for board in samples.boards.tolist()]
    live = (samples.ranges.sum(axis=1) > 0).astype(np.float32)
    return Batch(
        samples.ranges[:, None],
        samples.pot_shares[:, None, None],
        np.array(rows, np.float32),
        samples.values[:, None],
        live[:, None, None],
    )
