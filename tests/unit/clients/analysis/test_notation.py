from fractions import Fraction

import pytest

from riverboat.clients.analysis.notation import Share, Size, Verb, Wish, notation_of, pot_raise, read_wish
from riverboat.rules.betting import CALL, FOLD
from tests.unit.clients.analysis.hands import played

_, RIVER = played([250, 0, 0, 0, 0, 0])
FACING = RIVER.play(400)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("f", Wish(Verb.FOLD)),
        ("Fold", Wish(Verb.FOLD)),
        ("x", Wish(Verb.CHECK)),
        ("check", Wish(Verb.CHECK)),
        ("c", Wish(Verb.CALL)),
        ("call", Wish(Verb.CALL)),
        ("r", Wish(Verb.RAISE)),
        ("raise to", Wish(Verb.RAISE)),
        ("300", Wish(Verb.RAISE, 300)),
        ("r300", Wish(Verb.RAISE, 300)),
        ("b50", Wish(Verb.RAISE, 50)),
        ("bet 50", Wish(Verb.RAISE, 50)),
        ("raise to 300", Wish(Verb.RAISE, 300)),
        ("  Raise   TO  1,200 ", Wish(Verb.RAISE, 1200)),
        ("r0", Wish(Verb.RAISE, 0)),
        ("pot", Wish(Verb.RAISE, Size.POT)),
        ("rhalf", Wish(Verb.RAISE, Size.HALF_POT)),
        ("1/2", Wish(Verb.RAISE, Share(Fraction(1, 2)))),
        ("r 2/3", Wish(Verb.RAISE, Share(Fraction(2, 3)))),
        ("r 75%", Wish(Verb.RAISE, Share(Fraction(3, 4)))),
        ("bet 33.3 % of the pot", Wish(Verb.RAISE, Share(Fraction(333, 1000)))),
        ("1.5p", Wish(Verb.RAISE, Share(Fraction(3, 2)))),
        ("r 2 pot", Wish(Verb.RAISE, Share(Fraction(2)))),
        ("r 3bb", Wish(Verb.RAISE, 300)),
        ("raise to 2.5 bb", Wish(Verb.RAISE, 250)),
        ("3b", Wish(Verb.RAISE, 300)),
        ("2/0", None),
        ("٣bb", None),
        ("1e9%", None),
        ("%", None),
        ("rm", Wish(Verb.RAISE, Size.LEAST)),
        ("a", Wish(Verb.RAISE, Size.ALL_IN)),
        ("raise to all-in", Wish(Verb.RAISE, Size.ALL_IN)),
        ("rmax", Wish(Verb.RAISE, Size.ALL_IN)),
        ("hello", None),
        ("r300x", None),
        ("r-300", None),
        ("12,34", None),
        ("9" * 19, None),
    ],
)
def test_what_people_type(text: str, wish: Wish | None) -> None:
    assert read_wish(text, big_blind=100) == wish


def test_without_a_big_blind_amounts_in_blinds_say_nothing() -> None:
    assert read_wish("3bb") is None


@pytest.mark.parametrize("action", [FOLD, CALL, 900, 9750])
def test_the_notation_of_an_action_is_read_back(action: int) -> None:
    wish = read_wish(notation_of(FACING, action))
    assert wish == {FOLD: Wish(Verb.FOLD), CALL: Wish(Verb.CALL)}.get(action, Wish(Verb.RAISE, action))


def test_notations() -> None:
    assert [notation_of(RIVER, action) for action in (CALL, 300)] == ["x", "b300"]
    assert [notation_of(FACING, action) for action in (FOLD, CALL, 900)] == ["f", "c", "r900"]


def test_a_raise_of_the_pot_counts_the_call() -> None:
    assert pot_raise(FACING.bet, FACING.pot, FACING.to_call, Size.POT) == 400 + 500 + 400 + 400
    assert pot_raise(FACING.bet, FACING.pot, FACING.to_call, Size.HALF_POT) == 400 + 650
    assert pot_raise(RIVER.bet, RIVER.pot, RIVER.to_call, Size.POT) == RIVER.pot
    assert pot_raise(FACING.bet, FACING.pot, FACING.to_call, Share(Fraction(2, 3))) == 400 + 1300 * 2 // 3
