"""A picture of a run, three panels a row.

The first two rows show the styles' PFR and aggression against VPIP: at the start, after three iterations, at the end.
The last row has the accuracy by iteration, how often each bucket folds, and the likelihood of each style's cards.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np

from riverboat.streets import STREETS

_SIZE = (12.0, 11.0)  # inches


def draw_run(facts: Mapping[str, Any]) -> bytes:
    """Return the picture as PNG; no bytes if matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return b""
    figure = Figure(figsize=_SIZE, layout="constrained")
    grid = figure.subplots(3, 3)
    statistics = facts["statistics"]
    for column, number in enumerate(sorted({0, min(3, len(statistics) - 1), len(statistics) - 1})):
        for row, (name, title) in enumerate((("pfr", "PFR"), ("aggression", "aggression"))):
            axes = grid[row, column]
            for style, each in enumerate(statistics[number]):
                spread = 100 * (each["vpip spread"] + each["pfr spread"])
                axes.scatter(100 * each["vpip"], each[name] * (100 if row == 0 else 1), s=20 + 12 * spread, alpha=0.7)
                axes.annotate(str(style), (100 * each["vpip"], each[name] * (100 if row == 0 else 1)), fontsize=7)
            axes.set_title(f"after {number} iterations", fontsize=9)
            axes.set_xlabel("VPIP, %")
            axes.set_ylabel(title)
            axes.grid(alpha=0.3)
    accuracy, folds, likelihood = grid[2]
    for name in ("train", "test"):
        values = [100 * each[f"{name}_accuracy"] for each in facts["iterations"]]
        accuracy.plot(range(1, len(values) + 1), values, marker="o", label=f"{name} players")
    accuracy.set_xlabel("iteration")
    accuracy.set_ylabel("kinds of moves foreseen, %")
    accuracy.legend(fontsize=7)
    cards = facts.get("cards", {}).get("styles", [])
    for street in range(1, 4):
        if cards:
            weights = [each["sequences"] for each in cards]
            mean = np.average([each["folds"][street] for each in cards], axis=0, weights=weights)
            folds.plot(np.linspace(0, 1, len(mean)), 100 * mean, marker=".", label=STREETS[street])
    folds.set_xlabel("bucket, weakest to strongest")
    folds.set_ylabel("folds to a bet, %")
    for each in cards:
        likelihood.plot(np.array(each["trace"]) / max(1.0, each["sequences"]), linewidth=1)
    likelihood.set_xlabel("step of expectation maximisation")
    likelihood.set_ylabel("log-likelihood per sequence")
    for axes in (accuracy, folds, likelihood):
        axes.grid(alpha=0.3)
    if cards:
        folds.legend(fontsize=7)
    data = BytesIO()
    figure.savefig(data, format="png", dpi=100, metadata={"Software": None})
    return data.getvalue()
