"""A tournament of people at a game manager in this process, all of them played by a test."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import numpy as np

from riverboat.contracts.tables import Decision
from riverboat.contracts.tournaments import TournamentPlan
from riverboat.errors import RiverboatError, Unavailable
from riverboat.rules.betting import CALL, FOLD
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.journal import Change, LineEvent
from riverboat.services.gamemanager.live_tournament import LiveTournament
from riverboat.services.gamemanager.manager import Manager
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.services.gamemanager.tournaments import Tournaments
from riverboat.tournaments.report import report_of
from riverboat.tournaments.structures import SNG_9, TournamentStructure, with_entrants
from riverboat.tournaments.table_updates import entrant_in
from riverboat.tournaments.tournament import TournamentStatus
from tests.unit.services.gamemanager.fakes import WAIT_SECONDS, Memory

NAMES = "abcdefghij"


def small_structure(entrant_count: int, seats: int) -> TournamentStructure:
    """Return a structure that ends soon: few chips, a new level at every hand."""
    return replace(with_entrants(SNG_9, entrant_count), seats_per_table=seats, starting_chips=100, level_hands=1)


class Lease:
    """A journal for one game manager: afterwards it takes nothing more from it, as a file or a Redis would not."""

    def __init__(self, journal: Memory) -> None:
        self._journal = journal
        self.has_ended = False

    def read(self) -> AsyncIterator[Change]:
        """Yield all changes so far."""
        return self._journal.read()

    async def append(self, table_id: str, number: int, events: Sequence[LineEvent]) -> None:
        """Add a change, unless the game manager is closed."""
        if self.has_ended:
            raise Unavailable("the journal cannot be written: another game manager has taken it over")
        await self._journal.append(table_id, number, events)

    async def set_aside(self, tables: Collection[str]) -> Mapping[str, str]:
        """Return nothing: memory is never damaged."""
        return await self._journal.set_aside(tables)

    async def close(self) -> None:
        """End the lease."""
        self.has_ended = True


@asynccontextmanager
async def running(journal: Memory, idle_seconds: float = 3600) -> AsyncIterator[tuple[Manager, Tournaments]]:
    """Run a game manager with a journal."""
    lease = Lease(journal)
    made = Manager(lease, TableQuota(20, 20), idle_seconds)
    service = Tournaments(made, Hosts(made, "", True))
    await made.load()
    try:
        yield made, service
    finally:
        lease.has_ended = True  # like a kill
        await made.close()


async def enter(service: Tournaments, entrant_count: int, seats: int) -> tuple[str, dict[str, str], str]:
    """Create a tournament and enter everybody; return its id, the tokens by name, and the dealer's token."""
    plan = TournamentPlan(structure=small_structure(entrant_count, seats), clock_ms=3_600_000)
    info, dealer_token = await service.create(plan, "a client")
    names = NAMES[:entrant_count]
    tokens = {name: await service.register(info.tournament_id, name, name * 16, False) for name in names}
    return info.tournament_id, tokens, dealer_token


async def play_on(made: Manager, tournament_id: str, tokens: dict[str, str], rng: np.random.Generator) -> None:
    """Act for whoever is to act until the tournament is over and its tables are closed."""
    live = made.tournaments.tournament(tournament_id)
    async with asyncio.timeout(WAIT_SECONDS):
        while not live.tournament.is_closed or live.tables.open:
            await act_once(made, live, tokens, rng)
            await asyncio.sleep(0)


async def act_once(made: Manager, live: LiveTournament, tokens: dict[str, str], rng: np.random.Generator) -> None:
    """Act at every table where somebody is to act; a refusal is as good as an action that came late."""
    for _, place in live.tables.open:
        table = place.table
        if table.actor is None or table.hand is None:
            continue
        public = table.hand.state.public
        raises = public.raises_to
        wish = rng.choice([FOLD if public.to_call else CALL, CALL, raises[-1] if raises else CALL])
        token = tokens[live.tournament.entrants[entrant_in(table.player(table.actor))].name]
        decision = Decision(
            request_id=f"{table.id} {table.hand.number} {table.hand.action_count}",
            hand_number=table.hand.number,
            action_number=table.hand.action_count,
            action=int(wish),
            table_id=table.id,
        )
        try:
            await made.act(token, decision)
        except RiverboatError:
            await asyncio.sleep(0.01)


def check_result(live: LiveTournament) -> None:
    """Check a tournament that is over."""
    tournament = live.tournament
    assert tournament.status is TournamentStatus.OVER
    count = len(tournament.entrants)
    assert sorted(entrant.rank for entrant in tournament.entrants) == list(range(1, count + 1))
    assert [entrant.chips for entrant in tournament.entrants if entrant.chips] == [tournament.structure.chip_count]
    standings = report_of(tournament, 0, 0).standings
    assert sum(standing.prize for standing in standings) == tournament.structure.prize_pool


def check_chips(live: LiveTournament) -> None:
    """Check that the tables' chips are the tournament's, wherever people are on their way."""
    tournament = live.tournament
    assert sum(entrant.chips for entrant in tournament.entrants) == tournament.structure.chip_count
