"""The picture of a preflop chart: each cell is divided by how often the class raises and calls."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from riverboat.arena.preflop_chart import PreflopChart
from riverboat.holdings import class_grid
from riverboat.rules.betting import CALL

_INK, _FAINT = "#17202a", "#6c7a86"
_RAISE, _CALL, _FOLD = "#d9694f", "#86bf7f", "#dfe5ea"
_DOTS_PER_INCH = 160
_SIDE = 8.0  # inches of the grid
_MOST_POINTS = 64.0  # of a cell, that letters grow with
_MARGIN, _TOP, _BOTTOM = 0.4, 1.25, 0.7  # inches


def draw_chart(chart: PreflopChart, title: str, notes: list[str], picture: Path) -> None:
    """Write the picture, whose ending says in which format; the first note stands above the grid."""
    width, height = _SIDE + 2 * _MARGIN, _SIDE + _TOP + _BOTTOM
    figure = Figure(figsize=(width, height))
    centred: dict[str, Any] = {"ha": "center", "va": "center"}
    figure.text(0.5, 1 - 0.35 / height, title, size=18, weight="bold", color=_INK, **centred)
    figure.text(0.5, 1 - 0.72 / height, notes[0], size=12, color=_INK, **centred)
    below = "\n".join([*notes[1:2], "   ·   ".join(notes[2:])])
    figure.text(0.5, 0.35 / height, below, size=9, color=_FAINT, **centred)
    _draw_legend(figure, "call" if chart.public.to_call else "check", bool(chart.public.to_call))
    axes = figure.add_axes((_MARGIN / width, _BOTTOM / height, _SIDE / width, _SIDE / height))
    _draw_cells(axes, chart)
    figure.savefig(picture, dpi=_DOTS_PER_INCH, facecolor="white")


def _draw_legend(figure: Figure, call: str, can_fold: bool) -> None:
    named = [(_RAISE, "raise"), (_CALL, call), *([(_FOLD, "fold")] if can_fold else [])]
    handles = [Rectangle((0, 0), 1, 1, facecolor=colour) for colour, _ in named]
    place = (0.5, 1 - (_TOP - 0.02) / (_SIDE + _TOP + _BOTTOM))
    figure.legend(
        handles, [name for _, name in named], loc="lower center", bbox_to_anchor=place, ncols=3, frameon=False,
        fontsize=11, borderaxespad=0.1,
    )  # fmt: skip


def _draw_cells(axes: Any, chart: PreflopChart) -> None:
    labels = class_grid(chart.public.variant.deck)
    count = len(labels)
    points = min(_MOST_POINTS, 72 * _SIDE / count)  # of a cell
    raises, calls = chart.by_class(chart.raises), chart.by_class([CALL])
    axes.set(xlim=(0, count), ylim=(count, 0))
    axes.axis("off")
    for row, line in enumerate(labels):
        for column, label in enumerate(line):
            left = float(column)
            parts = ((raises[label], _RAISE), (calls[label], _CALL), (1 - raises[label] - calls[label], _FOLD))
            for share, colour in parts:
                axes.add_patch(Rectangle((left, row), max(0.0, share), 1, facecolor=colour, linewidth=0))
                left += share
            axes.add_patch(Rectangle((column, row), 1, 1, fill=False, edgecolor="white", linewidth=1.2))
            weight = "bold" if row == column else "normal"
            axes.text(column + 0.5, row + 0.36, label, size=0.28 * points, weight=weight, color=_INK, ha="center",
                      va="center")  # fmt: skip
            axes.text(column + 0.5, row + 0.74, f"{100 * raises[label]:.0f}", size=0.2 * points, color=_INK, alpha=0.75,
                      ha="center", va="center")  # fmt: skip
