"""A 13 × 13 grid of starting-hand classes, coloured by a value."""

from collections.abc import Mapping
from typing import NamedTuple

from rich.console import Group
from rich.table import Table
from rich.text import Text

from riverboat.cards import Deck
from riverboat.holdings import class_grid

Colour = tuple[float, float, float]

_MANY = 1000  # from here on k stands for thousand where there is no room
_WIDE, _NARROW = 6, 5  # characters of a cell
# Below, at and above the middle, as red, green and blue: legible in print and to the colour-blind.
_BELOW, _AT, _ABOVE = (0.84, 0.40, 0.31), (1.00, 0.98, 0.90), (0.32, 0.62, 0.80)


class ColourScale(NamedTuple):
    """Values from low to high, with a neutral one in the middle."""

    low: float
    middle: float
    high: float

    def colour(self, value: float) -> Colour:
        """Return a colour: redder the further below the middle, bluer the further above."""
        end, colour = (self.low, _BELOW) if value < self.middle else (self.high, _ABOVE)
        part = min(1.0, (value - self.middle) / (end - self.middle)) if end != self.middle else 0.0
        red, green, blue = (x + (y - x) * part for x, y in zip(_AT, colour, strict=True))
        return red, green, blue


def class_table(
    deck: Deck, values: Mapping[str, float], scale: ColourScale, template: str, width: int, absent: str = "impossible"
) -> Group:
    """Return a table of classes, aces first, suited above the diagonal; `width` columns wide, but at least 67.

    `template` formats a value, like "{:.1f}"; `absent` tells the legend why a class has none.
    """
    rows = class_grid(deck)
    cell = _WIDE if 2 + _WIDE * len(rows) <= width else _NARROW
    ranks = [row[i][0] for i, row in enumerate(rows)]
    table = Table(box=None, padding=(0, 0), header_style="bold")
    table.add_column("", style="bold", width=2)
    for rank in ranks:
        table.add_column(rank, justify="center", no_wrap=True)
    for rank, row in zip(ranks, rows, strict=True):
        table.add_row(rank, *(value_text(values.get(label), scale, template, cell) for label in row))
    missing = any(label not in values for row in rows for label in row)
    legend = "suited above the diagonal, offsuit below" + (f"; · {absent}" if missing else "")
    return Group(table, Text(legend, style="dim"))


def value_text(value: float | None, scale: ColourScale, template: str, width: int = _WIDE) -> Text:
    """Return a value on the background of its colour; a dot if there is none."""
    if value is None:
        return Text("·".center(width), style="dim")
    red, green, blue = (round(255 * part) for part in scale.colour(value))
    text = template.format(value)
    if float(text) == 0:
        text = template.format(0.0)  # never -0.00
    if len(text) >= width:  # a space stays between two cells
        text = compact(value, width - 1) if abs(value) >= _MANY else text.replace("0.", ".", 1)[: width - 1]
    return Text(text.center(width), style=f"black on rgb({red},{green},{blue})")


def compact(value: float, width: int) -> str:
    """Return a large number in at most `width` characters: "1.2k", "-15k", "-.4G"."""
    for unit, name in ((1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")):
        for digits in (1, 0):
            text = (
                f"{value / unit:.{digits}f}".replace("0.", ".", 1)
                if abs(value) < unit
                else f"{value / unit:.{digits}f}"
            )
            if len(text + name) <= width and text.strip("-.0"):
                return text + name
    return ">" * width  # beyond any chips
