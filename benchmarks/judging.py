"""How good networks are where it counts: python -m benchmarks.judging FILE.onnx [SPOTS] [ITERATIONS].

Spots on the street before the network's are solved up to the next deal with the network below, and with equity; what
best responses win against these strategies in the whole game is compared with exact solving. The spots' own boards
are held out, but the network is asked about those that follow, and it was trained on most of them.
"""

import sys
import time
from pathlib import Path

import numpy as np

from riverboat.nets.network import Network
from riverboat.situations.judging import judge, with_equity, with_estimate
from riverboat.situations.labels import spot_of
from riverboat.situations.sampler import sample
from riverboat.situations.situation import STREETS, Situation, find_deck
from riverboat.situations.split import held_out
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import new_solver
from riverboat.spots.spot import build
from services.trainer.generating.through import leaf_maker

_SEED = 99
_WHOLE_ITERATIONS = 200


def spots(deck: str, street: int, count: int) -> list[Situation]:
    """Situations of all kinds, on boards that a network for this street would not be trained on."""
    rng = np.random.default_rng(_SEED)
    found: list[Situation] = []
    while len(found) < count:
        every = list(sample(find_deck(deck), street, 40, rng))
        kept = [situation for situation in every if held_out(np.array([situation.board], np.uint8))[0]]
        found += [kept[i] for i in rng.permutation(len(kept))]
    return found[:count]


def main(file: Path, count: int, iterations: int) -> None:
    """Print a line for each spot, then means and medians."""
    network = Network(file.read_bytes())
    street = STREETS[network.about.street] - 1
    rows = []
    print("pot | exact | equity | network, % of the pot")
    for situation in spots(network.about.deck, street, count):
        whole = new_solver(build(spot_of(situation, is_cut=False)).subgame)
        whole.run(_WHOLE_ITERATIONS)
        exact = exploitability(whole) / situation.pot
        equity = judge(situation, with_equity(situation, iterations), _WHOLE_ITERATIONS)
        start = time.perf_counter()
        solved = with_estimate(situation, iterations, leaf_maker(network))
        took = time.perf_counter() - start
        rows.append([exact, equity, judge(situation, solved, _WHOLE_ITERATIONS)])
        shown = " | ".join(f"{100 * share:.2f}" for share in rows[-1])
        print(f"{situation.pot:,} | {shown} ({took:.1f} s)", flush=True)
    for name, found in (("mean", np.mean(rows, axis=0)), ("median", np.median(rows, axis=0))):
        print(f"{name} | " + " | ".join(f"{100 * share:.2f}" for share in found))


if __name__ == "__main__":
    words = sys.argv[1:] + ["", "20", "40"][len(sys.argv) - 1 :]
    main(Path(words[0]), int(words[1]), int(words[2]))
