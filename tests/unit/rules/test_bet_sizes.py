import pytest

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.sized_raises import restricted_actions, sized_raises
from riverboat.rules.state import start
from riverboat.rules.translation import pot_fraction, pseudo_harmonic_chances
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


def test_the_pseudo_harmonic_mapping() -> None:
    """The published properties: certain at the sizes, and by the formula in between."""
    state = start(NL, [100_000] * 2).play(0).play(0).deal(parse_cards("2c3d4h"))
    sizes = [100, 200, 400]  # half, one and two pots
    for size in sizes:
        assert pseudo_harmonic_chances(state, size, sizes) == [(size, 1.0)]
    assert pseudo_harmonic_chances(state, 5000, sizes) == [(400, 1.0)]
    x, a, b = pot_fraction(state, 300), 1.0, 2.0
    expected = (b - x) * (1 + a) / ((b - a) * (1 + x))
    assert expected == pytest.approx(0.4)
    (below, chance), (above, rest) = pseudo_harmonic_chances(state, 300, sizes)
    assert (below, above) == (200, 400)
    assert (chance, rest) == pytest.approx((expected, 1 - expected))
    assert [size for size, _ in pseudo_harmonic_chances(state, 50, sizes)] == [0, 100]


def test_what_is_not_translated() -> None:
    state = start(NL, [1000] * 2)
    with pytest.raises(InvalidInput, match="only raises"):
        pseudo_harmonic_chances(state, 0, [200])
    with pytest.raises(InvalidInput, match="ascending"):
        pseudo_harmonic_chances(state, 300, [400, 200])
    with pytest.raises(InvalidInput, match="ascending"):
        pseudo_harmonic_chances(state, 300, [])
