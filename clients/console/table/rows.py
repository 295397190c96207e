"""Rows of the screen, one for each chair: cards, chips, bets, the button, and whose turn it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from riverboat.clients.console.table.scene import Scene
from riverboat.clients.console.views.text import cards_text, chips_text, plain
from riverboat.marks import Mark
from riverboat.tables.view import ChairView

_NAME_WIDTH = 30  # the longest name of a person; agents with a parameter may have longer ones
_LEAST_NAME_WIDTH = 8


class _Stake(NamedTuple):
    """What a seat has in the hand."""

    stack: int
    bet: int
    folded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One chair."""

    mark: str
    chair: str
    name: str
    cards: Text
    stack: str
    bet: str
    notes: str
    style: str = ""


def rows(scene: Scene, width: int) -> Iterator[Text]:
    """Yield a line of column names, and one for each chair."""
    head = _Row(
        mark="", chair="chair", name="name", cards=Text("cards"), stack="stack", bet="bet", notes="", style="dim"
    )
    lines = [head, *_chairs(scene)]
    stack, bet, notes = (
        max(map(len, column)) for column in zip(*((r.stack, r.bet, r.notes) for r in lines), strict=True)
    )
    cards = max(len(row.cards) for row in lines)
    longest = max(_NAME_WIDTH, *(cell_len(plain(row.name)) for row in lines))
    name = min(longest, max(_LEAST_NAME_WIDTH, width - (11 + cards + stack + bet + notes + 8)))
    for row in lines:
        called = plain(row.name, name)
        line = Text(f"{row.mark:4}{row.chair:>5}  {called}{' ' * (name - cell_len(called))}  ", style=row.style)
        line.append_text(row.cards).append(" " * (cards - len(row.cards)))
        line.append(f"  {row.stack:>{stack}}  {row.bet:>{bet}}  {row.notes}")
        line.rstrip()
        yield line


def _chairs(scene: Scene) -> Iterator[_Row]:
    """Yield a row for each player in the hand, even those who left since, and for everybody else at the table."""
    seated = {chair.chair: chair for chair in scene.chairs}
    played = [
        (chair, seat, None if chair in scene.left else seated.get(chair)) for seat, chair in enumerate(scene.seats)
    ]
    others = [(chair, -1, seated[chair]) for chair in seated if chair not in scene.seats or chair in scene.left]
    for number, seat, player in sorted([*played, *others], key=lambda row: (row[0], -row[1])):
        yield _row(scene, number, seat, player)
    if not scene.seats and scene.state:  # the hand began before the first update: chips by seat, without names
        for seat in range(scene.state.player_count):
            yield _row(scene, -1, seat, None)


def _row(scene: Scene, number: int, seat: int, player: ChairView | None) -> _Row:
    state = scene.state
    mine = None
    if state and 0 <= seat < state.player_count:
        mine = _Stake(state.stacks[seat], state.bets[seat], state.folded[seat])
    turn = seat >= 0 and seat == scene.actor
    button = bool(scene.seats) and seat == len(scene.seats) - 1
    in_play = mine is not None and scene.payoffs is None
    stack = mine.stack if mine and in_play else player.stack if player else None
    return _Row(
        mark=(">" if turn else " ") + ("D" if button else " "),
        chair=str(number) if number >= 0 else "",
        name=scene.name_of(seat) if seat >= 0 else plain(player.name) if player else "",
        cards=_cards(scene, seat, mine),
        stack="" if stack is None else chips_text(stack),
        bet=chips_text(mine.bet) if mine and in_play and mine.bet else "",
        notes=", ".join(_notes(scene, seat, mine, player)),
        style="bold" if turn else "dim" if (seat < 0 and scene.seats) or (mine is not None and mine.folded) else "",
    )


def _cards(scene: Scene, seat: int, mine: _Stake | None) -> Text:
    if seat in scene.holdings:
        return cards_text(scene.holdings[seat])
    if mine is None or mine.folded:
        return Text("-" if mine else "")
    size = scene.state.variant.deck.holding_size if scene.state else 0
    return Text(" ".join(["??"] * size), style="dim")


def _notes(scene: Scene, seat: int, mine: _Stake | None, player: ChairView | None) -> Iterator[str]:
    if player and player.chair == scene.chair:
        yield "you"
    if mine and mine.folded:
        yield "folded"
    elif mine and not mine.stack and scene.payoffs is None:
        yield "all-in"
    if scene.payoffs is not None and 0 <= seat < len(scene.payoffs):
        yield chips_text(scene.payoffs[seat], sign=True) if scene.payoffs[seat] else "even"
    for mark, words in ((Mark.PARTIAL, "partial"), (Mark.FALLBACK, "fallback")):
        count = sum(marked.seat == seat and marked.mark == mark for marked in scene.marks)
        if count:
            yield f"{count} {words}"
    if seat < 0 and scene.seats:
        yield "not in this hand"
    if player and player.is_leaving:
        yield "leaving"
    if player is None and scene.seats:
        yield "left"
