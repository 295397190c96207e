"""Evolve nets by several settings and seeds, and measure them on the way.

At regular intervals (--every) the best player plays tournaments against 44 static players, with deals that no evolution
uses. So the figures of a variant come from the players of a whole run, not from the luck of its last generation. With
the preset structure a run gives the same numbers as `riverboat train evolution` with the same settings and seed. python
-m benchmarks.evolution_variants --help
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.equity.effective_strength import StrengthTables, strength_tables
from riverboat.evolution.generations import field_of_generation, first_generation, next_generation, plans_of_generation
from riverboat.evolution.recipe import EvolutionRecipe
from riverboat.parallel import Runner, on_threads, serial
from riverboat.policies.evolved_nets import Net, NetShape
from riverboat.policies.net_files import write_net
from riverboat.services.trainer.evolution.plan import EvolutionPlan
from riverboat.services.trainer.evolution.state import EvolutionState, read_state_bytes, write_state_bytes
from riverboat.tournaments.field import STATIC_POLICIES, field_of
from riverboat.tournaments.scores import DEFAULT_WEIGHTS, scores_of
from riverboat.tournaments.series import added, loop_rules, play_tournaments, series_plans

_EACH_STATIC = 11
_MEASURED_SEED = 4300  # of the deals that measure players while they evolve


@dataclass(frozen=True, slots=True, kw_only=True)
class EvolutionVariant:
    """Settings of `riverboat train evolution`, and the parts of a tournament's structure that differ from the
    preset."""

    settings: Mapping[str, Any]
    structure: Mapping[str, Any]


def _variant(settings: Mapping[str, Any] | None = None, **structure: Any) -> EvolutionVariant:
    return EvolutionVariant(settings=settings or {}, structure=structure)


_HALL = {"hall": 13}
VARIANTS: Mapping[str, EvolutionVariant] = {
    "control": _variant(),
    "hof": _variant(_HALL),
    "models": _variant({"hall": 13, "models": True, "hidden": 22}),
    "hof-short-levels": _variant(_HALL, level_hands=4),
    "hof-long-levels": _variant(_HALL, level_hands=25),
    "hof-deep": _variant(_HALL, starting_chips=5000),
    "hof-hall-parents": _variant({"hall": 13, "hall_parents": True}),
    "hof-hidden-24": _variant({"hall": 13, "hidden": 24}),
    "hof-prizes": _variant({"hall": 13, "prizes": 0.5}),
    "hof-static": _variant({"hall": 13, "static": 3}),
    "hof-duplicates": _variant({"hall": 13, "duplicates": 5}),
}


def main() -> None:
    """Evolve each variant with each seed, one after another; continue where an earlier call stopped."""
    parser = argparse.ArgumentParser("python -m benchmarks.evolution_variants", description=__doc__)
    parser.add_argument("variants", nargs="*", default=list(VARIANTS), metavar="VARIANT", help=", ".join(VARIANTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="seeds of the evolutions; default: 1")
    parser.add_argument("--generations", type=int, default=300, help="generations of each run; default: 300")
    parser.add_argument("--every", type=int, default=25, help="generations between measurements; default: 25")
    parser.add_argument("--tournaments", type=int, default=2000, help="tournaments of a measurement; default: 2,000")
    parser.add_argument("--folder", type=Path, required=True, help="folder for states, nets and measurements")
    parser.add_argument("--threads", type=int, default=1, help="threads that play; default: 1")
    parser.add_argument("--summary", action="store_true", help="print the table of measurements, and stop")
    words = parser.parse_args()
    unknown = [name for name in words.variants if name not in VARIANTS]
    if unknown:
        parser.error(f"no variant is called {unknown[0]}; the variants are {', '.join(VARIANTS)}")
    words.folder.mkdir(parents=True, exist_ok=True)
    if words.summary:
        print("\n".join(summary_rows(words.folder)))
        return
    with ThreadPoolExecutor(words.threads) as executor:
        run: Runner = serial if words.threads == 1 else on_threads(executor, 2 * words.threads)
        for seed in words.seeds:
            for name in words.variants:
                course = Course(name, seed, words.folder, run)
                course.follow(words.generations, words.every, words.tournaments)


class Course:
    """One evolution of a variant, with its files."""

    def __init__(self, name: str, seed: int, folder: Path, run: Runner) -> None:
        plan = EvolutionPlan(**VARIANTS[name].settings, seed=seed)
        recipe = plan.recipe()
        structure = replace(recipe.structure, **VARIANTS[name].structure)
        self._name, self._seed, self._run = f"{name}-{seed}", seed, run
        self._recipe: EvolutionRecipe = replace(recipe, structure=structure)
        self._state = folder / f"{self._name}.safetensors"
        self._lines = folder / f"{self._name}.jsonl"
        self._folder = folder

    def follow(self, generation_count: int, every: int, tournament_count: int) -> None:
        """Evolve up to this generation, measuring the best player on the way."""
        tables = strength_tables()
        state = self._read()
        while state.generation.number < generation_count:
            state = self._evolved(state, tables)
            if state.generation.number % every == 0:
                self._keep(
                    state, measured(self._recipe, state.generation.group[0], tables, tournament_count, self._run)
                )

    def _read(self) -> EvolutionState:
        if self._state.exists():
            return read_state_bytes(self._state.read_bytes())
        return EvolutionState(first_generation(self._recipe, np.random.default_rng([self._seed, 0])), ())

    def _evolved(self, state: EvolutionState, tables: StrengthTables) -> EvolutionState:
        number, recipe = state.generation.number, self._recipe
        plans = plans_of_generation(recipe, number, self._seed)
        field = field_of_generation(recipe, state.generation)
        result = added(play_tournaments(loop_rules(recipe.structure), field, tables, plans, self._run))
        rng = np.random.default_rng([self._seed, number + 1])
        following, record = next_generation(recipe, state.generation, result, rng)
        return EvolutionState(following, (*state.records, record))

    def _keep(self, state: EvolutionState, measures: Mapping[str, float]) -> None:
        number = state.generation.number
        net = Net(self._recipe.shape, state.generation.group[0], self._recipe.sizes)
        (self._folder / f"{self._name}-{number}.json").write_bytes(write_net(net))
        record = state.records[-1]
        line = {"run": self._name, "generation": number, **measures, "vpip_among_nets": record.vpip}
        with self._lines.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")
        unfinished = self._state.with_suffix(".part")
        unfinished.write_bytes(write_state_bytes(state))
        unfinished.replace(self._state)
        print(json.dumps(line), flush=True)


def measured(
    recipe: EvolutionRecipe, genome: np.ndarray[Any, Any], tables: StrengthTables, count: int, run: Runner
) -> dict[str, float]:
    """Return a player's results against static players: return on investment, fitness and style."""
    shape: NetShape = recipe.shape
    static = [kind for kind in STATIC_POLICIES.values() for _ in range(_EACH_STATIC)]
    field = field_of([Net(shape, genome, recipe.sizes), *static], raise_pots=0.0)
    plans = series_plans(_MEASURED_SEED, count, recipe.series_length)
    result = added(play_tournaments(loop_rules(recipe.structure), field, tables, plans, run))
    scores = scores_of(recipe.structure, result, DEFAULT_WEIGHTS)
    names = ("fitness", "vpip", "pfr", "afq")
    return {"roi": float(scores.mean_prize[0]) - 1, **{name: float(getattr(scores, name)[0]) for name in names}}


def summary_rows(folder: Path) -> Iterator[str]:
    """Yield a Markdown table: for every run the mean and deviation of the return of its best players."""
    yield "| run | generations | players measured | mean ROI | deviation | last player's ROI | VPIP |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for path in sorted(folder.glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        later = _second_half(lines)
        rois = np.array([line["roi"] for line in later])
        yield (
            f"| {path.stem} | {lines[-1]['generation']} | {len(later)} | {100 * rois.mean():.0f} % | "
            f"{100 * rois.std(ddof=1) if len(rois) > 1 else 0:.0f} | {100 * lines[-1]['roi']:.0f} % | "
            f"{100 * np.mean([line['vpip'] for line in later]):.1f} % |"
        )


def _second_half(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the measurements of the later half of a run, each generation once."""
    by_generation = {line["generation"]: line for line in lines}
    last = max(by_generation)
    return [line for generation, line in sorted(by_generation.items()) if 2 * generation > last]


if __name__ == "__main__":
    main()
