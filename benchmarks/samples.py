"""Loss by number of samples: python -m benchmarks.samples STORE --deck 24 --street river --picture FILE.png.

Networks learn from a part of the samples in a trainer's store, then from twice as many, up to all of them. All are
scored on the same test boards: those of all samples.
"""

import argparse
from pathlib import Path

import torch
from matplotlib.figure import Figure

from benchmarks.stored_samples import reader, shard_names, trained
from riverboat.services.trainer.store import ObjectStore
from riverboat.situations.split import Side
from riverboat.training.jobs import EXACT, samples_in
from riverboat.training.plans import Recipe

_DPI = 110


def parts(names: list[str], count: int) -> list[list[str]]:
    """Return `count` lists of shards: each is twice as long as the one before, and the last has all."""
    return [names[: max(1, len(names) >> n)] for n in reversed(range(count))]


def draw(title: str, points: list[tuple[int, float, float]]) -> Figure:
    """Draw losses by number of samples."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    counts, train, test = zip(*points, strict=True)
    axes.plot(counts, train, "o-", label="training", color="#8da0cb")
    axes.plot(counts, test, "o-", label="test boards", color="#d95f02")
    for count, loss in zip(counts, test, strict=True):
        axes.annotate(f"{loss:.4f}", (count, loss), (0, 7), textcoords="offset points", ha="center")
    axes.set(title=title, xlabel="situations", ylabel="Huber loss, pots", xscale="log", yscale="log")
    axes.set_xticks(counts, [f"{count:,}" for count in counts])
    axes.minorticks_off()
    axes.margins(y=0.12)  # room for the numbers
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def main() -> None:
    """Print a line for each network."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.samples", description=__doc__)
    parser.add_argument("store", help="a trainer's store")
    parser.add_argument("--deck", default="24", help="deck of the samples")
    parser.add_argument("--street", default="river", help="street of the samples")
    parser.add_argument("--leaf", default=EXACT, help="network below the cut that labelled the samples")
    parser.add_argument("--parts", type=int, default=5, help="number of networks to train")
    parser.add_argument("--epochs", type=int, default=30, help="epochs for each network")
    parser.add_argument("--picture", type=Path, metavar="FILE.png", help="file to draw the losses to")
    options = parser.parse_args()
    torch.set_num_threads(1)
    store = ObjectStore(options.store)
    read, names = reader(store), shard_names(store, options.deck, options.street, options.leaf)
    points = []
    print("| situations | training | test |\n|---:|---:|---:|")
    for part in parts(names, options.parts):
        training = trained(options.deck, options.street, Recipe(epochs=options.epochs), read, part)
        count, loss = sum(map(samples_in, part)), training.score(read, names, Side.TEST).loss
        points.append((count, training.best_epoch.train_loss, loss))
        print(f"| {count:,} | {training.best_epoch.train_loss:.4f} | {loss:.4f} |", flush=True)
    if options.picture:
        draw(f"{options.deck} cards, {options.street}: {options.epochs} epochs", points).savefig(
            options.picture, dpi=_DPI
        )


if __name__ == "__main__":
    main()
