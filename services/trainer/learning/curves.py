"""Learning curves as a picture."""

import io
from collections.abc import Sequence

import matplotlib
from matplotlib.figure import Figure

from riverboat.training.progress import Epoch

matplotlib.use("Agg")
_DPI = 110


def draw_curves(title: str, epochs: Sequence[Epoch]) -> bytes:
    """Return the losses by epoch, as a PNG."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    numbers = [epoch.number for epoch in epochs]
    axes.plot(numbers, [epoch.train_loss for epoch in epochs], label="training", color="#8da0cb")
    axes.plot(numbers, [epoch.held_out_loss for epoch in epochs], label="validation boards", color="#d95f02")
    best = min(epochs, key=lambda epoch: epoch.held_out_loss)
    axes.plot([best.number], [best.held_out_loss], "o", color="#d95f02")
    axes.annotate(f"{best.held_out_loss:.4f}", (best.number, best.held_out_loss), (0, 8), textcoords="offset points")
    axes.set(title=title, xlabel="epoch", ylabel="Huber loss, pots", yscale="log")
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    out = io.BytesIO()
    figure.savefig(out, dpi=_DPI, format="png")
    return out.getvalue()
