"""Seats of a tournament: the draw, balancing and breaking of tables, and the order in which players go out.

Seats are an array [tables, chairs] with the entrant in each chair, or EMPTY; a broken table has empty chairs only. The
rules are kernels, so that the compiled loop and the game manager seat players by the same code. Randomness comes from
`lots`, a list of numbers drawn beforehand: a kernel uses one for each player that it moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.errors import InvalidInput
from riverboat.tournaments.structures import TournamentStructure

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
EMPTY = -1
MOVED, TO_TABLE, TO_CHAIR = range(3)  # columns of `moves`: an entrant, and where it goes
NO_BUTTON = -1  # before a table's first hand, which has the button at its first player


@dataclass(frozen=True, slots=True)
class SeatMove:
    """An entrant who changes tables between two hands."""

    entrant: int
    from_table: int
    to_table: int
    to_chair: int


@dataclass(frozen=True, slots=True)
class BustedPlayer:
    """An entrant who lost the last chip in a hand."""

    entrant: int
    chips_before: int  # at the start of that hand
    order: int  # the place in the hand counted from the left of the button: the first left of it has 0


def draw_seats(structure: TournamentStructure, rng: np.random.Generator) -> I64:
    """Return the entrant in each chair, by lot [tables, chairs]; tables differ by one player at most."""
    seats = np.full((structure.table_count, structure.seats_per_table), EMPTY, np.int64)
    seat_in_order(rng.permutation(structure.entrant_count), seats)
    return seats


@kernel
def seat_in_order(entrants: I64, seats: I64) -> None:
    """Write entrants in drawn order to chairs: one to each table in turn, then the next chair of each."""
    seats[:] = EMPTY
    for i in range(entrants.size):
        seats[i % seats.shape[0], i // seats.shape[0]] = entrants[i]


def moves_after_hand(seats: I64, buttons: Sequence[int], table: int, rng: np.random.Generator) -> tuple[SeatMove, ...]:
    """Return the players who leave a table that has just finished a hand, and their new chairs; `seats` stays as it is.

    `seats` must not have busted players any more; `buttons` is the chair that had the button in each table's last hand
    (or has it now), or NO_BUTTON. Players leave only a table that is between hands; a player who arrives at a table in
    the middle of a hand waits for the next one.
    """
    if not 0 <= table < len(seats):
        raise InvalidInput("table", f"must be 0 to {len(seats) - 1}, not {table}")
    if len(buttons) != len(seats):
        raise InvalidInput("buttons", f"must be one for each of the {len(seats)} tables, not {len(buttons)}")
    changed, moves = seats.copy(), np.empty((seats.shape[1], 3), np.int64)
    lots: U64 = np.array(rng.integers(2**63, size=seats.shape[1]), np.uint64)
    count = move_from_table(changed, np.asarray(buttons, np.int64), table, lots, moves)
    return tuple(SeatMove(entrant, table, to_table, to_chair) for entrant, to_table, to_chair in moves[:count].tolist())


@kernel
def move_from_table(seats: I64, buttons: I64, table: int, lots: U64, moves: I64) -> int:
    """Break a table or balance it; write entrant, table and chair of each move to moves [chairs, 3]; return how many.

    The table with the highest number breaks as soon as the others have chairs for everybody. Otherwise, while some
    table has at least two players fewer, the next big blind goes to the smallest table, to the worst open chair.
    """
    table_count, chair_count = seats.shape
    players = np.zeros(table_count, np.int64)
    total, open_tables, last = 0, 0, 0
    for t in range(table_count):
        for chair in range(chair_count):
            players[t] += seats[t, chair] != EMPTY
        if players[t] > 0:
            total, open_tables, last = total + players[t], open_tables + 1, t
    count = 0
    if open_tables > 1 and table == last and total <= (open_tables - 1) * chair_count:
        for chair in range(chair_count):
            if seats[table, chair] != EMPTY:
                target = _smallest_table(players, table)
                place = _drawn_chair(seats, target, lots[count])
                _move(seats, players, moves, count, table, chair, target, place)
                count += 1
        return count
    while True:
        target = _smallest_table(players, table)
        if target < 0 or players[table] - players[target] < 2:
            return count
        chair = _next_big_blind(seats, table, buttons[table])
        place = _worst_chair(seats, target, buttons[target])
        _move(seats, players, moves, count, table, chair, target, place)
        count += 1


@kernel
def _smallest_table(players: I64, beside: int) -> int:
    """Return the open table with the fewest players, `beside` left out, the first of equals; -1 if there is none."""
    smallest = -1
    for t in range(players.size):
        if t != beside and players[t] > 0 and (smallest < 0 or players[t] < players[smallest]):
            smallest = t
    return smallest


@kernel
def _move(seats: I64, players: I64, moves: I64, count: int, table: int, chair: int, target: int, place: int) -> None:
    moves[count, MOVED], moves[count, TO_TABLE], moves[count, TO_CHAIR] = seats[table, chair], target, place
    seats[target, place], seats[table, chair] = seats[table, chair], EMPTY
    players[target] += 1
    players[table] -= 1


@kernel
def _drawn_chair(seats: I64, table: int, lot: np.uint64) -> int:
    """Return an empty chair by lot."""
    chair_count = seats.shape[1]
    empty = 0
    for chair in range(chair_count):
        empty += seats[table, chair] == EMPTY
    nth = int(lot % np.uint64(empty))
    for chair in range(chair_count):
        if seats[table, chair] == EMPTY:
            if nth == 0:
                return chair
            nth -= 1
    return -1


@kernel
def next_chair(seats: I64, table: int, chair: int) -> int:
    """Return the first chair left of `chair` with a player in it; that one itself if nobody else is there."""
    chair_count = int(seats.shape[1])
    for step in range(1, chair_count + 1):
        place = (chair + step) % chair_count
        if seats[table, place] != EMPTY:
            return place
    return -1


@kernel
def _next_big_blind(seats: I64, table: int, button: int) -> int:
    """Return the chair of the player who would post the next big blind, among three players or more."""
    return next_chair(seats, table, _next_small_blind(seats, table, button))


@kernel
def _next_small_blind(seats: I64, table: int, button: int) -> int:
    """Return the chair of the player who would post the next small blind."""
    return next_chair(seats, table, next_chair(seats, table, button))


@kernel
def _worst_chair(seats: I64, table: int, button: int) -> int:
    """Return the empty chair that posts a big blind soonest: the first one left of the next small blind."""
    chair_count = int(seats.shape[1])
    small = _next_small_blind(seats, table, button)
    for step in range(1, chair_count + 1):
        place = (small + step) % chair_count
        if seats[table, place] == EMPTY:
            return place
    return -1


def rank_busted(busted: Sequence[BustedPlayer], left_count: int) -> tuple[tuple[int, int], ...]:
    """Return entrant and rank of each player who went out in one hand, the best rank first.

    `left_count` players are still in. More chips before the hand rank higher; with equal chips, the player who is first
    left of the button.
    """
    ordered = sorted(busted, key=lambda player: (-player.chips_before, player.order))
    return tuple((player.entrant, left_count + place) for place, player in enumerate(ordered, start=1))
