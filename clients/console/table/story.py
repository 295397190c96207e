"""What happens at a table, in words: one sentence for each thing, in order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from riverboat.cards import format_cards, parse_cards
from riverboat.clients.console.table.game_words import deck_words
from riverboat.clients.console.table.plain_text import cards_words, chips_text, plain
from riverboat.protos.gamemanager.v1 import tables_pb2 as pb
from riverboat.rpc.convert.actions import decode_action
from riverboat.rules.betting import CALL, FOLD, SHOWDOWN
from riverboat.rules.restrictions import restriction_words
from riverboat.rules.state import PublicState, start
from riverboat.rules.variant import Variant
from riverboat.strength.hands import classify

_STREETS = ("preflop", "flop", "turn", "river")


def street_name(street: int, street_count: int) -> str:
    """ "flop", or "street 2" in games of other shapes."""
    return _STREETS[street] if street_count == len(_STREETS) else f"street {street + 1}"


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence: of which event, about what, on which street of the hand.

    Kinds are hand (it begins), street, act, show, back (chips that nobody called), end (who wins), mark (a decision
    that was not made as intended), table, and deal (that the cards are proved).
    """

    number: int
    kind: str
    text: str
    street: int = 0
    board: str = ""  # the whole board, where a street begins


class Narrator:
    """Tells events one after another; it follows the hand by the rules."""

    def __init__(self, variant: Variant, names: Mapping[int, str] | None = None) -> None:
        self._variant = variant
        self._names = dict(names or {})  # by chair, of those who sat there before the first event
        self._hand: list[str] = []  # names by seat
        self._holdings: dict[int, str] = {}
        self._state: PublicState | None = None
        self._has_told_rules = False

    def tell(self, events: Iterable[pb.TableEvent]) -> list[Told]:
        """The sentences of some events."""
        return [told for event in events for told in self._tell(event)]

    def _tell(self, event: pb.TableEvent) -> list[Told]:
        number = event.number
        match event.WhichOneof("kind"):
            case "joined":
                self._names[event.joined.chair] = event.joined.name
                who = plain(event.joined.name)
                return [Told(number, "table", f"{who} sits down with {chips_text(event.joined.stack)}")]
            case "left":
                return [Told(number, "table", f"{self._chair(event.left.chair)} gets up")]
            case "rebought":
                who, chips = self._chair(event.rebought.chair), chips_text(event.rebought.chips)
                return [Told(number, "table", f"{who} buys {chips}")]
            case "closed":
                return [Told(number, "table", "the table is closed")]
            case "deal_voided":
                return [Told(number, "table", self._voided(event.deal_voided))]
            case "hand_started":
                return self._start(number, event.hand_started)
        return self._tell_of_hand(event)

    def _tell_of_hand(self, event: pb.TableEvent) -> list[Told]:
        state, number = self._state, event.number
        if state is None:  # we came in the middle of a hand
            return []
        match event.WhichOneof("kind"):
            case "moved":
                return [Told(number, "act", self._move(state, event.moved), state.street)]
            case "board_dealt":
                return [self._deal(state, number, event.board_dealt.cards)]
            case "shown":
                self._holdings[event.shown.seat] = event.shown.cards
                shown = f"{self._hand[event.shown.seat]} shows {cards_words(event.shown.cards)}"
                return [Told(number, "show", shown, state.street)]
            case "hand_ended":
                told = self._end(number, state, list(event.hand_ended.payoffs))
                return told + [self._mark(number, state, marked) for marked in event.hand_ended.marks]
        return []

    def _chair(self, chair: int) -> str:
        return plain(self._names[chair]) if chair in self._names else f"chair {chair}"

    def _rules(self, number: int) -> list[Told]:
        """The deck, if it is not the usual one, and what the game allows less than its name says: once."""
        words = (*deck_words(self._variant.deck.name), *restriction_words(self._variant))
        if self._has_told_rules:
            return []
        self._has_told_rules = True
        return [Told(number, "table", f"rules: {', '.join(words)}")] if words else []

    def _voided(self, voided: pb.TableEvent.DealVoided) -> str:
        who = ", ".join(map(self._chair, voided.chairs))
        return f"attempt {voided.attempt} to deal hand {voided.hand_number} is void: no secret came from {who}"

    def _start(self, number: int, begun: pb.TableEvent.HandStarted) -> list[Told]:
        self._names |= zip(begun.chairs, begun.names, strict=True)
        self._hand = [plain(name) for name in begun.names]
        self._holdings = {}
        self._state = start(self._variant, begun.stacks)
        seats = [f"{who} {chips_text(stack)}" for who, stack in zip(self._hand, begun.stacks, strict=True)]
        told = [*self._rules(number), Told(number, "hand", f"hand {begun.hand_number}: {', '.join(seats)} (button)")]
        for who, before, after in zip(self._hand, begun.stacks, self._state.stacks, strict=True):
            if after < before:
                told.append(Told(number, "act", f"{who} posts {_with_all_in(chips_text(before - after), after)}"))
        return told

    def _move(self, state: PublicState, moved: pb.TableEvent.Moved) -> str:
        action = decode_action(moved.action)
        after = state.play(action)
        self._state = after
        words = "folds"
        if action == CALL:
            words = f"calls {chips_text(state.to_call)}" if state.to_call else "checks"
        elif action != FOLD:
            words = f"{'raises to' if state.bet else 'bets'} {chips_text(action)}"
        if action > CALL or (action == CALL and state.to_call):
            words = _with_all_in(words, after.stacks[moved.seat])
        return f"{self._hand[moved.seat]} {words}" + (" (out of time)" if moved.timed_out else "")

    def _deal(self, state: PublicState, number: int, cards: str) -> Told:
        self._state = state.deal(parse_cards(cards))
        street, board = self._state.street, format_cards(self._state.board)
        name = street_name(street, len(self._variant.streets))
        text = f"{name}: {cards_words(board)}, pot {chips_text(state.pot)}"
        return Told(number, "street", text, street, board)

    def _end(self, number: int, state: PublicState, payoffs: list[int]) -> list[Told]:
        taken = [sum(chips) for chips in zip(payoffs, state.paid, state.dead, strict=True)]
        told = []
        seat, chips = uncalled(state)
        if chips:
            taken[seat] -= chips
            back = f"{chips_text(chips)} that nobody called go back to {self._hand[seat]}"
            told.append(Told(number, "back", back, state.street))
        for seat, won in enumerate(taken):
            if won > 0:
                wins = f"{self._hand[seat]} wins {chips_text(won)}{self._with(seat, state)}"
                told.append(Told(number, "end", wins, state.street))
        return told

    def _mark(self, number: int, state: PublicState, marked: pb.MarkedDecision) -> Told:
        reason = f": {plain(marked.reason)}" if marked.reason else ""
        text = f"{self._hand[marked.seat]}'s decision (action {marked.action_number + 1}) was {mark_words(marked.mark)}"
        return Told(number, "mark", text + reason, state.street)

    def _with(self, seat: int, state: PublicState) -> str:
        if state.phase != SHOWDOWN or seat not in self._holdings:
            return ""
        cards = (*parse_cards(self._holdings[seat]), *state.board)
        return f" with {classify(self._variant.deck, cards).words}"


def mark_words(mark: pb.Mark.ValueType) -> str:
    """ "a fallback"."""
    return {pb.MARK_PARTIAL: "cut short by a deadline", pb.MARK_FALLBACK: "a fallback"}.get(mark, f"marked {mark}")


def uncalled(state: PublicState) -> tuple[int, int]:
    """The seat whose last chips nobody matched, and how many; 0 if there are none."""
    seat = max(range(state.player_count), key=lambda seat: (state.paid[seat], not state.folded[seat]))
    return seat, 0 if state.folded[seat] else state.paid[seat] - sorted(state.paid)[-2]


def _with_all_in(words: str, stack: int) -> str:
    return words if stack else f"{words} (all-in)"
