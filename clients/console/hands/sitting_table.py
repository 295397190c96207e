"""The sittings of the history folder, as a table and for programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from riverboat.clients.console.hands.history_folder import Sitting
from riverboat.clients.console.views.game_words import short_game
from riverboat.clients.console.views.output import note, print_table
from riverboat.clients.console.views.text import chips_text, plain


def print_sittings(kept: Sequence[Sitting], folder: Path) -> None:
    """Print a row for each sitting, the last first."""
    right = [Column(name, justify="right") for name in ("hands", "chips", "bb/100")]
    table = Table("begun", "game", "against", *right, "file", box=None, padding=(0, 2, 0, 0))
    for sitting in kept:
        table.add_row(*_cells(sitting))
    print_table(table)
    note(f"in {folder}; riverboat review reviews the last one, riverboat replay FILE shows a hand")


def _cells(sitting: Sitting) -> list[str | Text]:
    others = dict.fromkeys(
        name for hand in sitting.hands for name in hand.names if name != sitting.player
    )  # in the order in which they were met
    game = short_game(sitting.hands[0].variant) if sitting.hands else "-"
    chips = chips_won(sitting)
    rate = f"{100 * blinds_won(sitting) / len(sitting.hands):+,.0f}" if sitting.hands else "-"
    names = ", ".join(plain(name, 20) for name in others)
    return [sitting.begun, Text(game), Text(names), str(len(sitting.hands)), chips_text(chips, True), rate,
            Text(sitting.path.name)]  # fmt: skip


def chips_won(sitting: Sitting) -> int:
    """Return the chips that the user won or lost."""
    return sum(_won(sitting))


def blinds_won(sitting: Sitting) -> float:
    """Return the same in big blinds."""
    return sum(won / hand.variant.big_blind for won, hand in zip(_won(sitting), sitting.hands, strict=True))


def _won(sitting: Sitting) -> list[int]:
    won = []
    for hand in sitting.hands:
        seat = hand.names.index(sitting.player) if sitting.player in hand.names else -1
        ended = hand.finishing_stacks
        won.append(ended[seat] - hand.stacks[seat] if ended and seat >= 0 else 0)
    return won


def sittings_list(kept: Sequence[Sitting]) -> list[dict[str, Any]]:
    """Return sittings for programs."""
    return [
        {
            "file": str(sitting.path),
            "begun": sitting.begun,
            "player": sitting.player,
            "hands": len(sitting.hands),
            "unread_hands": sitting.unread_count,
            "chips": chips_won(sitting),
            "big_blinds": blinds_won(sitting),
        }
        for sitting in kept
    ]
