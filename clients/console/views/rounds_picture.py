"""The measures of a run's rounds as curves, redrawn while the run continues."""

from io import BytesIO
from pathlib import Path

from matplotlib.figure import Figure

from riverboat.clients.console.views.runs import what_it_trains
from riverboat.contracts.trainer import RunStatus
from riverboat.training.moving_mean import WINDOW, moving_mean
from riverboat.training.rounds import RoundsPlan

_PANELS = {
    "evolution": (("fitness",), ("ranking", "hands_won", "mean_money"), ("roi",), ("vpip", "pfr", "afq")),
}
_SIZE = (9.0, 2.3)  # inches, of a panel
_DOTS_PER_INCH = 100


def draw_rounds(status: RunStatus, picture: Path) -> None:
    """Draw each measure by round: every round pale, the moving average over it. The file is replaced in one step."""
    panels = panels_of(status)
    width, height = _SIZE
    figure = Figure(figsize=(width, height * max(1, len(panels)) + 0.6), layout="constrained")
    numbers = [each.number for each in status.rounds]
    for axes, names in zip(
        figure.subplots(max(1, len(panels)), 1, sharex=True, squeeze=False)[:, 0], panels, strict=False
    ):
        for i, name in enumerate(names):
            values = [each.measures[name] for each in status.rounds]
            axes.plot(numbers, values, color=f"C{i}", alpha=0.2, linewidth=0.6)
            axes.plot(numbers, moving_mean(values), color=f"C{i}", label=name, linewidth=1.2)
        axes.legend(fontsize=8, loc="upper left")
        axes.grid(alpha=0.3)
    figure.axes[-1].set_xlabel(f"round; lines: mean of up to {WINDOW} rounds")
    figure.suptitle(
        f"{what_it_trains(status.plan)} {status.run_id}: round {len(status.rounds)} of {status.round_count}"
    )
    data = BytesIO()
    figure.savefig(data, format=picture.suffix.lstrip("."), dpi=_DOTS_PER_INCH, facecolor="white")
    part = picture.with_name(f"{picture.name}.part")
    part.write_bytes(data.getvalue())
    part.replace(picture)


def panels_of(status: RunStatus) -> tuple[tuple[str, ...], ...]:
    """Return which measures share a panel: for an unknown kind of run, each has its own."""
    if not status.rounds or not isinstance(status.plan, RoundsPlan):
        return ()
    there = status.rounds[0].measures
    known = _PANELS.get(status.plan.kind, tuple((name,) for name in there))
    return tuple(names for names in known if all(name in there for name in names))
