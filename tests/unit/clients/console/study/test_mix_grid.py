"""The combined grid of a node, and the details of a class."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from riverboat.cards import find_deck, parse_cards
from riverboat.clients.console.study.board_report import BoardRow, ReportFile, read_boards, report_key
from riverboat.clients.console.study.mix_grid import (
    action_signs,
    class_details,
    legend,
    members_named,
    mix_table,
)
from riverboat.clients.console.study.spot_files import SpotText
from riverboat.contracts.resolver import NodeAnswer
from riverboat.holdings import holdings_of
from riverboat.spots.spot import street_start

DECK = find_deck("52")
COUNT = holdings_of(DECK).count
PUBLIC = street_start(parse_cards("Td9d6hQc2s"), 200, 900)
ACTIONS = (0, 100, 200, 900)


def node(shares: tuple[float, ...] = (0.25, 0.75, 0.0, 0.0), ev: float = 12_345.0) -> NodeAnswer:
    strategy = np.repeat(np.array(shares)[:, None], COUNT, axis=1)
    return NodeAnswer(
        player=0,
        actions=ACTIONS,
        strategy=strategy,
        evs=np.full((2, COUNT), ev),
        action_evs=np.full((4, COUNT), -ev),
        reach=np.ones((2, COUNT)),
        pot=200,
        board="Td9d6hQc2s",
        deals=(),
        equity=np.full((2, COUNT), 0.5),
    )


def drawn(shown: object, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(shown)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return str(text)


def test_each_action_has_a_letter_of_its_own() -> None:
    assert [sign.letter for sign in action_signs(PUBLIC, ACTIONS)] == ["x", "b", "d", "a"]
    facing = PUBLIC.play(100)
    signs = action_signs(facing, (-1, 0, 300, 500, 900))
    assert [sign.letter for sign in signs] == ["f", "c", "r", "s", "a"]
    assert len({sign.colour for sign in signs}) == 5


@pytest.mark.parametrize("shares", [(0.25, 0.75, 0.0, 0.0), (1.0, 0, 0, 0), (0, 0, 0.001, 0.999)])
def test_cells_never_touch_at_eighty_columns(shares: tuple[float, ...]) -> None:
    lines = drawn(mix_table(PUBLIC, node(shares))).splitlines()
    assert len(lines) == 14
    for line in lines:
        assert len(line.rstrip()) <= 54
        assert len(line.split()) == (13 if line is lines[0] else 14)


def test_a_pure_action_is_a_capital_and_a_mix_says_how_often() -> None:
    assert drawn(mix_table(PUBLIC, node((1.0, 0, 0, 0)))).splitlines()[1].split()[1] == "X"
    assert drawn(mix_table(PUBLIC, node())).splitlines()[1].split()[1] == "b75"


def test_the_legend_stands_beside_the_grid() -> None:
    text = drawn(legend(PUBLIC, node()), 26)
    assert "bets 100" in text
    assert "75.0 %" in text
    assert max(map(len, text.splitlines())) <= 26


def test_a_class_or_a_holding_can_be_asked_for() -> None:
    for word, count in (("AQs", 4), ("77", 6), ("AQ", 16), ("aqo", 12), ("AhQh", 1), ("QhAh", 1), ("zz", 0)):
        assert len(members_named(DECK, word)) == count, word
    lines = drawn(class_details(PUBLIC, node(), members_named(DECK, "77"))).splitlines()
    assert lines[0].split()[:3] == ["weight", "EV", "equity"]
    assert len(lines) == 13


def test_boards_and_their_report() -> None:
    assert read_boards("Qs7h2c, Td9d6h,,Qs7h2c") == ["Qs7h2c", "Td9d6h"]
    text = SpotText(board="Qs7h2c", pot=100, stack=300, oop="AA", ip="KK", sizes="a")
    assert report_key(text, 1) == report_key(replace(text, board="Td9d6h"), 1)
    assert report_key(text, 1) != report_key(text, 2)


def test_a_report_goes_on_after_a_line_that_was_cut_off(tmp_path: Path) -> None:
    file = ReportFile(tmp_path / "r.jsonl", "key")
    assert file.rows() == {}
    row = BoardRow(
        board="Qs7h2c", pot=100, evs=(40.0, 60.0), frequencies={"x": 1.0}, exploitability=0.002, iterations=9
    )
    file.add(row)
    with file.path.open("a") as end:
        end.write('{"key": "key", "board": "Td')
    assert file.rows() == {"Qs7h2c": row}
    assert ReportFile(file.path, "another").rows() == {}
