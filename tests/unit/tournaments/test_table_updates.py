"""How tables follow a tournament: nobody is lost between two tables, and following twice does nothing twice."""

import json

import numpy as np
import pytest

from riverboat.history.phh import read_phh
from riverboat.rules.betting import CALL, FOLD
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Cleared, Created, Joined, JournalEvent, Leaving, Left, decode, dumps, encode
from riverboat.tables.players import SeatedPlayer
from riverboat.tables.records import hand_records
from riverboat.tables.table import Table
from riverboat.tournaments.seating import NO_BUTTON
from riverboat.tournaments.table_updates import is_far_ahead, request_of, result_of, table_updates, variant_at
from riverboat.tournaments.tournament import Tournament
from tests.unit.tournaments.test_tournament import do, new_tournament

ENTROPY = bytes(32)


class Floor:
    """A tournament and its tables as values; every event of a table goes through its JSON."""

    def __init__(self, entrant_count: int, seats: int) -> None:
        self.tournament, self.journal = new_tournament(entrant_count, seats)
        do(self.tournament, self.journal, self.tournament.draw(np.random.default_rng(1)))
        self.tables = [self._table(number) for number in range(len(self.tournament.seats))]

    def _table(self, number: int) -> Table:
        config = TableConfig(
            name="t",
            variant=variant_at(self.tournament),
            chair_count=self.tournament.structure.seats_per_table,
            buy_in=self.tournament.structure.starting_chips,
            tournament_id="t1",
        )
        return Table(f"t1-{number + 1}", Created(config, "", "ab" * 32))

    def find(self, entrant: int) -> dict[int, SeatedPlayer]:
        """Return where an entrant sits."""
        chairs = {number: table.chair_for(request_of(entrant)) for number, table in enumerate(self.tables)}
        return {number: self.tables[number].player(chair) for number, chair in chairs.items() if chair is not None}

    def table_updates(self, number: int) -> list[JournalEvent]:
        """Return what a table lacks."""
        return table_updates(self.tables[number], self.tournament, number, self.find)

    def follow(self, number: int) -> list[JournalEvent]:
        """Let a table follow once."""
        events = self.table_updates(number)
        for event in events:
            self.tables[number].apply(decode(json.loads(dumps(encode(event)))))
        self.tidy(number)
        return events

    def tidy(self, number: int) -> None:
        while events := self.tables[number].tidy():
            for event in events:
                self.tables[number].apply(event)

    def follow_all(self) -> None:
        """Let all tables follow until nothing is left to do."""
        numbers = range(len(self.tables))
        while sum(len(self.follow(number)) for number in numbers):
            for entrant, player in enumerate(self.tournament.entrants):
                assert player.rank > 1 or self.find(entrant), "somebody is at no table"

    def start(self, number: int) -> None:
        for event in self.tables[number].start_hand(ENTROPY):
            self.tables[number].apply(event)

    def play(self, number: int, action: int = CALL) -> None:
        """Play a hand in which everybody does the same, as far as possible."""
        table = self.tables[number]
        self.start(number)
        while table.actor is not None and table.hand:
            public = table.hand.state.public
            wish = (
                FOLD
                if action == FOLD and public.to_call
                else public.raise_limits[1]
                if action > 0 and public.raise_limits
                else CALL
            )
            place = (table.hand.number, table.hand.action_count)
            for event in table.act(table.actor, f"r{place}", *place, wish):
                table.apply(event)
        self.tidy(number)

    def count(self, number: int) -> None:
        """Count the last hand of a table."""
        result = result_of(self.tables[number], self.tournament, number)
        assert result
        buttons = [NO_BUTTON if table.button is None else table.button for table in self.tables]
        do(self.tournament, self.journal, self.tournament.count_hand(result, buttons, 0, np.random.default_rng(2)))


def names_at(table: Table) -> list[str]:
    return [player.name for player in table.players if player]


def test_everybody_sits_down_before_the_first_hand() -> None:
    floor = Floor(5, 3)
    assert not floor.tables[0].can_start
    events = floor.follow(0)
    assert [type(event) for event in events] == [Joined, Joined, Joined, Cleared]
    assert floor.table_updates(0) == []
    assert floor.tables[0].can_start
    assert floor.tables[0].stacks == [1500] * 3


