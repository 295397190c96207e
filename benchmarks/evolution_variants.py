"""Evolve nets by several settings and seeds, and measure them on the way.

Every so many generations the best player plays tournaments against 44 static players, with deals that no evolution
uses. So a variant is judged by the players of a whole run, not by the luck of its last generation. A run is that of
`riverboat train evolution` with the same settings and seed: the same functions, the same numbers.

python -m benchmarks.evolution_variants --help
"""

import argparse
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

from riverboat.equity.effective_strength import StrengthTables, strength_tables
from riverboat.evolution.generations import field_of_generation, first_generation, next_generation, plans_of_generation
from riverboat.evolution.recipe import EvolutionRecipe
from riverboat.parallel import Runner, on_threads, serial
from riverboat.policies.evolved_nets import Net, NetShape
from riverboat.policies.net_files import read_net, write_net
from riverboat.services.trainer.evolution.plan import EvolutionPlan
from riverboat.services.trainer.evolution.state import EvolutionState, read_state_bytes, write_state_bytes
from riverboat.tournaments.field import STATIC_POLICIES, field_of
from riverboat.tournaments.scores import DEFAULT_WEIGHTS, scores_of
from riverboat.tournaments.series import added, loop_rules, play_tournaments, series_plans
from riverboat.training.rounds import read_settings

_EACH_STATIC = 11
_MEASURED_SEED = 4300  # of the deals that measure players while they evolve


SettingTexts = Mapping[str, str]  # of `riverboat train evolution`, by name
_HALL: SettingTexts = {"hall": "13"}
VARIANTS: Mapping[str, SettingTexts] = {
    "control": {},
    "hof": _HALL,
    "models": {**_HALL, "models": "yes", "hidden": "22"},
    "hof-short-levels": {**_HALL, "level_hands": "4"},
    "hof-long-levels": {**_HALL, "level_hands": "25"},
    "hof-deep": {**_HALL, "chips": "5000"},
    "hof-hall-parents": {**_HALL, "hall_parents": "yes"},
    "hof-one-replaced": {**_HALL, "hall_replacements": "1"},
    "hof-hidden-24": {**_HALL, "hidden": "24"},
    "hof-prizes": {**_HALL, "prizes": "0.5"},
    "hof-static": {**_HALL, "static": "3"},
    "hof-static-prizes": {**_HALL, "static": "3", "prizes": "0.5"},
    "static": {"static": "8"},
    "static-prizes": {"static": "8", "prizes": "0.5"},
    "static-money": {"static": "8", "ranking": "0", "hands_won": "0", "mean_money": "1", "prizes": "1"},
    "hof-duplicates": {**_HALL, "duplicates": "5"},
}


def main() -> None:
    """Evolve each variant with each seed, one after another; continue where an earlier call stopped."""
    parser = argparse.ArgumentParser("python -m benchmarks.evolution_variants", description=__doc__)
    parser.add_argument("variants", nargs="*", default=list(VARIANTS), metavar="VARIANT", help=", ".join(VARIANTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="seeds of the evolutions; default: 1")
    parser.add_argument("--generations", type=int, default=300, help="generations of each run; default: 300")
    parser.add_argument(
        "--set",
        nargs="+",
        type=_setting,
        default=[],
        metavar="NAME=VALUE",
        help="settings of every variant; start: a file",
    )
    parser.add_argument("--every", type=int, default=25, help="generations between measurements; default: 25")
    parser.add_argument("--tournaments", type=int, default=2000, help="tournaments of a measurement; default: 2,000")
    parser.add_argument("--folder", type=Path, required=True, help="folder for states, nets and measurements")
    parser.add_argument("--threads", type=int, default=1, help="threads that play; default: 1")
    words = parser.parse_args()
    unknown = [name for name in words.variants if name not in VARIANTS]
    if unknown:
        parser.error(f"no variant is called {unknown[0]}; the variants are {', '.join(VARIANTS)}")
    words.folder.mkdir(parents=True, exist_ok=True)
    overrides = dict(words.set)
    tables = KeptTables(words.folder)
    with ThreadPoolExecutor(words.threads) as executor:
        run: Runner = serial if words.threads == 1 else on_threads(executor, 2 * words.threads)
        for seed in words.seeds:
            for name in words.variants:
                course = Course(name, seed, overrides, words.folder, run)
                course.follow(words.generations, words.every, words.tournaments, tables)


class KeptTables:
    """Tables of hand strength of this process, which an earlier call may have filled in part."""

    def __init__(self, folder: Path) -> None:
        self.tables = strength_tables()
        self._path = folder / "strengths.safetensors"
        self._streets = {"flops": self.tables.flops, "turns": self.tables.turns}
        if self._path.exists():
            kept = load_file(self._path)
            for name, street in self._streets.items():
                street.strengths[:], street.is_ready[:] = kept[name], kept[f"{name}_ready"]
        self._kept = self._ready()

    def keep(self) -> None:
        """Write the tables, if a twentieth more of them is filled than before."""
        if self._ready() < 1.05 * self._kept + 1:
            return
        arrays = {name: street.strengths for name, street in self._streets.items()}
        arrays |= {f"{name}_ready": street.is_ready for name, street in self._streets.items()}
        unfinished = self._path.with_suffix(".part")
        save_file(arrays, unfinished)
        unfinished.replace(self._path)
        self._kept = self._ready()

    def _ready(self) -> int:
        return sum(int(street.is_ready.sum()) for street in self._streets.values())


def _setting(text: str) -> tuple[str, str]:
    """Return name and value of a setting."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, not {text!r}")
    return name, value


class Course:
    """One evolution of a variant, with its files."""

    def __init__(self, name: str, seed: int, overrides: SettingTexts, folder: Path, run: Runner) -> None:
        plan = read_settings(EvolutionPlan, {**VARIANTS[name], **overrides, "seed": str(seed)})
        self._start = read_net(Path(plan.start).read_bytes()) if plan.start else None
        names = {**overrides, "start": Path(plan.start).stem} if plan.start else overrides
        changes = "".join(f"-{key}-{value}" for key, value in names.items())
        self._name, self._seed, self._run = f"{name}{changes}-{seed}", seed, run
        self._recipe: EvolutionRecipe = plan.recipe()
        self._state = folder / f"{self._name}.safetensors"
        self._lines = folder / f"{self._name}.jsonl"
        self._folder = folder

    def follow(self, generation_count: int, every: int, tournament_count: int, kept: KeptTables) -> None:
        """Evolve up to this generation, measuring the best player on the way."""
        state = self._read()
        while state.generation.number < generation_count:
            state = self._evolved(state, kept.tables)
            if state.generation.number % every == 0:
                best = state.generation.group[0]
                self._keep(state, measured(self._recipe, best, kept.tables, tournament_count, self._run))
                kept.keep()

    def _read(self) -> EvolutionState:
        if self._state.exists():
            return read_state_bytes(self._state.read_bytes())
        generation = first_generation(self._recipe, np.random.default_rng([self._seed, 0]), self._start)
        return EvolutionState(generation, ())

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


if __name__ == "__main__":
    main()
