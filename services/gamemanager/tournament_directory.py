"""The live tournaments by id."""

from collections.abc import AsyncIterator, Callable

from riverboat.errors import IllegalAction, NotFound
from riverboat.rpc.logs import log
from riverboat.services.gamemanager.creation import TableCreation
from riverboat.services.gamemanager.directory import TableDirectory
from riverboat.services.gamemanager.journal import Journal
from riverboat.services.gamemanager.live_tournament import LiveTournament
from riverboat.services.gamemanager.restoration import Restoration
from riverboat.services.gamemanager.rosters import AgentRoster, roster_of_tournament
from riverboat.tournaments.events import TournamentCreated
from riverboat.tournaments.report import TournamentInfo, TournamentReport, info_of_tournament
from riverboat.tournaments.tournament import Tournament

_KEPT_OVER = 1_000  # tournaments that are over and stay in memory
_MOST_LISTED = 1_000


class TournamentDirectory:
    """All tournaments of a game manager, oldest first. A token begins with the id of its tournament."""

    def __init__(self, tables: TableDirectory, creation: TableCreation, journal: Journal, idle_seconds: float) -> None:
        self._tables, self._journal, self._idle_seconds = tables, journal, idle_seconds
        self._tournaments: dict[str, LiveTournament] = {}
        self.agents_wanted: Callable[[], None] = lambda: None  # called when agents can be given to hosts
        creation.reserved = self._reserved

    @property
    def open_count(self) -> int:
        """The number of tournaments that are not over."""
        return sum(not live.tournament.is_closed for live in self._tournaments.values())

    def _reserved(self) -> list[str]:
        """Return the creators of tables that are not open yet, each once per table."""
        return [
            live.tournament.creator for live in self._tournaments.values() for _ in range(live.tables.reserved_count)
        ]

    def restore(self, restoration: Restoration) -> None:
        """Add all tournaments as the journal has them, and let them go on; close tables whose tournament is lost."""
        for tournament_id, restored in restoration.tournaments.items():
            self._add(tournament_id, restored.tournament, restored.change_count)
        if self._tournaments:
            log.info("tournaments_restored", tournaments=len(self._tournaments), open=self.open_count)
        for live in self._tables:
            tournament_id = live.table.config.tournament_id
            if tournament_id and tournament_id not in self._tournaments and not live.table.is_closed:
                log.error("table_without_tournament", table=live.table.id, tournament=tournament_id)
                live.abandon()

    def open(self, tournament_id: str, created: TournamentCreated) -> LiveTournament:
        """Add a tournament whose creation is in the journal."""
        over = [live.tournament.id for live in self._tournaments.values() if live.tournament.is_closed]
        for old in over[: max(0, len(over) - _KEPT_OVER)]:
            self._tournaments.pop(old).stop()
        return self._add(tournament_id, Tournament(tournament_id, created), 1)

    def _add(self, tournament_id: str, tournament: Tournament, change_count: int) -> LiveTournament:
        live = LiveTournament(tournament, self._journal, change_count, self._tables, self._idle_seconds)
        live.agents_wanted = lambda: self.agents_wanted()
        self._tournaments[tournament_id] = live
        live.start()
        return live

    def stop(self) -> None:
        """Stop all tournaments."""
        for live in self._tournaments.values():
            live.stop()

    def get(self, tournament_id: str) -> LiveTournament | None:
        """Return the tournament with this id, if there is one."""
        return self._tournaments.get(tournament_id)

    def tournament(self, tournament_id: str) -> LiveTournament:
        """Return the tournament with this id; NotFound if there is none, IllegalAction if it is set aside."""
        if live := self._tournaments.get(tournament_id):
            return live
        if tournament_id in self._tables.damaged:
            raise IllegalAction(f"tournament {tournament_id} is set aside: its part of the journal is damaged")
        raise NotFound(f"there is no tournament {tournament_id[:20]!r}")

    def rosters(self) -> list[AgentRoster]:
        """Return the agents of all tournaments that are being played."""
        rosters = (roster_of_tournament(live.tournament) for live in reversed(self._tournaments.values()))
        return [roster for roster in rosters if roster.agents]

    def find(self, include_over: bool, tournament_id: str) -> list[TournamentInfo]:
        """Return the newest tournaments, newest first, or only the one with this id."""
        if tournament_id:
            return [info_of_tournament(self.tournament(tournament_id).tournament)]
        tournaments = [live.tournament for live in reversed(self._tournaments.values())]
        listed = [value for value in tournaments if include_over or not value.is_closed][:_MOST_LISTED]
        return [info_of_tournament(value) for value in listed]

    async def reports(self, tournament_id: str, first: int) -> AsyncIterator[TournamentReport]:
        """Yield reports on a tournament, from news number `first` on, until it has ended."""
        async for report in self.tournament(tournament_id).reports(first):
            yield report
