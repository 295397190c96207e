"""Histories as columns, the slow and obvious way: for hands that the compiled reader leaves aside."""

from collections.abc import Iterator, Sequence

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.history.hand import UNKNOWN_STACK, History, Show, outcome, rake_of, replay
from riverboat.history.store.columns import HandColumns, join
from riverboat.history.store.event_parsing import NO_CARD
from riverboat.history.store.games import StoredGame
from riverboat.history.store.parsing import NO_NUMBER
from riverboat.history.store.replaying import MUCKED, NOT_KNOWN, NOT_SHOWN, SHOWN
from riverboat.rules.events import Move


def columns_of(histories: Sequence[History]) -> HandColumns:
    """Return hands as columns; raise RiverboatError at one that the rules do not allow or that is not over."""
    return join([_columns_of_one(history) for history in histories])


def _columns_of_one(history: History) -> HandColumns:
    if not history.variant.deck.is_holdem:
        raise InvalidInput("variant", f"stores keep hold'em only, not {history.variant.name[:40]}")
    end = outcome(history)
    if not end.state.is_over:
        raise InvalidInput("", end.reason)
    rake = rake_of(history, end)
    if rake is None and history.finishing_stacks is not None and end.stacks is not None:
        raise InvalidInput("finishing_stacks", "are not what the rules say, nor less by a rake")
    count = len(history.stacks)
    moves = list(_moves(history))
    names = tuple(dict.fromkeys(history.names))
    won = [NOT_KNOWN] * count
    if end.stacks is not None:
        final = history.finishing_stacks if rake else end.stacks
        ends = zip(history.stacks, final or end.stacks, end.stacks, strict=True)
        won = [(ours if UNKNOWN_STACK in (start, theirs) else theirs) - start for start, theirs, ours in ends]
    shown = {event.seat: SHOWN if event.cards else MUCKED for event in history.events if isinstance(event, Show)}
    board = [*end.state.board, *[NO_CARD] * (5 - len(end.state.board))]
    return HandColumns(
        games=(StoredGame(history.variant, count, history.decimals),),
        names=names,
        number=np.array([history.label if _is_number(history.label) else NO_NUMBER], np.int64),
        line=np.array([history.line], np.int64),
        game=np.zeros(1, np.int64),
        rake=np.array([rake or 0], np.int64),
        board=np.array([board], np.uint8),
        seat_start=np.array([0, count], np.int64),
        move_start=np.array([0, len(moves)], np.int64),
        player=np.array([names.index(name) for name in history.names] or [-1] * count, np.int64),
        stack=np.array([-1 if i in history.unknown_stacks else x for i, x in enumerate(history.stacks)], np.int64),
        won=np.array(won, np.int64),
        shown=np.array([shown.get(seat, NOT_SHOWN) for seat in range(count)], np.uint8),
        holding=np.array([cards or (NO_CARD, NO_CARD) for cards in history.holdings], np.uint8).reshape(count, 2),
        mover=np.array([move.seat for move in moves], np.uint8),
        move=np.array([move.action for move in moves], np.int64),
    )


def _is_number(label: int | str | None) -> bool:
    return isinstance(label, int) and 0 <= label < 2**63


def _moves(history: History) -> Iterator[Move]:
    """Yield the moves of a hand, without checks that our rules do not ask for."""
    states = replay(history)
    before = next(states)
    for event, after in zip(history.events, states, strict=True):
        if isinstance(event, Move) and after is not before:
            yield event
        before = after
