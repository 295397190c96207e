"""Screens of a solved node, kept as goldens: `python -m pytest` compares them; a new screen is looked at and saved."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from rich.console import Console

from riverboat.cards import find_deck, parse_cards
from riverboat.clients.console.study import walk as walk_module
from riverboat.clients.console.study.walk import show_class, show_node
from riverboat.clients.console.views import output
from riverboat.contracts.resolver import NodeAnswer
from riverboat.holdings import holdings_of
from riverboat.spots.spot import street_start

GOLDEN = Path(__file__).parents[4] / "golden" / "console" / "study"
BOARD = "Td9d6hQc2s"
PUBLIC = street_start(parse_cards(BOARD), 200, 900)
COUNT = holdings_of(find_deck("52")).count


def node() -> NodeAnswer:
    """Return a node whose numbers follow the places of holdings, so that every kind of cell appears."""
    place = np.arange(COUNT) / COUNT
    bet, raise_ = np.where(place > 0.9, 1.0, place * 0.5), np.where(place > 0.9, 0.0, place * 0.25)
    strategy = np.array([1 - bet - raise_, bet, raise_, np.zeros(COUNT)])
    reach = np.array([(place > 0.4).astype(float), np.ones(COUNT)])
    evs = np.array([200 * place - 40, 200 - 200 * place])
    return NodeAnswer(
        player=0,
        actions=(0, 100, 200, 900),
        strategy=strategy,
        evs=evs,
        action_evs=np.array([evs[0], evs[0] - 1, evs[0] - 1_000, evs[0] - 123_456]),
        reach=reach,
        pot=200,
        board=BOARD,
        deals=(),
        equity=np.array([place, 1 - place]),
    )


@pytest.fixture
def screen() -> Iterator[Any]:
    console = Console(width=80, color_system=None, record=True, highlight=False, file=io.StringIO())
    with mock.patch.object(walk_module, "out", console), mock.patch.object(output, "out", console):
        yield console


def check(screen: Any, name: str) -> None:
    text = "\n".join(line.rstrip() for line in screen.export_text().splitlines()) + "\n"
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text == (GOLDEN / name).read_text()


def test_a_node(screen: Any) -> None:
    show_node(PUBLIC, node(), with_evs=True)
    check(screen, "node.txt")


def test_a_node_facing_a_bet(screen: Any) -> None:
    facing = replace(node(), player=1, actions=(-1, 0, 300, 500), reach=np.ones((2, COUNT)))
    show_node(PUBLIC.play(100), facing)
    check(screen, "facing.txt")


def test_a_class(screen: Any) -> None:
    assert show_class(PUBLIC, node(), "AKs")
    assert show_class(PUBLIC, node(), "22"), "which cannot be there"
    assert not show_class(PUBLIC, node(), "hello")
    check(screen, "class.txt")
