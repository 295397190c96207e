"""What everybody may know of a tournament: its standings and its news."""

from dataclasses import dataclass

from riverboat.tournaments.entries import News, NumberedNews
from riverboat.tournaments.structures import BlindLevel, TournamentStructure
from riverboat.tournaments.tournament import Tournament, TournamentStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentInfo:
    """A tournament as a list of tournaments shows it."""

    tournament_id: str
    name: str
    structure: TournamentStructure
    status: TournamentStatus
    registered_count: int
    left_count: int
    level: int  # from 0
    blinds: BlindLevel
    hand_count: int  # that have ended, at all tables
    agents_only: bool
    table_ids: tuple[str, ...]  # in play
    clock_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantStanding:
    """An entrant's chips, rank, prize and seat."""

    name: str
    is_agent: bool
    chips: int
    rank: int  # 0 while in
    prize: int
    table_id: str  # "" without a seat
    chair: int  # -1 without a seat


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentReport:
    """The standings of a tournament, and its news since an earlier event."""

    info: TournamentInfo
    standings: tuple[EntrantStanding, ...]  # most chips first, then those who are out, best rank first
    first_news: int
    news: tuple[News, ...]
    waits_for: str = ""

    @property
    def events(self) -> tuple[NumberedNews, ...]:
        """The news with their numbers."""
        return tuple(NumberedNews(number, news) for number, news in enumerate(self.news, start=self.first_news))


def info_of_tournament(tournament: Tournament) -> TournamentInfo:
    """Return a tournament as a list of tournaments shows it."""
    return TournamentInfo(
        tournament_id=tournament.id,
        name=tournament.name,
        structure=tournament.structure,
        status=tournament.status,
        registered_count=len(tournament.entrants),
        left_count=tournament.left_count if tournament.status is not TournamentStatus.OVER else 1,
        level=tournament.level,
        blinds=tournament.structure.level_at(tournament.level),
        hand_count=sum(tournament.hand_counts),
        agents_only=tournament.agents_only,
        table_ids=tuple(tournament.table_id(table) for table in tournament.open_tables),
        clock_ms=tournament.clock_ms,
    )


def report_of(tournament: Tournament, first: int, end: int, waits_for: str = "") -> TournamentReport:
    """Return the standings of a tournament, with its news from number `first` up to `end`."""
    standings = [_standing(tournament, number) for number in range(len(tournament.entrants))]
    standings.sort(key=lambda standing: (standing.rank, -standing.chips))
    return TournamentReport(
        info=info_of_tournament(tournament),
        standings=tuple(standings),
        first_news=first,
        news=tuple(tournament.news[first:end]),
        waits_for=waits_for,
    )


def _standing(tournament: Tournament, number: int) -> EntrantStanding:
    entrant = tournament.entrants[number]
    place = tournament.seat_of(number) if not tournament.is_closed else None
    return EntrantStanding(
        name=entrant.name,
        is_agent=bool(entrant.agent),
        chips=entrant.chips,
        rank=entrant.rank,
        prize=_prize(tournament, entrant.rank),
        table_id=tournament.table_id(place[0]) if place else "",
        chair=place[1] if place else -1,
    )


def _prize(tournament: Tournament, rank: int) -> int:
    """Return the prize of a rank; 0 in a tournament without a result."""
    is_cancelled = tournament.status is TournamentStatus.CANCELLED
    return 0 if is_cancelled else tournament.structure.prize_of(rank)
