"""Shipped yardsticks: their boards are held out, and solving gives their labels."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.yardsticks import COUNTS, FOLDER, generator
from riverboat.nets.features import BINS
from riverboat.nets.yardstick import Yardstick, as_arrays, deviations, ranges_of
from riverboat.services.resolver.scoring import SHIPPED_YARDSTICKS, read_yardstick
from riverboat.situations.labels import BET_SIZES, Care, label
from riverboat.situations.situation import TOTAL, Situation, find_deck
from riverboat.situations.split import Side, held_out, sides
from riverboat.situations.yardsticks import YardstickPlan, equity_values, make_yardstick
from riverboat.strength.profiles import strength_profile
from tests.processes import ROOT

FILES = sorted(SHIPPED_YARDSTICKS.glob("*.npz"))
PLAN = YardstickPlan("24", "river", 6, 7)


def shipped(path: Path) -> Yardstick:
    return read_yardstick(path)


def situation(stick: Yardstick, number: int) -> Situation:
    board = tuple(stick.boards[stick.board_of[number]].tolist())
    return Situation(find_deck(stick.about.deck), board, int(stick.pots[number]), ranges_of(stick.shares[number]))


def test_the_same_plan_makes_the_same_yardstick_and_another_seed_another() -> None:
    first, again = (make_yardstick(PLAN, generator(PLAN), "code") for _ in range(2))
    assert first.hash == again.hash
    other = YardstickPlan("24", "river", 6, 8)
    assert not np.array_equal(make_yardstick(other, generator(other), "code").pots, first.pots)
    assert set(as_arrays(first)) == set(np.load(FILES[0], allow_pickle=False))


def test_there_is_one_for_everything_that_ships() -> None:
    assert FOLDER.resolve() == SHIPPED_YARDSTICKS.resolve()
    assert {tuple(path.stem.split("-")) for path in FILES} == set(COUNTS)
    trained = SHIPPED_YARDSTICKS.parent / "trained"
    assert {path.stem.rpartition("-")[0] for path in trained.glob("*.onnx")} <= {path.stem for path in FILES}


# Networks that labels come through where situations are too large to solve to the end of the hand.
THROUGH = {
    ("24", "preflop"): "24-flop-8b0076e8",
    ("52", "flop"): "52-turn-7bac70aa",
    ("52", "preflop"): "52-flop-14e4e82b",
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_it_says_about_itself_is_so(path: Path) -> None:
    stick = shipped(path)
    assert path.stem == "-".join(stick.place)
    assert (stick.count, stick.about.total_chips) == (COUNTS[stick.place], TOTAL)
    assert path.stat().st_size < 1_100_000
    ranges = ranges_of(stick.shares)
    assert stick.about.labels == THROUGH.get(stick.place, "exact")
    if stick.about.street != "preflop":
        assert stick.about.bet_sizes == BET_SIZES
        assert 0 < stick.about.exploitability < (0.004 if stick.about.street == "flop" else 0.001)
        assert held_out(stick.boards).all()
    # Both players' values add up to 0, up to the rounding of thousands of numbers. A network is asked once for both
    # players in an iteration, so that its values belong to slightly different strategies.
    worth = (ranges * stick.values).sum(axis=2)
    assert np.abs(worth.sum(axis=1)).max() < (0.02 if stick.place == ("52", "flop") else 0.01)
    deck = find_deck(stick.about.deck)
    profile, mean = strength_profile(deck, stick.boards[0].tolist(), BINS)
    assert np.allclose(stick.profiles[0], profile, atol=1e-3)
    assert np.allclose(stick.means[0], mean, atol=1e-6)


@pytest.mark.parametrize("path", [path for path in FILES if "preflop" not in path.stem], ids=lambda path: path.stem)
def test_docs_say_how_many_of_its_boards_are_test_boards(path: Path) -> None:
    sides_of_boards = sides(shipped(path).boards)
    count, test_count = len(sides_of_boards), int((sides_of_boards == Side.TEST).sum())
    row = f"| {path.stem} | {count} | {test_count} | {test_count / count:.0%} |".replace("%", " %")
    assert row in (ROOT / "docs" / "training.md").read_text().splitlines()


@pytest.mark.parametrize(("name", "count"), [("24-river", 6), ("24-turn", 3), ("36-river", 3), ("52-river", 3)])
def test_labels_are_what_solving_finds(name: str, count: int) -> None:
    stick = shipped(SHIPPED_YARDSTICKS / f"{name}.npz")
    rows = np.linspace(0, stick.count - 1, count).astype(int)
    for number in rows.tolist():
        labelled = label(situation(stick, number), Care(0.001, 1000)).values
        known = stick.values[number].astype(np.float32)
        _, error = deviations(labelled[None], known[None], ranges_of(stick.shares[number])[None])[0]
        # Both solutions are within 0.1 % of the pot of an equilibrium, by different algorithms.
        assert error < 0.004


def test_equity_is_what_is_won_if_nobody_bets() -> None:
    """With almost all chips in the pot there is nothing to bet, so solving gives the same values."""
    stick = shipped(SHIPPED_YARDSTICKS / "24-turn.npz")
    number = int(stick.pots.argmax())
    assert stick.pots[number] > 0.9 * TOTAL
    equity, known = equity_values(situation(stick, number)), stick.values[number].astype(np.float32)
    assert deviations(equity[None], known[None], ranges_of(stick.shares[number])[None])[0, 1] < 0.02
