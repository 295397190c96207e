"""The agents that hosts should play: those of each open table, and of each tournament that is being played."""

from dataclasses import dataclass
from typing import NamedTuple

from riverboat.tables.agent_names import numbered
from riverboat.tables.view import TableInfo
from riverboat.tournaments.tournament import Tournament, TournamentStatus


class RosterAgent(NamedTuple):
    """An agent to play: its number, its whole name, and its name at the table."""

    number: int
    agent: str
    name: str


@dataclass(frozen=True, slots=True)
class AgentRoster:
    """The agents of a table or a tournament, which has the id; `side` is that of a duplicate match."""

    id: str
    agents: tuple[RosterAgent, ...]
    match_id: str = ""
    side: int = 0


def roster_of_table(info: TableInfo) -> AgentRoster:
    """Return the agents of a table."""
    names = info.config.agents
    agents = tuple(RosterAgent(i, name, numbered(name, names[:i].count(name))) for i, name in enumerate(names))
    return AgentRoster(info.table_id, agents, info.config.match_id, info.config.side)


def roster_of_tournament(tournament: Tournament) -> AgentRoster:
    """Return the agents of a tournament that are not out; none before the draw."""
    is_playing = tournament.status is TournamentStatus.PLAYING
    agents = tuple(
        RosterAgent(number, entrant.agent, entrant.name)
        for number, entrant in enumerate(tournament.entrants)
        if is_playing and entrant.agent and not entrant.rank
    )
    return AgentRoster(tournament.id, agents)
