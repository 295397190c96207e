"""Real spots against the solutions of another solver."""

from typing import Any

import numpy as np
import pytest

from riverboat.cards import find_deck, parse_cards
from riverboat.holdings import holding_index
from riverboat.solving.best_response import Worth, exploitability, worth
from riverboat.solving.cfr import RECENT, Solver
from riverboat.solving.subgame import ACT, CHANCE, F64, FOLDED, SHOWDOWN
from riverboat.spots.spot import build
from tests.unit.solving.games import golden, solver

DECK = find_deck("52")


def solve_to(solved: Solver, target: float, most: int) -> float:
    """Iterate until the exploitability is at most `target` chips."""
    while True:
        solved.run(100)
        left = exploitability(solved)
        if left <= target:
            return left
        assert solved.iteration < most, f"{left} after {solved.iteration} iterations"


def holding_evs(result: Worth, reference: dict[str, Any], pot: float) -> list[tuple[F64, F64, F64]]:
    """Return each player's EVs, the reference's, and its weights, by holding; EVs count the starting pot as won."""
    collected = []
    for player, theirs in enumerate(reference["players"]):
        indices = [holding_index(DECK, parse_cards(text)) for text in theirs["hands"]]
        ours = result.evs[player, indices] + pot / 2
        collected.append((ours, np.array(theirs["ev"]), np.array(theirs["norm_weight"])))
    return collected


def check(name: str, target: float, mean: float, single: float | None, most: int, threads: int = 1) -> None:
    """Require the reference's tree, root values and EVs; `mean` and `single` bound the errors of EVs, in pots."""
    spot, reference = golden(name)
    pot = float(spot.public.pot)
    solved = solver(build(spot), RECENT, threads=threads)
    kind = solved.memory.subgame.lines.kind
    counts = {"decision": ACT, "chance": CHANCE, "fold": FOLDED, "showdown": SHOWDOWN}
    assert {key: int((kind == value).sum()) for key, value in counts.items()} == reference["betting_tree"]
    solve_to(solved, target * pot, most)
    result = worth(solved)
    assert result.means + pot / 2 == pytest.approx(reference["root_ev_chips"], abs=0.0002 * pot)
    for ours, theirs, weights in holding_evs(result, reference, pot):
        difference = np.abs(ours - theirs)
        assert np.average(difference, weights=weights) <= mean * pot
        if single is not None:
            assert difference.max() <= single * pot
    solved.close()


@pytest.mark.parametrize("name", ["river_uniform", "river_realistic", "river_srp"])
def test_rivers(name: str) -> None:
    check(name, target=0.00005, mean=0.002, single=0.005, most=6000)


@pytest.mark.slow
def test_a_turn() -> None:
    check("turn_srp", target=0.0005, mean=0.002, single=None, most=4000, threads=2)


@pytest.mark.slow
def test_a_flop() -> None:
    check("flop_small", target=0.0005, mean=0.002, single=None, most=2000, threads=2)
