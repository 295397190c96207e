"""The account of a sitting: winnings with their interval, the graph of the stack, and how players play."""

import pytest

from riverboat.clients.console.table.account import Account, bars
from riverboat.clients.console.table.winnings import Winnings
from riverboat.rules.variant import KUHN
from riverboat.tables.records import hand_records, history_of
from riverboat.tables.table import Table
from tests.unit.clients.console.table.tables import SEED, deal, play, table_of


def account_of(table: Table, count: int, chair: int = 0) -> list[str]:
    """Return the account of a chair after the first hands of a table."""
    winnings, account = Winnings(chair, table.config.variant.big_blind), Account()
    for record in hand_records(table, 1, count):
        winnings.note(record.events)
        history = history_of(table.id, record.variant, record.hand_number, record.entries)
        assert history
        account.add(history)
    return account.lines(winnings, "Anna")


def three_hands() -> Table:
    """Return a table where the first to act raises and wins the blinds, three times."""
    table = table_of("Anna", "Bob")
    for number in range(3):
        deal(table, SEED[::-1] if number % 2 else SEED)
        play(table, 300, -1)
    return table


def test_an_account() -> None:
    lines = account_of(three_hands(), 3)
    # The button raises: Anna, Bob, Anna. Anna wins 100 twice and loses it once.
    assert lines[0] == "3 hands, +100 chips, +33.3 ± 130.7 bb/100 (95 % interval)"
    assert lines[1].startswith("stack 10,000 ")
    assert lines[1].endswith(" 10,100")
    assert lines[2].split() == ["player", "hands", "VPIP", "PFR", "aggression"]
    assert lines[3].split() == ["Anna", "3", "67", "%", "67", "%", "100.0"]
    assert lines[4].split() == ["Bob", "3", "33", "%", "33", "%", "100.0"]


def test_before_the_first_hand_there_is_none() -> None:
    assert Account().lines(Winnings(0, 100), "Anna") == ["no hand was finished yet"]


def test_games_that_stores_do_not_know_have_winnings_only() -> None:
    table = table_of("Anna", "Bob", variant=KUHN, buy_in=10)
    play(deal(table), 0, 0)
    lines = account_of(table, 1)
    assert lines[-1] == "how the others play is counted in hold'em only"


@pytest.mark.parametrize(
    ("values", "expected"),
    [([1, 2, 3], "_=@"), ([5, 5], "~~"), ([0, 7, 0, 3], "_@_~"), (list(range(8)), "_.-~=*#@")],
)
def test_bars(values: list[int], expected: str) -> None:
    assert bars(values) == expected


def test_many_values_fit() -> None:
    shown = bars(list(range(1000)))
    assert len(shown) <= 60
    assert (shown[0], shown[-1]) == ("_", "@")
