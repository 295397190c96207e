"""Paragraphs of the screen, each with a name in front: the actions on each street, and the pots."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from riverboat.clients.analysis.wording import joined
from riverboat.clients.console.table.pots import pots_to_show
from riverboat.clients.console.table.scene import Scene
from riverboat.clients.console.table.story import Sentence
from riverboat.clients.console.views.text import cards_words, chips_text, wrapped
from riverboat.rules.state import PublicState
from riverboat.streets import street_name

INDENT = 9  # columns of the name in front


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some lines, and the name in front of the first."""

    name: str
    lines: tuple[str, ...]


def paragraph(name: str, parts: Sequence[str], width: int, separator: str) -> Paragraph:
    """Return the parts one after another, wrapped, with a separator between them."""
    ended = [*(f"{part}{separator}" for part in parts[:-1]), *parts[-1:]]
    return Paragraph(name, tuple(wrapped(ended, width - INDENT)))


def lines_of(paragraphs: Sequence[Paragraph], room: int | None = None) -> list[Text]:
    """Return the lines; if there is not room for all, an ellipsis and the last ones."""
    lines = [(part.name, place, text) for part in paragraphs for place, text in enumerate(part.lines)]
    if room is None or len(lines) <= room:
        return [_line("" if place else name, text) for name, place, text in lines]
    kept = lines[len(lines) - max(1, room - 1) :]
    name, place, _ = kept[0]
    return [_line(name if place else "", "…"), *(_line("" if place else name, text) for name, place, text in kept)]


def _line(name: str, text: str) -> Text:
    return Text(f"{name:{INDENT}}", style="dim").append(text, style="not dim")


def pots(scene: Scene, state: PublicState, width: int) -> list[Paragraph]:
    """Return the pots if there is more than one."""
    shown = pots_to_show(state)
    if len(shown) < 2:
        return []
    parts = []
    for place, pot in enumerate(shown):
        name = "main pot" if place == 0 else "side pot" if len(shown) == 2 else f"side pot {place}"
        names = [scene.name_of(seat) for seat in pot.seats]
        players = joined(names) if place else f"all {len(names)} players in the hand"
        parts.append(f"{name}: {chips_text(pot.chips)} for {players}")
    return [paragraph("pots", parts, width, ";")]


def history(told: Sequence[Sentence], scene: Scene, width: int) -> list[Paragraph]:
    """Return the actions on each street, and the result. Shown cards are left out: they stand in the players' rows."""
    street_count = len(scene.state.variant.streets) if scene.state else 0
    paragraphs = list[Paragraph]()
    for street in sorted({sentence.street for sentence in told if sentence.kind in ("act", "street")}):
        acts = [sentence.text for sentence in told if sentence.kind == "act" and sentence.street == street]
        if not acts and scene.payoffs is not None:
            continue  # nobody could act: the board is enough
        first = " ".join(filter(None, (_new_cards(told, street), *acts[:1])))
        paragraphs.append(paragraph(street_name(street, street_count), [first, *acts[1:]], width, ","))
    ends = [sentence.text for sentence in told if sentence.kind in ("back", "end")]
    return [*paragraphs, paragraph("result", ends, width, ";")] if ends else paragraphs


def _new_cards(told: Sequence[Sentence], street: int) -> str:
    """Return the board cards that a street began with, like "[Td 9d 2c]"."""
    boards = ["", *(sentence.board for sentence in told if sentence.kind == "street" and sentence.street <= street)]
    new = boards[-1][len(boards[-2]) :] if street and len(boards) > 1 else ""
    return f"[{cards_words(new)}]" if new else ""
