"""The state of one tournament, and how events change it.

Nothing here waits, writes or reads a clock. The same events always lead to the same state, now and after a restart.
"""

import hmac
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from riverboat.errors import NotYours
from riverboat.tables.agent_names import numbered
from riverboat.tables.players import hash_of
from riverboat.tournaments import entries
from riverboat.tournaments.events import (
    EntrantRegistered,
    EntrantWithdrew,
    HandCounted,
    SeatsDrawn,
    TokenIssued,
    TournamentCancelled,
    TournamentChange,
    TournamentCreated,
)
from riverboat.tournaments.seating import EMPTY, I64, seat_in_order


class TournamentStatus(IntEnum):
    """The status of a tournament."""

    REGISTERING = 1
    PLAYING = 2
    OVER = 3
    CANCELLED = 4


@dataclass(slots=True)
class Entrant:
    """An entrant, as the tournament keeps it."""

    name: str
    chips: int  # after the last counted hand
    agent: str = ""  # the agent's whole name; "" for a person
    token_hash: str = ""  # "" for an agent that no host plays yet
    request_id: str = ""  # of a person's registration
    contributes: bool = False  # to the shuffle
    rank: int = 0  # 0 while in


class TournamentState:
    """The state of a tournament after its events. Entrants and tables are numbered from 0."""

    def __init__(self, tournament_id: str, created: TournamentCreated) -> None:
        self.id = tournament_id
        self.name, self.structure = created.name, created.structure
        self.clock_ms, self.pause_ms = created.clock_ms, created.pause_ms
        self.secret, self.creator, self.dealer_hash = (
            bytes.fromhex(created.secret),
            created.creator,
            created.dealer_hash,
        )
        self.status = TournamentStatus.REGISTERING
        self.entrants: list[Entrant] = []
        self._holders: dict[str, int] = {}  # entrants by the hashes of their tokens
        self.news: list[entries.News] = []
        shape = (self.structure.table_count, self.structure.seats_per_table)
        self.seats: I64 = np.full(shape, EMPTY, np.int64)  # entrants by table and chair
        self.hand_counts = [0] * self.structure.table_count  # hands that are counted
        self.level = 0
        self.elapsed_ms = 0
        counts: Counter[str] = Counter()
        for agent in created.agents:
            self._enter(Entrant(numbered(agent, counts[agent]), self.structure.starting_chips, agent=agent))
            counts[agent] += 1
        self.agents_only = len(self.entrants) == self.structure.entrant_count

    @property
    def has_begun(self) -> bool:
        """Whether seats are drawn, or the tournament was cancelled before the draw."""
        return self.status is not TournamentStatus.REGISTERING

    @property
    def is_closed(self) -> bool:
        """Whether the tournament is over or cancelled."""
        return self.status in (TournamentStatus.OVER, TournamentStatus.CANCELLED)

    @property
    def is_full(self) -> bool:
        """Whether every place is taken."""
        return len(self.entrants) == self.structure.entrant_count

    @property
    def left_count(self) -> int:
        """How many entrants are not out."""
        return sum(not entrant.rank for entrant in self.entrants)

    @property
    def open_tables(self) -> list[int]:
        """The tables that have players; none before the draw and after the end."""
        if self.status is not TournamentStatus.PLAYING:
            return []
        return [table for table, count in enumerate(self.player_counts) if count]

    @property
    def player_counts(self) -> list[int]:
        """How many players each table has."""
        return [int(count) for count in (self.seats != EMPTY).sum(axis=1)]

    def table_id(self, table: int) -> str:
        """Return a table's id."""
        return f"{self.id}-{table + 1}"

    def seat_of(self, entrant: int) -> tuple[int, int] | None:
        """Return an entrant's table and chair; None before the draw, and if the entrant is out."""
        places = np.argwhere(self.seats == entrant)
        return (int(places[0, 0]), int(places[0, 1])) if len(places) else None

    def entrant_of(self, token: str) -> int:
        """Return the entrant that a token is for; raise NotYours if it fits none."""
        entrant = self._holders.get(hash_of(token))
        if entrant is None:
            raise NotYours("no entrant of this tournament has this token")
        return entrant

    def is_dealer(self, token: str) -> bool:
        """Return whether this is the dealer token of the tournament."""
        return bool(token) and hmac.compare_digest(self.dealer_hash, hash_of(token))

    # What events change

    def apply(self, event: TournamentChange) -> None:
        """Change the tournament by an event."""
        match event:
            case EntrantRegistered():
                self._enter(
                    Entrant(
                        event.name,
                        self.structure.starting_chips,
                        token_hash=event.token_hash,
                        request_id=event.request_id,
                        contributes=event.contributes,
                    )
                )
            case EntrantWithdrew():
                self._withdraw(event.entrant)
            case TokenIssued():
                self._holders.pop(self.entrants[event.entrant].token_hash, None)
                self.entrants[event.entrant].token_hash = event.token_hash
                self._holders[event.token_hash] = event.entrant
            case SeatsDrawn():
                self._begin(event)
            case HandCounted():
                self._count(event)
            case TournamentCancelled():
                self.status = TournamentStatus.CANCELLED
                self.news.append(entries.PlayCancelled(event.reason))

    def _enter(self, entrant: Entrant) -> None:
        self.entrants.append(entrant)
        if entrant.token_hash:
            self._holders[entrant.token_hash] = len(self.entrants) - 1
        self.news.append(entries.PlayerEntered(entrant.name))

    def _withdraw(self, number: int) -> None:
        self.news.append(entries.PlayerWithdrew(self.entrants.pop(number).name))
        holders = ((entrant.token_hash, i) for i, entrant in enumerate(self.entrants))
        self._holders = {token_hash: i for token_hash, i in holders if token_hash}

    def _begin(self, event: SeatsDrawn) -> None:
        if sorted(event.entrants) != list(range(self.structure.entrant_count)):
            raise ValueError("a draw does not seat every entrant once")
        seat_in_order(np.array(event.entrants, np.int64), self.seats)
        self.status = TournamentStatus.PLAYING
        self.news.append(entries.PlayBegan(tuple(self.table_id(table) for table in self.open_tables)))

    def _count(self, event: HandCounted) -> None:
        if event.hand_number != self.hand_counts[event.table] + 1:
            raise ValueError(f"table {event.table} has counted hand {self.hand_counts[event.table]}")
        before = self.open_tables
        self.hand_counts[event.table], self.elapsed_ms = event.hand_number, event.elapsed_ms
        for entrant, stack in zip(event.entrants, event.stacks, strict=True):
            self.entrants[entrant].chips = stack
        self._eliminate(event)
        self._reseat(event)
        self.news += [entries.TableBroken(self.table_id(table)) for table in before if table not in self.open_tables]
        if event.level > self.level:
            self.level = event.level
            self.news.append(entries.LevelBegan(event.level, self.structure.level_at(event.level)))
        if self.left_count == 1:
            self._finish()

    def _eliminate(self, event: HandCounted) -> None:
        rank = self.left_count
        for entrant in reversed(event.out):
            player = self.entrants[entrant]
            if player.rank or player.chips:
                raise ValueError(f"{player.name} cannot go out")
            player.rank = rank
            prize, table_id = self.structure.prize_of(rank), self.table_id(event.table)
            self.news.append(entries.PlayerEliminated(player.name, rank, prize, table_id, event.hand_number))
            self.seats[self.seats == entrant] = EMPTY
            rank -= 1

    def _reseat(self, event: HandCounted) -> None:
        for entrant, table, chair in zip(event.moved, event.to_tables, event.to_chairs, strict=True):
            place = self.seat_of(entrant)
            if place is None or self.seats[table, chair] != EMPTY:
                raise ValueError(f"{self.entrants[entrant].name} cannot move to chair {chair} of table {table}")
            self.seats[place] = EMPTY
            self.seats[table, chair] = entrant
            name = self.entrants[entrant].name
            self.news.append(entries.PlayerMoved(name, self.table_id(place[0]), self.table_id(table), chair))

    def _finish(self) -> None:
        winner = next(entrant for entrant in self.entrants if not entrant.rank)
        winner.rank, self.status = 1, TournamentStatus.OVER
        self.news.append(entries.PlayerWon(winner.name, self.structure.prize_of(1)))
