"""One hand's betting as compiled functions on a small array of integers. Every rule of betting is here, once.

An action is an integer: FOLD, CALL (also a check), or the total on this street to raise to (also a bet).
`legal` returns whether an action may be played; `play` does not check.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat import actions
from riverboat.compiled.kernels import kernel
from riverboat.rules.bet_sizes import POT_SHARES, Unit
from riverboat.rules.variant import (
    ALL_IN,
    ANTES,
    BLINDS,
    DEAD_ANTES,
    FIRST_SEAT,
    FREE_FOLDS,
    OPENING_BET,
    POT_CAP,
    RAISE_CAPS,
    RULES_HEAD,
    SEAT_BLOCKS,
    SEAT_COUNT,
    SIZES,
    STREET_BETS,
    STREET_COUNT,
    STRUCTURE,
    Structure,
)

I64 = NDArray[np.int64]

FOLD, CALL = actions.FOLD, actions.CALL

# Phases: a seat is to act, board cards are to be dealt, all but one seat have folded, or hands are compared.
ACT, CHANCE, FOLDED, SHOWDOWN = range(4)

# Indices into the array. LOW and HIGH limit the actor's raise; HIGH is 0 if the actor may not raise.
STREET, ACTOR, PHASE, BET, FULL_RAISE, RAISES, POT, TO_CALL, LOW, HIGH, AGGRESSOR, ACTIONS = range(12)
# Then six blocks with one number per seat: the stack, the bet on this street, chips paid in the hand that others must
# match, 1 if folded, BET when the seat last acted on this street (-1 before that), and dead chips paid.
HEAD, BLOCKS = 12, 6
STACKS, BETS, PAID, OUT, LEVELS, DEAD = range(BLOCKS)

_POT_LIMIT, _FIXED_LIMIT = int(Structure.POT_LIMIT), int(Structure.FIXED_LIMIT)
_POT_UNIT, _ALL_IN_UNIT = int(Unit.POT), int(Unit.ALL_IN)


def state_size(player_count: int) -> int:
    """Return the length of a hand's array."""
    return HEAD + BLOCKS * player_count


@kernel
def _street_place(rules: I64, block: int, street: int) -> int:
    """Return the index into the rules of a street's number in `block`: STREET_BETS or RAISE_CAPS."""
    return int(RULES_HEAD + SEAT_BLOCKS * rules[SEAT_COUNT] + block * rules[STREET_COUNT] + street)


@kernel
def start_hand(rules: I64, stacks: I64, state: I64) -> None:
    """Post antes and blinds, as far as each stack allows, and give the turn to the first seat to act."""
    count = rules[SEAT_COUNT]
    state[:] = 0
    state[BET], state[FULL_RAISE] = rules[OPENING_BET], rules[_street_place(rules, STREET_BETS, 0)]
    state[AGGRESSOR] = -1
    for seat in range(count):
        at = HEAD + seat
        ante = min(stacks[seat], rules[RULES_HEAD + ANTES * count + seat])
        blind = min(stacks[seat] - ante, rules[RULES_HEAD + BLINDS * count + seat])
        state[at + STACKS * count] = stacks[seat] - ante - blind
        state[at + BETS * count] = blind
        state[at + PAID * count] = blind + (0 if rules[DEAD_ANTES] else ante)
        state[at + DEAD * count] = ante if rules[DEAD_ANTES] else 0
        state[at + LEVELS * count] = -1
        state[POT] += ante + blind
    set_turn(rules, state, rules[FIRST_SEAT])


@kernel
def play(rules: I64, state: I64, action: int) -> None:
    """Let the actor fold, call or raise to `action`, which must be legal."""
    count, seat = rules[SEAT_COUNT], state[ACTOR]
    at = HEAD + seat
    if action == FOLD:
        state[at + OUT * count] = 1
    else:
        to = state[at + BETS * count] + state[TO_CALL] if action == CALL else action
        if action > CALL:
            by = to - state[BET]
            # An all-in below a full raise does not change the size of a full raise.
            if by >= state[FULL_RAISE] and rules[STRUCTURE] != _FIXED_LIMIT:
                state[FULL_RAISE] = by
            state[BET] = to
            state[RAISES] += 1
            state[AGGRESSOR] = seat
        paid = to - state[at + BETS * count]
        state[at + STACKS * count] -= paid
        state[at + BETS * count] = to
        state[at + PAID * count] += paid
        state[POT] += paid
        state[at + LEVELS * count] = state[BET]
    state[ACTIONS] += 1
    set_turn(rules, state, seat + 1)


