import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.sized_raises import restricted_actions, sized_raises
from riverboat.rules.state import start
from riverboat.rules.translation import geometric, pot_fraction, pseudo_harmonic
from riverboat.rules.variant import KUHN, fixed_limit, no_limit

NL = no_limit(50, 100)


def flop() -> object:
    return start(NL, [1000, 1000]).play(0).play(0).deal(parse_cards("2c3d4h"))


@pytest.mark.parametrize(
    ("sizes", "raises"),
    [
        ("0.5p", (100,)),  # half the pot of 200
        ("0.5p 1p 2p", (100, 200, 400)),
        ("0.1p", (100,)),  # below the smallest bet
        ("10p", (900,)),  # beyond the stack
        ("3b", (300,)),
        ("250", (250,)),
        ("all-in", (900,)),
        ("1p 200 2b", (200,)),
        ("", ()),
        ("1p / all-in", (900,)),
        ("1p /", ()),
    ],
)
def test_sizes(sizes: str, raises: tuple[int, ...]) -> None:
    assert sized_raises(flop(), parse_bet_sizes(sizes)) == raises  # type: ignore[arg-type]


def test_a_raise_by_the_pot_counts_the_call_first() -> None:
    state = start(NL, [10_000] * 3).play(300)
    assert sized_raises(state, parse_bet_sizes("1p")) == (300 + 450 + 250,)
    assert restricted_actions(state, parse_bet_sizes("1p")) == (-1, 0, 1000)


def test_fixed_limit_has_one_size_whatever_the_list() -> None:
    assert sized_raises(start(fixed_limit(100), [1000] * 2), parse_bet_sizes("0.5p 2p")) == (200,)
    assert restricted_actions(start(KUHN, [2, 2]), parse_bet_sizes("1p")) == (0, 1)


@pytest.mark.parametrize("text", ["x", "0p", "-1p", "1pp", "nan", "1p," * 20, "a" * 3000, "1e5"])
def test_bad_sizes(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_bet_sizes(text)


def test_notation_goes_back() -> None:
    text = "0.5p 1p all-in / 2b 300"
    assert str(parse_bet_sizes(text)) == text
    assert parse_bet_sizes(str(parse_bet_sizes("0.5p, 1p,all-in/2b 300"))) == parse_bet_sizes(text)


def test_the_geometric_rule_of_the_thesis() -> None:
    """ "If we observe a bet of size 20 and the closest legal bets are 12 and 88, … a bet of 12"."""
    state = start(no_limit(1, 2), [500, 500]).play(0).play(0).deal(parse_cards("2c3d4h"))
    assert geometric(state, 20, [12, 88]) == 12
    assert geometric(state, 33, [12, 88]) == 88  # 33 * 33 > 12 * 88
    assert geometric(state, 12, [12, 88]) == 12
    assert geometric(state, 200, [12, 88]) == 88
    assert geometric(state, 3, [12, 88]) == 12


def test_the_pseudo_harmonic_mapping() -> None:
    """Its published properties: certain at the sizes, and a pot-sized bet between 0 and … by the formula."""
    state = start(NL, [100_000] * 2).play(0).play(0).deal(parse_cards("2c3d4h"))
    sizes = [100, 200, 400]  # half, one and two pots
    rng = np.random.default_rng(0)
    for size in sizes:
        assert pseudo_harmonic(state, size, sizes, rng) == size
    assert pseudo_harmonic(state, 5000, sizes, rng) == 400
    x, a, b = pot_fraction(state, 300), 1.0, 2.0
    expected = (b - x) * (1 + a) / ((b - a) * (1 + x))
    assert expected == pytest.approx(0.4)
    share = np.mean([pseudo_harmonic(state, 300, sizes, rng) == 200 for _ in range(20_000)])
    assert share == pytest.approx(expected, abs=0.015)
    assert {pseudo_harmonic(state, 50, sizes, rng) for _ in range(100)} == {0, 100}


def test_what_is_not_translated() -> None:
    state = start(NL, [1000] * 2)
    with pytest.raises(InvalidInput, match="only raises"):
        geometric(state, 0, [200])
    with pytest.raises(InvalidInput, match="ascending"):
        geometric(state, 300, [400, 200])
    with pytest.raises(InvalidInput, match="ascending"):
        geometric(state, 300, [])
