"""The calls of people and dealers that concern tournaments."""

import secrets
from dataclasses import replace

import numpy as np

from riverboat.contracts.tournaments import TournamentPlan
from riverboat.errors import InvalidInput, NotYours
from riverboat.services.gamemanager.creation import new_secret, new_token
from riverboat.services.gamemanager.hosts import Hosts
from riverboat.services.gamemanager.live_tournament import LiveTournament
from riverboat.services.gamemanager.manager import Manager, checked_request
from riverboat.services.gamemanager.tournament_tables import table_config
from riverboat.tables.config import LONGEST_TABLE_NAME, check_config, check_player_name
from riverboat.tables.players import hash_of
from riverboat.tournaments.events import TournamentCreated
from riverboat.tournaments.report import TournamentInfo, info_of_tournament
from riverboat.tournaments.seating import NO_BUTTON, draw_seats, moves_after_hand
from riverboat.tournaments.structures import MTT_45, with_entrants
from riverboat.tournaments.tournament import Tournament


class Tournaments:
    """Creates and cancels tournaments, and enters people."""

    def __init__(self, manager: Manager, hosts: Hosts) -> None:
        self._manager, self._hosts = manager, hosts
        manager.tournaments.agents_wanted = hosts.seat_soon

    async def create(self, plan: TournamentPlan, client: str) -> tuple[TournamentInfo, str]:
        """Create a client's tournament; return it and the dealer's token."""
        tournament_id = f"t{secrets.token_hex(6)}"
        token = new_token(tournament_id)
        created = TournamentCreated(
            name=plan.name or plan.structure.name,
            structure=plan.structure,
            agents=plan.agents,
            clock_ms=plan.clock_ms,
            pause_ms=plan.pause_ms,
            dealer_hash=hash_of(token),
            secret=new_secret(),
        )
        _check(created)
        creation, count = self._manager.creation, plan.structure.table_count
        async with creation.room(client, count, lambda: self._hosts.check_agents(plan.agents)) as creator:
            created = replace(created, creator=creator)
            await creation.write_first(tournament_id, created)
            live = self._manager.tournaments.open(tournament_id, created)
        return info_of_tournament(live.tournament), token

    async def register(self, tournament_id: str, name: str, request_id: str, contributes: bool) -> str:
        """Return the token of a new entrant; the same again for a retry with the same request id."""
        check_player_name(name)
        live = self._manager.tournaments.tournament(tournament_id)
        key = f"player {checked_request(request_id)}"
        token = live.tournament.token_for(key)
        return await live.change(
            lambda: live.tournament.register(name, key, hash_of(token), contributes), lambda: token
        )

    async def cancel(self, tournament_id: str, dealer_token: str) -> bool:
        """End a tournament without a result, after the hands; return whether all tables are closed now."""
        live: LiveTournament = self._manager.tournaments.tournament(tournament_id)
        if not live.tournament.is_dealer(dealer_token):
            raise NotYours("only the client that created the tournament may cancel it")
        return await live.change(
            lambda: live.tournament.cancel("its dealer cancelled it"), lambda: not live.tables.open
        )


def warm_up() -> None:
    """Compile the kernels that seat players, or load them from the cache."""
    rng = np.random.default_rng(0)
    seats = draw_seats(with_entrants(MTT_45, 12), rng)
    moves_after_hand(seats, [NO_BUTTON] * len(seats), 0, rng)


def _check(created: TournamentCreated) -> None:
    """Raise unless a tournament can be played at tables here."""
    if len(created.name) > LONGEST_TABLE_NAME or not created.name.isprintable():
        raise InvalidInput("name", f"must have at most {LONGEST_TABLE_NAME} printable characters")
    if len(created.agents) > created.structure.entrant_count:
        count = created.structure.entrant_count
        raise InvalidInput("agents", f"{len(created.agents):,} are too many for {count:,} entrants")
    try:
        check_config(table_config(Tournament("t", created), 0))
    except InvalidInput as error:
        field = {"buy_in": "structure.starting_chips", "stacks": "structure.starting_chips"}.get(
            error.field, error.field
        )
        raise InvalidInput(field, error.reason) from None
