"""Parsed hands replayed by the rules, compiled: what is legal, who wins, and how much.

A hand gets a fault where the rules, the cards or the finishing stacks do not fit. The slow path (`history.hand`) then
says what is wrong, or why it is right after all.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.rake import rake_in
from riverboat.history.store.parsing import BOARD, BOARD_COUNT_SHIFT, MOVE, NO_CARD, SHOW
from riverboat.history.store.scanning import BAD, U8, UNKNOWN
from riverboat.rules.betting import (
    ACT,
    ACTOR,
    BET,
    BETS,
    BLOCKS,
    CALL,
    CHANCE,
    FOLDED,
    HEAD,
    LEVELS,
    OUT,
    PHASE,
    SHOWDOWN,
    STACKS,
    STREET,
    legal,
    next_street,
    play,
    start_hand,
)
from riverboat.rules.pots import write_payoffs
from riverboat.rules.variant import SEAT_COUNT
from riverboat.strength.single_hand import strength_of_seven

I64 = NDArray[np.int64]

FINE, FAULTY = range(2)
NOT_SHOWN, SHOWN, MUCKED = range(3)
NOT_KNOWN = -(2**62)  # chips won by a seat in a hand whose winner is not known


@kernel
def replay_hand(
    rules: I64, stacks: I64, finish: I64, holdings: U8, kinds: U8, seats: U8, values: I64, moves: I64, movers: U8,
    board: U8, shown: U8, won: I64,
) -> tuple[int, int, int]:  # fmt: skip
    """Replay the events of one hand; return FINE or FAULTY, the number of moves, and the rake.

    Writes moves and who makes them, the board [5], who shows [P], and chips won [P]: after rake where finishing stacks
    are given, and NOT_KNOWN if cards decide that are not known.
    """
    count = rules[SEAT_COUNT]
    state = np.empty(HEAD + BLOCKS * count, np.int64)
    used = np.uint64(0)
    for seat in range(count):
        for card in holdings[seat]:
            if card != NO_CARD:
                bit = np.uint64(1) << np.uint64(card)
                if used & bit:
                    return FAULTY, 0, 0
                used |= bit
    start_hand(rules, stacks, state)
    move_count, board_size = 0, 0
    for event in range(len(kinds)):
        seat, value = seats[event], values[event]
        if kinds[event] == MOVE:
            if value == CALL and _is_idle(state, count, seat):
                continue
            if state[PHASE] != ACT or state[ACTOR] != seat or not legal(rules, state, value):
                return FAULTY, 0, 0
            play(rules, state, value)
            moves[move_count], movers[move_count] = value, seat
            move_count += 1
        elif kinds[event] == BOARD:
            dealt = value >> BOARD_COUNT_SHIFT
            if state[PHASE] != CHANCE or dealt != (3 if state[STREET] == 0 else 1):
                return FAULTY, 0, 0
            for place in range(dealt):
                card = (value >> (6 * place)) & 63
                bit = np.uint64(1) << np.uint64(card)
                if used & bit:
                    return FAULTY, 0, 0
                used |= bit
                board[board_size] = card
                board_size += 1
            next_street(rules, state)
        else:
            if state[HEAD + OUT * count + seat]:
                return FAULTY, 0, 0
            shown[seat] = SHOWN if kinds[event] == SHOW else MUCKED
    if state[PHASE] < FOLDED:
        return FAULTY, 0, 0
    _write_won(rules, state, holdings, board, shown, won)
    rake = 0
    if finish[0] != BAD and won[0] != NOT_KNOWN:
        rake = rake_in(rules, state, stacks, won, finish, UNKNOWN)
        for seat in range(count):
            if rake > 0 and stacks[seat] != UNKNOWN and finish[seat] != UNKNOWN:
                won[seat] = finish[seat] - stacks[seat]
    return (FAULTY, 0, 0) if rake < 0 else (FINE, move_count, rake)


@kernel
def _is_idle(state: I64, count: int, seat: int) -> bool:
    """Return whether this would be a check where nobody could call a bet, which our rules do not ask for.

    It is by the only player with chips left, or by a newcomer who has posted more than anybody left can pay.
    """
    if state[PHASE] == ACT:
        at, reach = HEAD + seat, 0
        for other in range(count):
            if other != seat and not state[HEAD + OUT * count + other]:
                reach = max(reach, state[HEAD + STACKS * count + other] + state[HEAD + BETS * count + other])
        is_new = state[at + LEVELS * count] < 0 and state[at + STACKS * count] > 0 and not state[at + OUT * count]
        bet = state[at + BETS * count]
        return bool(state[ACTOR] != seat and is_new and bet == state[BET] and bet >= reach)
    if state[PHASE] != CHANCE and state[PHASE] != SHOWDOWN:
        return False
    for other in range(count):
        able = state[HEAD + STACKS * count + other] > 0 and not state[HEAD + OUT * count + other]
        if able != (other == seat):
            return False
    return True


@kernel
def _write_won(rules: I64, state: I64, holdings: U8, board: U8, shown: U8, won: I64) -> None:
    """Write the chips that each seat wins or loses. A player who mucks does not compete, unless all do."""
    count = rules[SEAT_COUNT]
    won[:count] = 0
    if state[PHASE] == SHOWDOWN:
        contenders = 0
        for seat in range(count):
            contenders += not state[HEAD + OUT * count + seat] and shown[seat] != MUCKED
        everybody = contenders == 0
        for seat in range(count):
            if state[HEAD + OUT * count + seat] or (shown[seat] == MUCKED and not everybody):
                continue
            if contenders == 1:
                won[seat] = 1
            elif holdings[seat, 0] == NO_CARD:
                won[:count] = NOT_KNOWN
                return
            else:
                won[seat] = 1 + strength_of_seven(
                    holdings[seat, 0], holdings[seat, 1], board[0], board[1], board[2], board[3], board[4]
                )
    write_payoffs(rules, state, won[:count])


@kernel
def replay_hands(
    status: U8, game_of: I64, game_starts: I64, rules: I64, stacks: I64, finishes: I64, holdings: U8, event_starts: I64,
    kinds: U8, seats: U8, values: I64, moves: I64, movers: U8, boards: U8, shown: U8, won: I64, move_counts: I64,
    rakes: I64,
) -> None:  # fmt: skip
    """Replay all hands whose status is 0; the status of those with a fault becomes 1. Moves are packed."""
    first = 0
    for i in range(len(status)):
        if status[i]:
            continue
        game = game_of[i]
        own = rules[game_starts[game] : game_starts[game + 1]]
        count = own[SEAT_COUNT]
        events = slice(event_starts[i], event_starts[i + 1])
        fault, move_counts[i], rakes[i] = replay_hand(
            own, stacks[i, :count], finishes[i, :count], holdings[i, :count], kinds[events], seats[events],
            values[events], moves[first:], movers[first:], boards[i], shown[i], won[i],
        )  # fmt: skip
        status[i] = fault
        first += move_counts[i]
