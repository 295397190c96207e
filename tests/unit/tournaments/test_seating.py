"""Seats: the draw, breaking, balancing, and ranks of players who go out together."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.tournaments.seating import (
    EMPTY,
    NO_BUTTON,
    BustedPlayer,
    SeatMove,
    draw_seats,
    moves_after_hand,
    rank_busted,
)
from riverboat.tournaments.structures import MTT_45

I64 = NDArray[np.int64]


def seats_of(*tables: list[int], chairs: int = 9) -> I64:
    """Return seats with the entrants of each table in its first chairs."""
    return np.array([[*table, *[EMPTY] * (chairs - len(table))] for table in tables], np.int64)


def apply(seats: I64, moves: tuple[SeatMove, ...]) -> None:
    for move in moves:
        assert seats[move.to_table, move.to_chair] == EMPTY
        seats[move.from_table][seats[move.from_table] == move.entrant] = EMPTY
        seats[move.to_table, move.to_chair] = move.entrant


def test_seats_are_drawn_evenly() -> None:
    seats = draw_seats(replace(MTT_45, entrant_count=20), np.random.default_rng(1))
    assert (seats != EMPTY).sum(axis=1).tolist() == [7, 7, 6]
    assert sorted(seats[seats != EMPTY]) == list(range(20))
    again = draw_seats(replace(MTT_45, entrant_count=20), np.random.default_rng(1))
    other = draw_seats(replace(MTT_45, entrant_count=20), np.random.default_rng(2))
    assert (seats == again).all()
    assert not (seats == other).all()


def test_the_next_big_blind_moves_to_the_worst_chair() -> None:
    seats = seats_of(list(range(9)), list(range(9, 16)))
    # The button goes from chair 2 to 3, so chair 5 would post the big blind. At the other table it goes from 4 to 5,
    # chair 6 posts the small blind, and the first empty chair after it is 7.
    assert moves_after_hand(seats, [2, 4], 0, np.random.default_rng(0)) == (SeatMove(5, 0, 1, 7),)
    assert moves_after_hand(seats, [2, 4], 1, np.random.default_rng(0)) == ()
    assert (seats == seats_of(list(range(9)), list(range(9, 16)))).all(), "the seats are not changed"


def test_the_table_with_the_highest_number_breaks_into_the_smallest_ones() -> None:
    seats = seats_of([*range(6)], [*range(6, 12)], [*range(12, 18)])
    buttons = [NO_BUTTON] * 3
    assert moves_after_hand(seats, buttons, 0, np.random.default_rng(0)) == (), "only the last table breaks"
    moves = moves_after_hand(seats, buttons, 2, np.random.default_rng(0))
    assert [move.to_table for move in moves] == [0, 1, 0, 1, 0, 1]
    assert sorted(move.entrant for move in moves) == [*range(12, 18)]
    apply(seats, moves)
    assert (seats != EMPTY).sum(axis=1).tolist() == [9, 9, 0]


def test_chairs_of_a_broken_table_are_drawn() -> None:
    seats = seats_of([0, 1, 2], [3, 4])
    drawn = {
        tuple(move.to_chair for move in moves_after_hand(seats, [0, 0], 1, np.random.default_rng(seed)))
        for seed in range(60)
    }
    assert len(drawn) > 10


def test_no_table_breaks_while_the_others_are_full() -> None:
    seats = seats_of([*range(9)], [*range(9, 18)], [18, 19])
    assert moves_after_hand(seats, [0, 0, 0], 2, np.random.default_rng(0)) == ()
    assert len(moves_after_hand(seats, [0, 0, 0], 0, np.random.default_rng(0))) == 3  # then 6 and 5 are balanced


@pytest.mark.parametrize(("table", "buttons"), [(2, [0, 0]), (-1, [0, 0]), (0, [0])])
def test_a_table_that_does_not_exist_is_refused(table: int, buttons: list[int]) -> None:
    with pytest.raises(InvalidInput):
        moves_after_hand(seats_of([0, 1], [2, 3]), buttons, table, np.random.default_rng(0))


def settle(seats: I64, buttons: list[int], rng: np.random.Generator) -> None:
    """Let every table end a hand until nobody moves any more."""
    moved = True
    while moved:
        moved = False
        for table in reversed(range(len(seats))):
            moves = moves_after_hand(seats, buttons, table, rng)
            apply(seats, moves)
            moved |= bool(moves)


@given(st.integers(2, 60), st.integers(2, 10), st.integers(0, 2**32), st.data())
def test_tables_stay_balanced_whoever_goes_out(entrants: int, chairs: int, seed: int, data: st.DataObject) -> None:
    rng = np.random.default_rng(seed)
    seats = draw_seats(replace(MTT_45, entrant_count=entrants, seats_per_table=chairs, payouts=(1000,)), rng)
    alive = set(range(entrants))
    buttons = rng.integers(0, chairs, len(seats)).tolist()
    while len(alive) > 1:
        out = data.draw(st.sets(st.sampled_from(sorted(alive)), min_size=1, max_size=min(12, len(alive) - 1)))
        alive -= out
        seats[np.isin(seats, list(out))] = EMPTY
        settle(seats, buttons, rng)
        counts = (seats != EMPTY).sum(axis=1)
        in_play = counts[counts > 0]
        assert set(seats[seats != EMPTY].tolist()) == alive
        assert in_play.sum() == len(alive)
        assert in_play.max() - in_play.min() <= 1
        assert len(in_play) == -(-len(alive) // chairs), "as few tables as seat everybody"


def test_more_chips_before_the_hand_rank_higher() -> None:
    busted = [BustedPlayer(4, 400, 0), BustedPlayer(7, 900, 3), BustedPlayer(2, 400, 2)]
    assert rank_busted(busted, left_count=13) == ((7, 14), (4, 15), (2, 16))
    assert rank_busted([], left_count=5) == ()
