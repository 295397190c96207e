"""Hands as values: what everybody sees (`PublicState`), what the dealer knows, and what one seat may see."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, NamedTuple

import numpy as np

from riverboat.cards import check_cards, deal, format_cards
from riverboat.errors import InvalidInput, in_field
from riverboat.holdings import check_holding
from riverboat.rules.betting import CHANCE, FOLDED, PHASE, SHOWDOWN, STREET, deal_on, play_on
from riverboat.rules.public_state import PublicState, check_stacks, start
from riverboat.rules.variant import MOST_CHIPS, Variant
from riverboat.strength.hands import strength_of

__all__ = [
    "HandState",
    "PublicState",
    "View",
    "check_stacks",
    "describe",
    "start",
    "start_random",
    "start_with_cards",
]

_new: Any = tuple.__new__


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The view of one seat: the public state, its own cards, and all actions so far."""

    seat: int
    public: PublicState
    holding: tuple[int, ...]
    actions: tuple[int, ...] = ()  # of all seats in turn, from the beginning of the hand
    seconds_left: float | None = None  # on the seat's clock when the view was made; None where there is no clock

    def states(self) -> Iterator[PublicState]:
        """Yield every public state of the hand so far, from after the blinds to now."""
        now = self.public
        stacks = [sum(chips) for chips in zip(now.stacks, now.paid, now.dead, strict=True)]
        state = start(now.variant, stacks)
        yield state
        for action in (*self.actions, None):
            while state.phase == CHANCE and len(state.board) < len(now.board):
                state = state.deal(now.board[len(state.board) : len(state.board) + state.board_count])
                yield state
            if action is not None:
                state = state.play(action)
                yield state


class HandState(NamedTuple):
    """The dealer's truth: the public state, every holding, and the whole board, dealt and to come."""

    public: PublicState
    holdings: tuple[tuple[int, ...], ...]
    whole_board: tuple[int, ...]
    actions: tuple[int, ...] = ()  # of all seats in turn

    @property
    def is_over(self) -> bool:
        """Whether only the payoffs are left."""
        return self.public.flat.item(PHASE) >= FOLDED

    def play(self, action: int) -> "HandState":
        """Return the state after an action and after all board cards that come before the next action."""
        public, holdings, whole_board, actions = self
        variant, rules, flat, _ = public
        after = flat.copy()
        street = play_on(rules, after, index(action)) if -MOST_CHIPS < action <= MOST_CHIPS else -1
        if street < 0:
            public.verify_action(action)
        after.setflags(write=False)
        board = whole_board[: variant.board_sizes[street]]
        # Faster than calling the classes, whose constructors are Python code.
        public = _new(PublicState, (variant, rules, after, board))
        hand: HandState = _new(HandState, (public, holdings, whole_board, (*actions, action)))
        return hand

    def view(self, seat: int) -> View:
        """Return the view of `seat`."""
        return View(seat, self.public, self.holdings[seat], self.actions)

    def payoffs(self) -> tuple[int, ...]:
        """Return the chips won or lost by each seat [P]; the hand must be over."""
        public = self.public
        if public.flat.item(PHASE) != SHOWDOWN:
            return public.payoffs((0,) * len(self.holdings))
        deck, board = public.variant.deck, public.board
        return public.payoffs([strength_of(deck, (*holding, *board)) for holding in self.holdings])


def _dealt(public: PublicState, holdings: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> HandState:
    if public.flat.item(PHASE) == CHANCE:  # everybody is all-in with a blind or an ante
        flat = public.flat.copy()
        deal_on(public.rules, flat)
        flat.setflags(write=False)
        public = PublicState(public.variant, public.rules, flat, board[: public.variant.board_sizes[flat[STREET]]])
    return HandState(public, holdings, board)


def start_with_cards(
    variant: Variant, stacks: Sequence[int], holdings: Sequence[Sequence[int]], board: Sequence[int]
) -> HandState:
    """Return a hand with given cards: a holding for each seat, and the whole board."""
    if len(holdings) != len(stacks):
        raise InvalidInput("holdings", f"{len(stacks)} players need as many holdings, not {len(holdings)}")
    if len(board) != variant.board_sizes[-1]:
        raise InvalidInput("board", f"a whole board has {variant.board_sizes[-1]} cards, not {len(board)}")
    for i, holding in enumerate(holdings):
        with in_field(f"holdings[{i}]"):
            check_holding(variant.deck, holding)
    with in_field("holdings"):
        check_cards(variant.deck, board, *holdings)
    return _dealt(start(variant, stacks), tuple(map(tuple, holdings)), tuple(board))


def start_random(variant: Variant, stacks: Sequence[int], rng: np.random.Generator) -> HandState:
    """Return a hand with cards from a fresh shuffle."""
    public = start(variant, stacks)
    dealt = deal(variant.deck, len(stacks), variant.board_sizes[-1], rng)
    return _dealt(public, dealt.holdings, dealt.board)


def describe(public: PublicState) -> str:
    """Return one line that says where a hand is: street, board, pot and turn."""
    where = f"street {public.street}" + (f" on {format_cards(public.board)}" if public.board else "")
    turn = f"seat {public.actor} to act" if public.actor is not None else ("over" if public.is_over else "dealing")
    return f"{where}, pot {public.pot}, {turn}"
