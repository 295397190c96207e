"""The game manager's tables, with those of tournaments: the calls of players, dealers, agent hosts and spectators.

A request becomes events, the events are written to the journal, and then they are announced to everybody at the table.
"""

import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress

from riverboat.contracts.tables import Decision
from riverboat.dealing.memory import Contribution
from riverboat.errors import IllegalAction, InvalidInput, NotYours, RiverboatError, Stale, Unavailable
from riverboat.rpc.logs import log
from riverboat.services.gamemanager.creation import CreationCheck, TableCreation, new_token
from riverboat.services.gamemanager.directory import TableDirectory, table_id_in
from riverboat.services.gamemanager.held_chair import HeldChair
from riverboat.services.gamemanager.journal import Journal
from riverboat.services.gamemanager.quotas import TableQuota
from riverboat.services.gamemanager.rosters import AgentRoster, roster_of_table
from riverboat.services.gamemanager.tournament_directory import TournamentDirectory
from riverboat.tables.config import LONGEST_REQUEST, TableConfig, check_player_name
from riverboat.tables.contributions import contribute
from riverboat.tables.log import Shelf
from riverboat.tables.records import HandRecord, hand_records
from riverboat.tables.table import Table, hash_of
from riverboat.tables.view import PublicUpdate, TableInfo, TableView, info_of, update_of

_REQUEST_BYTES = 16
_MOST_ENTRIES = 5_000  # in one message to a spectator
SHORTEST_REQUEST = 16  # characters of a request to join: anybody who knows it gets the token


