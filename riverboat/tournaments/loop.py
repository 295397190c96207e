"""The compiled loop: whole tournaments from the draw to the winner, without Python.

All tables play hand for hand: a round is one hand at every table. Everything random comes from two seeds. Deals
depend on the first one, the table and the round only, and cards belong to chairs, so that the same deals can be played
again by other players; decisions depend on the second one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import inlined, kernel
from riverboat.equity.effective import StrengthTables, table_strength
from riverboat.equity.river_strength import rolled_strength
from riverboat.equity.sampler import advance, below, mixed
from riverboat.features.tournament_inputs import (
    CALLS_MADE,
    ENTERED,
    FIRST_MODEL,
    FOLDS_MADE,
    HANDS,
    MODEL_INPUTS,
    MODEL_SIZE,
    OPPONENT_CHAIRS,
    PLAIN_INPUTS,
    RAISED_PREFLOP,
    RAISES_MADE,
    UNKNOWN,
    opponents_in,
    scaled_chips,
    write_model,
    write_situation,
    write_stacks,
)
from riverboat.policies.evolved_nets import MOST_HIDDEN, OUTPUTS, drawn_action, uniform, write_chances
from riverboat.rules.betting import (
    ACT,
    ACTOR,
    BET,
    BLOCKS,
    CALL,
    FOLD,
    FOLDED,
    HEAD,
    HIGH,
    LOW,
    OUT,
    PHASE,
    POT,
    STACKS,
    STREET,
    TO_CALL,
    nearest_raise,
    next_street,
    play,
    start_hand,
)
from riverboat.rules.pots import write_payoffs
from riverboat.strength.single_hand import strength_of_seven
from riverboat.tournaments.field import Field, PolicyKind
from riverboat.tournaments.seating import EMPTY, NO_BUTTON, move_from_table, next_chair, seat_in_order

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]

_ALWAYS_FOLD, _ALWAYS_CALL, _ALWAYS_RAISE, _RANDOM = (
    int(kind) for kind in (PolicyKind.ALWAYS_FOLD, PolicyKind.ALWAYS_CALL, PolicyKind.ALWAYS_RAISE, PolicyKind.RANDOM)
)
_FOLDS, _RAISES, _CALLS = 0.25, 0.30, 0.44  # of the random player; otherwise all-in
_BOARD = 5
_TABLE_STEP, _ROUND_STEP = np.uint64(0xD1342543DE82EF95), np.uint64(0x9FB21C651E98DF25)

# Sums over tournaments for each entrant, besides what `tournament_inputs` counts.
HANDS_WON, HANDS_LOST, CHIPS_WON, CHIPS_LOST = range(6, 10)
SUM_SIZE = 10


class LoopRules(NamedTuple):
    """A structure as the loop reads it."""

    entrant_count: int
    starting_chips: int
    level_hands: int
    big_blinds: I64  # [levels]
    rules: I64  # [levels, players at a table + 1, longest]: the betting rules' arrays
    seats: I64  # [tables, chairs], any content: its shape is the tables'
    rollouts: int  # rollouts for a strength; 0 to look it up


class Scratch(NamedTuple):
    """Arrays that the loop writes to and nobody reads afterwards."""

    seats: I64
    buttons: I64
    stacks: I64  # [E]
    before: I64  # [E], chips at the start of the round
    state: I64
    hand_stacks: I64
    payoffs: I64
    entrants: I64  # [chairs], of the hand by seat
    chairs: I64
    deck: I64
    inputs: F64
    hidden: F64
    chances: F64
    scaled: F64  # [chairs], stacks as nets read them
    known: F64  # [chairs, 4 streets, opponents]: strengths that were asked for in this hand; negative if not yet
    flags: I64  # [chairs, 2]: whether a seat has entered the pot, has raised before the flop
    busted: I64
    lots: U64
    moves: I64
    deal: U64
    random: U64


def scratch_of(rules: LoopRules) -> Scratch:
    """Return scratch for tournaments of a structure."""
    table_count, chair_count = rules.seats.shape
    entrants = rules.entrant_count
    return Scratch(
        seats=np.full((table_count, chair_count), EMPTY, np.int64),
        buttons=np.zeros(table_count, np.int64),
        stacks=np.zeros(entrants, np.int64),
        before=np.zeros(entrants, np.int64),
        state=np.zeros(HEAD + BLOCKS * chair_count, np.int64),
        hand_stacks=np.zeros(chair_count, np.int64),
        payoffs=np.zeros(chair_count, np.int64),
        entrants=np.zeros(chair_count, np.int64),
        chairs=np.zeros(chair_count, np.int64),
        deck=np.zeros(52, np.int64),
        inputs=np.zeros(MODEL_INPUTS),
        hidden=np.zeros(MOST_HIDDEN),
        chances=np.zeros(OUTPUTS),
        scaled=np.zeros(chair_count),
        known=np.zeros((chair_count, 4, chair_count)),
        flags=np.zeros((chair_count, 2), np.int64),
        busted=np.zeros((entrants, 3), np.int64),
        lots=np.zeros(chair_count, np.uint64),
        moves=np.zeros((chair_count, 3), np.int64),
        deal=np.zeros(1, np.uint64),
        random=np.zeros(1, np.uint64),
    )


@kernel
def play_tournament(
    rules: LoopRules, field: Field, tables: StrengthTables, seeds: U64, shift: int, sums: I64, ranks: I64, own: Scratch
) -> int:
    """Play one tournament; write every entrant's rank to ranks [E], add to sums [E, SUM_SIZE]; return the hands played.

    seeds [2] are of the deals and of the decisions. The draw is turned by `shift` places.
    """
    entrants = rules.entrant_count
    own.random[0] = seeds[1]
    _draw_seats(rules, seeds[0], shift, own)
    own.stacks[:], own.buttons[:] = rules.starting_chips, NO_BUTTON
    ranks[:] = 0
    left, hands, turn = entrants, 0, 0
    while left > 1:
        level = min(turn // rules.level_hands, rules.big_blinds.size - 1)
        own.before[:] = own.stacks
        for table in range(own.seats.shape[0]):
            count = _sit_down(own, table)
            if count < 2:
                continue
            _shuffle(own, seeds[0], table, turn)
            _play_hand(rules, field, tables, level, count, left, sums, own)
            hands += 1
        turn += 1
        out = _rank_busted(own, left, ranks)
        if out > 0:
            left -= out
            _rebalance(own, seeds[0], turn)
    for entrant in range(entrants):
        if ranks[entrant] == 0:
            ranks[entrant] = 1
    return hands


@kernel
def _draw_seats(rules: LoopRules, seed: np.uint64, shift: int, own: Scratch) -> None:
    """Shuffle the entrants, turn their order by `shift` places and seat them."""
    entrants = rules.entrant_count
    order = own.before
    own.deal[0] = mixed(seed ^ _TABLE_STEP)
    for i in range(entrants):
        order[i] = i
    for i in range(entrants - 1):
        own.deal[0] = advance(own.deal[0])
        j = i + np.int64(below(mixed(own.deal[0]), np.uint64(entrants - i)))
        order[i], order[j] = order[j], order[i]
    turned = own.stacks
    for i in range(entrants):
        turned[i] = order[(i + shift) % entrants]
    seat_in_order(turned, own.seats)


@inlined
def _sit_down(own: Scratch, table: int) -> int:
    """Move the button of a table on and write its players by seat; return how many there are."""
    count, chair_count = 0, own.seats.shape[1]
    button = next_chair(own.seats, table, own.buttons[table])
    if button < 0:
        return 0
    own.buttons[table] = button
    for step in range(1, chair_count + 1):
        chair = (button + step) % chair_count
        entrant = own.seats[table, chair]
        if entrant != EMPTY:
            own.entrants[count], own.chairs[count] = entrant, chair
            own.hand_stacks[count] = own.stacks[entrant]
            count += 1
    return count


@inlined
def _shuffle(own: Scratch, seed: np.uint64, table: int, turn: int) -> None:
    """Deal five board cards and two cards for every chair: a function of seed, table and round."""
    deck = own.deck
    for card in range(52):
        deck[card] = card
    random = mixed(mixed(seed + np.uint64(table + 1) * _TABLE_STEP) + np.uint64(turn) * _ROUND_STEP)
    for i in range(_BOARD + 2 * own.seats.shape[1]):
        random = advance(random)
        j = i + np.int64(below(mixed(random), np.uint64(52 - i)))
        deck[i], deck[j] = deck[j], deck[i]


@inlined
def _play_hand(
    rules: LoopRules, field: Field, tables: StrengthTables, level: int, count: int, left: int, sums: I64, own: Scratch
) -> None:
    """Play one hand of the players in own.entrants; change their chips and add to their sums."""
    betting, state = rules.rules[level, count], own.state[: HEAD + BLOCKS * count]
    payoffs = own.payoffs[:count]
    own.known[:count], own.flags[:count] = -1.0, 0
    start_hand(betting, own.hand_stacks, state)
    with_nets, big_blind = field.net_count > 0, rules.big_blinds[level]
    if with_nets:
        write_stacks(betting, state, big_blind, own.scaled)
    while state[PHASE] < FOLDED:
        if state[PHASE] != ACT:
            next_street(betting, state)
            continue
        seat = state[ACTOR]
        entrant = own.entrants[seat]
        kind = field.kinds[entrant]
        if kind == _ALWAYS_FOLD:
            action = FOLD if state[TO_CALL] > 0 else CALL
        elif kind == _ALWAYS_CALL:
            action = CALL
        elif kind == _ALWAYS_RAISE:
            action = _pot_raise(betting, state, field.raise_pots)
        elif kind == _RANDOM:
            action = _random_action(betting, state, own.random)
        else:
            action = _net_action(rules, field, tables, betting, state, level, left, sums, own)
        _tally(state, action, entrant, seat, sums, own.flags)
        play(betting, state, action)
        if with_nets and action != FOLD:
            own.scaled[seat] = scaled_chips(state[HEAD + STACKS * count + seat], big_blind)
    if state[PHASE] != FOLDED:
        deck = own.deck
        for seat in range(count):
            first = _BOARD + 2 * own.chairs[seat]
            payoffs[seat] = 0
            if not state[HEAD + OUT * count + seat]:
                payoffs[seat] = strength_of_seven(
                    deck[first], deck[first + 1], deck[0], deck[1], deck[2], deck[3], deck[4]
                )
    else:
        payoffs[:] = 0  # nobody compares hands: the last player left wins with any strength
    write_payoffs(betting, state, payoffs)
    for seat in range(count):
        entrant = own.entrants[seat]
        own.stacks[entrant] += payoffs[seat]
        sums[entrant, HANDS] += 1
        sums[entrant, ENTERED] += own.flags[seat, 0]
        sums[entrant, RAISED_PREFLOP] += own.flags[seat, 1]
        if payoffs[seat] > 0:
            sums[entrant, HANDS_WON] += 1
            sums[entrant, CHIPS_WON] += payoffs[seat]
        elif payoffs[seat] < 0:
            sums[entrant, HANDS_LOST] += 1
            sums[entrant, CHIPS_LOST] -= payoffs[seat]


@inlined
def _tally(state: I64, action: int, entrant: int, seat: int, sums: I64, flags: I64) -> None:
    """Count an action before it is played; checks do not count."""
    if action == FOLD:
        sums[entrant, FOLDS_MADE] += 1
        return
    if action == CALL and state[TO_CALL] == 0:
        return
    raised = action != CALL
    sums[entrant, RAISES_MADE if raised else CALLS_MADE] += 1
    if state[STREET] == 0:
        flags[seat, 0] = 1
        if raised:
            flags[seat, 1] = 1


@inlined
def _pot_raise(betting: I64, state: I64, pots: float) -> int:
    """Return a raise by this many pots after a call, or the nearest legal one; CALL if none is legal."""
    if state[HIGH] == 0:
        return CALL
    by = pots * (state[POT] + state[TO_CALL])
    if by >= state[HIGH]:
        return int(state[HIGH])
    return nearest_raise(betting, state, state[BET] + np.int64(np.rint(by)))


@inlined
def _random_action(betting: I64, state: I64, random: U64) -> int:
    """Return an action of the agent `random`: the logarithm of its raises is uniform."""
    chance = uniform(random)
    if chance < _FOLDS:
        return FOLD if state[TO_CALL] > 0 else CALL
    if state[HIGH] == 0 or _FOLDS + _RAISES <= chance < _FOLDS + _RAISES + _CALLS:
        return CALL
    low, high = state[LOW], state[HIGH]
    if chance >= _FOLDS + _RAISES + _CALLS:
        return int(high)
    return nearest_raise(betting, state, int(low * (high / low) ** uniform(random)))


@inlined
def _net_action(
    rules: LoopRules, field: Field, tables: StrengthTables, betting: I64, state: I64, level: int, left: int, sums: I64,
    own: Scratch,
) -> int:  # fmt: skip
    """Return what the actor's net draws."""
    seat, count = state[ACTOR], betting[0]
    net = field.nets[own.entrants[seat]]
    opponents = opponents_in(betting, state)
    ehs = own.known[seat, state[STREET], opponents]
    if ehs < 0.0:
        deck = own.deck
        first = _BOARD + 2 * own.chairs[seat]
        size = 0 if state[STREET] == 0 else 2 + state[STREET]
        if rules.rollouts > 0 and size > 0:
            ehs = rolled_strength(
                deck[first], deck[first + 1], deck[:_BOARD], size, opponents, rules.rollouts, own.random
            )
        else:
            ehs = table_strength(tables, deck[first], deck[first + 1], deck[:_BOARD], size, opponents)
        own.known[seat, state[STREET], opponents] = ehs
    part = left / rules.entrant_count
    write_situation(betting, state, rules.big_blinds[level], part, ehs, own.scaled, own.inputs)
    if field.inputs[net] > PLAIN_INPUTS:
        for step in range(1, OPPONENT_CHAIRS + 1):
            start = FIRST_MODEL + MODEL_SIZE * (step - 1)
            if step < count:
                other = own.entrants[(seat + step) % count]
                write_model(sums[other], own.inputs[start : start + MODEL_SIZE])
            else:
                own.inputs[start : start + MODEL_SIZE] = UNKNOWN
    write_chances(field.genomes[net], field.inputs[net], field.hiddens[net], own.inputs, own.hidden, own.chances)
    return drawn_action(betting, state, own.chances, field.sizes[net], own.random)


