"""A cheat sheet as a picture: one grid for each number of opponents, on a page to print."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from riverboat.clients.console.views.sheet import Sheet, opponents_text
from riverboat.holdings import class_grid

_INK, _FAINT, _EMPTY = "#17202a", "#6c7a86", "#efefef"
_DOTS_PER_INCH = 200
_TOP, _BOTTOM, _SIDE, _GAP, _TITLE = 1.2, 0.5, 0.35, 0.25, 0.35  # inches
_SHORT, _MIDDLE, _LONG = 8.27, 11.69, 16.54  # the sides of A4 and A3 in inches
# For a number of grids: how many in a row, and on which paper.
_PAGES = {
    1: (1, (_SHORT, _MIDDLE)),
    2: (2, (_MIDDLE, _SHORT)),
    3: (3, (_MIDDLE, _SHORT)),
    4: (2, (_SHORT, _MIDDLE)),
    5: (3, (_LONG, _MIDDLE)),
    6: (3, (_LONG, _MIDDLE)),
    7: (4, (_LONG, _MIDDLE)),
    8: (4, (_LONG, _MIDDLE)),
    9: (3, (_MIDDLE, _LONG)),
}


def draw(sheet: Sheet, path: Path) -> None:
    """Write the picture to `path`, whose ending says in which format."""
    count = len(sheet.opponent_counts)
    columns, (width, height) = _PAGES[count]
    rows = -(-count // columns)
    wide = (width - 2 * _SIDE - (columns - 1) * _GAP) / columns
    high = (height - _TOP - _BOTTOM - (rows - 1) * _GAP) / rows - _TITLE
    side = min(wide, high)  # inches of one grid
    margin = (width - columns * side - (columns - 1) * _GAP) / 2
    below = (height - _TOP - _BOTTOM - rows * (side + _TITLE) - (rows - 1) * _GAP) / 2
    figure = Figure(figsize=(width, height))
    _write_around(figure, sheet)
    for place, opponent_count in enumerate(sheet.opponent_counts):
        row, column = divmod(place, columns)
        left = margin + column * (side + _GAP)
        bottom = _BOTTOM + below + (rows - 1 - row) * (side + _TITLE + _GAP)
        axes = figure.add_axes((left / width, bottom / height, side / width, side / height))
        _draw_grid(axes, sheet, opponent_count, side)
    figure.savefig(path, dpi=_DOTS_PER_INCH, facecolor="white")


def _write_around(figure: Figure, sheet: Sheet) -> None:
    width, height = figure.get_size_inches()
    place = f"on {_with_signs(sheet.board)}" if sheet.board else "before the flop"
    title = f"Chance to win {place}{sheet.deck_text}"
    figure.text(0.5, 1 - 0.4 / height, title, size=22, weight="bold", color=_INK, ha="center", va="center")
    legend = [
        "% of the pot, against random cards",
        "suited above the diagonal, offsuit below",
        "blue: more than a fair share, red: less",
    ]
    above = _lines(legend, width, 10.5)
    figure.text(0.5, 1 - 0.85 / height, above, size=10.5, color=_FAINT, ha="center", va="center")
    below = _lines([*sheet.notes(sheet.opponent_counts), "made with riverboat cheatsheet"], width, 9)
    figure.text(0.5, 0.25 / height, below, size=9, color=_FAINT, ha="center", va="center")


def _lines(parts: list[str], width: float, size: float) -> str:
    """Return parts with dots between them, in as many lines as they need within `width` inches."""
    longest = width * 72 / (0.56 * size)  # characters
    lines = [parts[0]]
    for part in parts[1:]:
        joined = f"{lines[-1]}   ·   {part}"
        if len(joined) <= longest:
            lines[-1] = joined
        else:
            lines.append(part)
    return "\n".join(lines)


def _with_signs(cards: str) -> str:
    letters = "".join(cards.replace(",", " ").split())
    pairs = [letters[i] + letters[i + 1].lower() for i in range(0, len(letters), 2)]
    return " ".join(pair[0].upper() + pair[1].translate(str.maketrans("cdhs", "♣♦♥♠")) for pair in pairs)


def _draw_grid(axes: Any, sheet: Sheet, opponent_count: int, side: float) -> None:
    """Draw one grid, `side` inches wide."""
    labels = class_grid(sheet.deck)
    scale, values = sheet.scale(opponent_count), sheet.values(opponent_count)
    cell = 72 * side / len(labels)  # points
    axes.set(xlim=(0, len(labels)), ylim=(len(labels), 0))
    axes.axis("off")
    above = -0.02 * len(labels)
    fair = f"fair share {scale.middle:.1f} %"
    axes.text(0, above, opponents_text(opponent_count), size=14, weight="bold", color=_INK, va="bottom")
    axes.text(len(labels), above, fair, size=9.5, color=_FAINT, ha="right", va="bottom")
    for row, line in enumerate(labels):
        for column, label in enumerate(line):
            value = values.get(label)
            fill = _EMPTY if value is None else scale.colour(value)
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=fill, edgecolor="white", linewidth=0.7))
            weight = "bold" if row == column else "normal"
            centred: dict[str, Any] = {"ha": "center", "va": "center", "color": _INK}
            axes.text(column + 0.5, row + 0.30, label, size=0.27 * cell, weight=weight, alpha=0.75, **centred)
            if value is not None:
                axes.text(column + 0.5, row + 0.68, f"{value:.1f}", size=0.31 * cell, weight=weight, **centred)
