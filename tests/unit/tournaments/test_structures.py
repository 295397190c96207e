"""Structures: presets, levels, prizes, and one line for each that makes no sense."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.errors import InvalidInput, NotFound
from riverboat.tournaments.structures import (
    MTT_45,
    PRESETS,
    SNG_9,
    BlindLevel,
    TournamentStructure,
    preset,
    with_entrants,
)


def test_the_preset_pays_seven_places_of_five_tables() -> None:
    assert (MTT_45.table_count, MTT_45.chip_count, MTT_45.prize_pool) == (5, 67_500, 4_500)
    assert MTT_45.prizes() == (1397, 967, 742, 562, 405, 270, 157)
    assert [MTT_45.prize_of(rank) for rank in (7, 8, 45)] == [157, 0, 0]


def test_levels_double_after_the_last_one_until_the_blind_is_all_chips() -> None:
    last = len(MTT_45.levels) - 1
    assert MTT_45.level_at(last) == BlindLevel(3000, 6000, 750)
    assert MTT_45.level_at(last + 2) == BlindLevel(12_000, 24_000, 3000)
    assert MTT_45.level_at(last + 50) == MTT_45.level_at(last + 60)
    assert MTT_45.level_at(last + 50).big_blind >= MTT_45.chip_count


def test_a_level_lasts_hands_or_minutes() -> None:
    assert [MTT_45.level_number(hand_count=count) for count in (0, 9, 10, 25)] == [0, 0, 1, 2]
    timed = replace(MTT_45, level_hands=0, level_minutes=8)
    assert [timed.level_number(minutes=time) for time in (0, 7.9, 8.0, 25)] == [0, 0, 1, 3]


def test_the_game_of_a_level_has_its_blinds_and_ante() -> None:
    game = MTT_45.variant_at(7)
    assert (game.blinds, game.antes) == ((200, 400), (50,))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"entrant_count": 0}, "entrant_count: must be 2 to 10,000, not 0"),
        ({"entrant_count": 10_001}, "entrant_count"),
        ({"seats_per_table": 300}, "seats_per_table: must be 2 to 10, not 300"),
        ({"seats_per_table": 1}, "seats_per_table"),
        ({"starting_chips": 0}, "starting_chips"),
        ({"starting_chips": 10**15}, "starting_chips"),
        ({"buy_in": -1}, "buy_in"),
        ({"name": ""}, "name"),
        ({"level_hands": 0}, "either a number of hands or a number of minutes"),
        ({"level_minutes": 5}, "either a number of hands or a number of minutes"),
        ({"level_minutes": -5}, "negative"),
        ({"levels": ()}, "levels: there must be 1 to 100, not 0"),
        (
            {"levels": (BlindLevel(10, 20), BlindLevel(5, 20))},
            "levels[1]: 5/20 ante 0 falls below the level before",
        ),
        ({"levels": (BlindLevel(10, 20, 5), BlindLevel(10, 20, 4))}, "falls below"),
        ({"levels": (BlindLevel(20, 10),)}, "levels[0]"),
        ({"levels": (BlindLevel(0, 10),)}, "levels[0]"),
        ({"levels": (BlindLevel(10, 20, -1),)}, "levels[0]"),
        ({"levels": (BlindLevel(10, 10**15),)}, "levels[0]"),
        ({"payouts": (500, 400)}, "payouts: must add up to 1000 thousandths of the prize pool, not 900"),
        ({"payouts": (400, 600)}, "no place more than the one above it"),
        ({"payouts": (1000, 0)}, "every place must be paid something"),
        ({"payouts": ()}, "payouts: there must be 1 to 45 paid places, not 0"),
    ],
)
def test_a_structure_that_makes_no_sense_gets_one_clear_line(changes: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        replace(MTT_45, **changes)  # type: ignore[arg-type]
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_presets_have_names() -> None:
    assert preset("sng-9") is SNG_9
    assert all(structure.name == name for name, structure in PRESETS.items())
    with pytest.raises(NotFound, match="mtt-45, sng-9"):
        preset("mtt-46")


@given(st.integers(2, 300), st.integers(0, 1000))
def test_prizes_add_up_to_the_buy_ins(entrant_count: int, buy_in: int) -> None:
    structure: TournamentStructure = replace(with_entrants(MTT_45, entrant_count), buy_in=buy_in)
    assert sum(structure.prizes()) == entrant_count * buy_in
    assert sum(structure.prize_of(rank) for rank in range(1, entrant_count + 1)) == structure.prize_pool


def test_a_structure_for_fewer_entrants_than_paid_places() -> None:
    assert with_entrants(MTT_45, 3).payouts == (620, 215, 165)
    with pytest.raises(InvalidInput, match="at least 2 entrants"):
        with_entrants(MTT_45, 1)
