"""A picture of the situations that networks are trained on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from riverboat.situations.situation import Situation
from riverboat.strength.profiles import strength_profile

_COLOURS = ("#4c72b0", "#dd8452")
_NAMES = ("by strength", "by play")
_SHOWN = 5  # ranges of each kind
_BINS = 20


def draw_situations(picture: Path, situations: Sequence[Situation], title: str, first_played: int) -> None:
    """Draw pots, widths, shapes and who is ahead; situations from `first_played` on come from play."""
    kinds = (situations[:first_played], situations[first_played:])
    figure = Figure(figsize=(11, 7.5), layout="constrained")
    figure.suptitle(title)
    axes = figure.subplots(2, 2)
    _draw_pots(axes[0, 0], kinds)
    _draw_widths(axes[0, 1], kinds)
    _draw_ranges(axes[1, 0], kinds)
    _draw_ahead(axes[1, 1], kinds)
    figure.savefig(picture, dpi=110)


def _draw_pots(axes: Any, kinds: Sequence[Sequence[Situation]]) -> None:
    edges = np.geomspace(0.005, 1, 30)
    shares = [[situation.pot_share for situation in kind] for kind in kinds]
    axes.hist(shares, edges, stacked=True, color=_COLOURS, label=_NAMES)
    axes.set(xscale="log", xlabel="pot as a share of all chips", ylabel="situations", title="Pots")
    axes.legend()


def _draw_widths(axes: Any, kinds: Sequence[Sequence[Situation]]) -> None:
    widths = [[_width(weights) for situation in kind for weights in situation.weights] for kind in kinds]
    axes.hist(widths, 30, stacked=True, color=_COLOURS)
    axes.set(xlabel="effective number of holdings", ylabel="ranges", title="How wide ranges are")


def _width(weights: Any) -> float:
    """Return the effective number of holdings: all of them if equally likely, 1 if only one is possible."""
    return float(1 / (weights.astype(np.float64) ** 2).sum())


def _draw_ranges(axes: Any, kinds: Sequence[Sequence[Situation]]) -> None:
    for kind, colour in zip(kinds, _COLOURS, strict=True):
        for situation in kind[:_SHOWN]:
            mean = strength_profile(situation.deck, situation.board, 2)[1]
            live = mean >= 0
            heights, edges = np.histogram(mean[live], _BINS, (0, 1), weights=situation.weights[0][live])
            axes.plot((edges[1:] + edges[:-1]) / 2, heights * _BINS, color=colour, alpha=0.8)
    axes.set(xlabel="strength, from weakest to strongest", ylabel="weight", title="Some ranges")


def _draw_ahead(axes: Any, kinds: Sequence[Sequence[Situation]]) -> None:
    ahead = [[_lead(situation) for situation in kind] for kind in kinds]
    axes.hist(ahead, 30, range=(-1, 1), stacked=True, color=_COLOURS)
    axes.set(xlabel="average strength of player 0 minus that of player 1", ylabel="situations", title="Who is ahead")


def _lead(situation: Situation) -> float:
    mean = np.maximum(strength_profile(situation.deck, situation.board, 2)[1], 0)
    return float((situation.weights[0] - situation.weights[1]) @ mean)
