"""Parsed hands replayed by the rules, compiled: their legality, and the winnings of each seat.

A hand gets a fault where the rules, the cards or the finishing stacks do not fit. The slow path (`history.hand`) then
says what is wrong, or why it is right after all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.history.rake import rake_in
from riverboat.history.store.event_parsing import BOARD, BOARD_COUNT_SHIFT, MOVE, NO_CARD, SHOW
from riverboat.history.store.parsing import ParsedHands
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
from riverboat.rules.variant import MOST_SEATS, SEAT_COUNT
from riverboat.strength.single_hand import strength_of_seven

I64 = NDArray[np.int64]

FINE, FAULTY = range(2)
NOT_SHOWN, SHOWN, MUCKED = range(3)
NOT_KNOWN = -(2**62)  # chips won by a seat in a hand whose winner is not known


class GameRules(NamedTuple):
    """The rules of parsed hands."""

    game: I64  # [N]: each hand's game; -1 if there is none
    starts: I64  # [G + 1]: where each game's rules begin
    rules: I64  # of all games as kernels read them, one after another


class ReplayedHands(NamedTuple):
    """The results of replaying N hands."""

    move: I64  # [E]: the moves of all hands whose status is FINE, one hand after another
    mover: U8  # [E]: the seat that makes each
    board: U8  # [N, 5]
    shown: U8  # [N, P]
    won: I64  # [N, P]: after rake if finishing stacks are given; NOT_KNOWN if cards decide that are not known
    move_count: I64  # [N]
    rake: I64  # [N]


def room_for_replay(hand_count: int, event_count: int) -> ReplayedHands:
    """Return empty arrays for the results of this many hands with this many events in all."""
    return ReplayedHands(
        move=np.zeros(event_count, np.int64),
        mover=np.zeros(event_count, np.uint8),
        board=np.full((hand_count, 5), NO_CARD, np.uint8),
        shown=np.zeros((hand_count, MOST_SEATS), np.uint8),
        won=np.zeros((hand_count, MOST_SEATS), np.int64),
        move_count=np.zeros(hand_count, np.int64),
        rake=np.zeros(hand_count, np.int64),
    )


@kernel
def _replay_hand(rules: I64, hands: ParsedHands, i: int, out: ReplayedHands, first_move: int) -> int:
    """Replay the events of one hand, and write its moves from `first_move` on; return FINE or FAULTY."""
    events, board, shown, won = hands.events, out.board[i], out.shown[i], out.won[i]
    count = rules[SEAT_COUNT]
    stacks, finish, holdings = hands.stacks[i, :count], hands.finishes[i, :count], hands.holdings[i, :count]
    state = np.empty(HEAD + BLOCKS * count, np.int64)
    used = np.uint64(0)
    for seat in range(count):
        for card in holdings[seat]:
            if card != NO_CARD:
                bit = np.uint64(1) << np.uint64(card)
                if used & bit:
                    return FAULTY
                used |= bit
    start_hand(rules, stacks, state)
    move_count, board_size = 0, 0
    for event in range(hands.event_starts[i], hands.event_starts[i + 1]):
        kind, seat, value = events.kinds[event], events.seats[event], events.values[event]
        if kind == MOVE:
            if value == CALL and _is_idle(state, count, seat):
                continue
            if state[PHASE] != ACT or state[ACTOR] != seat or not legal(rules, state, value):
                return FAULTY
            play(rules, state, value)
            out.move[first_move + move_count], out.mover[first_move + move_count] = value, seat
            move_count += 1
        elif kind == BOARD:
            dealt = value >> BOARD_COUNT_SHIFT
            if state[PHASE] != CHANCE or dealt != (3 if state[STREET] == 0 else 1):
                return FAULTY
            for place in range(dealt):
                card = (value >> (6 * place)) & 63
                bit = np.uint64(1) << np.uint64(card)
                if used & bit:
                    return FAULTY
                used |= bit
                board[board_size] = card
                board_size += 1
            next_street(rules, state)
        else:
            if state[HEAD + OUT * count + seat]:
                return FAULTY
            shown[seat] = SHOWN if kind == SHOW else MUCKED
    if state[PHASE] < FOLDED:
        return FAULTY
    _write_won(rules, state, holdings, board, shown, won)
    rake = 0
    if finish[0] != BAD and won[0] != NOT_KNOWN:
        rake = rake_in(rules, state, stacks, won, finish, UNKNOWN)
        for seat in range(count):
            if rake > 0 and stacks[seat] != UNKNOWN and finish[seat] != UNKNOWN:
                won[seat] = finish[seat] - stacks[seat]
    if rake < 0:
        return FAULTY
    out.move_count[i], out.rake[i] = move_count, rake
    return FINE


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
def replay_hands(games: GameRules, hands: ParsedHands, out: ReplayedHands) -> None:
    """Replay all hands whose status is 0; the status of those with a fault becomes 1."""
    first_move = 0
    for i in range(len(hands.status)):
        if hands.status[i]:
            continue
        game = games.game[i]
        rules = games.rules[games.starts[game] : games.starts[game + 1]]
        hands.status[i] = _replay_hand(rules, hands, i, out, first_move)
        first_move += out.move_count[i]
