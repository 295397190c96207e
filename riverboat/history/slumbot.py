"""Hands as Slumbot's public interface describes them: b200c/kb400f.

k is a check, c a call, f a fold, and b200 a bet or raise to 200 chips on this street. A slash begins a street; after
an all-in is called there may be slashes for the streets left, or none. Position 0 has the big blind, as our seat 0.
"""

import re
from collections.abc import Iterator, Sequence

from riverboat.cards import format_cards
from riverboat.errors import IllegalAction, InvalidInput, in_field
from riverboat.history.hand import History, HistoryEvent, Holding, after, check_holdings
from riverboat.rules.betting import CALL, CHANCE, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import no_limit

GAME, STACK = no_limit(50, 100), 20_000  # every hand starts with full stacks
_MOVE = re.compile(r"[fck/]|b(\d{1,6})", re.ASCII)


def read_slumbot(betting: str, board: Sequence[int], holdings: Sequence[Holding | None]) -> History:
    """Return a hand so far, from its betting, its board cards and the holdings that are known."""
    stacks = (STACK, STACK)
    history = History(variant=GAME, stacks=stacks, holdings=tuple(holdings), events=())
    check_holdings(history)
    events: list[HistoryEvent] = []
    state, left = start(GAME, stacks), tuple(board)
    for move in _moves(betting):
        with in_field("action"):
            event = _event(move, state, left)
            if event is None:
                continue
            try:
                state = after(state, event, holdings)
            except IllegalAction as error:
                raise IllegalAction(f"action: {move!r} in {betting[:60]!r}: {error}") from None
        left = left[len(event.cards) :] if isinstance(event, BoardDealt) else left
        events.append(event)
    while left and state.phase == CHANCE:  # streets without a slash
        event = BoardDealt(left[: state.board_count])
        state, left = after(state, event, holdings), left[state.board_count :]
        events.append(event)
    if left:
        raise InvalidInput("board", f"{format_cards(left)} on the board came after no action in {betting[:60]!r}")
    return History(variant=GAME, stacks=stacks, holdings=tuple(holdings), events=tuple(events))


def _moves(betting: str) -> Iterator[str]:
    at = 0
    while at < len(betting):
        match = _MOVE.match(betting, at)
        if match is None:
            raise InvalidInput("action", f"{betting[at : at + 10]!r} is not an action; they are k, c, f, b200 and /")
        yield match[0]
        at = match.end()


def _event(move: str, state: PublicState, board: tuple[int, ...]) -> HistoryEvent | None:
    """Return the event of a letter; None for a slash after which no cards have come yet."""
    if move == "/":
        return BoardDealt(board[: state.board_count]) if board or state.phase != CHANCE else None
    if state.actor is None:
        raise IllegalAction(f"action: {move!r}: nobody is to act")
    if move in "kc" and (move == "c") != bool(state.to_call):
        raise InvalidInput("", f"{move!r} where there is {'a bet' if state.to_call else 'nothing'} to call")
    if move in "kcf":
        return Move(state.actor, FOLD if move == "f" else CALL)
    return Move(state.actor, int(move[1:]))


def write_move(state: PublicState, action: int) -> str:
    """Return an action of the acting seat."""
    if action == FOLD:
        return "f"
    if action == CALL:
        return "c" if state.to_call else "k"
    return f"b{action}"
