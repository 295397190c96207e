"""The compiled loop against its slow twin, and what holds in every tournament."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.equity.effective_strength import HOLDING_COUNT, StrengthTables, no_tables
from riverboat.equity.river_strength import MOST_OPPONENTS
from riverboat.equity.sampler import mixed
from riverboat.errors import InvalidInput
from riverboat.parallel import on_threads, serial
from riverboat.policies.evolved_nets import PLAIN, WITH_MODELS, Net
from riverboat.tournaments.field import Policy, PolicyKind, field_of
from riverboat.tournaments.series import (
    SeriesPlan,
    added,
    loop_rules,
    play_series,
    play_tournaments,
    series_plans,
)
from riverboat.tournaments.structures import MTT_45, SNG_9, TournamentStructure, with_entrants
from tests.reference.tournaments import Record, SlowTournament

STATIC = list(PolicyKind)[:4]
WORD = 2**64
DEALS, DECISIONS = 0xA0761D6478BD642F, 0xE7037ED1A0B428DB


def some_tables() -> StrengthTables:
    """Return tables whose strengths before the flop are made up; later streets roll out."""
    preflop = np.random.default_rng(5).integers(0, 256, (HOLDING_COUNT, MOST_OPPONENTS)).astype(np.uint8)
    return no_tables()._replace(preflop=preflop)


def seeds_of(plan: SeriesPlan, number: int) -> tuple[int, int]:
    """Return the seeds of a tournament's deals and decisions."""

    def mix(value: int) -> int:
        return int(mixed(np.uint64(value % WORD)))

    deals = mix(mix(plan.seed ^ DEALS) + number // plan.duplicates * DECISIONS)
    return deals, mix(mix(plan.seed ^ DECISIONS) + number * DEALS)


def slow_series(
    structure: TournamentStructure, policies: list[Policy], plan: SeriesPlan, tables: StrengthTables, rollouts: int
) -> Iterator[SlowTournament]:
    records = [Record() for _ in policies]
    for number in range(plan.first, plan.first + plan.count):
        deals, decisions = seeds_of(plan, number)
        shift = number % plan.duplicates * structure.entrant_count // plan.duplicates
        yield SlowTournament(
            structure, policies, deal_seed=deals, decision_seed=decisions, shift=shift, tables=tables,
            rollouts=rollouts, records=records,
        )  # fmt: skip


def check_against_twin(
    structure: TournamentStructure, policies: list[Policy], plan: SeriesPlan, rollouts: int = 0
) -> None:
    tables = some_tables()
    result = play_series(loop_rules(structure, rollouts), field_of(policies), tables, plan)
    hands = 0
    for ranks, slow in zip(result.ranks, slow_series(structure, policies, plan, tables, rollouts), strict=True):
        for _ in slow.rounds():
            assert sum(slow.chips.values()) == structure.chip_count
        assert ranks.tolist() == [slow.ranks[entrant] for entrant in range(structure.entrant_count)]
        hands += slow.hand_count
    assert result.hand_count == hands
    assert result.sums.tolist() == [record.row() for record in slow.records]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_loop_plays_like_its_twin_with_static_players(seed: int) -> None:
    structure = replace(with_entrants(MTT_45, 23), seats_per_table=6, level_hands=4)
    policies: list[Policy] = [STATIC[i % 4] for i in range(23)]
    check_against_twin(structure, policies, SeriesPlan(seed, 0, 2))


def test_the_loop_plays_like_its_twin_with_nets() -> None:
    rng = np.random.default_rng(8)
    nets: list[Policy] = [Net(shape, rng.standard_normal(shape.genome_length)) for shape in (PLAIN, WITH_MODELS) * 4]
    structure = replace(with_entrants(MTT_45, 11), seats_per_table=4, level_hands=3)
    check_against_twin(structure, [*nets, *STATIC[1:]], SeriesPlan(3, 0, 3), rollouts=5)


def test_duplicates_have_the_same_deals_and_turned_seats() -> None:
    structure = replace(SNG_9, level_hands=3)
    policies: list[Policy] = [STATIC[i % 4] for i in range(9)]
    check_against_twin(structure, policies, SeriesPlan(7, 4, 6, duplicates=3))
    # Players who all play alike, so that only the seat decides: turned seats give turned ranks.
    rules, field = loop_rules(structure), field_of([PolicyKind.ALWAYS_CALL] * 9)
    ranks = play_series(rules, field, no_tables(), SeriesPlan(7, 0, 3, duplicates=3)).ranks
    assert len({tuple(row) for row in ranks}) == 3
    plain = play_series(rules, field, no_tables(), SeriesPlan(7, 0, 3)).ranks
    assert not (plain == ranks).all()
    assert sorted(ranks[0]) == sorted(ranks[1]) == list(range(1, 10))


@settings(max_examples=25, deadline=None)
@given(
    entrants=st.integers(2, 30), chairs=st.integers(2, 10), chips=st.integers(1, 5000), hands=st.integers(1, 12),
    seed=st.integers(0, WORD - 1), kinds=st.lists(st.sampled_from(STATIC), min_size=30, max_size=30),
)  # fmt: skip
def test_everybody_is_ranked_once_and_no_chip_is_lost(
    entrants: int, chairs: int, chips: int, hands: int, seed: int, kinds: list[Policy]
) -> None:
    structure = replace(
        with_entrants(MTT_45, entrants), seats_per_table=chairs, starting_chips=chips, level_hands=hands
    )
    policies, plan = kinds[:entrants], SeriesPlan(seed, 0, 2)
    result = play_series(loop_rules(structure), field_of(policies), no_tables(), plan)
    again = play_series(loop_rules(structure), field_of(policies), no_tables(), plan)
    for ranks in result.ranks:
        assert sorted(ranks) == list(range(1, entrants + 1))
        assert sum(structure.prize_of(int(rank)) for rank in ranks) == structure.prize_pool
    assert result.sums[:, 8].sum() == result.sums[:, 9].sum(), "chips won are chips lost"
    assert (result.ranks == again.ranks).all()
    assert (result.sums == again.sums).all()


def test_one_thread_and_two_play_the_same_tournaments() -> None:
    rules, field = loop_rules(MTT_45), field_of([STATIC[i % 4] for i in range(45)])
    plans = series_plans(11, 40, length=5)
    alone = added(play_tournaments(rules, field, no_tables(), plans, serial))
    with ThreadPoolExecutor(2) as pool:
        together = added(play_tournaments(rules, field, no_tables(), plans, on_threads(pool, 4)))
    assert (alone.ranks == together.ranks).all()
    assert (alone.sums == together.sums).all()
    assert alone.hand_count == together.hand_count


def test_a_fold_that_is_free_is_a_check() -> None:
    """Players who always fold end a tournament all the same: blinds grow until they are all-in."""
    result = play_series(loop_rules(SNG_9), field_of([PolicyKind.ALWAYS_FOLD] * 9), no_tables(), SeriesPlan(1, 0, 1))
    assert sorted(result.ranks[0]) == list(range(1, 10))
    assert result.sums[:, 1].sum() == 0


def test_wrong_series_and_fields_are_refused() -> None:
    with pytest.raises(InvalidInput, match="clock"):
        loop_rules(replace(MTT_45, level_hands=0, level_minutes=5))
    with pytest.raises(InvalidInput, match="has 2 entrants, but the structure 45"):
        play_series(loop_rules(MTT_45), field_of([PolicyKind.RANDOM] * 2), no_tables(), SeriesPlan(1, 0, 1))
    with pytest.raises(InvalidInput, match="divide"):
        series_plans(1, 100, 25, duplicates=2)
    with pytest.raises(InvalidInput, match="at least one"):
        series_plans(1, 0)
    with pytest.raises(InvalidInput, match="raise_pots"):
        field_of([PolicyKind.RANDOM], raise_pots=-1.0)
    with pytest.raises(InvalidInput, match="243 numbers"):
        Net(PLAIN, np.zeros(4))
    with pytest.raises(InvalidInput, match="finite"):
        Net(PLAIN, np.full(243, np.nan))
