"""A picture of an evolution: fitness and its parts, return on investment, playing style by generation."""

from collections.abc import Sequence
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from riverboat.evolution.generations import GenerationRecord
from riverboat.training.moving_mean import WINDOW, moving_mean

_SIZE = (9.0, 9.0)  # inches
F64 = NDArray[np.float64]


def draw_records(records: Sequence[GenerationRecord]) -> bytes:
    """Return the picture as PNG; empty without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return b""
    figure = Figure(figsize=_SIZE, layout="constrained")
    fitness, parts, money, style = figure.subplots(4, 1, sharex=True)
    curves = {
        fitness: ("fitness",),
        parts: ("ranking", "hands_won", "mean_money"),
        money: ("mean_prize",),
        style: ("vpip", "pfr", "afq"),
    }
    titles = {fitness: "fitness", parts: "parts of the fitness", money: "mean prize, buy-ins", style: "playing style"}
    for axes, names in curves.items():
        for name in names:
            axes.plot(moving_mean([getattr(record, name) for record in records]), label=name, linewidth=1)
        axes.set_ylabel(titles[axes])
        axes.legend(fontsize=7)
        axes.grid(alpha=0.3)
    style.set_xlabel(f"generation (best player, mean of {WINDOW})")
    data = BytesIO()
    figure.savefig(data, format="png", dpi=100, metadata={"Software": None})
    return data.getvalue()
