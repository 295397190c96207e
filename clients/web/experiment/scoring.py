"""A participant's hand as numbers: winnings, winnings with all-ins by equity, and the classes of the moves made."""

import time
from itertools import pairwise

from riverboat.arena.all_in import expected_payoffs
from riverboat.clients.web.experiment.archive import ParticipantHand
from riverboat.history.hand import History, replay
from riverboat.opponents.moves import class_of_move
from riverboat.rules.betting import SHOWDOWN
from riverboat.rules.events import Move
from riverboat.rules.state import PublicState
from riverboat.tables.entries import HandBegan, HandFinished
from riverboat.tables.records import HandRecord, history_of


def played_hand(record: HandRecord, agent_chair: int, number: int) -> ParticipantHand | None:
    """Return a finished hand from the participant's side; None if its record is incomplete."""
    history = history_of(record.table_id, record.variant, record.hand_number, record.entries)
    began, finished = record.entries[0], record.entries[-1]
    if history is None or not isinstance(began, HandBegan) or not isinstance(finished, HandFinished):
        return None
    seat = next(seat for seat, chair in enumerate(began.chairs) if chair != agent_chair)
    states = list(replay(history))
    moves = [
        (before, event.action)
        for event, (before, _) in zip(history.events, pairwise(states), strict=True)
        if isinstance(event, Move) and event.seat == seat
    ]
    return ParticipantHand(
        number=number,
        payoff=finished.payoffs[seat],
        adjusted=adjusted_payoff(history, states, seat, finished.payoffs[seat]),
        moves=tuple(int(class_of_move(state.flat, action)) for state, action in moves),
        all_in=_is_all_in_early(states, seat),
        phh=record.phh,
        ended=time.time(),
    )


def adjusted_payoff(history: History, states: list[PublicState], seat: int, payoff: int) -> float:
    """Return a seat's winnings; after an all-in before the last card, their average over the cards to come."""
    last, decided = states[-1], None
    for event, (_, after) in zip(history.events, pairwise(states), strict=True):
        if isinstance(event, Move):
            decided = after
    holdings = [holding or () for holding in history.holdings]
    if last.phase != SHOWDOWN or decided is None or len(decided.board) == len(last.board) or not all(holdings):
        return float(payoff)
    return float(expected_payoffs(last, tuple(holdings), decided.board)[seat])


def _is_all_in_early(states: list[PublicState], seat: int) -> bool:
    """Return whether a seat had no chips left before the flop."""
    return any(not state.board and state.stacks[seat] == 0 and not state.folded[seat] for state in states)
