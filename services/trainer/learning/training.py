"""Training a network: Huber loss, a learning-rate schedule, early stopping on validation boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi

import numpy as np
import torch
from torch import Tensor

from riverboat.errors import InvalidInput
from riverboat.services.trainer.learning.batches import Batch, ReadShard, batches
from riverboat.services.trainer.learning.network import MakeNetwork, ValueNetwork
from riverboat.situations.split import Side
from riverboat.training.plans import Recipe
from riverboat.training.progress import Epoch

_WARM_UP = 0.05  # of all epochs
_CLIP = 1.0
_SCORED_BATCH = 256


@dataclass(frozen=True, slots=True)
class SplitScore:
    """The distance of a network from the labels of one side of the split, in pots, averaged over possible holdings."""

    loss: float  # Huber's
    mean_absolute_error: float
    samples: int


def rate_at(recipe: Recipe, progress: float) -> float:
    """Return the learning rate after a part of all epochs: a linear rise, then a cosine decay."""
    if progress < _WARM_UP:
        return recipe.rate * max(progress, 1e-3) / _WARM_UP
    return recipe.rate * 0.5 * (1 + cos(pi * (progress - _WARM_UP) / (1 - _WARM_UP)))


class Training:
    """A network in training."""

    def __init__(self, deck: str, recipe: Recipe, make: MakeNetwork = ValueNetwork) -> None:
        torch.manual_seed(recipe.seed)
        self.deck, self.recipe = deck, recipe
        self.network = make(deck, recipe.width, recipe.depth)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=recipe.rate)
        self.history: list[Epoch] = []
        self.best: dict[str, Tensor] = {}  # weights that scored best on validation boards

    @property
    def best_epoch(self) -> Epoch:
        """The epoch that scored best on validation boards."""
        return min(self.history, key=lambda epoch: epoch.held_out_loss)

    @property
    def is_over(self) -> bool:
        """Whether all epochs are done, or the network has stopped improving."""
        if len(self.history) >= self.recipe.epochs:
            return True
        return bool(self.history) and len(self.history) - self.best_epoch.number >= self.recipe.patience

    def run_epoch(self, read: ReadShard, names: Sequence[str], sample_count: int) -> Epoch:
        """Train on all samples once and return the epoch's losses. Seed and epoch decide the order."""
        number = len(self.history) + 1
        rng = np.random.default_rng([self.recipe.seed, number])
        total, count = 0.0, 0
        for batch in batches(read, names, self.recipe.batch_size, Side.TRAIN, rng):
            loss = self._step(batch, (number - 1 + min(1.0, count / sample_count)) / self.recipe.epochs)
            total, count = total + loss * batch.count, count + batch.count
        epoch = Epoch(number, total / max(count, 1), self.score(read, names, Side.VALIDATION).loss)
        self.history.append(epoch)
        if epoch == self.best_epoch:
            self.best = {name: tensor.clone() for name, tensor in self.network.state_dict().items()}
        return epoch

    def _step(self, batch: Batch, progress: float) -> float:
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(self.recipe, progress)
        loss, _ = _losses(self.network, batch)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), _CLIP)
        self.optimizer.step()
        return float(loss.item())

    def score(self, read: ReadShard, names: Sequence[str], side: Side) -> SplitScore:
        """Return the score on one side of the split; InvalidInput if it has no samples."""
        loss, error, count = 0.0, 0.0, 0
        with torch.no_grad():
            for batch in batches(read, names, _SCORED_BATCH, side):
                losses = _losses(self.network, batch)
                loss, error = loss + float(losses[0]) * batch.count, error + float(losses[1]) * batch.count
                count += batch.count
        if not count:
            raise InvalidInput("samples", f"none of them is in the {side.name.lower()} set: plan more")
        return SplitScore(loss / count, error / count, count)


def _losses(network: ValueNetwork, batch: Batch) -> tuple[Tensor, Tensor]:
    """Return the Huber loss and the mean absolute error, averaged over both players' possible holdings."""
    ranges, pot, board, values, live = (
        torch.from_numpy(array) for array in (batch.ranges, batch.pot, batch.board, batch.values, batch.live)
    )
    difference, none = (network(ranges, pot, board) - values) * live, torch.zeros_like(values)
    loss = torch.nn.functional.huber_loss(difference, none, reduction="sum")
    count = 2 * live.sum()
    return loss / count, difference.detach().abs().sum() / count