def test_a_table_waits_until_its_hand_is_counted() -> None:
    floor = Floor(3, 3)
    floor.follow_all()
    floor.play(0, FOLD)
    assert not floor.tables[0].can_start
    assert floor.table_updates(0) == []
    floor.count(0)
    assert result_of(floor.tables[0], floor.tournament, 0) is None
    assert [type(event) for event in floor.follow(0)] == [Cleared]
    assert floor.tables[0].can_start


def test_a_player_who_is_moved_sits_down_before_getting_up() -> None:
    floor = Floor(7, 4)  # four and three
    floor.follow_all()
    floor.start(0)  # the first table plays while the other loses players
    while floor.tournament.player_counts[1] > 1:
        floor.play(1, action=1)
        floor.count(1)
        assert not any(isinstance(event, Left) for event in floor.table_updates(0)), "nobody gets up in a hand"
        if floor.tournament.seats[1].max() < 0:
            break
        before = names_at(floor.tables[1])
        moved = [
            entrant
            for entrant in range(7)
            if len(floor.find(entrant)) == 1
            and (place := floor.tournament.seat_of(entrant))
            and place[0] not in floor.find(entrant)
        ]
        for entrant in moved:
            assert floor.tournament.entrants[entrant].name in before
        floor.follow(1)
        assert all(floor.find(entrant) for entrant in moved), "the old chair is kept until the new one is taken"
        floor.follow_all()
        floor.tables[1].cleared_hand = floor.tables[1].hand_count  # though the other table is slower
    assert all(
        len(floor.find(entrant)) == 1 for entrant, player in enumerate(floor.tournament.entrants) if not player.rank
    )


def test_a_player_who_has_left_is_still_leaving_at_the_next_table() -> None:
    floor = Floor(4, 3)  # two and two; a third place is free at each
    floor.follow_all()
    floor.play(1, action=1)
    while floor.tournament.left_count == 4 and min(floor.tables[1].stacks[:2]):
        floor.count(1)
        floor.follow_all()
        floor.tables[1].cleared_hand = floor.tables[1].hand_count
        floor.play(1, action=1)
    winner = max(range(2), key=lambda chair: floor.tables[1].stacks[chair])
    for event in floor.tables[1].leave(winner):
        floor.tables[1].apply(event)
    entrant = int(floor.tournament.seats[1, winner])
    floor.count(1)
    place = floor.tournament.seat_of(entrant)
    assert place
    assert place[0] == 0  # three fit one table
    events = floor.follow(0)
    assert [type(event) for event in events[:2]] == [Joined, Leaving]
    floor.follow_all()
    player = floor.tables[0].players[place[1]]
    assert player
    assert player.gives_up
    assert player.stack == 3000
    assert floor.tables[1].is_closed


def test_hands_have_the_blinds_of_their_level() -> None:
    floor = Floor(3, 3)
    floor.follow_all()
    for _ in range(11):  # levels of ten hands
        floor.play(0, FOLD)
        floor.count(0)
        floor.follow_all()
    records = hand_records(floor.tables[0], 1, 20)
    assert [record.variant.blinds for record in records] == [(10, 20)] * 10 + [(15, 30)]
    for record in records:
        assert read_phh(record.phh)


@pytest.mark.parametrize(("counts", "wanted"), [([0, 0], False), ([9, 0], False), ([10, 0], True), ([10, 1], False)])
def test_a_table_waits_for_others_that_are_a_level_behind(counts: list[int], wanted: bool) -> None:
    tournament: Tournament = Floor(5, 3).tournament
    tournament.hand_counts = counts
    assert is_far_ahead(tournament, 0) is wanted
    assert not is_far_ahead(tournament, 1)


def test_nobody_waits_for_a_table_with_one_player() -> None:
    tournament = Floor(5, 3).tournament
    tournament.hand_counts = [30, 2]
    assert is_far_ahead(tournament, 0)
    tournament.seats[1, 0] = -1
    assert not is_far_ahead(tournament, 0)
