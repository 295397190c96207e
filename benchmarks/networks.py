"""Losses of several network architectures on the same samples: python -m benchmarks.networks [SAMPLES] [EPOCHS]."""

import sys
import time
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

from riverboat.nets.features import FEATURES
from riverboat.services.trainer.generation.jobs import do_job
from riverboat.services.trainer.learning.network import (
    Block,
    MakeNetwork,
    RiverNetwork,
    ValueNetwork,
    pot_features,
    zero_sum,
)
from riverboat.services.trainer.learning.training import Training
from riverboat.situations.labels import Care
from riverboat.situations.split import Side
from riverboat.training.plans import Recipe, TrainingPlan

_SCALE = 10.0
_POT = 4


class Plain(nn.Module):
    """Two layers in sequence, without a residual connection."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output [..., width]."""
        values: Tensor = self.layers(x)
        return values


class Raw(ValueNetwork):
    """A network from holdings to holdings, like DeepStack's without buckets; the board is a mask of holdings."""

    def __init__(self, deck: str, width: int, depth: int, block: Callable[[int], nn.Module] = Block) -> None:
        super().__init__(deck, width, depth)
        holdings, _ = self.holds.shape
        self.enter = nn.Linear(3 * holdings + _POT, width)
        self.trunk = nn.Sequential(*(block(width) for _ in range(depth)))
        self.leave = nn.Linear(width, 2 * holdings)

    def forward(self, ranges: Tensor, pot: Tensor, board: Tensor) -> Tensor:
        """Return values; shapes are those of riverboat/nets/layout.py."""
        live = (board.sum(dim=-1) > 0).float().unsqueeze(1).expand(-1, ranges.shape[1], -1)
        seen = torch.cat([ranges.flatten(2) * 100, live, pot_features(pot)], dim=-1)
        out = self.leave(torch.relu(self.trunk(self.enter(seen))))
        possible = self._possible(ranges)
        return zero_sum(ranges, torch.unflatten(out, -1, (2, -1)) * possible, possible)


class Bins(ValueNetwork):
    """A network on bins of strength without knots."""

    def __init__(self, deck: str, width: int, depth: int, block: Callable[[int], nn.Module] = Block) -> None:
        super().__init__(deck, width, depth)
        self.enter = nn.Linear(3 * FEATURES + _POT, width)
        self.trunk = nn.Sequential(*(block(width) for _ in range(depth)))
        self.leave = nn.Linear(width, 2 * FEATURES)
        nn.init.zeros_(self.leave.weight)

    def forward(self, ranges: Tensor, pot: Tensor, board: Tensor) -> Tensor:
        """Return values; shapes are those of riverboat/nets/layout.py."""
        bins = torch.unflatten(torch.matmul(ranges.flatten(1, 2), board), 1, (-1, 2)) * _SCALE
        pots = pot_features(pot)
        texture = (board.sum(dim=1) / board.sum(dim=(1, 2)).unsqueeze(-1)).unsqueeze(1) * _SCALE
        seen = torch.cat([bins.flatten(2), texture.expand(-1, bins.shape[1], -1), pots], dim=-1)
        by_bin = torch.unflatten(self.leave(torch.relu(self.trunk(self.enter(seen)))), -1, (2, FEATURES))
        by_bin = by_bin + self.showdown(bins.flip(2)) * (1 + self.gain(pots)).unsqueeze(-1)
        by_holding = torch.unflatten(torch.matmul(by_bin.flatten(1, 2), board.transpose(1, 2)), 1, (-1, 2))
        possible = self._possible(ranges)
        return zero_sum(ranges, by_holding * possible, possible)


_KINDS: dict[str, tuple[MakeNetwork, int, int]] = {
    "raw holdings, plain, 500 x 6": (partial(Raw, block=Plain), 500, 3),
    "raw holdings, residual, 500 x 6": (Raw, 500, 3),
    "bins, plain, 256 x 4": (partial(Bins, block=Plain), 256, 2),
    "bins, residual, 256 x 4": (Bins, 256, 2),
    "bins and knots, residual, 256 x 4": (ValueNetwork, 256, 2),
    "bins and knots, residual, 384 x 6": (ValueNetwork, 384, 3),
    "bins, knots and pairs, residual, 256 x 4": (RiverNetwork, 256, 2),
}


def main(sample_count: int, epochs: int) -> None:
    """Print a table of architectures for 24 cards on the river."""
    torch.set_num_threads(1)
    plan = TrainingPlan(deck="24", street="river", samples=sample_count)
    shards = {job.name: do_job(job, Care()) for job in plan.jobs()}
    print(f"{sample_count:,} situations, {epochs} epochs\n")
    print("| network | parameters | training | validation | test | seconds an epoch |\n|---|---:|---:|---:|---:|---:|")
    for name, (make, width, depth) in _KINDS.items():
        training = Training("24", Recipe(epochs=epochs, width=width, depth=depth), make)
        start = time.perf_counter()
        while not training.is_over:
            training.run_epoch(shards.__getitem__, list(shards), sample_count)
        took = (time.perf_counter() - start) / epochs
        count, best = sum(parameter.numel() for parameter in training.network.parameters()), training.best_epoch
        training.network.load_state_dict(training.best)
        test = training.score(shards.__getitem__, list(shards), Side.TEST).loss
        losses = f"{best.train_loss:.4f} | {best.held_out_loss:.4f} | {test:.4f}"
        print(f"| {name} | {count:,} | {losses} | {took:.1f} |", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in (sys.argv[1:] + ["12000", "12"][len(sys.argv) - 1 :])))
