"""Series of tournaments. A series runs in one thread; many series run in parallel.

Models of opponents grow through a series. Its result depends on nothing that runs beside it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.borrowing import borrowed
from riverboat.compiled.kernels import kernel
from riverboat.equity.effective_strength import StrengthTables
from riverboat.equity.sampler import mixed
from riverboat.errors import InvalidInput
from riverboat.parallel import Runner, serial
from riverboat.rules.variant import rules_array
from riverboat.tournaments.field import Field
from riverboat.tournaments.loop import play_tournament
from riverboat.tournaments.loop_arrays import SUM_SIZE, LoopRules, Scratch, scratch_of
from riverboat.tournaments.structures import TournamentStructure

I64 = NDArray[np.int64]
SERIES_LENGTH = 25  # tournaments
_DEALS, _DECISIONS = np.uint64(0xA0761D6478BD642F), np.uint64(0xE7037ED1A0B428DB)


@dataclass(frozen=True, slots=True, eq=False)
class SeriesResult:
    """The results of tournaments of the same entrants."""

    ranks: I64  # [tournaments, E]
    sums: I64  # [E, SUM_SIZE]: see `loop` and `tournament_inputs`
    hand_count: int


@dataclass(frozen=True, slots=True)
class SeriesPlan:
    """The tournaments of a series.

    Tournaments are numbered through all series of one seed. With `duplicates` above 1, that many tournaments in a row
    have the same deals, and the draw is turned from one to the next.
    """

    seed: int
    first: int  # the number of its first tournament
    count: int
    duplicates: int = 1


def loop_rules(structure: TournamentStructure, rollouts: int = 0) -> LoopRules:
    """Return a structure as the loop reads it; strengths come from tables, or from `rollouts` rollouts each."""
    if not structure.level_hands:
        raise InvalidInput("level_minutes", "a simulation has no clock: its levels must last a number of hands")
    most = structure.seats_per_table
    numbers = [0]
    while structure.level_at(numbers[-1]) != structure.level_at(numbers[-1] + 1) or numbers[-1] < len(structure.levels):
        numbers.append(numbers[-1] + 1)
    rules = np.zeros((len(numbers), most + 1, len(rules_array(structure.variant_at(0), most))), np.int64)
    for number in numbers:
        for count in range(2, most + 1):
            array = rules_array(structure.variant_at(number), count)
            rules[number, count, : len(array)] = array
    return LoopRules(
        entrant_count=structure.entrant_count,
        starting_chips=structure.starting_chips,
        level_hands=structure.level_hands,
        big_blinds=np.array([structure.level_at(number).big_blind for number in numbers], np.int64),
        rules=rules,
        seats=np.zeros((structure.table_count, most), np.int64),
        rollouts=rollouts,
    )


def series_plans(
    seed: int, tournament_count: int, length: int = SERIES_LENGTH, duplicates: int = 1
) -> list[SeriesPlan]:
    """Return the plans of the series that make up a number of tournaments; duplicates of a deal are in one series."""
    if tournament_count < 1 or length < 1 or duplicates < 1:
        raise InvalidInput("tournament_count", "there must be at least one tournament, in each series and of each deal")
    if length % duplicates:
        raise InvalidInput("duplicates", f"must divide the length of a series, {length}")
    return [
        SeriesPlan(seed, first, min(length, tournament_count - first), duplicates)
        for first in range(0, tournament_count, length)
    ]


def play_series(rules: LoopRules, field: Field, tables: StrengthTables, plan: SeriesPlan) -> SeriesResult:
    """Play one series and return its result."""
    if len(field.kinds) != rules.entrant_count:
        raise InvalidInput("field", f"has {len(field.kinds)} entrants, but the structure {rules.entrant_count}")
    ranks = np.zeros((plan.count, rules.entrant_count), np.int64)
    sums = np.zeros((rules.entrant_count, SUM_SIZE), np.int64)
    seed = np.uint64(plan.seed % 2**64)
    hands = _play_all(rules, field, tables, seed, plan.first, plan.duplicates, sums, ranks, scratch_of(rules))
    return SeriesResult(ranks, sums, int(hands))


@kernel
def _play_all(
    rules: LoopRules, field: Field, tables: StrengthTables, seed: np.uint64, first: int, duplicates: int, sums: I64,
    ranks: I64, own: Scratch,
) -> int:  # fmt: skip
    """Play tournaments from number `first` on, one for each row of ranks; return the number of hands."""
    rules, field, tables, own = borrowed(rules), borrowed(field), borrowed(tables), borrowed(own)
    seeds, hands = np.zeros(2, np.uint64), 0
    for i in range(ranks.shape[0]):
        number = first + i
        turned = number % duplicates
        seeds[0] = mixed(mixed(seed ^ _DEALS) + np.uint64(number // duplicates) * _DECISIONS)
        seeds[1] = mixed(mixed(seed ^ _DECISIONS) + np.uint64(number) * _DEALS)
        shift = turned * rules.entrant_count // duplicates
        hands += play_tournament(rules, field, tables, seeds, shift, sums, ranks[i], own)
    return hands


def play_tournaments(
    rules: LoopRules, field: Field, tables: StrengthTables, plans: Iterable[SeriesPlan], run: Runner = serial
) -> Iterator[SeriesResult]:
    """Yield the result of each series, in order; the results do not depend on the runner."""
    yield from run(partial(play_series, rules, field, tables, plan) for plan in plans)


def added(results: Iterable[SeriesResult]) -> SeriesResult:
    """Return the result of all series together."""
    parts = list(results)
    return SeriesResult(
        np.concatenate([part.ranks for part in parts]),
        np.sum([part.sums for part in parts], axis=0),
        sum(part.hand_count for part in parts),
    )
