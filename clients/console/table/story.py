"""What happens at a table, in words: a sentence for each event, in order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import all_in_words, played_words
from riverboat.clients.analysis.endings import uncalled_chips, uncalled_words, win_words
from riverboat.clients.console.views.game_words import deck_words
from riverboat.clients.console.views.text import cards_words, chips_text, mark_words, plain
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import Variant, no_limit
from riverboat.streets import street_name
from riverboat.tables.entries import (
    BlindsRaised,
    BoardOpened,
    ChipsBought,
    DealVoided,
    HandBegan,
    HandFinished,
    HoldingShown,
    MarkedMove,
    NumberedEntry,
    PlayerJoined,
    PlayerLeft,
    SeatMoved,
    TableClosed,
)

Kind = Literal["hand", "holding", "street", "act", "show", "back", "end", "mark", "table", "deal"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: which event it tells, what it is about, and on which street of the hand.

    Kinds: hand (it begins), holding (a player's cards, for a dealer), street, act, show, back (chips that nobody
    called), end (who wins), mark (a decision that was not made as intended), table (chairs and rules), deal (a check of
    the cards).
    """

    number: int
    kind: Kind
    text: str
    street: int = 0
    board: str = ""  # the whole board, where a street begins


class Narrator:
    """Tells events one after another, and follows the hand by the rules."""

    def __init__(self, variant: Variant, names: Mapping[int, str] | None = None) -> None:
        self.variant = variant  # changes with the levels of a tournament
        self._names = dict(names or {})  # by chair, of players who sat there before the first event
        self._hand: list[str] = []  # names by seat
        self._holdings: dict[int, tuple[int, ...]] = {}
        self._state: PublicState | None = None
        self._has_told_rules = False

    def tell(self, events: Iterable[NumberedEntry]) -> list[Sentence]:
        """Return the sentences for some events; each event is to be told once."""
        return [sentence for event in events for sentence in self._tell(event)]

    def _tell(self, event: NumberedEntry) -> list[Sentence]:
        number, entry = event
        match entry:
            case PlayerJoined():
                self._names[entry.chair] = entry.name
                return [Sentence(number, "table", f"{plain(entry.name)} sits down with {chips_text(entry.stack)}")]
            case PlayerLeft():
                return [Sentence(number, "table", f"{self._chair(entry.chair)} gets up")]
            case ChipsBought():
                return [Sentence(number, "table", f"{self._chair(entry.chair)} buys {chips_text(entry.chips)}")]
            case TableClosed():
                return [Sentence(number, "table", "the table is closed")]
            case BlindsRaised(small, big, ante):
                self.variant = no_limit(small, big, ante=ante)
                words = f", ante {chips_text(ante)}" if ante else ""
                return [Sentence(number, "table", f"blinds are now {chips_text(small)}/{chips_text(big)}{words}")]
            case DealVoided():
                return [Sentence(number, "table", self._voided(entry))]
            case HandBegan():
                return self._start(number, entry)
        return self._tell_of_hand(event)

    def _tell_of_hand(self, event: NumberedEntry) -> list[Sentence]:
        state, (number, entry) = self._state, event
        if state is None:  # the hand began before the first event
            return []
        match entry:
            case SeatMoved():
                return [Sentence(number, "act", self._move(state, entry), state.street)]
            case BoardOpened():
                return [self._deal(state, number, entry.cards)]
            case HoldingShown():
                self._holdings[entry.seat] = entry.cards
                shown = f"{self._hand[entry.seat]} shows {cards_words(format_cards(entry.cards))}"
                return [Sentence(number, "show", shown, state.street)]
            case HandFinished():
                told = self._end(number, state, entry.payoffs)
                return told + [self._mark(number, state, marked) for marked in entry.marks]
        return []

    def _chair(self, chair: int) -> str:
        return plain(self._names[chair]) if chair in self._names else f"chair {chair}"

    def _rules(self, number: int) -> list[Sentence]:
        """Return the deck, unless it is the usual one, and the restrictions of the game: once."""
        words = (*deck_words(self.variant.deck.name), *restriction_words(self.variant))
        if self._has_told_rules:
            return []
        self._has_told_rules = True
        return [Sentence(number, "table", f"rules: {', '.join(words)}")] if words else []

    def _voided(self, voided: DealVoided) -> str:
        who = ", ".join(map(self._chair, voided.chairs))
        return f"attempt {voided.attempt} to deal hand {voided.hand_number} is void: {who} sent no secret"

    def _start(self, number: int, begun: HandBegan) -> list[Sentence]:
        self._names |= zip(begun.chairs, begun.names, strict=True)
        self._hand = [plain(name) for name in begun.names]
        self._holdings = {}
        self._state = start(self.variant, begun.stacks)
        seats = [f"{who} {chips_text(stack)}" for who, stack in zip(self._hand, begun.stacks, strict=True)]
        told = [
            *self._rules(number),
            Sentence(number, "hand", f"hand {begun.hand_number}: {', '.join(seats)} (button)"),
        ]
        for who, before, after in zip(self._hand, begun.stacks, self._state.stacks, strict=True):
            if after < before:
                told.append(
                    Sentence(number, "act", f"{who} posts {chips_text(before - after)}{all_in_words(not after)}")
                )
        return told

    def _move(self, state: PublicState, moved: SeatMoved) -> str:
        self._state = state.play(moved.action)
        words = f"{self._hand[moved.seat]} {played_words(state, moved.action)}"
        return f"{words} (out of time)" if moved.timed_out else words

    def _deal(self, state: PublicState, number: int, cards: tuple[int, ...]) -> Sentence:
        self._state = state.deal(cards)
        street, board = self._state.street, format_cards(self._state.board)
        name = street_name(street, len(self.variant.streets))
        text = f"{name}: {cards_words(board)}, pot {chips_text(state.pot)}"
        return Sentence(number, "street", text, street, board)

    def _end(self, number: int, state: PublicState, payoffs: Sequence[int]) -> list[Sentence]:
        taken = [sum(chips) for chips in zip(payoffs, state.paid, state.dead, strict=True)]
        told = []
        seat, chips = uncalled_chips(state)
        if chips:
            taken[seat] -= chips
            back = uncalled_words(self._hand[seat], chips_text(chips))
            told.append(Sentence(number, "back", back, state.street))
        for seat, won in enumerate(taken):
            if won > 0:
                holding = self._holdings.get(seat)
                wins = win_words(self._hand[seat], chips_text(won), state, holding)
                told.append(Sentence(number, "end", wins, state.street))
        return told

    def _mark(self, number: int, state: PublicState, marked: MarkedMove) -> Sentence:
        reason = f": {plain(marked.reason)}" if marked.reason else ""
        text = f"{self._hand[marked.seat]}'s decision (action {marked.action_number + 1}) was {mark_words(marked.mark)}"
        return Sentence(number, "mark", text + reason, state.street)