@kernel
def next_street(rules: I64, state: I64) -> None:
    """Begin the next street's betting, after its board cards were dealt."""
    count = rules[SEAT_COUNT]
    state[STREET] += 1
    state[BET], state[RAISES], state[ACTIONS] = 0, 0, 0
    state[FULL_RAISE] = rules[_street_place(rules, STREET_BETS, state[STREET])]
    state[AGGRESSOR] = -1
    for seat in range(count):
        state[HEAD + BETS * count + seat] = 0
        state[HEAD + LEVELS * count + seat] = -1
    set_turn(rules, state, 0)


@kernel
def set_turn(rules: I64, state: I64, seat: int) -> None:
    """Give the turn to the first seat from `seat` on that has to act; if none has, set the next phase."""
    count = rules[SEAT_COUNT]
    state[ACTOR], state[TO_CALL], state[LOW], state[HIGH] = -1, 0, 0, 0
    live = 0
    for other in range(count):
        live += 1 - state[HEAD + OUT * count + other]
    if live == 1:
        state[PHASE] = FOLDED
        return
    for step in range(count):
        actor = (seat + step) % count
        if _has_to_act(rules, state, actor):
            state[PHASE], state[ACTOR] = ACT, actor
            _set_limits(rules, state)
            return
    state[PHASE] = SHOWDOWN if state[STREET] == rules[STREET_COUNT] - 1 else CHANCE


@kernel
def _has_to_act(rules: I64, state: I64, seat: int) -> bool:
    """Return whether a seat has a decision left on this street."""
    count = rules[SEAT_COUNT]
    at = HEAD + seat
    if state[at + OUT * count] or state[at + STACKS * count] == 0:
        return False
    bet = state[at + BETS * count]
    others_can, most, reach = False, 0, 0  # of the other seats: the largest bet, and the largest possible
    for other in range(count):
        if other != seat and not state[HEAD + OUT * count + other]:
            stack, theirs = state[HEAD + STACKS * count + other], state[HEAD + BETS * count + other]
            others_can |= stack > 0
            most = max(most, theirs)
            reach = max(reach, stack + theirs)
    if not others_can:
        return bool(bet < most)  # all others are all-in: only a bet may be left to call
    if bet < state[BET]:
        return True
    # A seat with a blind or a post has its option only if somebody else could call a raise.
    return bool(state[at + LEVELS * count] < 0 and reach > state[BET])


@kernel
def _set_limits(rules: I64, state: I64) -> None:
    """Set the chips that the actor owes, and the limits within which it may raise."""
    count, seat = rules[SEAT_COUNT], state[ACTOR]
    at = HEAD + seat
    stack, bet, level = state[at + STACKS * count], state[at + BETS * count], state[at + LEVELS * count]
    owed = max(0, state[BET] - bet)
    state[TO_CALL] = min(stack, owed)
    cap = rules[_street_place(rules, RAISE_CAPS, state[STREET])]
    if stack <= owed or (cap > 0 and state[RAISES] >= cap):
        return
    if level >= 0 and state[BET] - level < state[FULL_RAISE]:
        return  # it has acted, and the bet has since grown by less than a full raise
    answer = False
    for other in range(count):
        if other != seat and not state[HEAD + OUT * count + other]:
            answer |= state[HEAD + STACKS * count + other] + state[HEAD + BETS * count + other] > state[BET]
    if not answer:
        return  # nobody else could call a raise
    everything = stack + bet
    low = state[BET] + state[FULL_RAISE]
    if rules[STRUCTURE] == _FIXED_LIMIT:
        high = low
    elif rules[STRUCTURE] == _POT_LIMIT:
        high = max(low, state[BET] + owed + state[POT])
    else:
        high = everything
    if rules[POT_CAP] > 0:
        high = min(high, bet + rules[POT_CAP] - state[POT])
        if high < min(low, everything):
            return
    low, high = min(low, everything), min(high, everything)
    if not rules[ALL_IN] and high == everything:
        high -= 1
    if low <= high:
        if rules[SIZES] > 0:
            low, high = _sized_limits(rules, state, low, high)
        state[LOW], state[HIGH] = low, high


