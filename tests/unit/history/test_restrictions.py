"""Restrictions of a game in PHH files: written, read back, obeyed, and refused if invalid."""

import re
import warnings
from dataclasses import replace

import pokerkit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.errors import IllegalAction, InvalidInput
from riverboat.history.hand import History, outcome
from riverboat.history.phh import read_phh, write_hand
from riverboat.rules.bet_sizes import BetSize, BetSizes, Unit, parse_bet_sizes
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.variant import Variant, fixed_limit, no_limit
from tests.unit.history.hands import capped, play, variant

HAND = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 cbr 900', 'p1 f']
"""


def one(text: str) -> History:
    (history,) = read_phh(text)
    return history


def _size(unit: Unit, value: int) -> BetSize:
    if unit is Unit.ALL_IN:
        return BetSize(unit)
    return BetSize(unit, float(value) if unit is Unit.CHIPS else value / 1_000_000)


SIZE = st.builds(_size, st.sampled_from(Unit), st.integers(1, 10**7))
PART = st.lists(SIZE, max_size=4).map(tuple)
STREET = PART.map(lambda part: (part, part)) | st.tuples(PART, PART)
SIZES = st.lists(STREET, min_size=1, max_size=4).map(lambda streets: BetSizes(tuple(streets)))


@st.composite
def restricted(draw: st.DrawFn) -> Variant:
    """Draw any game with a PHH code, with any restrictions."""
    code = draw(st.sampled_from(("NT", "NS", "FT")))
    game = variant(code, 50)
    caps = draw(st.lists(st.integers(1, 4) if code == "FT" else st.integers(0, 5), min_size=4, max_size=4))
    streets = tuple(replace(street, raise_cap=cap) for street, cap in zip(game.streets, caps, strict=True))
    pot_cap = draw(st.just(0) | st.integers(300, 20_000))
    game = replace(game, streets=streets, pot_cap=pot_cap, all_in=draw(st.booleans()), free_folds=True)
    sizes = draw(st.none() | SIZES)
    units = {size.unit for street in (sizes.streets if sizes else ()) for part in street for size in part}
    if code == "FT" or not units or (Unit.ALL_IN in units and not game.all_in):
        return game
    return replace(game, bet_sizes=sizes)


@settings(deadline=None)
@given(restricted(), st.integers(0, 2**32), st.integers(0, 4))
def test_a_restricted_game_is_read_back(game: Variant, seed: int, decimals: int) -> None:
    history = replace(play(game, [3_001, 10_000], seed, 1), decimals=decimals)
    back = one(write_hand(history))
    assert back.variant == game
    assert (back.events, back.stacks, back.extra) == (history.events, history.stacks, {})
    assert outcome(back).stacks == history.finishing_stacks


@settings(deadline=None, max_examples=30)
@given(restricted(), st.integers(0, 2**32))
def test_pokerkit_passes_over_them(game: Variant, seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = pokerkit.HandHistory.loads(write_hand(play(game, [9_000, 10_000], seed, 1)))
    assert list(read.starting_stacks) == [9_000, 10_000]
    assert all(key.startswith("_") for key in read.user_defined_fields or {})


def test_what_is_written() -> None:
    game = replace(no_limit(50, 100), pot_cap=2_000, all_in=False, bet_sizes=parse_bet_sizes("0.5p 300; 1p / 2b"))
    streets = [replace(street, raise_cap=cap) for street, cap in zip(game.streets, (2, 0, 1, 1), strict=True)]
    text = write_hand(replace(one(HAND), variant=replace(game, streets=tuple(streets)), decimals=2))
    assert "\n_raises_per_street = [2, 0, 1, 1]\n_pot_cap = 20.00\n_no_all_in = true\n" in text
    assert "\n_bet_sizes = '0.5p 3; 1p / 2b'\n" in text
    assert "\n_" not in write_hand(one(HAND))
    assert "_raises_per_street = [3, 4, 4, 4]" in write_hand(replace(one(HAND), variant=fixed_limit(100)))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ("_pot_cap = 800", "cannot raise to 900"),
        ("_bet_sizes = '1p'", "cannot raise to 900; it may raise to 300"),
        ("_no_all_in = true\nstarting_stacks = [10000, 900]", "cannot raise to 900"),
        ("_restrictions = 'bets until the pot is 800, no all-in'", "cannot raise to 900"),
    ],
)
def test_a_bet_that_breaks_them_is_illegal(fields: str, reason: str) -> None:
    text = HAND.replace("starting_stacks = [10000, 10000]\n", "") if "starting_stacks" in fields else HAND
    assert outcome(one(HAND)).state.is_over
    with pytest.raises(IllegalAction, match=reason):
        outcome(one(f"{text}{fields}\n"))


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("_pot_cap = 0", "_pot_cap: 0 chips are not possible"),
        ("_pot_cap = true", "_pot_cap: 'True' is not a number of chips"),
        ("_pot_cap = 'much'", "_pot_cap: 'much' is not a number of chips"),
        ("_pot_cap = inf", "_pot_cap: Infinity chips"),
        ("_no_all_in = 'yes'", "_no_all_in: must be true or false"),
        ("_raises_per_street = -1", "_raises_per_street: '-1' is not a number of raises"),
        ("_raises_per_street = 1.5", "_raises_per_street: '1.5' is not a number of raises"),
        ("_raises_per_street = true", "_raises_per_street: 'True' is not a number of raises"),
        (f"_raises_per_street = {10**30}", "_raises_per_street: '1000"),
        ("_raises_per_street = [1, 2]", "_raises_per_street: must be one number, or one for each of 4 streets, not 2"),
        ("_bet_sizes = 50", "_bet_sizes: must be a text"),
        ("_bet_sizes = 'half'", "_bet_sizes: 'half' is not a size"),
        ("_bet_sizes = ''", "_bet_sizes: there must be a size on some street"),
        ("_bet_sizes = '1p / 1p / 1p / 1p / 1p'", "_bet_sizes: sizes for 5 streets, but there are 4"),
        ("_bet_sizes = 'all-in'\n_no_all_in = true", "_bet_sizes: all-in is among them"),
        ("_restrictions = 'like last time'", "_restrictions: 'like last time' cannot be read"),
        ("_restrictions = 'no all-in, bets of 1.2.3%'", "_restrictions: '1.2.3%' is not a size"),
        ("_restrictions = 'no all-in, bets of all-in'", "_restrictions: all-in is among them"),
        ("_restrictions = 3", "_restrictions: '3' cannot be read"),
        ("_restrictions = 'no all-in'\n_no_all_in = true", "_restrictions: repeats"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(field: str, reason: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        one(f"{HAND}{field}\n")
    assert str(caught.value).startswith(f"line 7: {reason}")


def test_fixed_limit_has_up_to_four_bets() -> None:
    text = HAND.replace("'NT'", "'FT'").replace("min_bet = 100", "small_bet = 100\nbig_bet = 200")
    assert one(text + "_raises_per_street = 1\n").variant.streets[0].raise_cap == 1
    for cap in (0, 5):
        with pytest.raises(InvalidInput, match="line 8: _raises_per_street: fixed limit has 1 to 4"):
            one(f"{text}_raises_per_street = {cap}\n")
    with pytest.raises(InvalidInput, match="line 8: _restrictions: fixed limit has 1 to 4"):
        one(f"{text}_restrictions = '5 raises a street'\n")


@settings(deadline=None)
@given(restricted())
def test_words_of_earlier_versions_are_read(game: Variant) -> None:
    words = ", ".join(restriction_words(game))
    words = words.replace("no bet may take the pot above", "bets until the pot is")  # as they were then
    words = re.sub(r"([\d,]+) chips", lambda chips: chips[1].replace(",", ""), words)
    history = play(game, [3_000, 10_000], 0, 1)
    lines = write_hand(history).splitlines()
    kept = [line for line in lines if not line.startswith(("_raises", "_pot", "_no_all", "_bet_sizes"))]
    text = "\n".join([*kept, *([f"_restrictions = '{words}'"] if words else [])])
    usual = capped(fixed_limit(100), 4).streets  # earlier versions did not say that caps are 3/4/4/4
    is_usual = tuple(street.raise_cap for street in game.streets) == (3, 4, 4, 4) and len(text.split("FT")) > 1
    assert one(text).variant == (replace(game, streets=usual) if is_usual else game)
