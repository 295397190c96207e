import numpy as np
import pytest

from riverboat.cards import DECKS, Deck, parse_cards
from riverboat.cheatsheet import cell_count, cheat_sheet
from riverboat.contracts.oracle import Cell
from riverboat.equity import equity
from riverboat.errors import InvalidInput, TooLarge
from tests.unit.equity.test_matchup import ask

FULL = DECKS["52"]


def cells_of(deck: Deck, board: str, counts: list[int], rollouts: int, exact_heads_up: bool = True) -> list[Cell]:
    """Return the cells of a sheet, and check its progress."""
    steps = list(cheat_sheet(deck, parse_cards(board), counts, rollouts, np.random.default_rng(0), exact_heads_up))
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert done[-1] == 1
    return [step.cell for step in steps if step.cell]


def test_exact_cells_are_the_exact_equities() -> None:
    cells = {cell.label: cell for cell in cells_of(FULL, "Td9d2c", [1], 1)}
    assert len(cells) == 169 == cell_count(FULL, parse_cards("Td9d2c"), [1])
    for label in ("AA", "TT", "T9s", "32o", "KQs"):
        expected = equity(ask(label, [""], "Td9d2c"), np.random.default_rng(0), exact=True)
        assert cells[label].equity.equity == pytest.approx(expected.equity, abs=1e-12)
        assert cells[label].equity.deal_count == pytest.approx(expected.deal_count)
    assert (cells["AA"].holding_count, cells["TT"].holding_count, cells["T9s"].holding_count) == (6, 3, 3)


@pytest.mark.slow
def test_before_the_flop_against_one() -> None:
    """All 169 exactly, in one enumeration; aces and kings have published values."""
    cells = {cell.label: cell.equity for cell in cells_of(FULL, "", [1], 1)}
    assert cells["AA"].equity == pytest.approx(0.8520371330210104, abs=1e-15)
    assert round(cells["KK"].equity, 3) == 0.824
    assert min(cells, key=lambda label: cells[label].equity) == "32o"
    weights = {label: 6 if len(label) == 2 else 4 if label[2] == "s" else 12 for label in cells}
    mean = sum(cells[label].equity * weights[label] for label in cells) / 1326
    assert mean == pytest.approx(0.5, abs=1e-12)


def test_rolled_cells_are_near_the_truth() -> None:
    deck = DECKS["24"]
    cells = cells_of(deck, "9cTdAh", [1, 2], 20_000, exact_heads_up=False)
    assert len(cells) == 2 * 36
    for cell in cells:
        assert not cell.equity.exact
        assert cell.equity.deal_count == 20_000
        if cell.opponent_count == 1:
            truth = equity(ask(cell.label, [""], "9cTdAh", "24"), np.random.default_rng(0), exact=True)
            assert abs(cell.equity.equity - truth.equity) < 5 * cell.equity.error


def test_classes_that_the_board_takes_have_no_cell() -> None:
    cells = cells_of(FULL, "AhAdAsAc2c", [1], 1)
    assert len(cells) == 169 - 25 == cell_count(FULL, parse_cards("AhAdAsAc2c"), [1])
    assert not [cell for cell in cells if "A" in cell.label]


def test_exact_cells_keep_to_the_limit() -> None:
    with pytest.raises(TooLarge, match="the limit is 1,000"):
        next(cheat_sheet(FULL, (), [1], 1, np.random.default_rng(0), exact_limit=1000))


@pytest.mark.parametrize(
    ("deck", "board", "counts", "rollouts", "field"),
    [
        ("leduc", "", [1], 10, "deck"),
        ("52", "Ah", [1], 10, "board"),
        ("52", "", [], 10, "opponent_counts"),
        ("52", "", [1, 1], 10, "opponent_counts"),
        ("52", "", [0], 10, "opponent_counts"),
        ("52", "", [10], 10, "opponent_counts"),
        ("52", "", [2], 0, "rollout_count"),
        ("24", "", [1, 9], 10, "opponent_counts"),
    ],
)
def test_bad_sheets(deck: str, board: str, counts: list[int], rollouts: int, field: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}: "):
        next(cheat_sheet(DECKS[deck], parse_cards(board), counts, rollouts, np.random.default_rng(0)))
