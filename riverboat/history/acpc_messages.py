"""Messages between the Annual Computer Poker Competition's dealer and its agents.

The dealer tells each agent what its position sees, and an agent repeats that with an action after it:

    MATCHSTATE:1:30:r300:|KsKc          from the dealer: position 1, hand 30
    MATCHSTATE:1:30:r300:|KsKc:r900     the agent's answer
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from riverboat.errors import IllegalAction, InvalidInput, in_field
from riverboat.history.acpc import cards_text, log_line, read_cards
from riverboat.history.acpc_moves import move_text, paid_before, read_events
from riverboat.history.hand import History, check_holdings, replay
from riverboat.rules.betting import CALL, FOLD, SHOWDOWN
from riverboat.rules.events import Move
from riverboat.rules.state import HandState, PublicState, View, start
from riverboat.rules.variant import MOST_CHIPS, Structure, Variant

VERSION = "VERSION:2.0.0"  # an agent's first line
LONGEST_MESSAGE = 4096  # characters; a hand with forty actions has 300
_SHAPE = "MATCHSTATE:position:number:betting:cards"
_VERSION = re.compile(r"VERSION:(\d{1,3})\.(\d{1,3})\.(\d{1,3})", re.ASCII)
_RAISE = re.compile(r"r(\d{1,16})", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class MatchState:
    """A dealer's message as its reader understands it."""

    seat: int  # the reader's position
    history: History  # the hand so far, with the holdings that the reader may see; its label is the hand's number
    public: PublicState  # now

    @property
    def number(self) -> int:
        """The hand's number in the match, from 0."""
        return self.history.label if isinstance(self.history.label, int) else 0

    @property
    def is_turn(self) -> bool:
        """Whether the reader is to act."""
        return self.public.actor == self.seat

    @property
    def view(self) -> View:
        """The view of the reader's seat, for a bot."""
        actions = tuple(event.action for event in self.history.events if isinstance(event, Move))
        return View(self.seat, self.public, self.history.holdings[self.seat] or (), actions)


def read_match_state(text: str, variant: Variant, stack: int) -> MatchState:
    """Return the state in a dealer's message; every player starts each hand with `stack`."""
    parts = text.split(":")
    if len(parts) != 5 or parts[0] != "MATCHSTATE":
        raise InvalidInput("", f"{text[:60]!r} is not a state of a match; one looks like {_SHAPE}")
    _, position, number, betting, cards = parts
    for name, value in (("position", position), ("number", number)):
        if not (value.isdecimal() and value.isascii()) or len(value) > 18:
            raise InvalidInput(name, f"{value[:20]!r} is not a number")
    holdings, deals = read_cards(cards)
    seat = int(position)
    if not seat < len(holdings):
        raise InvalidInput("position", f"{seat} is not one of {len(holdings)} players, who are counted from 0")
    if holdings[seat] is None:
        raise InvalidInput("cards", f"position {seat} has no cards")
    stacks = (stack,) * len(holdings)
    empty = History(variant=variant, stacks=stacks, holdings=holdings, events=(), label=int(number))
    check_holdings(empty)
    events = tuple(read_events(betting, deals, start(variant, stacks), holdings))
    history = History(variant=variant, stacks=stacks, holdings=holdings, events=events, label=int(number))
    *_, public = replay(history)
    return MatchState(seat, history, public)


def answer_text(message: str, state: MatchState, action: int) -> str:
    """Return an agent's answer to a message that it read as `state`."""
    return f"{message}:{move_text(state.public, action)}"


@dataclass(frozen=True, slots=True, eq=False)
class AcpcHand:
    """A hand as the dealer has it, with its betting so far as text."""

    number: int
    hand: HandState
    betting: str = ""

    def play(self, action: int) -> "AcpcHand":
        """Return the hand after an action of the acting seat and the streets that begin."""
        before, hand = self.hand.public, self.hand.play(action)
        streets = "/" * (hand.public.street - before.street)
        return AcpcHand(self.number, hand, self.betting + move_text(before, action) + streets)

    def message(self, seat: int) -> str:
        """Return the dealer's message to a seat: with its own cards, and those of others only at a showdown."""
        public = self.hand.public
        is_showdown = public.phase == SHOWDOWN
        shown = [
            holding if other == seat or (is_showdown and not public.folded[other]) else None
            for other, holding in enumerate(self.hand.holdings)
        ]
        return f"MATCHSTATE:{seat}:{self.number}:{self.betting}:{cards_text(shown, _boards(public))}"

    def line(self, names: Sequence[str]) -> str:
        """Return the finished hand as a line of a log."""
        cards = cards_text(self.hand.holdings, _boards(self.hand.public))
        won = self.hand.payoffs()
        return log_line(number=self.number, betting=self.betting, cards=cards, won=won, names=names)


def _boards(public: PublicState) -> list[tuple[int, ...]]:
    """Return the board cards of each street after the first, as far as they are dealt."""
    sizes = public.variant.board_sizes[: public.street + 1]
    return [public.board[size:later] for size, later in pairwise(sizes)]


def is_version(text: str) -> bool:
    """Return whether an agent's first line names a version of the protocol that is understood: 2.0 of any revision."""
    match = _VERSION.fullmatch(text)
    return match is not None and (match[1], match[2]) == ("2", "0")


def read_action(text: str, public: PublicState) -> int:
    """Return the action of the acting seat that a text names, legal or not."""
    if text in ("f", "c"):
        return FOLD if text == "f" else CALL
    is_limit = public.variant.structure is Structure.FIXED_LIMIT
    if text == "r" and is_limit:
        low, _ = public.raise_limits or (public.bet + public.full_raise, 0)
        return low
    match = _RAISE.fullmatch(text)
    with in_field("action"):
        if match is None or is_limit:
            raises = "r" if is_limit else "r and the chips that the player has then paid in the hand, like r300"
            raise InvalidInput("", f"{text[:20]!r} is not an action; they are f, c and {raises}")
        if public.actor is None:
            raise IllegalAction("nobody is to act")
        to = min(int(match[1]), MOST_CHIPS - 1) - paid_before(public, public.actor)
        return max(1, to)  # 0 and -1 mean other actions


def legal_action(action: int, public: PublicState) -> int:
    """Return an action, or the legal one that replaces it: the nearest raise, otherwise a check or a call."""
    if public.can_play(action):
        return action
    nearest = public.nearest_raise(action) if action > CALL else None
    return CALL if nearest is None else nearest
