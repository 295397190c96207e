"""The screen keeps what the narrator told: redrawing replays nothing."""

import io
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from rich.console import Console

from riverboat.clients.console.table.inbox import Update
from riverboat.clients.console.table.scene import scene_of_view
from riverboat.clients.console.table.screen_display import ScreenDisplay
from riverboat.clients.console.table.story import Narrator
from riverboat.clients.console.table.teller import Teller
from riverboat.clients.console.table.watcher import Watcher
from riverboat.rules.state import PublicState
from riverboat.tables.entries import NumberedEntry
from riverboat.tables.table import Table
from riverboat.tables.view import info_of
from tests.unit.clients.console.table.sitting import Script, Tables, screen_text
from tests.unit.clients.console.table.tables import SEED, deal, play, table_of, typed, update, view


@pytest.fixture
def counts() -> Iterator[Counter[str]]:
    """Count the events told by narrators and the steps taken by the rules."""
    counted = Counter[str]()
    tell = Narrator._tell

    def counting_tell(narrator: Narrator, event: NumberedEntry) -> Any:
        counted["events"] += 1
        return tell(narrator, event)

    def counting(step: Callable[..., PublicState]) -> Callable[..., PublicState]:
        def counted_step(*arguments: Any) -> PublicState:
            counted["steps"] += 1
            return step(*arguments)

        return counted_step

    play_step = mock.patch.object(PublicState, "play", counting(PublicState.play))
    deal_step = mock.patch.object(PublicState, "deal", counting(PublicState.deal))
    with mock.patch.object(Narrator, "_tell", counting_tell), play_step, deal_step:
        yield counted


def screen() -> ScreenDisplay:
    return ScreenDisplay(Console(width=80, height=40, force_terminal=True, file=io.StringIO()), has_keys=True)


def player_at(table: Table) -> tuple[ScreenDisplay, Callable[[], None]]:
    """Return a player's screen, and a function that shows the table's next view on it."""
    display = screen()
    link: Any = SimpleNamespace(tables=typed(Tables(table, 0, [], Script([]))))
    teller = Teller(link, info_of(table), 0, display)

    def see() -> None:
        seen = view(table, 0)
        teller.see(seen)
        display.show(scene_of_view(seen))

    return display, see


def redraw(display: ScreenDisplay) -> None:
    for _ in range(10):
        display.tick()
        display.typing("r3")
        display.say("a hint")
        display.remind("a reminder")


def test_a_redraw_replays_nothing(counts: Counter[str]) -> None:
    table = play(deal(table_of("Anna", "Bob")), 300, 0, 0, 600, 0)
    display, see = player_at(table)
    with redirect_stdout(io.StringIO()):
        see()
        first = counts.copy()
        assert first["events"] == len(view(table, 0).events) > 5
        redraw(display)
        assert counts == first
    assert "Anna raises to 300" in screen_text(display)


def test_a_view_without_news_replays_nothing(counts: Counter[str]) -> None:
    table = play(deal(table_of("Anna", "Bob")), 300, 0)
    display, see = player_at(table)
    with redirect_stdout(io.StringIO()):
        see()
        first = counts.copy()
        see()
        redraw(display)
        assert counts == first


def test_a_hand_is_told_once_however_many_views_it_has(counts: Counter[str]) -> None:
    table = deal(table_of("Anna", "Bob"))
    display, see = player_at(table)
    with redirect_stdout(io.StringIO()):
        see()
        for action in (300, 0, 0, 600, 0, 0, 0, 0, 0):
            play(table, action)
            see()
            redraw(display)
    assert counts["events"] == len(view(table, 0).events)
    assert "result" in screen_text(display)


def test_a_new_hand_begins_an_empty_page() -> None:
    table = play(deal(table_of("Anna", "Bob")), 300, -1)
    display, see = player_at(table)
    with redirect_stdout(io.StringIO()):
        see()
        assert "Anna raises to 300" in screen_text(display)
        deal(table, SEED[::-1])
        see()
    text = screen_text(display)
    assert "raises to 300" not in text
    assert "posts 50" in text


def test_a_spectator_s_screen_replays_nothing(counts: Counter[str]) -> None:
    table = play(deal(table_of("rollout", "random", agents_only=True)), 300, 0)
    display = screen()
    watcher = Watcher(info_of(table), display)
    with redirect_stdout(io.StringIO()):
        watcher.take(Update(update(table, dealer=True), 0.0), is_live=True)
        first = counts.copy()
        redraw(display)
        assert counts == first
    text = screen_text(display)
    assert "raises to 300" in text
    assert " holds " not in text, "holdings are in their rows"
