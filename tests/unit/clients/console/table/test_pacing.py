"""The others' actions are shown one by one, and the player's own at once."""

import pytest

from riverboat.clients.console.table import pacing
from riverboat.clients.console.table.pacing import Pacer
from riverboat.tables.view import TableView
from tests.unit.clients.console.table.tables import SEED, deal, play, table_of, view

PACE = 0.7


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(pacing, "time", made)
    return made


def due(pacer: Pacer) -> list[TableView]:
    """Return the views that are due now."""
    return list(iter(pacer.next, None))


def test_each_action_of_the_others_waits_for_the_one_before(clock: Clock) -> None:
    pacer, table = Pacer(PACE), deal(table_of("Anna", "Bob", "Cid"))
    pacer.add(view(table, 2))  # the last to act
    assert [seen.action_number for seen in due(pacer)] == [0]
    play(table, 300, 0)
    pacer.add(view(table, 2))
    assert due(pacer) == []
    assert pacer.patience() == pytest.approx(PACE)
    clock.now += PACE
    (first,) = due(pacer)
    assert (first.action_number, first.is_your_turn, first.public and first.public.bet) == (1, False, 300)
    assert pacer.is_behind
    clock.now += PACE
    (second,) = due(pacer)
    assert (second.action_number, second.is_your_turn) == (2, True)
    assert second.time_left_ms == 24_000 - round(2000 * PACE), "the clock has run meanwhile"
    assert not pacer.is_behind


def test_the_players_own_action_is_shown_at_once(clock: Clock) -> None:
    pacer, table = Pacer(PACE), deal(table_of("Anna", "Bob"))
    assert table.actor is not None
    chair = table.actor
    pacer.add(view(table, chair))
    due(pacer)
    play(table, 300)
    pacer.add(view(table, chair))
    assert [seen.action_number for seen in due(pacer)] == [1]


def test_without_a_pace_nothing_waits(clock: Clock) -> None:
    pacer, table = Pacer(0.0), deal(table_of("Anna", "Bob", "Cid"))
    pacer.add(view(table, 0))
    pacer.add(view(play(table, 300, 0), 0))
    assert [seen.action_number for seen in due(pacer)] == [0, 2]


def test_skipping_shows_the_newest_view_of_each_hand(clock: Clock) -> None:
    pacer, table = Pacer(PACE), deal(table_of("Anna", "Bob", "Cid"))
    pacer.add(view(table, 2))
    due(pacer)
    pacer.add(view(play(table, 300, -1, -1), 2))
    pacer.add(view(play(deal(table, SEED[::-1]), 300), 2))
    skipped = list(iter(pacer.skip, None))
    assert [seen.hand_number for seen in skipped] == [1, 2]
    assert skipped[0].events[-1].entry.payoffs, "the hand is over"  # type: ignore[union-attr]
    assert not pacer.is_behind
