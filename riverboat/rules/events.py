"""The events of a hand as values: moves of seats and board cards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from riverboat.actions import format_action
from riverboat.cards import format_cards
from riverboat.errors import IllegalAction, InvalidInput, in_field
from riverboat.rules.public_state import PublicState, check_stacks, start
from riverboat.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Move:
    """A seat folds, calls or raises."""

    seat: int
    action: int  # FOLD, CALL, or the chips to raise to

    def __str__(self) -> str:
        return f"seat {self.seat}: {format_action(self.action)}"


@dataclass(frozen=True, slots=True)
class BoardDealt:
    """Board cards are dealt at the start of a street."""

    cards: tuple[int, ...]

    def __str__(self) -> str:
        return f"board {format_cards(self.cards)}"


HandEvent = Move | BoardDealt


def apply_event(public: PublicState, event: HandEvent) -> PublicState:
    """Return the state after an event; a move out of turn is refused."""
    if isinstance(event, BoardDealt):
        with in_field("board"):
            return public.deal(event.cards)
    if public.actor is not None and event.seat != public.actor:
        raise InvalidInput("move.seat", f"seat {event.seat} is out of turn: seat {public.actor} is to act")
    return public.play(event.action)


def package(variant: Variant, stacks: Sequence[int], events: Iterable[HandEvent]) -> PublicState:
    """Return the state after antes, blinds and these events: a hand packed into one value."""
    check_stacks(variant, stacks)
    public = start(variant, stacks)
    for i, event in enumerate(events):
        try:
            with in_field(f"events[{i}]"):
                public = apply_event(public, event)
        except IllegalAction as error:
            raise IllegalAction(f"events[{i}]: {error}") from None
    return public
