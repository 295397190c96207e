"""A hand as everybody at the table sees it.

A state never changes: an operation returns the next state. An operation comes in three forms: `verify_…` raises
with a sentence that says what is wrong, `can_…` returns whether it is allowed, and the verb verifies and does it.
"""

from collections.abc import Sequence
from operator import index
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import check_cards
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.rules.bet_sizes import MOST_SIZES
from riverboat.rules.betting import (
    ACT,
    ACTIONS,
    ACTOR,
    AGGRESSOR,
    BET,
    BETS,
    CALL,
    CHANCE,
    DEAD,
    FOLD,
    FOLDED,
    FULL_RAISE,
    HEAD,
    HIGH,
    LEVELS,
    LOW,
    OUT,
    PAID,
    PHASE,
    POT,
    RAISES,
    STACKS,
    STREET,
    TO_CALL,
    legal,
    nearest_raise,
    next_street,
    play,
    start_hand,
    state_size,
    write_raises,
)
from riverboat.rules.pots import pots_of, write_payoffs
from riverboat.rules.variant import MOST_CHIPS, SEAT_COUNT, SIZES, Variant, rules_array

I64 = NDArray[np.int64]


class PublicState(NamedTuple):  # made several times in every hand: a dataclass takes twice as long
    """What everybody at the table sees of a hand: chips, who is in, whose turn it is, and the board.

    Seats count from the left of the button, which is the last seat.
    """

    variant: Variant
    rules: I64  # the variant as kernels read it
    flat: I64  # see betting.py; never written to
    board: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PublicState)
            and (self.variant, self.board) == (other.variant, other.board)
            and np.array_equal(self.flat, other.flat)
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise TypeError("a state has arrays inside and no hash")

    @property
    def player_count(self) -> int:
        """Number of players, P."""
        return int(self.rules[SEAT_COUNT])

    @property
    def street(self) -> int:
        """The number of the street, from 0."""
        return int(self.flat[STREET])

    @property
    def streets_left(self) -> int:
        """How many streets follow this one."""
        return len(self.variant.streets) - 1 - self.street

    @property
    def actor(self) -> int | None:
        """The seat that is to act; None if nobody is."""
        return int(self.flat[ACTOR]) if self.flat[PHASE] == ACT else None

    @property
    def phase(self) -> int:
        """ACT, CHANCE, FOLDED or SHOWDOWN."""
        return int(self.flat[PHASE])

    @property
    def is_over(self) -> bool:
        """Whether all but one have folded, or hands are to be compared."""
        return self.flat.item(PHASE) >= FOLDED

    @property
    def pot(self) -> int:
        """All chips that have been paid, those of this street included."""
        return int(self.flat[POT])

    @property
    def bet(self) -> int:
        """The chips that a seat must have bet on this street to stay in."""
        return int(self.flat[BET])

    @property
    def to_call(self) -> int:
        """The chips that the actor has to pay to call; 0 for a check."""
        return self.flat.item(TO_CALL)

    @property
    def raise_limits(self) -> tuple[int, int] | None:
        """The fewest and the most chips that the actor may raise to; None if it may not raise."""
        high = self.flat.item(HIGH)
        return (self.flat.item(LOW), high) if high else None

    @property
    def raises_to(self) -> tuple[int, ...]:
        """All street totals that the actor may raise to, in ascending order, where the variant has a list of sizes.

        Empty if it has none, so that every number within `raise_limits` is legal, and if the actor may not raise.
        """
        if self.variant.bet_sizes is None:
            return ()
        out = np.empty(MOST_SIZES, np.int64)
        count = write_raises(self.rules, self.flat, self.rules[self.rules[SIZES] :], out)
        return tuple(out[:count].tolist())

    def nearest_raise(self, to: int) -> int | None:
        """Return the legal raise nearest to `to`, the smaller of two; None if the actor may not raise."""
        return nearest_raise(self.rules, self.flat, min(MOST_CHIPS, max(0, to))) if self.flat.item(HIGH) else None

    @property
    def full_raise(self) -> int:
        """The chips that a raise must add, unless it is all-in."""
        return int(self.flat[FULL_RAISE])

    @property
    def raise_count(self) -> int:
        """Bets and raises on this street."""
        return int(self.flat[RAISES])

    @property
    def action_count(self) -> int:
        """Actions on this street."""
        return int(self.flat[ACTIONS])

    @property
    def aggressor(self) -> int | None:
        """The seat that bet or raised last on this street; None if none has."""
        return None if self.flat[AGGRESSOR] < 0 else int(self.flat[AGGRESSOR])

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        return self._seats(STACKS)

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips bet on this street, by seat."""
        return self._seats(BETS)

    @property
    def paid(self) -> tuple[int, ...]:
        """Chips paid in the whole hand, by seat, without dead ones."""
        return self._seats(PAID)

    @property
    def dead(self) -> tuple[int, ...]:
        """Chips paid that no other player has to match, by seat."""
        return self._seats(DEAD)

    @property
    def levels(self) -> tuple[int, ...]:
        """The bet that each seat faced or made when it last acted on this street; -1 if it has not acted."""
        return self._seats(LEVELS)

    @property
    def folded(self) -> tuple[bool, ...]:
        """Whether each seat has folded."""
        return tuple(map(bool, self._seats(OUT)))

    def _seats(self, block: int) -> tuple[int, ...]:
        count = self.player_count
        first = HEAD + block * count
        return tuple(self.flat[first : first + count].tolist())

    @property
    def board_count(self) -> int:
        """How many board cards are to be dealt now; 0 unless the phase is CHANCE."""
        return self.variant.streets[self.street + 1].board_count if self.phase == CHANCE else 0

    def verify_action(self, action: int) -> None:
        """Raise IllegalAction, with the reason, unless the actor may play `action`."""
        if self.can_play(action):
            return
        raise IllegalAction(self._reason(action))

    def can_play(self, action: int) -> bool:
        """Return whether the actor may fold, call, or raise to `action`."""
        action = index(action)  # no fractions of chips
        return -MOST_CHIPS < action <= MOST_CHIPS and legal(self.rules, self.flat, action)

    def play(self, action: int) -> "PublicState":
        """Return the state after an action."""
        if not self.can_play(action):
            raise IllegalAction(self._reason(action))
        flat = self.flat.copy()
        play(self.rules, flat, action)
        flat.setflags(write=False)
        return PublicState(self.variant, self.rules, flat, self.board)

    def _reason(self, action: int) -> str:
        if self.phase == CHANCE:
            return f"nobody is to act: {self.board_count} board cards come first"
        if self.is_over:
            return "nobody is to act: the hand is over"
        seat = f"seat {self.actor}"
        if action < FOLD:
            return f"{action} is not an action: fold is {FOLD}, call is {CALL}, and a raise is the chips to raise to"
        if action == FOLD:
            return f"{seat} has nothing to call and so no reason to fold: check"
        limits = self.raise_limits
        if limits:
            return f"{seat} cannot raise to {action}; it may raise {self._possible_raises(*limits)}"
        return f"{seat} cannot raise: {self._why_not_raise()}"

    def _possible_raises(self, low: int, high: int) -> str:
        if low == high:
            return f"to {low}"
        if self.variant.bet_sizes is None:
            return f"to between {low} and {high}"
        *others, last = self.raises_to
        return f"to {', '.join(map(str, others))} or {last}"

    def _why_not_raise(self) -> str:
        seat = int(self.flat[ACTOR])
        owed, stack, level = self.bet - self.bets[seat], self.stacks[seat], self.levels[seat]
        cap = self.variant.streets[self.street].raise_cap
        if stack <= owed:
            return f"its {stack} chips are not more than the {owed} to call"
        if cap and self.raise_count >= cap:
            return f"there were {self.raise_count} bets and raises on this street already, and that is the cap"
        if level >= 0 and self.bet - level < self.full_raise:
            return f"since it acted nobody has raised by {self.full_raise} chips, so betting is not open to it again"
        others = [self.stacks[i] + self.bets[i] for i in range(self.player_count) if i != seat and not self.folded[i]]
        if max(others) <= self.bet:
            return "nobody is left who could call more"
        sizes = self.variant.bet_sizes
        if sizes is not None and not sizes.on(self.street)[self.bet > 0]:
            return f"this game has no sizes for {'raises' if self.bet else 'bets'} on street {self.street}"
        return "it would exceed the cap of the pot, or be all-in"

    def verify_board(self, cards: Sequence[int]) -> None:
        """Raise unless these cards can be dealt to the board now."""
        if self.phase != CHANCE:
            raise IllegalAction("no board cards are to be dealt now")
        if len(cards) != self.board_count:
            raise InvalidInput("", f"{self.board_count} board cards are to be dealt, not {len(cards)}")
        check_cards(self.variant.deck, self.board, cards)

    def deal(self, cards: Sequence[int]) -> "PublicState":
        """Return the state after these board cards are dealt."""
        self.verify_board(cards)
        flat = self.flat.copy()
        next_street(self.rules, flat)
        flat.setflags(write=False)
        return PublicState(self.variant, self.rules, flat, (*self.board, *cards))

    def payoffs(self, strengths: Sequence[int]) -> tuple[int, ...]:
        """Return the chips won or lost by each seat [P], given the strengths [P] of players who are in; others may be
        any number.
        """
        if not self.is_over:
            raise IllegalAction("the hand is not over")
        chips = np.array(strengths, np.int64)
        write_payoffs(self.rules, self.flat, chips)
        return tuple(chips.tolist())

    @property
    def pots(self) -> list[tuple[int, tuple[int, ...]]]:
        """The chips of each pot, main pot first, and the seats that compete for it."""
        return pots_of(self.rules, self.flat)

    def showdown_order(self) -> tuple[int, ...]:
        """Return the seats in the order in which they show: the last to bet or raise on the last street first, else the
        first left of the button.
        """
        first = self.aggressor or 0
        seats = ((first + step) % self.player_count for step in range(self.player_count))
        return tuple(seat for seat in seats if not self.folded[seat])


def check_stacks(variant: Variant, stacks: Sequence[int]) -> None:
    """Raise unless a hand can start with these stacks."""
    rules_array(variant, len(stacks))
    if any(index(stack) < 1 for stack in stacks):
        raise InvalidInput("stacks", "every player needs at least one chip")
    if sum(stacks) > MOST_CHIPS:
        raise InvalidInput("stacks", f"all stacks together must be at most {MOST_CHIPS:,} chips")


def start(variant: Variant, stacks: Sequence[int]) -> PublicState:
    """Return a hand after antes and blinds; `stacks` are by seat from the left of the button."""
    rules = rules_array(variant, len(stacks))
    if min(stacks) < 1 or sum(map(index, stacks)) > MOST_CHIPS:
        check_stacks(variant, stacks)
    flat = np.empty(state_size(len(stacks)), np.int64)
    start_hand(rules, np.array(stacks, np.int64), flat)
    flat.setflags(write=False)
    return PublicState(variant, rules, flat, ())
