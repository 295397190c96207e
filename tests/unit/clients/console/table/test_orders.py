"""Orders that a player types."""

from dataclasses import replace

import pytest

from riverboat.clients.console.table.keystrokes import Typing
from riverboat.clients.console.table.orders import NotAnOrder, read_order
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import fixed_limit, no_limit, pot_limit
from riverboat.tables.view import TableView
from tests.unit.clients.console.table.tables import deal, play, table_of, view


def facing_300() -> TableView:
    """Return a view: a pot of 200 on the flop, a bet of 300 to call, 9,900 chips behind."""
    table = play(deal(table_of("Anna", "Bob")), 0, 0, 300)
    return view(table, 0)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("f", -1), ("fold", -1), ("F", -1), ("c", 0), ("call", 0), (" C ", 0),
        ("r900", 900), ("900", 900), ("r 900", 900), ("raise to 900", 900), ("bet 900", 900), ("1,200", 1200),
        ("pot", 1100), ("rpot", 1100), ("half", 700), ("rhalf", 700), ("min", 600), ("rm", 600),
        ("75%", 900), ("r 75 %", 900), ("2/3", 833), ("1/2", 700), ("1p", 1100), ("r 6bb", 600), ("7.5bb", 750),
        ("a", 9900), ("all-in", 9900), ("rall-in", 9900), ("allin", 9900), ("r a", 9900), ("max", 9900),
    ],
)  # fmt: skip
def test_orders(text: str, action: int) -> None:
    assert read_order(text, facing_300()) == action


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("r", "raise to how much (600 … 9,900, 75%, 2/3, 3bb, pot, half, min, all-in)?"),
        ("300", "300 is not possible: raise to 600 … 9,900"),
        ("10000", "10,000 is not possible: raise to 600 … 9,900"),
        ("10%", "10 % of the pot is 380, which is not possible: raise to 600 … 9,900"),
        ("r 20p", "2000 % of the pot is 16,300, which is not possible: raise to 600 … 9,900"),
        ("5bb", "500 is not possible: raise to 600 … 9,900"),
        ("check", "300 to call: c calls, f folds"),
        ("xyz", "not understood: type f, c, r and an amount (600 … 9,900), or k for the keys"),
        ("r-5", "not understood"),
        ("9" * 40, "not understood"),
        ("", "raise to how much"),
        ("1,2", "not understood"),
    ],
)
def test_hints(text: str, hint: str) -> None:
    with pytest.raises(NotAnOrder) as error:
        read_order(text, facing_300())
    assert hint in str(error.value)
    assert "\n" not in str(error.value)


def test_nothing_to_fold_to() -> None:
    seen = view(play(deal(table_of("Anna", "Bob")), 0), 1)
    with pytest.raises(NotAnOrder, match="nothing to call: c checks"):
        read_order("f", seen)


def test_all_in_is_a_call_for_a_short_stack() -> None:
    table = table_of("Anna", "Bob")
    assert table.players[1]
    table.players[1].stack = 400
    seen = view(play(deal(table), 1000), 1)
    assert read_order("all-in", seen) == 0
    with pytest.raises(NotAnOrder, match="you cannot raise here: c calls, f folds"):
        read_order("800", seen)
    with pytest.raises(NotAnOrder, match="you cannot raise here"):
        read_order("pot", seen)


def test_limits() -> None:
    pot = view(deal(table_of("Anna", "Bob", variant=pot_limit(50, 100))), 0)
    assert read_order("pot", pot) == 300
    with pytest.raises(NotAnOrder, match="all-in is not allowed here: at most 300"):
        read_order("all-in", pot)
    fixed = view(deal(table_of("Anna", "Bob", variant=fixed_limit(100))), 0)
    assert read_order("r", fixed) == 200, "there is only one amount"
    with pytest.raises(NotAnOrder, match="300 is not possible: raise to only 200"):
        read_order("300", fixed)


def test_keys_become_orders() -> None:
    typing = Typing(by_keys=True)
    typing.take("r")
    assert typing.next() is None
    assert typing.unfinished == "r"
    typing.take("30")
    typing.take("9\x7f0\n")
    assert typing.next() == "r300"
    typing.take("pot\rC?")
    assert [typing.next() for _ in range(4)] == ["pot", "c", "?", None]
    typing.take("a")
    assert (typing.next(), typing.unfinished) == (None, "a"), "all-in waits for Enter"
    typing.take("\n")
    assert typing.next() == "a"
    typing.take("r12")
    typing.take("\x1b")
    assert typing.unfinished == ""
    typing.take("\x1b[A")
    assert typing.next() is None
    typing.take("\x04")
    assert typing.next() == "q"
    typing.take(None)
    assert typing.has_ended


def test_lines_are_whole_orders() -> None:
    typing = Typing(by_keys=False)
    for line in ("Fold", "r300", None):
        typing.take(line)
    assert not typing.has_ended
    assert [typing.next(), typing.next(), typing.next()] == ["fold", "r300", None]
    assert typing.has_ended


def sized() -> TableView:
    """Return a view: a pot of 200 on the flop; bets of 100, the pot, or three blinds."""
    game = replace(no_limit(50, 100), bet_sizes=parse_bet_sizes("1b / 1b 1p 3b"))
    return view(play(deal(table_of("Anna", "Bob", variant=game)), 0, 0), 1)


@pytest.mark.parametrize(("text", "action"), [("200", 200), ("pot", 200), ("half", 100), ("min", 100)])
def test_only_sizes_of_the_table(text: str, action: int) -> None:
    assert read_order(text, sized()) == action


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("r", "bet how much (100, 200 or 300)?"),
        ("150", "150 is not possible: bet 100, 200 or 300"),
        ("75%", "75 % of the pot is 150, which is not possible: bet 100, 200 or 300"),
        ("all-in", "all-in is not allowed here: at most 300"),
        ("xyz", "not understood: type f, c, r and an amount (100, 200 or 300)"),
    ],
)
def test_hints_where_the_table_has_sizes(text: str, hint: str) -> None:
    with pytest.raises(NotAnOrder) as error:
        read_order(text, sized())
    assert hint in str(error.value)
