"""A played hand as a value: its events in order, and its replay by the rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from riverboat.cards import check_cards, format_cards
from riverboat.errors import IllegalAction, InvalidInput, in_field
from riverboat.history.rake import rake_in
from riverboat.holdings import check_holding
from riverboat.rules.betting import CALL, CHANCE, SHOWDOWN
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.state import PublicState, describe, start
from riverboat.rules.variant import MOST_CHIPS, MOST_SEATS, Variant
from riverboat.strength.hands import strength_of

Holding = tuple[int, ...]
UNKNOWN_STACK = MOST_CHIPS // (2 * MOST_SEATS)  # chips of a stack that a file does not know: more than anybody bets


@dataclass(frozen=True, slots=True)
class Show:
    """A seat shows its cards; with no cards it mucks them and can no longer win."""

    seat: int
    cards: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"seat {self.seat}: " + (f"show {format_cards(self.cards)}" if self.cards else "muck")


HistoryEvent = Move | BoardDealt | Show


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One hand from a file or a game. Seats count from the left of the button, which is the last seat."""

    variant: Variant
    stacks: tuple[int, ...]  # before antes and blinds, by seat; UNKNOWN_STACK where the file does not say
    holdings: tuple[Holding | None, ...]  # by seat; None where the cards are not known
    events: tuple[HistoryEvent, ...]
    names: tuple[str, ...] = ()  # by seat; none if the players have no names
    finishing_stacks: tuple[int, ...] | None = None  # as the file has them, not as the rules say
    label: int | str | None = None  # the hand's number or name
    extra: Mapping[str, Any] = field(default_factory=dict)  # the file's other entries about the hand
    decimals: int = 0  # of amounts in the file: a chip here is 10 ** -decimals of its unit
    line: int = field(default=0, compare=False)  # where in the file the hand begins, from 1

    def name(self, seat: int) -> str:
        """Return the name of the player in a seat: p1 for the first seat if players have no names, as in PHH files."""
        return self.names[seat] if self.names else f"p{seat + 1}"

    @property
    def unknown_stacks(self) -> tuple[int, ...]:
        """The seats whose stacks the file does not give."""
        return tuple(seat for seat, stack in enumerate(self.stacks) if stack == UNKNOWN_STACK)


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """How a hand ended: the last state, and the stacks by seat, or why they are unknown.

    An unknown stack ends as UNKNOWN_STACK and what the seat won.
    """

    state: PublicState
    stacks: tuple[int, ...] | None
    reason: str = ""


def replay(history: History) -> Iterator[PublicState]:
    """Yield the state after antes and blinds, then the state after each event; raise at an impossible event."""
    yield from _replay(history, _stacks_to_play(history) if history.unknown_stacks else history.stacks)


def _stacks_to_play(history: History) -> tuple[int, ...]:
    """Return stacks that explain the events: a player with an unknown stack whose turn is skipped was all-in."""
    stacks = list(history.stacks)
    for _ in history.unknown_stacks:
        states: list[PublicState] = []
        try:
            for state in _replay(history, stacks):
                states[:] = [state]
        except IllegalAction:
            (state,) = states
            seat = state.actor
            if seat is None or stacks[seat] != UNKNOWN_STACK:
                break
            stacks[seat] = state.paid[seat] + state.dead[seat]
    return tuple(stacks)


def _replay(history: History, stacks: Sequence[int]) -> Iterator[PublicState]:
    check_holdings(history)
    state = start(history.variant, stacks)
    yield state
    for place, event in enumerate(history.events):
        try:
            state = after(state, event, history.holdings)
        except IllegalAction as error:
            raise IllegalAction(f"event {place + 1} ({event}): {error}") from None
        except InvalidInput as error:
            raise error.inside(f"event {place + 1} ({event})") from None
        yield state


def check_holdings(history: History) -> None:
    """Raise unless there is a holding for each seat, all of different cards of the deck."""
    deck = history.variant.deck
    if len(history.holdings) != len(history.stacks):
        count = len(history.stacks)
        raise InvalidInput("holdings", f"{count} players need as many holdings, not {len(history.holdings)}")
    known = {seat: holding for seat, holding in enumerate(history.holdings) if holding is not None}
    with in_field("holdings"):
        for seat, holding in known.items():
            with in_field(f"[{seat}]"):
                check_holding(deck, holding)
        check_cards(deck, *known.values())


