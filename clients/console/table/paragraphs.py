"""What was done in a hand, street by street, and what there is to win, as paragraphs with a name in front."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from riverboat.clients.console.table.plain_text import cards_words, chips_text, joined, wrapped
from riverboat.clients.console.table.pots import pots_to_show
from riverboat.clients.console.table.scene import Scene
from riverboat.clients.console.table.story import Narrator, Told, street_name
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules_pb
from riverboat.rpc.convert.state_manager import decode_variant

INDENT = 9  # columns of the name in front


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some lines, and what they are about."""

    name: str
    lines: tuple[str, ...]


def paragraph(name: str, parts: Sequence[str], width: int, between: str) -> Paragraph:
    """Parts in a row, with a sign between them."""
    ended = [*(f"{part}{between}" for part in parts[:-1]), *parts[-1:]]
    return Paragraph(name, tuple(wrapped(ended, width - INDENT)))


def lines_of(paragraphs: Sequence[Paragraph], room: int | None = None) -> list[Text]:
    """The lines; if there is not room for all, the last ones, with a sign that there were more."""
    lines = [(one.name, place, text) for one in paragraphs for place, text in enumerate(one.lines)]
    if room is None or len(lines) <= room:
        return [_line("" if place else name, text) for name, place, text in lines]
    kept = lines[len(lines) - max(1, room - 1) :]
    name, place, _ = kept[0]
    return [_line(name if place else "", "…"), *(_line("" if place else name, text) for name, place, text in kept)]


def _line(name: str, text: str) -> Text:
    return Text(f"{name:{INDENT}}", style="dim").append(text, style="not dim")


def pots(scene: Scene, state: rules_pb.State, width: int) -> list[Paragraph]:
    """The pots, where there is more than one."""
    found = pots_to_show(state.seats)
    if len(found) < 2:
        return []
    parts = []
    for place, pot in enumerate(found):
        name = "main pot" if place == 0 else "side pot" if len(found) == 2 else f"side pot {place}"
        who = [scene.name_of(seat) for seat in pot.seats]
        whom = joined(who) if place else f"all {len(who)} who are in"
        parts.append(f"{name}: {chips_text(pot.chips)} for {whom}")
    return [paragraph("pots", parts, width, ";")]


def history(scene: Scene, state: rules_pb.State, width: int) -> list[Paragraph]:
    """What was done on each street, and the result; cards that were shown are seen in their rows."""
    told = Narrator(decode_variant(state.variant)).tell(scene.events)
    found = list[Paragraph]()
    for street in sorted({one.street for one in told if one.kind in ("act", "street")}):
        acts = [one.text for one in told if one.kind == "act" and one.street == street]
        if not acts and scene.payoffs is not None:
            continue  # nobody could act: the board says it all
        first = " ".join(filter(None, (_new_cards(told, street), *acts[:1])))
        name = street_name(street, len(state.variant.streets))
        found.append(paragraph(name, [first, *acts[1:]], width, ","))
    ends = [one.text for one in told if one.kind in ("back", "end")]
    return [*found, paragraph("result", ends, width, ";")] if ends else found


def _new_cards(told: Sequence[Told], street: int) -> str:
    """The board cards that a street began with, like "[Td 9d 2c]"."""
    boards = ["", *(one.board for one in told if one.kind == "street" and one.street <= street)]
    new = boards[-1][len(boards[-2]) :] if street and len(boards) > 1 else ""
    return f"[{cards_words(new)}]" if new else ""
