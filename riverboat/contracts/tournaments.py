"""Values that only the client and the server of the tournaments' contract use."""

from dataclasses import dataclass

from riverboat.tables.config import DEFAULT_CLOCK_MS
from riverboat.tournaments.report import TournamentInfo
from riverboat.tournaments.structures import TournamentStructure


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPlan:
    """A tournament to play."""

    structure: TournamentStructure
    agents: tuple[str, ...] = ()  # one for each entry
    name: str = ""  # "" for the structure's
    clock_ms: int = DEFAULT_CLOCK_MS
    pause_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedTournament:
    """A new tournament, and the token that cancels it and, if only agents play, shows all cards."""

    info: TournamentInfo
    dealer_token: str
