"""The numbers of samples and boards on each side of the split: training, validation, test."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.services.trainer.learning.batches import ReadShard
from riverboat.situations.split import Side, sides
from riverboat.strength.boards import board_keys


@dataclass(slots=True)
class Count:
    """The samples and boards of one side."""

    samples: int = 0
    keys: set[int] = field(default_factory=set)  # boards that differ by more than suits

    @property
    def boards(self) -> int:
        """The number of boards that differ by more than suits; 0 before the flop."""
        return len(self.keys)


def census(read: ReadShard, names: Sequence[str]) -> dict[Side, Count]:
    """Return the counts of each side; InvalidInput if there are no samples for training or for validation."""
    counts = {side: Count() for side in Side}
    for name in names:
        samples = read(name)
        of_each = sides(samples.boards, samples.ranges)
        keys = board_keys(samples.boards)
        for side, count in counts.items():
            count.samples += int((of_each == side).sum())
            if samples.boards.shape[1]:
                count.keys.update(np.unique(keys[of_each == side]).tolist())
    for side in (Side.TRAIN, Side.VALIDATION):
        if not counts[side].samples:
            raise InvalidInput("samples", f"none of them is in the {side.name.lower()} set: plan more")
    return counts
