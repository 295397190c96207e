"""Colours and tables of classes, and the notes under a cheat sheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from riverboat.cards import DECKS
from riverboat.clients.console.views.grid import ColourScale, class_table, value_text
from riverboat.clients.console.views.sheet import Sheet
from riverboat.contracts.oracle import Cell, Equity
from riverboat.holdings import class_grid


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100), st.floats(-10, 110))
def test_a_colour_has_parts_from_0_to_1(a: float, b: float, c: float, value: float) -> None:
    scale = ColourScale(*sorted((a, b, c)))
    assert all(0 <= part <= 1 for part in scale.colour(value))


def test_red_below_and_blue_above() -> None:
    scale = ColourScale(0, 50, 100)
    red, _, blue = scale.colour(0)
    assert red > blue
    red, _, blue = scale.colour(100)
    assert red < blue
    assert scale.colour(50) == ColourScale(50, 50, 50).colour(50)


def test_a_table_has_a_row_per_rank() -> None:
    deck = DECKS["52"]
    values = {label: 50.0 for row in class_grid(deck) for label in row if label != "AKs"}
    console = Console(width=80, color_system=None)
    with console.capture() as captured:
        console.print(class_table(deck, values, ColourScale(0, 50, 100), "{:.1f}", 80))
    lines = captured.get().splitlines()
    assert lines[0].split() == list("AKQJT98765432")
    assert lines[1].split() == ["A", "50.0", "·"] + ["50.0"] * 11
    assert lines[14] == "suited above the diagonal, offsuit below; · impossible"


def test_a_narrow_terminal_gets_narrow_cells() -> None:
    deck = DECKS["52"]
    values = {label: -0.001 for row in class_grid(deck) for label in row}
    console = Console(width=67, color_system=None)
    with console.capture() as captured:
        console.print(class_table(deck, values, ColourScale(-1, 0, 1), "{:+.2f}", 67))
    lines = captured.get().splitlines()
    assert lines[1].split() == ["A", *["+.00"] * 13]
    assert "impossible" not in lines[14]


@pytest.mark.parametrize("value", [0.0, -0.5, 9.99, -87.4, 999.6, -1234.0, 12_345.0, -987_654.0, 3.2e6, -4.1e8])
@pytest.mark.parametrize("template", ["{:.0f}", "{:+.2f}", "{:.1f}"])
@pytest.mark.parametrize("width", [5, 6])
def test_a_space_stays_between_two_cells(value: float, template: str, width: int) -> None:
    text = value_text(value, ColourScale(-1, 0, 1), template, width).plain
    assert len(text) == width
    assert text.strip()
    assert len(text.strip()) < width


def _aces(opponent_count: int, equity: Equity) -> Cell:
    return Cell(label="AA", opponent_count=opponent_count, holding_count=6, equity=equity)


def test_a_sheet_says_how_sure_it_is() -> None:
    exact = _aces(1, Equity(win=0.8, tie=0.1, equity=0.85, error=0.0, deal_count=1000, exact=True))
    rolled = _aces(2, Equity(win=0.7, tie=0.1, equity=0.73, error=0.0016, deal_count=100_000, exact=False))
    sheet = Sheet(DECKS["52"], "", (1, 2), (exact, rolled), 17)
    assert sheet.notes((1,)) == ["ties count as their share", "exact"]
    assert "standard error at most 0.16 %" in sheet.notes((1, 2))
    assert "seed 17" in sheet.notes((1, 2))
    assert "against one opponent exact" in sheet.notes((1, 2))
    assert sheet.scale(1) == (50, 50, 85)
    assert sheet.values(2) == {"AA": 73}
