"""A ladder as a heat map."""

from math import log10
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from riverboat.arena.ladder import Ladder
from riverboat.arena.result import PlayerScore
from riverboat.clients.console.views.ladder import score_text

_CELL = 1.35  # inches
_MARGIN = 2.2  # inches, for names and title
_DOTS_PER_INCH = 120
_SCALE = 100.0  # mbb/hand, from where colours grow with the logarithm
_MOST = 20_000.0  # mbb/hand, with the full colour


def draw_ladder(ladder: Ladder, title: str, picture: Path) -> None:
    """Draw what each row wins from each column, the best agent first: blue wins, red loses, grey is undecided."""
    agents = ladder.ranking
    count = len(agents)
    size = _CELL * count + _MARGIN
    figure = Figure(figsize=(size + 0.6, size), layout="constrained")
    axes = figure.subplots()
    scores = [[ladder.score(row, column) for column in agents] for row in agents]
    axes.imshow(np.array([[_depth(score) for score in row] for row in scores]), cmap="RdBu", vmin=-1.6, vmax=1.6)
    axes.set_xticks(range(count), agents, rotation=30, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(count), agents)
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    for i, row in enumerate(scores):
        for j, score in enumerate(row):
            text = "" if i == j else score_text(score).replace(" ± ", "\n± ")
            is_sure = score is not None and abs(score.mbb) > score.margin
            axes.text(j, i, text, ha="center", va="center", size=10, weight="bold" if is_sure else "normal")
    axes.spines[:].set_visible(False)
    axes.set_xlabel(f"{title}\nmbb/hand, row against column, ± 95 %; bold: the interval excludes zero", size=9)
    figure.savefig(picture, dpi=_DOTS_PER_INCH, facecolor="white")


def _depth(score: PlayerScore | None) -> float:
    """Return the depth of a cell's colour, -1 to 1; 0 if there is no score or its interval includes 0."""
    if score is None or abs(score.mbb) <= score.margin:
        return 0.0
    depth = log10(1 + min(abs(score.mbb), _MOST) / _SCALE) / log10(1 + _MOST / _SCALE)
    return depth if score.mbb > 0 else -depth
