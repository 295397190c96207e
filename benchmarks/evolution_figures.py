"""Figures and tables of docs/experiments/evolution.md: python -m benchmarks.evolution_figures --help.

Reads the output of two commands: `riverboat runs --json`, with the runs labelled control, hof and models, and
`riverboat tournament --agents evolved:NAME,… --simulate N --json`, one file for each of the three.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from riverboat.training.moving_mean import WINDOW, moving_mean

LABELS = ("control", "hof", "models")
_TITLES = {"control": "evolution alone", "hof": "hall of fame", "models": "hall of fame and models of opponents"}
_STATIC = ("always-fold", "always-call", "always-raise", "random")
_ROWS = (("fitness",), ("ranking", "hands_won", "mean_money"), ("roi",), ("vpip", "pfr", "afq"))
_AXES = ("fitness of the best", "its parts", "ROI among the nets", "playing style")
# Published, by label and player; nan where only a picture shows the number.
_NAN = float("nan")
_FITNESS = {"control": (0.6578, _NAN, 0.3124, 0.2467, 0.3595), "hof": (0.6603, _NAN, _NAN, _NAN, _NAN)}
_ROI = {
    "control": (0.8027, 0.2052, _NAN, -0.009, -0.7331),
    "hof": (0.9335, _NAN, _NAN, _NAN, _NAN),
    "models": (0.8294, 0.2195, 0.1434, -0.0101, -0.7402),
}
_UNKNOWN = (_NAN,) * 5


def main() -> None:
    """Draw evolution-runs.png and evolution-benchmark.png, and print the tables."""
    parser = argparse.ArgumentParser("python -m benchmarks.evolution_figures", description=__doc__)
    parser.add_argument("--runs", type=Path, nargs="+", default=[], help="output of riverboat runs --json")
    parser.add_argument("--benchmarks", type=Path, nargs="+", default=[], help="output of riverboat tournament --json")
    parser.add_argument("--folder", type=Path, default=Path("docs/images"), help="folder for the pictures")
    words = parser.parse_args()
    runs = _runs(words.runs)
    scores = dict(_scores(json.loads(path.read_text())) for path in words.benchmarks)
    if runs:
        _draw_runs(runs, words.folder / "evolution-runs.png")
        print("\n".join(_run_rows(runs)))
    if scores:
        _draw_benchmark(scores, words.folder / "evolution-benchmark.png")
        print("\n".join(_benchmark_rows(scores)))


def _runs(paths: Sequence[Path]) -> dict[str, list[Mapping[str, float]]]:
    """Return the measures of each round by label."""
    answers: list[Any] = [run for path in paths for run in json.loads(path.read_text())]
    by_label = {run["plan"]["settings"]["label"]: run for run in answers if run["plan"]["kind"] == "evolution"}
    return {label: [each["measures"] for each in by_label[label]["rounds"]] for label in LABELS if label in by_label}


def _scores(document: Any) -> tuple[str, dict[str, Any]]:
    """Return the label of a benchmark and its scores by player, the net first."""
    (net,) = [name for name in document["agents"] if name.startswith("evolved:")]
    agents = document["agents"]
    return net.partition(":")[2].partition("-")[0], {"net": agents[net], **{name: agents[name] for name in _STATIC}}


def _draw_runs(runs: Mapping[str, Sequence[Mapping[str, float]]], picture: Path) -> None:
    figure = Figure(figsize=(13, 10), layout="constrained")
    grid = figure.subplots(len(_ROWS), len(runs), sharex=True, sharey="row", squeeze=False)
    for column, (label, rounds) in enumerate(runs.items()):
        for row, names in enumerate(_ROWS):
            axes = grid[row, column]
            for i, name in enumerate(names):
                values = [measures[name] for measures in rounds]
                axes.plot(values, color=f"C{i}", alpha=0.15, linewidth=0.5)
                axes.plot(moving_mean(values), color=f"C{i}", linewidth=1.3, label=name)
            axes.grid(alpha=0.3)
            if column == 0:
                axes.set_ylabel(_AXES[row])
                axes.legend(fontsize=8)
        grid[0, column].set_title(f"{label}: {_TITLES[label]}", size=10)
        grid[-1, column].set_xlabel(f"generation; lines: mean of {WINDOW}")
    figure.savefig(picture, dpi=90, facecolor="white")


def _draw_benchmark(scores: Mapping[str, Mapping[str, Any]], picture: Path) -> None:
    figure = Figure(figsize=(13, 6.5), layout="constrained")
    grid = figure.subplots(2, len(scores), sharey="row", squeeze=False)
    published = (_FITNESS, _ROI)
    for column, (label, players) in enumerate(scores.items()):
        places = np.arange(len(players))
        for row, name in enumerate(("fitness", "roi")):
            axes = grid[row, column]
            factor = 100 if name == "roi" else 1
            heights = [factor * score[name] for score in players.values()]
            errors = [factor * score["roi_interval"] for score in players.values()] if name == "roi" else None
            axes.bar(places, heights, yerr=errors, color=["C0", *["C7"] * (len(players) - 1)])
            then = factor * np.array(published[row].get(label, _UNKNOWN))
            axes.plot(places, then, "k_", markersize=26, label="published")
            axes.set_xticks(places, list(players), rotation=20)
            axes.grid(alpha=0.3, axis="y")
        grid[0, column].set_title(label, size=10)
    grid[0, 0].set_ylabel("fitness")
    grid[1, 0].set_ylabel("ROI, % (bars: 95 % intervals)")
    grid[0, 0].legend(fontsize=8)
    figure.savefig(picture, dpi=90, facecolor="white")


def _run_rows(runs: Mapping[str, Sequence[Mapping[str, float]]]) -> Iterator[str]:
    """Yield the table of the runs: means over the last hundred generations, and the spread of the best player."""
    yield "| run | generations | fitness | ROI | VPIP / PFR / AFq | spread of fitness | of its mean of 50 | of VPIP |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for label, rounds in runs.items():
        last = {name: np.mean([each[name] for each in rounds[-100:]]) for name in rounds[0]}
        fitness = [each["fitness"] for each in rounds]
        later, smooth = fitness[200:] or fitness, moving_mean(fitness)[200:]
        vpip = [each["vpip"] for each in rounds][200:]
        style = " / ".join(f"{100 * last[name]:.1f}" for name in ("vpip", "pfr", "afq"))
        yield (
            f"| {label} | {len(rounds)} | {last['fitness']:.4f} | {100 * last['roi']:.0f} % | {style} % | "
            f"{np.std(later):.4f} | {np.std(smooth):.4f} | {100 * np.std(vpip):.1f} points |"
        )


def _benchmark_rows(scores: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "| run | player | ROI | fitness | mean rank | VPIP / PFR / AFq | published ROI (fitness) |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for label, players in scores.items():
        pairs = zip(players.items(), _ROI.get(label, _UNKNOWN), _FITNESS.get(label, _UNKNOWN), strict=True)
        for (name, score), roi, fitness in pairs:
            style = " / ".join(f"{100 * score[part]:.1f}" for part in ("vpip", "pfr", "afq"))
            then = "" if np.isnan(roi) else f"{100 * roi:.2f} %"
            then += "" if np.isnan(fitness) else f" ({fitness:.4f})"
            yield (
                f"| {label if name == 'net' else ''} | {name} | {100 * score['roi']:.2f} ± "
                f"{100 * score['roi_interval']:.2f} % | {score['fitness']:.4f} | {score['mean_rank']:.2f} | "
                f"{style} % | {then.strip()} |"
            )


if __name__ == "__main__":
    main()
