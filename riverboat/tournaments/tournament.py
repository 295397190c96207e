"""One tournament: its state, and the events that a request or a finished hand leads to.

A request is checked and answered with events; nothing changes before they are applied. After each hand one event,
HandCounted, decides everything: chips, ranks, the level and who moves. Tables only follow it (`table_updates.py`).
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from riverboat.errors import IllegalAction
from riverboat.tables.players import is_same_secret
from riverboat.tournaments import events
from riverboat.tournaments.events import TournamentChange
from riverboat.tournaments.seating import EMPTY, I64, BustedPlayer, SeatMove, moves_after_hand, rank_busted
from riverboat.tournaments.state import TournamentState, TournamentStatus

__all__ = ["HandResult", "Tournament", "TournamentStatus"]


@dataclass(frozen=True, slots=True)
class HandResult:
    """A hand that is over. Lists are by seat: from the first player left of the button."""

    table: int
    hand_number: int
    entrants: tuple[int, ...]
    before: tuple[int, ...]  # chips
    after: tuple[int, ...]


class Tournament(TournamentState):
    """A tournament, and the events that requests and finished hands lead to."""

    def token_for(self, request_id: str) -> str:
        """Return the token of the entrant who registers with this request; a repeated request gets the same token."""
        return f"{self.id}.{self.secret_for(request_id)}"

    def secret_for(self, purpose: str) -> str:
        """Return a secret for one purpose, derived from the tournament's, as 64 hexadecimal digits."""
        return hmac.new(self.secret, purpose.encode(), hashlib.sha256).hexdigest()

    def register(self, name: str, request_id: str, token_hash: str, contributes: bool) -> list[TournamentChange]:
        """Return the events that enter a person; none if the same request was already granted."""
        if any(entrant.request_id and is_same_secret(entrant.request_id, request_id) for entrant in self.entrants):
            return []
        if self.has_begun or self.is_full:
            raise IllegalAction("registration for this tournament is over")
        if any(entrant.name == name for entrant in self.entrants):
            raise IllegalAction(f"a player called {name} has already entered")
        return [events.EntrantRegistered(name, token_hash, request_id, contributes)]

    def withdraw(self, entrant: int) -> list[TournamentChange]:
        """Return the events by which a person withdraws before the draw."""
        if self.has_begun or self.is_full:
            raise IllegalAction("the seats are already drawn: leave your table instead")
        return [events.EntrantWithdrew(entrant)]

    def issue_token(self, entrant: int, token_hash: str) -> list[TournamentChange]:
        """Return the events that give an agent to a host, with a new token."""
        if self.is_closed or self.entrants[entrant].rank:
            raise IllegalAction("the agent is out of the tournament")
        return [events.TokenIssued(entrant, token_hash)]

    def cancel(self, reason: str) -> list[TournamentChange]:
        """Return the events that end the tournament without a result; none if it has ended."""
        return [] if self.is_closed else [events.TournamentCancelled(reason)]

    def draw(self, rng: np.random.Generator) -> list[TournamentChange]:
        """Return the events that draw seats once every place is taken; none before, and after the draw."""
        if self.has_begun or not self.is_full:
            return []
        return [events.SeatsDrawn(tuple(rng.permutation(len(self.entrants)).tolist()))]

    def count_hand(
        self, result: HandResult, buttons: Sequence[int], elapsed_ms: int, rng: np.random.Generator
    ) -> list[TournamentChange]:
        """Return the events that follow from a finished hand; none if it is already counted, or after the end.

        `buttons` are the chairs of the buttons by table, or NO_BUTTON; see `moves_after_hand`.
        """
        if self.status is not TournamentStatus.PLAYING or result.hand_number <= self.hand_counts[result.table]:
            return []
        self._check(result)
        busted = [
            BustedPlayer(entrant, chips, order)
            for order, (entrant, chips, left) in enumerate(
                zip(result.entrants, result.before, result.after, strict=True)
            )
            if not left
        ]
        out = tuple(entrant for entrant, _ in rank_busted(busted, self.left_count - len(busted)))
        seats = self.seats.copy()
        seats[np.isin(seats, out)] = EMPTY
        moves = _moves(seats, buttons, result.table, rng) if self.left_count - len(out) > 1 else []
        hand_count = max(result.hand_number, *self.hand_counts)
        level = self.structure.level_number(hand_count=hand_count, minutes=elapsed_ms / 60_000)
        return [
            events.HandCounted(
                table=result.table,
                hand_number=result.hand_number,
                entrants=result.entrants,
                stacks=result.after,
                out=out,
                moved=tuple(move.entrant for move in moves),
                to_tables=tuple(move.to_table for move in moves),
                to_chairs=tuple(move.to_chair for move in moves),
                level=max(self.level, level),
                elapsed_ms=max(self.elapsed_ms, elapsed_ms),
            )
        ]

    def _check(self, result: HandResult) -> None:
        """Raise unless a hand's players and chips are those that this tournament has at the table."""
        seated = set(self.seats[result.table].tolist()) - {EMPTY}
        known = tuple(self.entrants[entrant].chips for entrant in result.entrants)
        if result.hand_number != self.hand_counts[result.table] + 1 or not set(result.entrants) <= seated:
            raise ValueError(f"hand {result.hand_number} of table {result.table} is not one of this tournament")
        if known != result.before or sum(result.before) != sum(result.after):
            raise ValueError(f"chips of hand {result.hand_number} of table {result.table} do not add up")


def _moves(seats: I64, buttons: Sequence[int], table: int, rng: np.random.Generator) -> list[SeatMove]:
    """Return the moves after a hand at a table, and make them in `seats`.

    A table with one player never ends a hand, so it is checked whenever another table does: it may have to break.
    """
    moves = _move_from(seats, buttons, table, rng)
    while True:
        lonely = np.flatnonzero((seats != EMPTY).sum(axis=1) == 1).tolist()
        made = [move for place in lonely for move in _move_from(seats, buttons, place, rng)]
        if not made:
            return moves
        moves += made


def _move_from(seats: I64, buttons: Sequence[int], table: int, rng: np.random.Generator) -> list[SeatMove]:
    """Return the moves from a table that is between hands, and make them in `seats`."""
    moves = moves_after_hand(seats, buttons, table, rng)
    for move in moves:
        seats[seats == move.entrant] = EMPTY
        seats[move.to_table, move.to_chair] = move.entrant
    return list(moves)