@kernel
def _rank_busted(own: Scratch, left: int, ranks: I64) -> int:
    """Rank everybody who lost the last chip in this round and empty the chairs; return how many there are.

    More chips before the hand rank higher; of equal ones the lower table, then the first left of the button.
    """
    chair_count, out = own.seats.shape[1], 0
    for table in range(own.seats.shape[0]):
        for step in range(1, chair_count + 1):
            chair = (own.buttons[table] + step) % chair_count
            entrant = own.seats[table, chair]
            if entrant != EMPTY and own.stacks[entrant] == 0:
                own.seats[table, chair] = EMPTY
                place = out
                while place > 0 and own.busted[place - 1, 1] < own.before[entrant]:
                    own.busted[place] = own.busted[place - 1]
                    place -= 1
                own.busted[place, 0], own.busted[place, 1] = entrant, own.before[entrant]
                out += 1
    for place in range(out):
        ranks[own.busted[place, 0]] = left - out + place + 1
    return out


@kernel
def _rebalance(own: Scratch, seed: np.uint64, turn: int) -> None:
    """Break and balance tables until nobody moves any more."""
    own.deal[0] = mixed(seed - np.uint64(turn) * _ROUND_STEP)
    moved = 1
    while moved > 0:
        moved = 0
        for table in range(own.seats.shape[0] - 1, -1, -1):
            for i in range(own.lots.size):
                own.deal[0] = advance(own.deal[0])
                own.lots[i] = mixed(own.deal[0]) >> np.uint64(1)
            moved += move_from_table(own.seats, own.buttons, table, own.lots, own.moves)
