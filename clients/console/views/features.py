"""The features of a holding in the terminal: numbers, and a picture of each distribution."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from riverboat.clients.console.views.output import note, out, percent, print_table
from riverboat.features.deciles import DECILES
from riverboat.streets import STREETS

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_HEIGHT = 4  # lines of a picture
_WIDTH = 2  # columns of a decile


@dataclass(frozen=True, slots=True, kw_only=True)
class FeaturesView:
    """Features with their holding, board and bets."""

    holding: str
    board: str
    deck: str
    street: int
    cards: tuple[float, ...]  # [F] card features
    bets: tuple[int, ...] | None  # the opponent's, on four streets

    def deciles(self) -> dict[str, tuple[float, ...]]:
        """Return the ten deciles of equity on each later street, by its name."""
        later = STREETS[self.street + 1 :]
        starts = range(1, len(self.cards), DECILES)
        return {name: self.cards[start : start + DECILES] for name, start in zip(later, starts, strict=True)}

    def about(self) -> dict[str, Any]:
        """Return everything by name, for JSON."""
        return {
            "deck": self.deck,
            "board": self.board,
            "holding": self.holding,
            "street": STREETS[self.street],
            "equity": self.cards[0],
            "deciles": {name: list(values) for name, values in self.deciles().items()},
            "bets": None if self.bets is None else list(self.bets),
        }


def print_features(shown: FeaturesView) -> None:
    """Print equity, the deciles of each later street, and a picture of them."""
    where = (f"  on {shown.board}" if shown.board else "") + ("" if shown.deck == "52" else f"  ({shown.deck} deck)")
    out.print(Text(f"{shown.holding}  against random cards{where}", style="bold"))
    out.print(Text(f"equity now  {percent(shown.cards[0])}"))
    deciles = shown.deciles()
    if deciles:
        out.print()
        for line in picture(deciles):
            out.print(Text(line, style="cyan"), soft_wrap=True)
        out.print()
        print_table(_numbers(deciles))
        for name, values in deciles.items():
            note(
                f"on the worst three tenths of {name}s at most {percent(values[2], 1)}, "
                f"on the best fifth at least {percent(values[7], 1)}"
            )
    if shown.bets is not None:
        chips = ", ".join(f"{name} {bet:,}" for name, bet in zip(STREETS, shown.bets, strict=True))
        out.print(Text(f"opponent's bets  {chips}"))


def picture(deciles: dict[str, tuple[float, ...]]) -> list[str]:
    """Return bars for the ten deciles of each street, streets side by side, below a line with their names."""
    names = "".join(f"   {name:<{_WIDTH * DECILES}}" for name in deciles)
    lines = [f"{'':5}{names}".rstrip()]
    for row in range(_HEIGHT - 1, -1, -1):
        label = {_HEIGHT - 1: "100 %", _HEIGHT // 2 - 1: " 50 %"}.get(row, "")
        lines.append(f"{label:5}" + "".join(f"   {_bar_line(values, row)}" for values in deciles.values()).rstrip())
    axis = f"{'worst':<{_WIDTH * DECILES - 4}}best"
    lines.append(f"{'':5}" + f"   {axis}" * len(deciles))
    return lines


def _bar_line(values: Sequence[float], row: int) -> str:
    """Return one line of bars; row 0 is the lowest."""
    full = len(_EIGHTHS) - 1
    eighths = [round(full * _HEIGHT * value) - full * row for value in values]
    return "".join(_EIGHTHS[min(full, max(0, height))] * _WIDTH for height in eighths)


def _numbers(deciles: dict[str, tuple[float, ...]]) -> Table:
    heads = [Column(f"{10 * k} %", justify="right") for k in range(1, DECILES + 1)]
    table = Table("equity, %", *heads, box=None, padding=(0, 2, 0, 0))
    for name, values in deciles.items():
        table.add_row(name, *(f"{100 * value:.1f}" for value in values))
    return table