@kernel
def _sizes_of_actor(sizes: I64, part_count: int, state: I64) -> tuple[int, int, int, int]:
    """Return the places of the actor's first size, of the size after its last, of the first unit and the first value.

    The layout of the array is that of bet_sizes.py.
    """
    part = 2 * state[STREET] + (state[BET] > 0)
    units = part_count + 1
    return sizes[part], sizes[part + 1], units, units + sizes[part_count]


@kernel
def _size_to(state: I64, unit: int, value: int, low: int, high: int) -> int:
    """Return the street total of a raise of this size, moved into the limits."""
    by = float(value)
    if unit == _POT_UNIT:
        by = value / POT_SHARES * (state[POT] + state[TO_CALL])
    if unit == _ALL_IN_UNIT or by >= high:  # returned before rounding: a larger one may not fit into an integer
        return high
    return int(min(high, max(low, state[BET] + np.int64(by + 0.5))))


@kernel
def _sized_limits(rules: I64, state: I64, low: int, high: int) -> tuple[int, int]:
    """Return the smallest and the largest raise among the sizes of the game; zeros if this street has none."""
    sizes = rules[rules[SIZES] :]
    first, last, units, values = _sizes_of_actor(sizes, 2 * rules[STREET_COUNT], state)
    least, most = 0, 0
    for i in range(first, last):
        to = _size_to(state, sizes[units + i], sizes[values + i], low, high)
        least = to if i == first else min(least, to)
        most = max(most, to)
    return least, most


@kernel
def nearest_raise(rules: I64, state: I64, to: int) -> int:
    """Return the legal raise nearest to `to`, the smaller of two; the actor must be able to raise."""
    low, high = state[LOW], state[HIGH]
    wanted = min(high, max(low, to))
    if rules[SIZES] == 0:
        return int(wanted)
    sizes = rules[rules[SIZES] :]
    first, last, units, values = _sizes_of_actor(sizes, 2 * rules[STREET_COUNT], state)
    nearest = low
    for i in range(first, last):
        # LOW and HIGH are the smallest and largest of these raises, so moving a size between them changes none.
        size = _size_to(state, sizes[units + i], sizes[values + i], low, high)
        far, best = abs(size - wanted), abs(nearest - wanted)
        if far < best or (far == best and size < nearest):
            nearest = size
    return int(nearest)


@kernel
def raise_by_size(rules: I64, state: I64, sizes: I64, number: int) -> int:
    """Return the street total of the actor's raise by size `number` of its list; 0 if it has none.

    If the game allows only some sizes, it is the nearest legal raise.
    """
    first, last, units, values = _sizes_of_actor(sizes, 2 * rules[STREET_COUNT], state)
    i = first + number
    if state[HIGH] == 0 or i >= last:
        return 0
    return nearest_raise(rules, state, _size_to(state, sizes[units + i], sizes[values + i], state[LOW], state[HIGH]))


@kernel
def write_raises(rules: I64, state: I64, sizes: I64, out: I64) -> int:
    """Write the street totals of the actor's raises by these sizes to `out`, ascending; return how many there are.

    If the game allows only some sizes, each raise becomes the nearest legal one.
    """
    if state[HIGH] == 0:
        return 0
    count, number = 0, 0
    while True:
        to = raise_by_size(rules, state, sizes, number)
        if to == 0:
            return count
        number += 1
        place = 0
        while place < count and out[place] < to:
            place += 1
        if place == count or out[place] != to:
            for j in range(count, place, -1):
                out[j] = out[j - 1]
            out[place] = to
            count += 1


@kernel
def play_on(rules: I64, state: I64, action: int) -> int:
    """Play an action and begin streets until a seat has to act; return the street, or -1 if the action is illegal."""
    if not legal(rules, state, action):
        return -1
    play(rules, state, action)
    deal_on(rules, state)
    return int(state[STREET])


@kernel
def deal_on(rules: I64, state: I64) -> None:
    """Begin streets until a seat has to act or the hand is over."""
    while state[PHASE] == CHANCE:
        next_street(rules, state)


@kernel
def legal(rules: I64, state: I64, action: int) -> bool:
    """Return whether the actor may play `action`."""
    if state[PHASE] != ACT or action < FOLD:
        return False
    if action == FOLD:
        return bool(state[TO_CALL] > 0 or rules[FREE_FOLDS])
    if action == CALL:
        return True
    if not state[LOW] <= action <= state[HIGH]:
        return False
    return bool(rules[SIZES] == 0 or nearest_raise(rules, state, action) == action)
