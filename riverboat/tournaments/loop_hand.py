"""One hand of the compiled loop: seats, cards, decisions and payoffs at one table."""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import inlined
from riverboat.equity.effective_strength import StrengthTables, table_strength
from riverboat.equity.river_strength import rolled_strength
from riverboat.equity.sampler import advance, below, mixed, next_unit
from riverboat.features.tournament_inputs import (
    CALLS_MADE,
    ENTERED,
    FIRST_MODEL,
    FOLDS_MADE,
    HANDS,
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
from riverboat.policies.evolved_nets import drawn_action, write_chances
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
from riverboat.tournaments.loop_arrays import (
    CHIPS_LOST,
    CHIPS_WON,
    HANDS_LOST,
    HANDS_WON,
    HAS_ENTERED,
    HAS_RAISED,
    LoopRules,
    Scratch,
)
from riverboat.tournaments.seating import EMPTY, next_chair

I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

_ALWAYS_FOLD, _ALWAYS_CALL, _ALWAYS_RAISE, _RANDOM = (
    int(kind) for kind in (PolicyKind.ALWAYS_FOLD, PolicyKind.ALWAYS_CALL, PolicyKind.ALWAYS_RAISE, PolicyKind.RANDOM)
)
_FOLDS, _RAISES, _CALLS = 0.25, 0.30, 0.44  # of the random player; otherwise all-in
_BOARD = 5
TABLE_STEP, ROUND_STEP = np.uint64(0xD1342543DE82EF95), np.uint64(0x9FB21C651E98DF25)  # of the deals' seed


@inlined
def sit_down(own: Scratch, table: int) -> int:
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
def shuffle(own: Scratch, seed: np.uint64, table: int, turn: int) -> None:
    """Deal five board cards and two cards for every chair: a function of seed, table and round."""
    deck = own.deck
    for card in range(52):
        deck[card] = card
    random = mixed(mixed(seed + np.uint64(table + 1) * TABLE_STEP) + np.uint64(turn) * ROUND_STEP)
    for i in range(_BOARD + 2 * own.seats.shape[1]):
        random = advance(random)
        j = i + np.int64(below(mixed(random), np.uint64(52 - i)))
        deck[i], deck[j] = deck[j], deck[i]


@inlined
def play_hand(
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
        sums[entrant, ENTERED] += own.flags[seat, HAS_ENTERED]
        sums[entrant, RAISED_PREFLOP] += own.flags[seat, HAS_RAISED]
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
        flags[seat, HAS_ENTERED] = 1
        if raised:
            flags[seat, HAS_RAISED] = 1


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
    chance = next_unit(random)
    if chance < _FOLDS:
        return FOLD if state[TO_CALL] > 0 else CALL
    if state[HIGH] == 0 or _FOLDS + _RAISES <= chance < _FOLDS + _RAISES + _CALLS:
        return CALL
    low, high = state[LOW], state[HIGH]
    if chance >= _FOLDS + _RAISES + _CALLS:
        return int(high)
    return nearest_raise(betting, state, int(low * (high / low) ** next_unit(random)))


@inlined
def _net_action(
    rules: LoopRules, field: Field, tables: StrengthTables, betting: I64, state: I64, level: int, left: int, sums: I64,
    own: Scratch,
) -> int:  # fmt: skip
    """Return the action that the actor's net draws."""
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
