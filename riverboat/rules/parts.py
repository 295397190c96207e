"""A public state from its parts, as another program describes them; impossible states are refused.

The error names what is impossible: chips that do not add up, a board that does not fit its street, a seat that acts out
of turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from riverboat.cards import check_cards
from riverboat.errors import InvalidInput, in_field
from riverboat.rules.betting import ACTIONS, AGGRESSOR, BET, FULL_RAISE, HEAD, POT, RAISES, STREET, set_turn, state_size
from riverboat.rules.public_state import PublicState
from riverboat.rules.variant import FIRST_SEAT, MOST_CHIPS, OPENING_BET, Structure, Variant, rules_array


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatParts:
    """One seat's part of a public state."""

    stack: int
    bet: int
    paid: int
    folded: bool
    level: int  # the bet that the seat faced or made when it last acted on this street; -1 if it has not acted
    dead: int = 0  # chips paid that nobody has to match


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A public state as another program describes it."""

    variant: Variant
    street: int
    board: Sequence[int]
    seats: Sequence[SeatParts]
    pot: int
    bet: int = 0
    full_raise: int
    raise_count: int = 0
    action_count: int = 0
    aggressor: int = -1  # -1 if nobody bet or raised on this street
    actor: int  # -1 if nobody is to act


def assemble(parts: Parts) -> PublicState:
    """Return the state that the parts describe."""
    variant, seats = parts.variant, parts.seats
    rules = rules_array(variant, len(seats))
    if not 0 <= parts.street < len(variant.streets):
        raise InvalidInput("street", f"{variant.name} has streets 0 to {len(variant.streets) - 1}, not {parts.street}")
    _check_board(parts)
    for i, seat in enumerate(seats):
        with in_field(f"seats[{i}]"):
            _check_seat(seat)
    _check_chips(parts, int(rules[OPENING_BET]))
    _check_raises(parts, int(rules[OPENING_BET]))
    for i, seat in enumerate(seats):
        with in_field(f"seats[{i}]"):
            _check_acts(parts, i, seat, int(rules[OPENING_BET]))
    flat = np.zeros(state_size(len(seats)), np.int64)
    flat[STREET], flat[BET], flat[FULL_RAISE], flat[RAISES] = (
        parts.street,
        parts.bet,
        parts.full_raise,
        parts.raise_count,
    )
    flat[POT], flat[AGGRESSOR], flat[ACTIONS] = parts.pot, parts.aggressor, parts.action_count
    flat[HEAD:] = np.array([(s.stack, s.bet, s.paid, s.folded, s.level, s.dead) for s in seats], np.int64).T.reshape(-1)
    first = int(rules[FIRST_SEAT]) if parts.street == 0 else 0
    set_turn(rules, flat, parts.aggressor + 1 if parts.aggressor >= 0 else first)
    flat.setflags(write=False)
    public = PublicState(variant, rules, flat, tuple(parts.board))
    actor = -1 if public.actor is None else public.actor
    if parts.actor != actor:
        turn = f"it is seat {actor}'s turn" if actor >= 0 else "nobody is to act"
        raise InvalidInput("actor", f"seat {parts.actor} would act out of turn: {turn}")
    _check_levels(parts, first)
    return public


def _check_board(parts: Parts) -> None:
    with in_field("board"):
        size = parts.variant.board_sizes[parts.street]
        if len(parts.board) != size:
            raise InvalidInput("", f"street {parts.street} has {size} board cards, not {len(parts.board)}")
        check_cards(parts.variant.deck, parts.board)


def _check_seat(seat: SeatParts) -> None:
    for name in ("stack", "bet", "paid", "dead"):
        chips = getattr(seat, name)
        if not 0 <= chips <= MOST_CHIPS:
            raise InvalidInput(name, f"must be from 0 to {MOST_CHIPS:,} chips, not {chips:,}")
    if seat.bet > seat.paid:
        raise InvalidInput(
            "bet", f"chips do not add up: a bet of {seat.bet} on this street, but {seat.paid} paid in all"
        )
    if seat.stack + seat.paid + seat.dead == 0:
        raise InvalidInput("stack", "a seat without any chips cannot be in a hand")


def _check_chips(parts: Parts, opening_bet: int) -> None:
    seats = parts.seats
    paid = sum(seat.paid + seat.dead for seat in seats)
    if parts.pot != paid:
        raise InvalidInput("pot", f"chips do not add up: the pot is {parts.pot}, but the seats have paid {paid}")
    if sum(seat.stack + seat.paid + seat.dead for seat in seats) > MOST_CHIPS:
        raise InvalidInput("seats", f"all chips together must be at most {MOST_CHIPS:,}")
    if all(seat.folded for seat in seats):
        raise InvalidInput("seats", "not all of them can have folded")
    most = max(seat.bet for seat in seats)
    bet = max(most, opening_bet) if parts.street == 0 else most
    if parts.bet != bet:
        raise InvalidInput("bet", f"chips do not add up: the largest bet on this street is {bet}, not {parts.bet}")
    for i, before, due in _paid_before(parts):
        if before != due and not (before < due and (seats[i].folded or seats[i].stack == seats[i].bet == 0)):
            raise InvalidInput(
                f"seats[{i}].paid", f"chips do not add up: {before} paid before this street, where {due} are due"
            )


def _paid_before(parts: Parts) -> Iterator[tuple[int, int, int]]:
    """Yield for each seat the chips paid before this street, and the chips due if it is still in with chips left."""
    count = len(parts.seats)
    antes = [
        min(parts.variant.ante_of(i, count), seat.stack + seat.paid + seat.dead) for i, seat in enumerate(parts.seats)
    ]
    if len(parts.variant.antes) > 1:
        for i, seat in enumerate(parts.seats):
            if seat.dead != antes[i]:
                raise InvalidInput(f"seats[{i}].dead", f"chips do not add up: its ante is {antes[i]}, not {seat.dead}")
        antes = [0] * count
    elif any(seat.dead for seat in parts.seats):
        raise InvalidInput("seats", "only antes that are given by seat are dead chips")
    before = [seat.paid - seat.bet for seat in parts.seats]
    if parts.street == 0:
        yield from ((i, before[i], antes[i]) for i in range(count))
    else:
        matched = max(b - a for a, b in zip(antes, before, strict=True))
        yield from ((i, before[i], antes[i] + matched) for i in range(count))


def _check_raises(parts: Parts, opening_bet: int) -> None:
    street = parts.variant.streets[parts.street]
    count = len(parts.seats)
    if not -1 <= parts.aggressor < count or not -1 <= parts.actor < count:
        raise InvalidInput("actor", f"seats are 0 to {count - 1}, or -1 for nobody")
    if parts.raise_count < 0 or (parts.raise_count > 0) != (parts.aggressor >= 0):
        raise InvalidInput("raise_count", "must be 0 without an aggressor, and above 0 with one")
    if street.raise_cap and parts.raise_count > street.raise_cap:
        raise InvalidInput("raise_count", f"{parts.raise_count} are beyond the cap of {street.raise_cap}")
    if parts.aggressor >= 0 and parts.seats[parts.aggressor].bet != parts.bet:
        raise InvalidInput("aggressor", f"seat {parts.aggressor} has not bet the {parts.bet} that are to be called")
    most = (parts.raise_count + 1) * count
    if not parts.raise_count <= parts.action_count <= most:
        raise InvalidInput("action_count", f"must be {parts.raise_count} to {most} with {parts.raise_count} raises")
    _check_sizes(parts, street.bet, opening_bet if parts.street == 0 else 0)


def _check_sizes(parts: Parts, smallest: int, base: int) -> None:
    """Raise unless the bet can have come from `base` by raises that the structure allows."""
    raised = parts.bet - base
    fixed = parts.variant.structure is Structure.FIXED_LIMIT
    if parts.full_raise < smallest or ((fixed or raised < smallest) and parts.full_raise != smallest):
        raise InvalidInput("full_raise", f"must be {smallest} until somebody raises by more, not {parts.full_raise}")
    if parts.full_raise > max(raised, smallest):
        raise InvalidInput("full_raise", f"nobody can have raised by {parts.full_raise}: the bet is {parts.bet}")
    if parts.aggressor < 0:
        return
    aggressor = parts.seats[parts.aggressor]
    if aggressor.folded:
        raise InvalidInput("aggressor", f"seat {parts.aggressor} made the bet that is to be called: it has not folded")
    if aggressor.stack and raised < smallest:
        raise InvalidInput("bet", f"a bet or raise by {raised} is below {smallest}, and not all-in")
    nobody_short = all(seat.stack or not seat.bet for seat in parts.seats)
    if fixed and nobody_short and raised != parts.raise_count * smallest:
        raise InvalidInput("bet", f"{parts.raise_count} raises by {smallest} do not make {raised}")
    if parts.variant.structure is Structure.POT_LIMIT and parts.raise_count == 1:
        others = parts.pot - aggressor.bet  # an upper bound of the pot before the bet
        if parts.bet > max(base + smallest, 2 * base + others):
            raise InvalidInput("bet", f"{parts.bet} is more than the pot")


def _check_acts(parts: Parts, place: int, seat: SeatParts, opening_bet: int) -> None:
    """Raise unless a seat has posted its blind, and its bet is the one it acted on."""
    count, start = len(parts.seats), seat.stack + seat.paid + seat.dead
    ante = min(parts.variant.ante_of(place, count), start)
    blind = min(parts.variant.blind_of(place, count), start - ante)
    first_street = seat.bet if parts.street == 0 else seat.paid - (0 if seat.dead else ante) - seat.bet
    if first_street < blind:
        raise InvalidInput("paid", f"chips do not add up: its blind of {blind} is not posted")
    others = (other for i, other in enumerate(parts.seats) if i != place and not other.folded)
    able = seat.stack and not seat.folded and any(other.stack for other in others)
    if parts.street and able and first_street < opening_bet:
        raise InvalidInput("paid", f"chips do not add up: it came here without calling the {opening_bet} of the blinds")
    posted = blind if parts.street == 0 else 0
    if seat.level < 0 and seat.bet > posted:
        raise InvalidInput("level", f"it says that the seat has not acted, but the seat has bet {seat.bet}")
    if seat.level >= 0 and seat.bet != seat.level and not (seat.stack == 0 and seat.bet < seat.level):
        raise InvalidInput("level", f"it acted on a bet of {seat.level}, but its own is {seat.bet}")


def _check_levels(parts: Parts, first: int) -> None:
    """Raise unless seats before the actor have acted on the bet, and seats after it have not."""
    count = len(parts.seats)
    begin = parts.aggressor if parts.aggressor >= 0 else first
    come = True  # still before the actor
    for step in range(count):
        i = (begin + step) % count
        seat = parts.seats[i]
        come &= i != parts.actor
        if not -1 <= seat.level <= parts.bet:
            raise InvalidInput(f"seats[{i}].level", f"must be from -1 to the bet of {parts.bet}, not {seat.level}")
        if seat.folded or seat.stack == 0:
            continue
        if not come and parts.actor >= 0 and seat.level == parts.bet and seat.bet == parts.bet:
            raise InvalidInput(f"seats[{i}].level", f"seat {i} has acted out of turn: seat {parts.actor} comes first")
