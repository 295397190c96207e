"""What several seeds and settings of an evolution are worth: tables and a picture of `benchmarks.evolution_variants`.

Reads the folder that the variants wrote. The picture has a curve for every seed, so that luck and settings can be told
apart; the tables average over the later half of each run.

python -m benchmarks.evolution_seeds --help
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from riverboat.evolution.generations import GenerationRecord
from riverboat.services.trainer.evolution.state import read_state_bytes
from riverboat.training.moving_mean import WINDOW, moving_mean

_PUBLISHED_ROI = {"control": 0.8027, "hof": 0.9335, "models": 0.8294}
_EXPERIMENTS = tuple(_PUBLISHED_ROI)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRun:
    """One run of a variant: the record of every generation, and its best players measured against static ones."""

    variant: str
    seed: str
    records: tuple[GenerationRecord, ...]
    measures: tuple[Mapping[str, float], ...]  # by `evolution_variants`, each generation once

    def later(self) -> list[Mapping[str, float]]:
        """Return the measurements of the later half of the run."""
        return [each for each in self.measures if 2 * each["generation"] > self.measures[-1]["generation"]]

    def later_records(self) -> tuple[GenerationRecord, ...]:
        """Return the records of the later half of the run."""
        return self.records[len(self.records) // 2 :]


def main() -> None:
    """Print both tables and draw the picture."""
    parser = argparse.ArgumentParser("python -m benchmarks.evolution_seeds", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of benchmarks.evolution_variants")
    parser.add_argument("--picture", type=Path, help="where the picture goes")
    words = parser.parse_args()
    runs = [_read(path) for path in sorted(words.folder.glob("*.jsonl")) if path.with_suffix(".safetensors").exists()]
    print("\n".join((*run_rows(runs), "", *variant_rows(runs))))
    if words.picture:
        _draw(runs, words.picture)


def _read(path: Path) -> MeasuredRun:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    by_generation = {line["generation"]: line for line in lines}
    variant, _, seed = path.stem.rpartition("-")
    return MeasuredRun(
        variant=variant,
        seed=seed,
        records=read_state_bytes(path.with_suffix(".safetensors").read_bytes()).records,
        measures=tuple(line for _, line in sorted(by_generation.items())),
    )


def run_rows(runs: Sequence[MeasuredRun]) -> Iterator[str]:
    """Yield a Markdown table of runs: return, its deviation from player to player, fitness and style."""
    yield "| run | seed | generations | mean ROI | deviation | last ROI | VPIP | deviation of fitness | of VPIP |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for run in runs:
        rois, styles = _values(run, "roi"), _values(run, "vpip")
        fitness = np.std([each.fitness for each in run.later_records()])
        vpip = np.std([each.vpip for each in run.later_records()])
        mean, spread, last = 100 * rois.mean(), 100 * _spread(rois), 100 * rois[-1]
        yield (
            f"| {run.variant} | {run.seed} | {len(run.records):,} | {mean:.0f} % | {spread:.0f} | {last:.0f} % | "
            f"{100 * styles.mean():.1f} % | {fitness:.4f} | {100 * vpip:.1f} points |"
        )


def variant_rows(runs: Sequence[MeasuredRun]) -> Iterator[str]:
    """Yield a Markdown table of variants: the mean over seeds, and how much of it is luck."""
    yield "| variant | seeds | mean ROI | from seed to seed | within a run |"
    yield "|---|---:|---:|---:|---:|"
    for variant, same in _by_variant(runs).items():
        means = np.array([_values(run, "roi").mean() for run in same])
        within = np.mean([_spread(_values(run, "roi")) for run in same])
        mean, luck = 100 * means.mean(), 100 * _spread(means)
        yield f"| {variant} | {len(same)} | {mean:.0f} % | {luck:.0f} | {100 * within:.0f} |"


def _by_variant(runs: Sequence[MeasuredRun]) -> dict[str, list[MeasuredRun]]:
    by_variant: dict[str, list[MeasuredRun]] = {}
    for run in runs:
        by_variant.setdefault(run.variant, []).append(run)
    return by_variant


def _values(run: MeasuredRun, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([each[name] for each in run.later()], np.float64)


def _spread(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def _draw(runs: Sequence[MeasuredRun], picture: Path) -> None:
    """Draw the three experiments by seed, and the return of every variant below."""
    figure = Figure(figsize=(13, 13), layout="constrained")
    grid = figure.add_gridspec(4, 3)
    experiments = [name for name in _by_variant(runs) if name.split("-")[0] in _EXPERIMENTS and not _has_setting(name)]
    first: list[Any] = []
    for column, name in enumerate(sorted(experiments, key=lambda each: _EXPERIMENTS.index(each.split("-")[0]))[:3]):
        axes = [figure.add_subplot(grid[row, column], sharey=first[row] if first else None) for row in range(3)]
        first = first or axes
        for i, run in enumerate(_by_variant(runs)[name]):
            generations = [each["generation"] for each in run.measures]
            rois = [100 * each["roi"] for each in run.measures]
            axes[0].plot(generations, rois, f"C{i}o-", markersize=3, linewidth=1, label=f"seed {run.seed}")
            for row, field in ((1, "fitness"), (2, "vpip")):
                values = [getattr(each, field) for each in run.records]
                axes[row].plot(values, color=f"C{i}", alpha=0.15, linewidth=0.5)
                axes[row].plot(moving_mean(values), color=f"C{i}", linewidth=1.3)
        axes[0].axhline(100 * _PUBLISHED_ROI[name.split("-")[0]], color="k", linestyle="--", label="published")
        axes[0].set_title(name, size=10)
        axes[0].legend(fontsize=8)
        axes[2].set_xlabel(f"generation; lines: mean of {WINDOW}")
        for row, title in enumerate(("ROI against static players, %", "fitness of the best", "VPIP of the best")):
            axes[row].grid(alpha=0.3)
            if column == 0:
                axes[row].set_ylabel(title)
    _draw_variants(figure.add_subplot(grid[3, :]), _by_variant(runs))
    figure.savefig(picture, dpi=90, facecolor="white")


def _has_setting(variant: str) -> bool:
    """Return whether a variant has settings of its own; tournaments per generation do not count."""
    return len([word for word in variant.split("-")[1:] if not word.isdigit() and word != "tournaments"]) > 0


def _draw_variants(axes: Any, by_variant: Mapping[str, Sequence[MeasuredRun]]) -> None:
    for place, same in enumerate(by_variant.values()):
        for run in same:
            rois = 100 * _values(run, "roi")
            axes.plot([place] * len(rois), rois, "C0.", alpha=0.35)
            axes.plot([place - 0.3, place + 0.3], [rois.mean()] * 2, "C1-")
    axes.axhline(0, color="k", linewidth=0.8)
    axes.set_xticks(range(len(by_variant)), list(by_variant), rotation=20, ha="right", size=8)
    axes.set_ylabel("ROI of best players, later half, %\n(lines: mean of a run)")
    axes.grid(alpha=0.3, axis="y")


if __name__ == "__main__":
    main()
