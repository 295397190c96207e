"""Following a solution beside solving again: python -m benchmarks.following --deck 24 --street flop --spots 4.

Situations on boards that no network is trained on are solved as the agent `resolver` solves the start of a street, with
both ranges known. The player who acts second then follows that solution, or solves again after the first player's
action, with its own range and what the first player can count on. The command prints what the first player's best
response wins from either, in % of the pot, and the processor time of the second solves.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.budgets import solver_of
from riverboat.clients.analysis.plans import plan_of
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.situations.situation import Situation, find_deck
from riverboat.situations.yardsticks import sample_held_out
from riverboat.solving.best_response import worth
from riverboat.solving.cfr import ALGORITHMS, Solver, new_solver
from riverboat.solving.nodes import rows_of
from riverboat.solving.resolution import resolve_safely
from riverboat.solving.subgame import ACT
from riverboat.solving.traversal import BEST
from riverboat.spots.spot import Spot, build
from riverboat.spots.symmetry import symmetry_of
from riverboat.streets import STREET_NUMBERS


@dataclass(frozen=True, slots=True)
class Compared:
    """What the first player's best response wins, in % of the pot, and the seconds of the second solves."""

    following: float
    solved_again: float
    seconds: float


def compare(situation: Situation, iterations: int) -> Compared | None:
    """Return both; None where the plan of a second solve has another tree."""
    solver = solver_of(situation)
    solver.run(iterations)
    following = worth(solver, BEST).means[0]
    public = situation.public()
    bound = symmetry_of(public.variant.deck, public.board).mean(worth(solver).cfvs[0])
    lines, start = solver.memory.subgame.lines, time.process_time()
    for line in range(int(lines.first_child[0]), int(lines.first_child[0] + lines.child_count[0])):
        after = public.play(int(lines.action[line]))
        plan = plan_of(after, may_be_exact=True)
        built = build(Spot(after, situation.weights, parse_bet_sizes(plan.bet_sizes(after.street))))
        again = new_solver(built.subgame, ALGORITHMS[plan.algorithm])
        pairs = list(_pairs(solver, again, line))
        if not pairs:
            return None
        resolve_safely(again, bound, iterations)
        for mine, theirs in pairs:
            _copy(solver, again, mine, theirs)
    seconds = time.process_time() - start
    share = 100 / situation.pot
    return Compared(float(following * share), float(worth(solver, BEST).means[0] * share), seconds)


def _pairs(solver: Solver, again: Solver, line: int) -> Iterator[tuple[int, int]]:
    """Yield the second player's lines below a line with those of the second solve; none if the trees differ."""
    mine, theirs = solver.memory.subgame.lines, again.memory.subgame.lines
    waiting, pairs = [(line, 0)], []
    while waiting:
        a, b = waiting.pop()
        if mine.kind[a] != theirs.kind[b] or mine.child_count[a] != theirs.child_count[b]:
            return
        pairs.append((a, b))
        waiting += [(int(mine.first_child[a]) + n, int(theirs.first_child[b]) + n) for n in range(mine.child_count[a])]
    yield from ((a, b) for a, b in pairs if mine.kind[a] == ACT and mine.player[a] == 1)


def _copy(solver: Solver, again: Solver, mine: int, theirs: int) -> None:
    """Copy the sums of a line on every board: average strategies are their shares."""
    boards = solver.memory.subgame.boards
    for board in np.flatnonzero(boards.level == solver.memory.layout.line_level[mine]).tolist():
        sums, others = (one.memory.store.sums.reshape(-1, 16) for one in (solver, again))
        sums[rows_of(solver.memory.layout, mine, board, 1)] = others[rows_of(again.memory.layout, theirs, board, 1)]


def main() -> None:
    """Print a line for each spot, and the means."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.following", description=__doc__)
    parser.add_argument("--deck", choices=("24", "52"), default="24", help="deck of the spots")
    parser.add_argument("--street", choices=("flop", "turn", "river"), default="flop", help="street of the spots")
    parser.add_argument("--spots", type=int, default=4, help="number of spots")
    parser.add_argument("--seed", type=int, default=1920, help="seed of the spots")
    parser.add_argument("--iterations", type=int, default=40, help="iterations of every solve")
    options = parser.parse_args()
    rng, street = np.random.default_rng(options.seed), STREET_NUMBERS[options.street]
    done: list[Compared] = []
    while len(done) < options.spots:
        situation = sample_held_out(find_deck(options.deck), street, 1, rng)[0]
        compared = compare(situation, options.iterations)
        if compared is None:
            continue
        done.append(compared)
        difference = compared.solved_again - compared.following
        print(
            f"solved again {difference:+.2f} % of the pot worse than following, "
            f"{compared.seconds:.1f} s of processor time ({situation.stack / situation.pot:.1f} pots behind)",
            flush=True,
        )
    worse = np.array([compared.solved_again - compared.following for compared in done])
    print(f"{worse.mean():+.2f} % of the pot on average; worse in {int((worse > 0).sum())} of {len(worse)} spots")


if __name__ == "__main__":
    main()
