"""Exploitability of a decision by its budget: python -m benchmarks.budgets --deck 24 --street flop --spots 4.

Situations on boards that no network is trained on are solved with the tree and the algorithm of the agent `resolver`,
to the end of the hand. After each budget the average strategy is measured by best responses within that tree. The
command prints a line for each spot and the means, in % of the pot, and counts the steps in which more iterations were
worse.
"""

import argparse
from itertools import pairwise

import numpy as np

from riverboat.clients.analysis.plans import plan_of
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.situations.situation import Situation, find_deck
from riverboat.situations.yardsticks import sample_held_out
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import ALGORITHMS, Solver, new_solver
from riverboat.spots.spot import Spot, build
from riverboat.streets import STREET_NUMBERS

_BUDGETS = (10, 20, 40, 80, 160)  # iterations
_NOISE = 0.005  # % of the pot: less is rounding


def solver_of(situation: Situation, algorithm: str = "") -> Solver:
    """Return a solver of a situation with the tree of the agent's plan, to the end of the hand."""
    public = situation.public()
    plan = plan_of(public, may_be_exact=True)
    sizes = parse_bet_sizes(plan.bet_sizes(public.street))
    spot = build(Spot(public, situation.weights, sizes))
    return new_solver(spot.subgame, ALGORITHMS[algorithm or plan.algorithm])


def by_budget(situation: Situation, budgets: list[int], algorithm: str = "") -> list[float]:
    """Return the exploitability after each budget, in % of the pot."""
    solver, measured = solver_of(situation, algorithm), list[float]()
    for budget in budgets:
        solver.run(budget - solver.iteration)
        measured.append(100 * exploitability(solver) / situation.pot)
    return measured


def main() -> None:
    """Print a line for each spot and one for all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.budgets", description=__doc__)
    parser.add_argument("--deck", choices=("24", "52"), default="24", help="deck of the spots")
    parser.add_argument("--street", choices=("flop", "turn", "river"), default="turn", help="street of the spots")
    parser.add_argument("--spots", type=int, default=8, help="number of spots")
    parser.add_argument("--seed", type=int, default=1818, help="seed of the spots")
    parser.add_argument("--budgets", type=int, nargs="+", default=list(_BUDGETS), help="iterations, ascending")
    parser.add_argument("--algorithm", default="", help="algorithm instead of the plan's")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    spots = sample_held_out(find_deck(options.deck), STREET_NUMBERS[options.street], options.spots, rng)
    rows = []
    print("% of the pot after iterations:", *options.budgets)
    for spot in spots:
        rows.append(by_budget(spot, options.budgets, options.algorithm))
        behind = spot.stack / spot.pot
        print(*(f"{value:.2f}" for value in rows[-1]), f"({behind:.1f} pots behind)", flush=True)
    steps = [later > earlier + _NOISE for row in rows for earlier, later in pairwise(row)]
    print(*(f"{mean:.2f}" for mean in np.mean(rows, axis=0)), "on average")
    print(f"with a larger budget it rose by {_NOISE} % of the pot or more in {sum(steps)} of {len(steps)} steps")


if __name__ == "__main__":
    main()
