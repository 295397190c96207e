"""The betting of a hand as the Annual Computer Poker Competition writes it: cr300c/cc/r600f.

A raise in no-limit is written as all chips that the player has then paid in the hand; in limit it is a bare r. A slash
begins a street. Logs (`acpc.py`) and the dealer's messages (`acpc_messages.py`) share this notation.
"""

import re
from collections.abc import Iterator, Sequence

from riverboat.cards import format_cards
from riverboat.errors import IllegalAction, InvalidInput, in_field
from riverboat.history.hand import History, HistoryEvent, Holding, after, replay
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.state import PublicState
from riverboat.rules.variant import MOST_CHIPS, Structure

_MOVE = re.compile(r"[fck/]|r(\d{0,16})")


def read_events(
    moves: str, deals: Sequence[tuple[int, ...]], state: PublicState, holdings: Sequence[Holding | None]
) -> Iterator[HistoryEvent]:
    """Yield the events of a hand that begins with `state`, playing it: amounts count from its start."""
    left, at = list(deals), 0
    while at < len(moves):
        match = _MOVE.match(moves, at)
        if not match:
            raise InvalidInput("actions", f"{moves[at : at + 10]!r} is not an action; they are f, c, r and /")
        with in_field("actions"):
            event = _event(match, state, left)
            try:
                state = after(state, event, holdings)
            except IllegalAction as error:
                raise IllegalAction(f"actions: {match[0]!r} at {at + 1} ({event}): {error}") from None
        yield event
        at = match.end()
    if left:
        raise InvalidInput("cards", f"{format_cards(left[0])} on the board came after no action")


def _event(match: re.Match[str], state: PublicState, deals: list[tuple[int, ...]]) -> HistoryEvent:
    if match[0] == "/":
        if not deals:
            raise InvalidInput("", "a street begins, but there are no cards for it")
        return BoardDealt(deals.pop(0))
    if state.actor is None:
        raise IllegalAction(f"actions: {match[0]!r} at {match.start() + 1}: nobody is to act")
    if match[0][0] != "r":
        return Move(state.actor, FOLD if match[0] == "f" else CALL)
    if not match[1]:
        if state.variant.structure is not Structure.FIXED_LIMIT:
            raise InvalidInput("", f"the raise at {match.start() + 1} has no size; only limit games leave it out")
        low, _ = state.raise_limits or (state.bet + state.full_raise, 0)
        return Move(state.actor, low)
    before = paid_before(state, state.actor)
    to = int(match[1]) - before
    if not 1 <= to <= MOST_CHIPS:
        raise InvalidInput("", f"{match[0]!r} at {match.start() + 1} is not a raise: {before} chips were paid before")
    return Move(state.actor, to)


def paid_before(state: PublicState, seat: int) -> int:
    """Return the chips that a seat paid on earlier streets, antes included."""
    return state.paid[seat] - state.bets[seat]


def move_text(state: PublicState, action: int) -> str:
    """Return an action of the acting seat: f, c, r in limit games, or r and all chips that it has then paid."""
    if action <= CALL:
        return "f" if action == FOLD else "c"
    if state.variant.structure is Structure.FIXED_LIMIT:
        return "r"
    return f"r{action + paid_before(state, state.actor or 0)}"


def write_events(history: History) -> str:
    """Return the betting of a hand."""
    text = ""
    for state, event in zip(replay(history), history.events, strict=False):  # the state before each event
        if isinstance(event, BoardDealt):
            text += "/"
        elif isinstance(event, Move) and state.actor is not None:
            text += move_text(state, event.action)
        # Logs have neither shown cards nor checks by a player with no decision left.
    return text