def after(state: PublicState, event: HistoryEvent, holdings: Sequence[Holding | None]) -> PublicState:
    """Return the state after an event; `holdings` are the known private cards."""
    if isinstance(event, BoardDealt):
        seen = [holding for holding in holdings if holding is not None]
        check_cards(state.variant.deck, *seen, state.board, event.cards)
        return state.deal(event.cards)
    if not 0 <= event.seat < state.player_count:
        raise InvalidInput("", f"there is no seat {event.seat} with {state.player_count} players")
    if isinstance(event, Show):
        _verify_show(state, event, holdings[event.seat])
        return state
    if _is_idle(state, event):
        return state
    if state.actor is not None and state.actor != event.seat:
        raise IllegalAction(f"seat {state.actor} is to act")
    return state.play(event.action)


def _verify_show(state: PublicState, event: Show, holding: Holding | None) -> None:
    if state.folded[event.seat]:
        raise IllegalAction("a player who has folded has no cards to show")
    if holding is not None and not set(event.cards) <= set(holding):
        raise InvalidInput("", f"the cards dealt to this seat were {format_cards(holding)}")


def _is_idle(state: PublicState, event: Move) -> bool:
    """Return whether this is a check where nobody could call a bet: some games ask for one, ours does not.

    It is by the only player with chips left, or by a newcomer who has posted more than anybody left can pay.
    """
    if event.action != CALL or state.actor == event.seat:
        return False
    if state.actor is not None:
        seat, others = event.seat, [seat for seat in range(state.player_count) if seat != event.seat]
        reach = max(state.stacks[other] + state.bets[other] for other in others if not state.folded[other])
        is_new = state.levels[seat] < 0 and state.stacks[seat] > 0 and not state.folded[seat]
        return is_new and state.bets[seat] == state.bet >= reach
    if state.phase not in (CHANCE, SHOWDOWN):
        return False
    return [seat for seat, stack in enumerate(state.stacks) if stack and not state.folded[seat]] == [event.seat]


def outcome(history: History) -> HandOutcome:
    """Replay a hand to its end and share the pots; return the outcome."""
    *_, state = replay(history)
    if not state.is_over:
        return HandOutcome(state, None, f"the hand is not over: {describe(state)}")
    strengths = [0] * state.player_count
    if state.phase == SHOWDOWN:
        contenders = _contenders(history, state)
        unknown = [seat for seat in contenders if history.holdings[seat] is None]
        if len(contenders) > 1 and unknown:
            names = ", ".join(map(history.name, unknown))
            return HandOutcome(state, None, f"there is a showdown, and the cards of {names} are not known")
        for seat in contenders:
            # One more than the strength: a player who mucked has 0, and loses to everybody.
            cards = (*(history.holdings[seat] or ()), *state.board)
            strengths[seat] = 1 + (strength_of(state.variant.deck, cards) if len(contenders) > 1 else 0)
    payoffs = state.payoffs(strengths)
    return HandOutcome(state, tuple(stack + won for stack, won in zip(history.stacks, payoffs, strict=True)))


def rake_of(history: History, end: HandOutcome) -> int | None:
    """Return the chips that the house took: 0 if the finishing stacks are those of the rules, None if they differ in
    another way or are not known.
    """
    if end.stacks is None or history.finishing_stacks is None:
        return None
    stacks = np.array((history.stacks, end.stacks, history.finishing_stacks), np.int64)
    rake = rake_in(end.state.rules, end.state.flat, stacks[0], stacks[1] - stacks[0], stacks[2], UNKNOWN_STACK)
    return None if rake < 0 else rake


def _contenders(history: History, state: PublicState) -> list[int]:
    """Return the seats at showdown that have not mucked; all seats that are in if every one has."""
    # The last counts: some files have an empty show when a player is all-in, and the cards later.
    last = {event.seat: event.cards for event in history.events if isinstance(event, Show)}
    mucked = {seat for seat, cards in last.items() if not cards}
    live = [seat for seat in range(state.player_count) if not state.folded[seat]]
    return [seat for seat in live if seat not in mucked] or live
