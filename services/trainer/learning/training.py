"""Training a network: Huber loss, a schedule, an eye on what is held out, and checkpoints that resume exactly."""

from collections.abc import Callable, Sequence
from math import cos, pi

import numpy as np
import torch
from torch import Tensor

from riverboat.errors import InvalidInput
from riverboat.training.plans import Recipe
from riverboat.training.progress import Epoch
from services.trainer.learning.batches import Batch, ReadShard, batches
from services.trainer.learning.network import ValueNetwork

MakeNetwork = Callable[[str, int, int], ValueNetwork]  # from a deck, a width and a depth
_WARM_UP = 0.05  # of all epochs
_CLIP = 1.0
_HELD_OUT_BATCH = 256


def rate_at(recipe: Recipe, progress: float) -> float:
    """The rate after a part of all epochs: up in a line, then down in a curve."""
    if progress < _WARM_UP:
        return recipe.rate * max(progress, 1e-3) / _WARM_UP
    return recipe.rate * 0.5 * (1 + cos(pi * (progress - _WARM_UP) / (1 - _WARM_UP)))


class Training:
    """A network on its way."""

    def __init__(self, deck: str, recipe: Recipe, make: MakeNetwork = ValueNetwork) -> None:
        torch.manual_seed(recipe.seed)
        self.deck, self.recipe = deck, recipe
        self.network = make(deck, recipe.width, recipe.depth)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=recipe.rate)
        self.history: list[Epoch] = []
        self.best: dict[str, Tensor] = {}  # the network that did best on what is held out

    @property
    def best_epoch(self) -> Epoch:
        """The epoch that did best on what is held out."""
        return min(self.history, key=lambda epoch: epoch.held_out_loss)

    @property
    def is_over(self) -> bool:
        """Whether all epochs are done, or it does not get better."""
        if len(self.history) >= self.recipe.epochs:
            return True
        return bool(self.history) and len(self.history) - self.best_epoch.number >= self.recipe.patience

    def run_epoch(
        self, read: ReadShard, names: Sequence[str], sample_count: int, tell: Callable[[int], None] | None = None
    ) -> Epoch:
        """Go through all samples once; `tell` hears how many are done. The order depends on the seed and the epoch."""
        number = len(self.history) + 1
        rng = np.random.default_rng([self.recipe.seed, number])
        total, count = 0.0, 0
        for batch in batches(read, names, self.recipe.batch_size, is_held_out=False, rng=rng):
            loss = self._step(batch, (number - 1 + min(1.0, count / sample_count)) / self.recipe.epochs)
            total, count = total + loss * batch.count, count + batch.count
            if tell is not None:
                tell(count)
        found = Epoch(number, total / max(count, 1), self.held_out_loss(read, names))
        self.history.append(found)
        if found == self.best_epoch:
            self.best = {name: tensor.clone() for name, tensor in self.network.state_dict().items()}
        return found

    def _step(self, batch: Batch, progress: float) -> float:
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(self.recipe, progress)
        loss = _loss(self.network, batch)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), _CLIP)
        self.optimizer.step()
        return float(loss.item())

    def held_out_loss(self, read: ReadShard, names: Sequence[str]) -> float:
        """The loss on what is held out, in pots."""
        total, count = 0.0, 0
        with torch.no_grad():
            for batch in batches(read, names, _HELD_OUT_BATCH, is_held_out=True):
                total, count = total + float(_loss(self.network, batch)) * batch.count, count + batch.count
        if not count:
            raise InvalidInput("samples", "none is held out: there are too few to judge a network by")
        return total / count


def _loss(network: ValueNetwork, batch: Batch) -> Tensor:
    """Huber's loss, averaged over both players' holdings that are possible."""
    ranges, pot, board, values, live = (
        torch.from_numpy(array) for array in (batch.ranges, batch.pot, batch.board, batch.values, batch.live)
    )
    loss = torch.nn.functional.huber_loss(network(ranges, pot, board), values, reduction="none") * live
    mean: Tensor = loss.sum() / (2 * live.sum())
    return mean
