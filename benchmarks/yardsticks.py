"""Make a yardstick for value networks: python -m benchmarks.yardsticks --deck 24 --street turn.

A yardstick contains situations on boards that no network is trained on. Their values are solved to the end of the hand
with pot-sized bets, or up to the next deal with a network below; the resolver scores every network on them. The same
command with the same code makes the same file.
"""

import argparse
import hashlib
from pathlib import Path

import numpy as np

from riverboat.compiled.kernels import source_stamp
from riverboat.nets.network import Network
from riverboat.nets.yardstick import as_arrays
from riverboat.services.trainer.generation.network_labels import leaf_maker
from riverboat.situations import yardsticks
from riverboat.situations.yardsticks import Source, YardstickPlan, make_yardstick
from riverboat.streets import FLOP, PREFLOP, STREET_NUMBERS
from riverboat.training.jobs import STREET_AFTER

FOLDER = Path(__file__).parent.parent / "services" / "resolver" / "yardsticks"
# As many as fit into about a megabyte or can be solved in a few minutes.
COUNTS = {
    ("24", "river"): 400, ("24", "turn"): 300, ("24", "flop"): 24, ("24", "preflop"): 400,
    ("36", "river"): 200, ("36", "turn"): 120,
    ("52", "river"): 96, ("52", "turn"): 64, ("52", "flop"): 40, ("52", "preflop"): 64,
}  # fmt: skip
_APART = int.from_bytes(b"yard", "big")  # keeps these seeds apart from training jobs, which use three numbers


def generator(plan: YardstickPlan) -> np.random.Generator:
    """Return a random generator that no training job uses."""
    return np.random.default_rng([plan.seed, STREET_NUMBERS[plan.street], int(plan.deck), 1, _APART])


def main() -> None:
    """Make one file, and print its contents."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.yardsticks", description=__doc__)
    parser.add_argument("--deck", default="24", choices=("24", "36", "52"))
    parser.add_argument("--street", default="turn", choices=tuple(STREET_NUMBERS))
    parser.add_argument("--count", type=int, help="number of situations; default: as many as in the shipped file")
    parser.add_argument("--seed", type=int, default=1, help="seed of the situations")
    parser.add_argument(
        "--through",
        type=Path,
        metavar="FILE.onnx",
        help="network of the next street for labels: required for preflop, and for flops with 36 and 52 cards",
    )
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder to write to")
    options = parser.parse_args()
    is_large = options.street == PREFLOP or (options.street == FLOP and options.deck != "24")
    if is_large != (options.through is not None):
        parser.error("--through: required where situations are too large to solve, and only there")
    count = options.count or COUNTS.get((options.deck, options.street))
    if count is None:
        parser.error(f"--count: required, because no yardstick ships for {options.deck} cards, {options.street}")
    write(YardstickPlan(options.deck, options.street, count, options.seed), options.through, options.to)


def write(plan: YardstickPlan, through: Path | None, folder: Path) -> Path:
    """Make a yardstick and write it to a folder; return the file."""
    code = source_stamp(Path(yardsticks.__file__))[:16]
    source = _source(plan, through) if through else None
    yardstick = make_yardstick(plan, generator(plan), code, source, lambda done: print(done, end=" ", flush=True))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{plan.deck}-{plan.street}.npz"
    np.savez_compressed(file, allow_pickle=False, **as_arrays(yardstick))
    print(f"\n{file}: {file.stat().st_size:,} bytes, {yardstick.hash[:8]}, {yardstick.about}")
    return file


def _source(plan: YardstickPlan, through: Path) -> Source:
    data = through.read_bytes()
    network = Network(data)
    street = STREET_AFTER[plan.street]
    if (network.about.deck, network.about.street) != (plan.deck, street):
        raise SystemExit(f"{through} is not for the {street} with {plan.deck} cards")
    return Source(f"{plan.deck}-{street}-{hashlib.sha256(data).hexdigest()[:8]}", leaf_maker(network))


if __name__ == "__main__":
    main()
