"""The table on the screen: goldens, and what holds for every table."""

import io
import random
import unicodedata
from contextlib import redirect_stdout

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from riverboat.cards import format_card
from riverboat.clients.console.table.display import HELP
from riverboat.clients.console.table.pots import pots_to_show
from riverboat.clients.console.table.scene import scene_of_view
from riverboat.clients.console.table.screen import draw
from riverboat.clients.console.table.screen_display import ScreenDisplay
from riverboat.clients.console.views.text import plain
from riverboat.rules.betting import CHANCE
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import no_limit
from riverboat.tables.table import Table
from tests.unit.clients.console.table.screens import FOLDER, screens, text_of, told_of
from tests.unit.clients.console.table.tables import apply, deal, play, table_of, view


@pytest.mark.parametrize("name", sorted(screens()))
def test_golden(name: str) -> None:
    assert text_of(screens()[name]) == (FOLDER / f"{name}.txt").read_text()


def test_every_golden_has_a_test() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(screens())


def random_table(seed: int) -> Table:
    """Return a table in its second hand."""
    rng = random.Random(seed)  # noqa: S311
    count = rng.randint(2, 6)
    table = table_of(*(f"player {n}" for n in range(count)), buy_in=rng.choice((300, 5_000, 10**12)))
    deal(table, rng.randbytes(32))
    for _ in range(rng.randint(0, 40)):
        if not table.is_in_hand:
            if not table.can_start:
                break
            deal(table, rng.randbytes(32))
            continue
        assert table.hand
        public = table.hand.state.public
        choices = [0, 0, 0]
        if public.to_call:
            choices.append(-1)
        if public.raise_limits:
            choices += [rng.choice(public.raise_limits), rng.randint(*public.raise_limits)]
        play(table, rng.choice(choices))
    return table


@given(st.integers(0, 2**32), st.sampled_from((40, 60, 80)))
@settings(max_examples=150)
def test_lines_fit_and_other_cards_stay_hidden(seed: int, width: int) -> None:
    table = random_table(seed)
    assert table.hand
    for chair, player in enumerate(table.players):
        if player is None:
            continue
        seen = view(table, chair)
        scene = scene_of_view(seen)
        lines = [line.plain for line in draw(scene, told_of(scene), width)]
        assert all(cell_len(line) <= width for line in lines)
        known = seen.holding
        if not table.is_in_hand:
            continue
        shown = "\n".join(lines)
        for seat, holding in enumerate(table.hand.state.holdings):
            if table.hand.chairs[seat] != chair:
                assert not [card for card in holding if format_card(card) in shown], known


@given(st.integers(0, 2**32), st.integers(1, 40))
@settings(max_examples=100)
def test_a_screen_is_never_higher_than_the_terminal_and_a_usual_one_shows_everybody(seed: int, height: int) -> None:
    table = random_table(seed)
    seen = view(table, next(chair for chair, player in enumerate(table.players) if player))
    screen = ScreenDisplay(Console(width=80, height=height, file=io.StringIO()), has_keys=True)
    scene = scene_of_view(seen)
    with redirect_stdout(io.StringIO()):
        screen.tell(told_of(scene))
        screen.show(scene)
        screen.say("\n".join(HELP))
    text = "\n".join(line.plain for line in screen.lines())
    assert len(text.splitlines()) <= height
    assert text.splitlines()[-1] == (
        "> " if seen.is_your_turn else "h hint   ? why   v review   s score   k keys   q leave"
    )
    if height >= 24:
        assert all(chair.name in text for chair in seen.chairs)
        assert "table 3f2a91c0d4e5" in text


@given(st.text(max_size=30))
def test_names_cannot_do_anything(name: str) -> None:
    kept = plain(name, 20)
    assert cell_len(kept) <= 20
    assert not [char for char in kept if unicodedata.category(char)[0] in "CM" and char != " "]
    assert kept.isprintable()


def test_no_markup_and_no_control_characters_reach_a_terminal() -> None:
    console = Console(force_terminal=True, width=80, color_system="256")
    with console.capture() as captured:
        scene = screens()["strange_names"]
        for line in draw(scene, told_of(scene)):
            console.print(line)
    text = captured.get()
    assert "[bold red]x[/]" in text
    assert "\x1b[2J" not in text
    assert "\x1b[" in text, "there is colour"


def test_without_colour_nothing_is_lost() -> None:
    console = Console(force_terminal=True, width=80, no_color=True, color_system=None)
    with console.capture() as captured:
        scene = screens()["flop"]
        for line in draw(scene, told_of(scene)):
            console.print(line)
    assert captured.get() == (FOLDER / "flop.txt").read_text()


@given(st.integers(0, 2**32))
@settings(max_examples=100)
def test_pots_are_those_of_the_rules(seed: int) -> None:
    """All chips are in a pot; when betting is over, the pots are those of the rules."""
    state = _random_state(seed)
    shown = pots_to_show(state)
    assert sum(pot.chips for pot in shown) == state.pot
    if not state.is_over:
        return
    by_rules = [(chips, seats) for chips, seats in state.pots if len(seats) > 1]
    assert [(pot.chips, pot.seats) for pot in shown if len(pot.seats) > 1][: len(by_rules)] == _merged(by_rules)


def _merged(pots: list[tuple[int, tuple[int, ...]]]) -> list[tuple[int, tuple[int, ...]]]:
    """Merge adjacent pots for the same seats, which are shown as one."""
    merged: list[tuple[int, tuple[int, ...]]] = []
    for chips, seats in pots:
        if merged and merged[-1][1] == seats:
            merged[-1] = (merged[-1][0] + chips, seats)
        else:
            merged.append((chips, seats))
    return merged


def _random_state(seed: int) -> PublicState:
    rng = random.Random(seed)  # noqa: S311
    state = start(no_limit(50, 100), [rng.randint(20, 3000) for _ in range(rng.randint(2, 6))])
    for _ in range(rng.randint(0, 40)):
        if state.is_over:
            break
        if state.phase == CHANCE:
            left = [card for card in state.variant.deck.cards if card not in state.board]
            state = state.deal(rng.sample(left, state.board_count))
            continue
        choices = [0, 0, 0] + ([-1] if state.to_call else []) + list(state.raise_limits or ())
        state = state.play(rng.choice(choices))
    return state


def test_a_player_who_left_keeps_the_name_and_a_newcomer_has_a_line() -> None:
    table = deal(table_of("Anna", "rollout", "random"))
    apply(table, table.leave(1))
    play(table, 300, -1, -1)
    apply(table, table.join("new", 1, "new", "hash", False))
    lines = text_of(scene_of_view(view(table, 0))).splitlines()
    assert "rollout posts 50" in "\n".join(lines)
    rows = [line.split() for line in lines[4:7]]
    assert rows[0] == ["1", "rollout", "-", "folded,", "-50,", "left"]
    assert rows[1] == ["1", "new", "10,000", "not", "in", "this", "hand"]
    assert rows[2][:2] == ["2", "random"]
