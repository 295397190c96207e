"""Exploitability of strategies with a network: python -m benchmarks.judgement FILE.onnx [--spots N] [--apart STORE].

Spots on the street before the network's are solved up to the next deal, once with the network below the cut and once
with equity. The exploitability of both strategies in the whole game is compared with that of exact solving. With
--apart a network of the same kind is first trained on the samples in a trainer's store, without any board that can
follow one of the spots, and measured instead: it was not trained on the boards that it evaluates.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch

from benchmarks.stored_samples import reader, shard_names, trained
from riverboat.nets.network import Network
from riverboat.services.trainer.generation.network_labels import leaf_maker
from riverboat.services.trainer.generation.samples import Samples
from riverboat.services.trainer.learning.batches import chosen
from riverboat.services.trainer.learning.export import export
from riverboat.services.trainer.store import ObjectStore
from riverboat.situations.judgement import judge, with_equity, with_estimate
from riverboat.situations.labels import spot_of
from riverboat.situations.situation import Situation, find_deck
from riverboat.situations.split import follows
from riverboat.situations.yardsticks import sample_held_out
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import new_solver
from riverboat.spots.spot import build
from riverboat.streets import STREET_NUMBERS
from riverboat.training.jobs import EXACT
from riverboat.training.plans import Recipe

_WHOLE_ITERATIONS = 200


def trained_apart(network: Network, url: str, leaf: str, spots: list[Situation], epochs: int) -> Network:
    """Return a network of the same kind, trained without any board that follows one of the spots."""
    about, store = network.about, ObjectStore(url)
    earlier = np.array([spot.board for spot in spots], np.uint8)
    read_all, dropped, total = reader(store), 0, 0
    kept: dict[str, Samples] = {}
    for name in shard_names(store, about.deck, about.street, leaf):
        samples = read_all(name)
        rows = np.flatnonzero(~follows(samples.boards, earlier))
        kept[name] = chosen(samples, rows)
        dropped, total = dropped + samples.count - len(rows), total + samples.count
    print(f"training on {total - dropped:,} of {total:,} situations; the others' boards follow a spot", flush=True)
    training = trained(about.deck, about.street, Recipe(epochs=epochs), kept.__getitem__, list(kept))
    loss = training.best_epoch.held_out_loss
    print(f"validation loss {loss:.4f}; the given network has {about.held_out_loss:.4f}")
    return Network(export(training.network, about))


def judged(situation: Situation, network: Network, iterations: int) -> tuple[list[float], float]:
    """Return five exploitabilities in pots, and the seconds that solving with the network took.

    They are: exact; with equity and with the network in the whole game; the same two above the cut.
    """
    whole = new_solver(build(spot_of(situation, is_cut=False)).subgame)
    whole.run(_WHOLE_ITERATIONS)
    exact = exploitability(whole) / situation.pot
    compared = with_equity(situation, iterations)
    start = time.perf_counter()
    solved = with_estimate(situation, iterations, leaf_maker(network))
    took = time.perf_counter() - start
    whole_game = [judge(situation, solution, _WHOLE_ITERATIONS) for solution in (compared, solved)]
    above = [exploitability(solution) / situation.pot for solution in (compared, solved)]
    return [exact, *whole_game, *above], took


def main() -> None:
    """Print a line for each spot, then means and medians."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judgement", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE.onnx")
    parser.add_argument("--spots", type=int, default=20, help="number of spots")
    parser.add_argument("--iterations", type=int, default=40, help="iterations for each spot")
    parser.add_argument("--seed", type=int, default=99, help="seed of the spots")
    parser.add_argument(
        "--apart",
        metavar="STORE",
        help="store with samples; train a network without the boards that follow the spots, and measure it",
    )
    parser.add_argument("--leaf", default=EXACT, help="network below the cut that labelled these samples")
    parser.add_argument("--epochs", type=int, default=30, help="epochs of that training")
    options = parser.parse_args()
    torch.set_num_threads(1)
    network = Network(options.file.read_bytes())
    street = STREET_NUMBERS[network.about.street] - 1
    if street < 1:
        parser.error(f"the street before the {network.about.street} is too large to solve to the end of the hand")
    rng = np.random.default_rng(options.seed)
    spots = sample_held_out(find_deck(network.about.deck), street, options.spots, rng)
    if options.apart:
        network = trained_apart(network, options.apart, options.leaf, spots, options.epochs)
    rows = []
    print("pot | exact | equity | network | equity above the cut | network above the cut, % of the pot")
    for situation in spots:
        shares, took = judged(situation, network, options.iterations)
        rows.append(shares)
        shown = " | ".join(f"{100 * share:.2f}" for share in shares)
        print(f"{situation.pot:,} | {shown} ({took:.1f} s)", flush=True)
    for name, averages in (("mean", np.mean(rows, axis=0)), ("median", np.median(rows, axis=0))):
        print(f"{name} | " + " | ".join(f"{100 * share:.2f}" for share in averages))


if __name__ == "__main__":
    main()
