"""One generation after another: play, rank, renew the hall of fame, breed.

Functions are pure: the same genomes, results and generator give the same next generation. Tournaments are played
elsewhere (`riverboat.tournaments.series`), in one process or by workers.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.evolution.recipe import EvolutionRecipe
from riverboat.policies.evolved_nets import Net
from riverboat.tournaments.field import Field, Policy, PolicyKind, field_of
from riverboat.tournaments.scores import Scores, scores_of
from riverboat.tournaments.series import SeriesPlan, SeriesResult, series_plans

F64 = NDArray[np.float64]
_STATIC = (PolicyKind.ALWAYS_FOLD, PolicyKind.ALWAYS_CALL, PolicyKind.ALWAYS_RAISE, PolicyKind.RANDOM)


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """Genomes that play: the evolution group, which begins with the last generation's elite, and the hall of fame."""

    number: int  # from 0
    group: F64  # [G, genome]
    hall: F64  # [hall size, genome]


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRecord:
    """The record of a generation: its best player's scores, and mean scores of the group and the hall."""

    number: int
    fitness: float
    ranking: float
    hands_won: float
    mean_money: float
    mean_prize: float  # in buy-ins
    vpip: float
    pfr: float
    afq: float
    group_fitness: float  # the mean of the evolution group
    hall_fitness: float  # the mean of the hall; 0 without one
    replaced: int  # members of the hall that a fitter player replaced
    hand_count: int


def first_generation(settings: EvolutionRecipe, rng: np.random.Generator, start: Net | None = None) -> Generation:
    """Return players with random genomes, or with a net and variations of it, and a hall of such players."""
    length = settings.shape.genome_length
    group = settings.first_deviation * rng.standard_normal((settings.group_size, length))
    hall = settings.first_deviation * rng.standard_normal((settings.hall_size, length))
    if start is not None:
        if start.shape != settings.shape:
            raise InvalidInput("start", f"is a net of {start.shape}, not of {settings.shape}")
        group[0] = 0.0  # the net itself plays too
        group, hall = group + start.genome, hall + start.genome
    return Generation(0, group, hall)


def field_of_generation(settings: EvolutionRecipe, generation: Generation) -> Field:
    """Return all players of a generation: the group, the hall, then static players."""
    nets: list[Policy] = [
        Net(settings.shape, genome, settings.sizes) for genome in (*generation.group, *generation.hall)
    ]
    return field_of([*nets, *(kind for kind in _STATIC for _ in range(settings.static_count))], raise_pots=0.0)


def plans_of_generation(settings: EvolutionRecipe, generation: int, seed: int) -> list[SeriesPlan]:
    """Return the plans of a generation's series; every generation has deals of its own."""
    own = (seed * 1_000_003 + generation) % 2**63
    return series_plans(own, settings.tournament_count, settings.series_length, settings.duplicates)


def next_generation(
    settings: EvolutionRecipe, generation: Generation, result: SeriesResult, rng: np.random.Generator
) -> tuple[Generation, GenerationRecord]:
    """Return the generation that follows these results, and the record of the one that played."""
    scores = scores_of(settings.structure, result, settings.weights)
    fitness = scores.fitness + settings.prize_weight * scores.mean_prize
    group_size, hall_size = settings.group_size, settings.hall_size
    order = np.argsort(-fitness[:group_size], kind="stable")
    hall_fitness = fitness[group_size : group_size + hall_size]
    elite = generation.group[order[: settings.elite_count]]
    hall, replaced = _renewed_hall(settings, generation, order, fitness[:group_size], hall_fitness)
    parents = np.concatenate([elite, hall]) if settings.hall_parents else elite
    children = [_child(settings, parents, rng) for _ in range(group_size - len(elite))]
    record = _record(generation, scores, int(order[0]), group_size, hall_size, replaced, result.hand_count)
    return Generation(generation.number + 1, np.concatenate([elite, np.array(children)]), hall), record


def _renewed_hall(
    settings: EvolutionRecipe, generation: Generation, order: NDArray[np.int64], fitness: F64, hall_fitness: F64
) -> tuple[F64, int]:
    """Return the hall, its worst members replaced by fitter ones of the group, and the number of replacements."""
    hall, replaced = generation.hall.copy(), 0
    worst = np.argsort(hall_fitness, kind="stable")
    for member, player in zip(worst[: settings.hall_replacements], order, strict=False):
        if fitness[player] > hall_fitness[member]:
            hall[member] = generation.group[player]
            replaced += 1
    return hall, replaced


def _child(settings: EvolutionRecipe, parents: F64, rng: np.random.Generator) -> F64:
    """Return a genome: a weighted mean of some parents, some of its numbers changed."""
    chances = np.array(settings.parent_weights, np.float64)
    count = min(1 + int(rng.choice(len(chances), p=chances / chances.sum())), len(parents))
    chosen = parents[rng.choice(len(parents), count, replace=False)]
    shares = rng.random(count)
    child: F64 = (shares / shares.sum()) @ chosen
    noise = settings.mutation_deviation * rng.standard_normal(child.size)
    return np.where(rng.random(child.size) < settings.mutation_rate, child + noise, child)


def _record(
    generation: Generation, scores: Scores, best: int, group_size: int, hall_size: int, replaced: int, hand_count: int
) -> GenerationRecord:
    hall = scores.fitness[group_size : group_size + hall_size]
    return GenerationRecord(
        number=generation.number,
        fitness=float(scores.fitness[best]),
        ranking=float(scores.ranking[best]),
        hands_won=float(scores.hands_won[best]),
        mean_money=float(scores.mean_money[best]),
        mean_prize=float(scores.mean_prize[best]),
        vpip=float(scores.vpip[best]),
        pfr=float(scores.pfr[best]),
        afq=float(scores.afq[best]),
        group_fitness=float(scores.fitness[:group_size].mean()),
        hall_fitness=float(hall.mean()) if hall_size else 0.0,
        replaced=replaced,
        hand_count=hand_count,
    )