class Manager:
    """The tables, by id and by token."""

    def __init__(self, journal: Journal, quota: TableQuota, idle_seconds: float, shelf: Shelf | None = None) -> None:
        self._journal = journal
        self.tables = TableDirectory(journal, idle_seconds, shelf or Shelf())
        self.creation = TableCreation(self.tables, journal, quota)
        self.tournaments = TournamentDirectory(self.tables, self.creation, journal, idle_seconds)

    async def load(self) -> None:
        """Restore all tables and tournaments from the journal, and let them continue."""
        restoration = await self.tables.restore()
        for live in self.tables:
            async with live.lock:
                with suppress(Unavailable):  # the table retries by itself once the journal works again
                    await live.commit(live.resume())
        if len(self.tables):
            log.info("tables_restored", tables=len(self.tables), open=len(self.tables.open_tables))
        self.tournaments.restore(restoration)

    async def close(self) -> None:
        """Stop all clocks and close the journal."""
        self.creation.close()
        self.tournaments.stop()
        for live in self.tables:
            live.stop()
        await self._journal.close()

    # For dealers

    async def create(
        self, config: TableConfig, client: str, check: CreationCheck | None = None
    ) -> tuple[TableInfo, str]:
        """Create a table; see `TableCreation.create`."""
        return await self.creation.create(config, client, check)

    async def create_sides(
        self, config: TableConfig, client: str, check: CreationCheck | None = None
    ) -> tuple[list[TableInfo], str]:
        """Create the tables of a duplicate match; see `TableCreation.create_sides`."""
        return await self.creation.create_sides(config, client, check)

    async def close_table(self, table_id: str, dealer_token: str) -> bool:
        """End a table, after the hand if there is one; return whether it is closed now."""
        live = self.tables.table(table_id)
        if not live.table.is_dealer(dealer_token):
            raise NotYours("only the client that created the table may close it")
        if live.table.config.tournament_id:
            tournament_id = live.table.config.tournament_id
            raise IllegalAction(f"the table belongs to tournament {tournament_id}: cancel the tournament instead")
        return all([await side.end() for side in live.sides])

    # For chairs

    def _held(self, token: str) -> HeldChair:
        """Return the chair that a token holds: at its table, or wherever its tournament has seated it."""
        if tournament := self.tournaments.get(table_id_in(token)):
            return tournament.tables.held(token)
        live = self.tables.table_of(token)
        live.table.chair_of(token)  # raises if it holds none
        return HeldChair(live, lambda: live.table.chair_of(token))

    async def join(
        self, table_id: str, name: str, chair: int | None, request_id: str, contributes: bool = False
    ) -> tuple[int, str]:
        """Return a chair and its token; the same again for a retry with the same request id."""
        check_player_name(name)
        live = self.tables.table(table_id)
        key = f"player {checked_request(request_id)}"
        token = live.table.token_for(key)
        return await live.change(
            lambda: live.table.join(name, chair, key, hash_of(token), is_agent=False, contributes=contributes),
            lambda: (live.table.chair_of(token), token),
        )

    async def leave(self, token: str, gives_up: bool = False) -> bool:
        """Leave a chair, after the hand if the chair is in one; return whether the chair is free now."""
        if (tournament := self.tournaments.get(table_id_in(token))) and not tournament.tournament.has_begun:
            return await tournament.withdraw(token)
        held = self._held(token)
        table, chair = held.live.table, held.find()
        # The chair is looked up again under the lock: the player may have got up while others were served.
        return await held.live.change(lambda: table.leave(held.find(), gives_up), lambda: table.players[chair] is None)

    async def rebuy(self, token: str, chips: int) -> int:
        """Buy chips; return the chair's new number of chips."""
        held = self._held(token)
        table = held.live.table
        return await held.live.change(lambda: table.rebuy(held.find(), chips), lambda: table.player(held.find()).stack)

    async def act(self, token: str, decision: Decision) -> TableView:
        """Act for a chair; return its view after the action."""
        held = self._held(token)
        live, chair = held.live, held.find()
        if decision.table_id not in ("", live.table.id):
            raise Stale(f"the decision was for table {decision.table_id[:30]}; you sit at table {live.table.id} now")
        return await live.change(
            lambda: live.table.act(held.find(), decision.request_id, *decision.place, decision.action),
            lambda: live.view(chair),
        )

    async def contribute(self, token: str, contribution: Contribution) -> TableView:
        """Accept a chair's contribution to the next deal; return the chair's view after it."""
        held = self._held(token)
        live, chair = held.live, held.find()
        await live.contribute(lambda: contribute(live.table, held.find(), contribution))
        return live.view(chair)

    def view(self, token: str) -> TableView:
        """Return the current view of a chair."""
        held = self._held(token)
        return held.live.view(held.find())

    async def views(self, token: str) -> AsyncGenerator[TableView]:
        """Yield the views of a chair, now and after each change; a slow reader misses views in between.

        In a tournament the views begin when seats are drawn, and follow the player from table to table.
        """
        tournament = self.tournaments.get(table_id_in(token))
        async for held in tournament.chairs(token) if tournament else _once(self._held(token)):
            async with aclosing(held.views()) as views:  # closed at once when the listener goes away
                async for view in views:
                    yield view

    # For agents

    def rosters(self) -> list[AgentRoster]:
        """Return each table's and tournament's agents, which agent hosts should run now; newest first."""
        return [*self.tournaments.rosters(), *map(roster_of_table, self.tables.infos(include_closed=False))]

    def processes(self, table_id: str) -> tuple[set[str], set[str], set[str]]:
        """Return the host processes at this side of a match, those at the other sides, and those sides' table ids."""
        if self.tournaments.get(table_id):
            return set(), set(), set()
        live = self.tables.table(table_id)
        others = [side.table for side in live.sides if side is not live]
        elsewhere = {host for table in others for host in table.hosts}
        return live.table.hosts, elsewhere, {table.id for table in others}

    async def seat_agent(self, table_id: str, name: str, place: int, host: str = "") -> tuple[str, int, str]:
        """Seat an agent, unless it has a chair already; return its table, its chair and a new token."""
        if tournament := self.tournaments.get(table_id):
            token = await tournament.hand_over(place)
            held = tournament.tables.held(token)
            return held.live.table.id, held.find(), token
        live, key = self.tables.table(table_id), f"agent {place}"  # no player's key begins like this
        table, token = live.table, new_token(table_id)
        hashed = hash_of(token)
        return await live.change(
            lambda: table.hand_over(key, hashed, host) or table.join(name, None, key, hashed, True, host=host),
            lambda: (table_id, table.chair_of(token), token),
        )

    def agent_place(self, token: str) -> tuple[str, int] | None:
        """Return the table (or tournament) and the number of the agent that holds a token; None if no agent does."""
        try:
            if tournament := self.tournaments.get(table_id_in(token)):
                entrant = tournament.tournament.entrant_of(token)
                return (table_id_in(token), entrant) if tournament.tournament.entrants[entrant].agent else None
            table = self.tables.table_of(token).table
            kind, _, place = table.player(table.chair_of(token)).join_id.partition(" ")
        except RiverboatError:
            return None
        return (table_id_in(token), int(place)) if kind == "agent" else None

    # For everybody

    def info(self, table_id: str) -> TableInfo:
        """Return the public facts about a table."""
        return info_of(self.tables.table(table_id).table)

    def find_tables(self, include_closed: bool, table_id: str) -> tuple[list[TableInfo], Sequence[str]]:
        """Return tables, newest first, and the ids of tables that are set aside; see `TableDirectory.find`."""
        return self.tables.find(include_closed, table_id)

    def hands(self, table_id: str, first_hand: int, hand_count: int) -> list[HandRecord]:
        """Return finished hands, from number `first_hand` on."""
        return hand_records(self.tables.table(table_id).table, first_hand, hand_count)

    async def changes(self, table_id: str) -> AsyncIterator[tuple[Table, str]]:
        """Yield a table and what it waits for, now and after each change, until it is closed."""
        live = self.tables.table(table_id)
        while True:
            changed, is_last = live.changed, live.is_done
            yield live.table, next((side.waits_for for side in live.sides if side.waits_for), "")
            if is_last:
                return
            await changed.wait()

    async def updates(self, table_id: str, first: int, dealer_token: str) -> AsyncIterator[PublicUpdate]:
        """Yield the public entries of a table, from entry `first` on."""
        live = self.tables.table(table_id)
        sees_all = bool(dealer_token)
        if sees_all and not (live.table.is_dealer(dealer_token) and live.table.config.agents_only):
            raise NotYours("only the client that created a table for agents may see all cards")
        first = min(max(0, first), live.table.end_for(sees_all))
        while True:
            changed, is_last = live.changed, live.table.is_closed and (sees_all or live.is_done)
            end = min(live.table.end_for(sees_all), max(first, live.table.log.first) + _MOST_ENTRIES)
            yield update_of(live.table, first, end, sees_all, live.time_left_ms, live.waits_for)
            first = end  # entries that were added meanwhile come next
            if end < live.table.end_for(sees_all):
                continue
            if is_last:
                return
            await changed.wait()


async def _once(held: HeldChair) -> AsyncIterator[HeldChair]:
    yield held


def checked_request(request_id: str) -> str:
    """Return the id of a request to join, which must be hard to guess; a new one if it is empty."""
    if not request_id:
        return secrets.token_hex(_REQUEST_BYTES)
    if not SHORTEST_REQUEST <= len(request_id) <= LONGEST_REQUEST:
        raise InvalidInput("request_id", f"must have {SHORTEST_REQUEST} to {LONGEST_REQUEST} characters, or none")
    return request_id
