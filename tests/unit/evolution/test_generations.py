"""Generations: who stays, whose children, when the hall of fame changes."""

from dataclasses import replace

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.evolution.generations import (
    Generation,
    field_of_generation,
    first_generation,
    next_generation,
    plans_of_generation,
)
from riverboat.evolution.recipe import EvolutionRecipe
from riverboat.policies.evolved_nets import WITH_MODELS, Net
from riverboat.tournaments.field import PolicyKind
from riverboat.tournaments.loop_arrays import SUM_SIZE
from riverboat.tournaments.series import SeriesResult

HALL = EvolutionRecipe(hall_size=13)


def result_of(order: list[int]) -> SeriesResult:
    """Return one tournament in which these entrants came first, second and so on."""
    ranks = np.zeros((1, len(order)), np.int64)
    for place, entrant in enumerate(order, start=1):
        ranks[0, entrant] = place
    return SeriesResult(ranks, np.zeros((len(order), SUM_SIZE), np.int64), 10)


def step(settings: EvolutionRecipe, order: list[int], seed: int = 0) -> tuple[Generation, Generation, int]:
    first = first_generation(settings, np.random.default_rng(1))
    following, record = next_generation(settings, first, result_of(order), np.random.default_rng(seed))
    assert record.number == 0
    return first, following, record.replaced


def test_the_first_generation_is_random_and_the_hall_too() -> None:
    generation = first_generation(HALL, np.random.default_rng(1))
    assert (generation.group.shape, generation.hall.shape) == ((32, 243), (13, 243))
    assert abs(generation.group.std() - 1) < 0.05
    models = first_generation(replace(HALL, shape=WITH_MODELS), np.random.default_rng(1))
    assert models.group.shape == (32, 41 * 22 + 23 * 3)


def test_the_first_generation_may_vary_a_net() -> None:
    settings = replace(HALL, first_deviation=0.1)
    start = Net(settings.shape, np.linspace(-3, 3, settings.shape.genome_length))
    generation = first_generation(settings, np.random.default_rng(1), start)
    assert (generation.group[0] == start.genome).all(), "the net itself plays too"
    others = np.concatenate([generation.group[1:], generation.hall]) - start.genome
    assert abs(others.std() - 0.1) < 0.005
    with pytest.raises(InvalidInput, match="start: is a net of 16-12-3, not of 40-22-3"):
        first_generation(replace(HALL, shape=WITH_MODELS), np.random.default_rng(1), start)


def test_the_elite_stays_in_its_order() -> None:
    order = [7, 3, 30, 11, 2, *(i for i in range(45) if i not in (7, 3, 30, 11, 2))]
    first, following, _ = step(EvolutionRecipe(), order)
    assert (following.group[:5] == first.group[order[:5]]).all()
    assert following.number == 1
    assert following.group.shape == first.group.shape


def test_children_are_means_of_the_elite_with_some_changes() -> None:
    settings = EvolutionRecipe(mutation_rate=0.0)
    first, following, _ = step(settings, list(range(45)))
    low, high = first.group[:5].min(axis=0), first.group[:5].max(axis=0)
    assert (following.group >= low - 1e-12).all()
    assert (following.group <= high + 1e-12).all()
    changed, also = step(EvolutionRecipe(), list(range(45)))[1], step(EvolutionRecipe(), list(range(45)))[1]
    assert (changed.group == also.group).all()
    outside = ((changed.group[5:] < low) | (changed.group[5:] > high)).mean()
    assert 0.005 < outside < 0.10


def test_one_parent_without_mutation_is_copied() -> None:
    settings = EvolutionRecipe(mutation_rate=0.0, parent_weights=(1,))
    first, following, _ = step(settings, list(range(45)))
    elite = {row.tobytes() for row in first.group[:5]}
    assert {row.tobytes() for row in following.group} == elite


def test_the_hall_takes_the_best_if_they_are_fitter_than_its_worst() -> None:
    group, hall = list(range(32)), list(range(32, 45))
    first, following, replaced = step(HALL, [*group, *hall])
    assert replaced == 2
    assert (following.hall[12] == first.group[0]).all(), "the worst member gives way to the best player"
    assert (following.hall[11] == first.group[1]).all()
    assert (following.hall[:11] == first.hall[:11]).all()
    first, following, replaced = step(HALL, [*hall, *group])
    assert replaced == 0
    assert (following.hall == first.hall).all()


def test_members_of_the_hall_are_parents_only_if_told() -> None:
    settings = replace(HALL, mutation_rate=0.0, parent_weights=(1,), hall_replacements=0)
    for told in (False, True):
        first, following, _ = step(replace(settings, hall_parents=told), list(range(45)))
        members = {row.tobytes() for row in first.hall}
        assert bool(members & {row.tobytes() for row in following.group}) == told


def test_static_players_take_places_of_the_group() -> None:
    settings = EvolutionRecipe(static_count=3, hall_size=4)
    generation = first_generation(settings, np.random.default_rng(0))
    field = field_of_generation(settings, generation)
    assert len(generation.group) == 29
    assert np.bincount(field.kinds).tolist() == [3, 3, 3, 3, 33]
    assert field.kinds[-1] == PolicyKind.RANDOM


def test_every_generation_has_deals_of_its_own() -> None:
    plans = [plans_of_generation(EvolutionRecipe(), number, seed) for number in (0, 1) for seed in (1, 2)]
    assert len({each[0].seed for each in plans}) == 4
    assert sum(plan.count for plan in plans[0]) == 200


@pytest.mark.parametrize(
    "changes",
    [{"generation_count": 0}, {"elite_share": 0.0}, {"hall_size": 41}, {"hall_size": -1}, {"parent_weights": ()},
     {"mutation_rate": 1.1}, {"mutation_deviation": -1.0}],
)  # fmt: skip
def test_settings_that_make_no_sense_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        replace(EvolutionRecipe(), **changes)  # type: ignore[arg-type]
