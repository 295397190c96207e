"""The tables of one tournament with their seated entrants, in a game manager's directory of tables."""

from functools import partial

from riverboat.errors import IllegalAction, NotYours, Stale
from riverboat.services.gamemanager.directory import TableDirectory
from riverboat.services.gamemanager.held_chair import HeldChair
from riverboat.services.gamemanager.live_table import LiveTable
from riverboat.tables.config import TableConfig
from riverboat.tables.events import Created
from riverboat.tables.players import SeatedPlayer
from riverboat.tournaments.seating import NO_BUTTON
from riverboat.tournaments.table_updates import request_of, variant_at
from riverboat.tournaments.tournament import Tournament

_LONGEST_NAME = 60


class TournamentTables:
    """The tables of a tournament, by number."""

    def __init__(self, tournament: Tournament, directory: TableDirectory) -> None:
        self._tournament, self._directory = tournament, directory

    def get(self, number: int) -> LiveTable | None:
        """Return one of the tournament's tables; None if it is not open yet, or was closed long ago."""
        return self._directory.get(self._tournament.table_id(number))

    @property
    def open(self) -> list[tuple[int, LiveTable]]:
        """The tables that are not closed, with their numbers."""
        numbers = range(len(self._tournament.seats)) if self._tournament.has_begun else ()
        pairs = [(number, self.get(number)) for number in numbers]
        return [(number, live) for number, live in pairs if live and not live.table.is_closed]

    @property
    def reserved_count(self) -> int:
        """The number of tables that the tournament will still open."""
        if not self._tournament.has_begun:
            return self._tournament.structure.table_count
        return sum(self.get(number) is None for number in self._tournament.open_tables)

    def is_lost(self, number: int) -> bool:
        """Return whether the journal has lost a table that should be open."""
        if self._tournament.table_id(number) in self._directory.damaged:
            return True
        live = self.get(number)
        return live.table.is_closed if live else self._tournament.hand_counts[number] > 0

    def creation_of(self, number: int) -> Created:
        """Return the event that creates a table; a repetition returns the same event."""
        tournament = self._tournament
        secret = tournament.secret_for(f"table {number}")
        return Created(table_config(tournament, number), tournament.dealer_hash, secret, tournament.creator)

    def add(self, number: int, created: Created) -> LiveTable:
        """Open a table whose creation is in the journal."""
        return self._directory.open(self._tournament.table_id(number), created)

    def players(self, entrant: int) -> dict[int, SeatedPlayer]:
        """Return an entrant's places by table number: for a moment two, while the entrant is being moved."""
        request = request_of(entrant)
        chairs = {number: (live.table, live.table.chair_for(request)) for number, live in self.open}
        return {number: table.player(chair) for number, (table, chair) in chairs.items() if chair is not None}

    def table_of(self, entrant: int) -> LiveTable | None:
        """Return the table at which an entrant sits; the new one while being moved."""
        place = self._tournament.seat_of(entrant)
        tables = [self.get(place[0])] if place else []
        tables += [self.get(number) for number in range(len(self._tournament.seats))]
        seated = (live for live in tables if live and live.table.chair_for(request_of(entrant)) is not None)
        return next(seated, None)

    def held(self, token: str) -> HeldChair:
        """Return the chair that a token holds now; raise if the token is unknown, or its entrant has no chair."""
        entrant = self._tournament.entrant_of(token)
        live = self.table_of(entrant)
        if live is None:
            raise self._not_seated(self._tournament.entrants[entrant].rank)
        return HeldChair(live, partial(self._chair, live, token))

    def _not_seated(self, rank: int) -> Exception:
        if rank:
            return NotYours(f"you are out of this tournament: you finished in place {rank}")
        if self._tournament.is_closed:
            return NotYours("this tournament has ended")
        return IllegalAction("seats are not drawn yet: the tournament waits for more entrants")

    def _chair(self, live: LiveTable, token: str) -> int:
        chair = live.table.chair_for(request_of(self._tournament.entrant_of(token)))
        if chair is None:
            raise Stale("you have been moved to another table, or are out: read the current view")
        return chair

    @property
    def buttons(self) -> list[int]:
        """The chair with the button at each table; NO_BUTTON where there is none yet."""
        tables = [self.get(number) for number in range(len(self._tournament.seats))]
        return [NO_BUTTON if live is None or live.table.button is None else live.table.button for live in tables]


def table_config(tournament: Tournament, number: int) -> TableConfig:
    """Return the configuration of one of a tournament's tables."""
    return TableConfig(
        name=f"{tournament.name[: _LONGEST_NAME - 12]}, table {number + 1}",
        variant=variant_at(tournament),
        chair_count=tournament.structure.seats_per_table,
        buy_in=tournament.structure.starting_chips,
        clock_ms=tournament.clock_ms,
        pause_ms=tournament.pause_ms,
        agents_only=tournament.agents_only,
        tournament_id=tournament.id,
    )
