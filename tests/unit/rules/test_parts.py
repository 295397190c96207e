"""Impossible states: each error names what is impossible."""

from dataclasses import replace

import pytest

from riverboat.cards import parse_cards
from riverboat.errors import InvalidInput
from riverboat.rules.parts import Parts, SeatParts, assemble
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import fixed_limit, no_limit
from tests.unit.rules.test_properties import parts_of


def flop() -> PublicState:
    state = start(no_limit(50, 100), [1000, 1000, 150]).play(0).play(0).play(0)
    return state.deal(parse_cards("2c3d4h")).play(0).play(200)


def with_seat(parts: Parts, seat: int, **changes: int) -> Parts:
    seats = list(parts.seats)
    seats[seat] = replace(seats[seat], **changes)  # type: ignore[arg-type]
    return replace(parts, seats=seats)


PARTS = parts_of(flop())


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (replace(PARTS, pot=501), "pot: chips do not add up: the pot is 501, but the seats have paid 500"),
        (replace(PARTS, bet=100), "bet: chips do not add up: the largest bet on this street is 200, not 100"),
        (replace(PARTS, board=parse_cards("2c3d4h5s")), "board: street 1 has 3 board cards, not 4"),
        (replace(PARTS, board=parse_cards("2c2c4h")), "board: 2c appears twice"),
        (replace(PARTS, actor=0), "actor: seat 0 would act out of turn: it is seat 2's turn"),
        (replace(PARTS, actor=-1), "actor: seat -1 would act out of turn"),
        (replace(PARTS, street=7), "street: "),
        (replace(PARTS, seats=PARTS.seats[:1]), "stacks: "),
        (replace(PARTS, aggressor=0), "aggressor: seat 0 has not bet"),
        (replace(PARTS, aggressor=-1), "raise_count: "),
        (replace(PARTS, full_raise=50), "full_raise: "),
        (replace(PARTS, action_count=0), "action_count: "),
        (replace(PARTS, action_count=2**31 - 1), "action_count: "),
        (replace(PARTS, full_raise=10**14), "full_raise: nobody can have raised by"),
        (
            with_seat(PARTS, 1, level=-1),
            r"seats\[1\].level: it says that the seat has not acted, but the seat has bet 200",
        ),
        (with_seat(PARTS, 1, folded=1), "aggressor: seat 1 made the bet"),
        (with_seat(PARTS, 0, level=150), r"seats\[0\].level: it acted on a bet of 150, but its own is 0"),
        (replace(PARTS, variant=fixed_limit(100, ante=0)), "full_raise|bet: "),
        (
            Parts(
                variant=no_limit(50, 100),
                street=0,
                board=(),
                seats=[SeatParts(stack=1000, bet=0, paid=0, folded=False, level=-1)] * 2,
                pot=0,
                bet=100,
                full_raise=100,
                actor=1,
            ),
            r"seats\[0\].paid: chips do not add up: its blind of 100 is not posted",
        ),
        (
            Parts(
                variant=no_limit(50, 100),
                street=1,
                board=PARTS.board,
                seats=[SeatParts(stack=900, bet=0, paid=5, folded=False, level=-1)] * 2,
                pot=10,
                full_raise=100,
                actor=0,
            ),
            r"seats\[0\].paid: chips do not add up: its blind of 100 is not posted",
        ),
        (with_seat(PARTS, 0, stack=-1), r"seats\[0\].stack: must be from 0"),
        (with_seat(PARTS, 1, paid=100), r"seats\[1\].bet: chips do not add up"),
        (replace(with_seat(PARTS, 0, paid=90), pot=490), r"seats\[0\].paid: chips do not add up: 90 paid before"),
        (with_seat(PARTS, 0, level=200, bet=200, paid=300), "pot: chips do not add up"),
        (replace(with_seat(PARTS, 0, level=200, bet=200, paid=300), pot=700), r"acted out of turn|level"),
        (with_seat(PARTS, 0, level=999), r"seats\[0\].level: "),
    ],
)
def test_what_is_impossible_is_named(parts: Parts, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        assemble(parts)


def test_a_spot_without_a_history() -> None:
    """Clients may ask about any possible spot, such as a river with a pot of 200 and 900 behind."""
    state = start(no_limit(50, 100), [1000, 1000]).play(0).play(0)
    for board in ("2c3d4h", "5s", "6c"):
        state = state.deal(parse_cards(board))
        if board != "6c":
            state = state.play(0).play(0)
    assert assemble(parts_of(state)).raise_limits == (100, 900)
