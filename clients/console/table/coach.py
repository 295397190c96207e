"""A coach: explains decisions and reviews hands, with a resolver that is started at the first question.

It knows only the player's views and the public record of finished hands.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import grpc

from riverboat.cards import format_cards
from riverboat.clients.analysis.actions import action_words, chips_words
from riverboat.clients.analysis.caveats import estimate_words, graded_against
from riverboat.clients.analysis.explainer import explain
from riverboat.clients.analysis.explanation import Explanation
from riverboat.clients.analysis.hand_study import Tell
from riverboat.clients.analysis.review import review
from riverboat.clients.analysis.tracker import TakenAction, decisions_of
from riverboat.clients.analysis.wording import why
from riverboat.clients.console.table.durations import Durations, seconds_words
from riverboat.clients.console.table.inbox import Advice, Inbox, Studied
from riverboat.clients.console.views.explanation import likeliest
from riverboat.clients.console.views.review import review_lines, review_notes, review_sum
from riverboat.clients.console.views.text import cards_words, plain
from riverboat.clients.local.connections import resolver
from riverboat.clients.local.settings import server_in_environment
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import Refused, refusal_of
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.errors import RiverboatError
from riverboat.rules.state import start
from riverboat.tables.entries import BoardOpened, HandBegan, HandFinished, SeatMoved
from riverboat.tables.records import HandRecord
from riverboat.tables.view import TableView

_PLAYERS = 2
_HANDS_KEPT = 2  # the one being played, and the one before
_STOP_SECONDS = 5
_SMALL_DECK = 24  # cards
_START = "start a resolver"
_START_SECONDS = 10.0  # until one was started here
_USUAL_SECONDS = (5.0, 30.0, 30.0, 5.0)  # by street, for 52 cards on two cores, until one was solved here
_REVIEW_SECONDS = 60.0
_SMALL_SECONDS = 5.0
_FOR_TWO = "only two-player hands can be re-solved, and {} has {}"


class Stopped(Exception):
    """The player no longer wants the answer."""


class Coach:
    """Answers one question at a time in the background, while the table goes on; used in a `with` block."""

    def __init__(
        self, link: GameManagerClient, table_id: str, inbox: Inbox, durations: Durations | None = None
    ) -> None:
        self._link, self._table_id, self._inbox = link, table_id, inbox
        self._durations = durations or Durations()
        self._stack = ExitStack()
        self._resolver: ResolverClient | None = None
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()  # of the question under way
        self._is_leaving = threading.Event()
        self._view: TableView | None = None
        self._played: dict[int, tuple[int, ...]] = {}  # holdings of the last two hands, by number

    def __enter__(self) -> "Coach":
        return self

    def __exit__(self, *_: object) -> None:
        self._is_leaving.set()
        if self._thread and self._resolver is None:  # a resolver is being started, and must be stopped
            self._thread.join(_STOP_SECONDS)
        self._stack.close()

    def see(self, view: TableView) -> None:
        """Take a new view."""
        self._view = view
        if view.holding:
            kept = sorted({**self._played, view.hand_number: view.holding}.items())
            self._played = dict(kept[-_HANDS_KEPT:])

    @property
    def is_busy(self) -> bool:
        """Whether a question is under way."""
        return self._thread is not None and self._thread.is_alive() and not self._stop.is_set()

    def stop(self) -> None:
        """Forget the question under way: its answer will not come."""
        self._stop.set()

    def explain(self) -> str:
        """Explain the decision of the last view; the answer comes into the inbox. Return how long it may take."""
        view = self._view
        if view is None or not view.is_your_turn:
            raise Refused("it is not your turn")
        player_count = view.public.player_count if view.public else 0
        if player_count != _PLAYERS:
            raise Refused(_FOR_TWO.format("this one", player_count))
        deck = view.public.variant.deck if view.public else None
        street = view.public.street if view.public else 0
        is_small = deck is not None and len(deck.cards) <= _SMALL_DECK
        usual = _SMALL_SECONDS if is_small else _USUAL_SECONDS[min(street, len(_USUAL_SECONDS) - 1)]
        kind = f"explain {deck.name if deck else ''} {street}"
        place = view.hand_number, view.action_number
        return self._begin(lambda link, tell: explanation_of(link, view, tell), kind, usual, *place)

    def study(self, taken: int | None = None) -> bool:
        """Study the decision of the last view before the player has chosen; return whether an explanation will come.

        It knows the raise `taken`, if that is one, and comes into the inbox as `Studied`. A question under way is
        stopped.
        """
        view = self._view
        if view is None or view.public is None or view.public.player_count != _PLAYERS:
            return False
        self.stop()
        stop = self._stop = threading.Event()

        def tell(_: float) -> None:
            if stop.is_set() or self._is_leaving.is_set():
                raise Stopped

        def work() -> None:
            try:
                explanation = explain_view(self._reached(), view, tell, taken)
            except Exception:  # a warning is a courtesy: without one the action is simply sent
                explanation = None
            if not stop.is_set():
                self._inbox.put(Studied(view.place, explanation))

        self._thread = threading.Thread(target=work, daemon=True)
        self._thread.start()
        return True

    def review(self) -> str:
        """Review the player's last finished hand; the answer comes into the inbox. Return how long it may take."""
        view = self._view
        is_over = view is not None and any(isinstance(entry, HandFinished) for entry in view.entries)
        now = view.hand_number if view else 0
        over = [number for number in self._played if number < now or (number == now and is_over)]
        if not over:
            raise Refused("you have not finished a hand yet")
        number = max(over)
        holding = self._played[number]
        chair = view.chair if view else 0
        deck = view.public.variant.deck if view and view.public else None
        usual = _SMALL_SECONDS if deck is not None and len(deck.cards) <= _SMALL_DECK else _REVIEW_SECONDS
        kind = f"review {deck.name if deck else ''}"
        return self._begin(lambda link, tell: self._review(link, number, chair, holding, tell), kind, usual)

    def _review(self, link: ResolverClient, number: int, chair: int, holding: tuple[int, ...], tell: Tell) -> str:
        records = list(self._link.tables.hands(self._table_id, first=number, until=number + 1))
        if not records:
            raise Refused(f"the server no longer has hand {number}")
        begun = _start_of(records[0])
        if len(begun.chairs) != _PLAYERS:
            raise Refused(_FOR_TWO.format(f"hand {number}", len(begun.chairs)))
        seat = begun.chairs.index(chair)
        reviewed = list(review(link, decisions_in_record(records[0]), seat, holding, tell))
        title = f"hand {number}, you held {cards_words(format_cards(holding))}"
        if not reviewed:
            return f"{title}: you had no decision to make"
        lines = [f"{title}: {review_sum(reviewed, chips_words)}", *review_lines(reviewed, chips_words)]
        opponent = plain(begun.names[1 - seat])
        return "\n".join([*lines, *review_notes(reviewed, opponent)])

    # In the background

    def _begin(
        self,
        answer: Callable[[ResolverClient, Tell], str],
        kind: str,
        usual: float,
        hand: int = 0,
        action: int | None = None,
    ) -> str:
        if self.is_busy:
            raise Refused("your last question is not answered yet")
        stop = self._stop = threading.Event()

        def tell(done: float) -> None:
            if stop.is_set() or self._is_leaving.is_set():
                raise Stopped
            self._inbox.put(Advice(hand, f"re-solving… {100 * done:.0f} %", action, is_last=False))

        def work() -> None:
            text = self._answered(answer, kind, tell)
            if not stop.is_set():
                self._inbox.put(Advice(hand, text, action))

        self._thread = threading.Thread(target=work, daemon=True)
        words = self._expectation(kind, usual)
        self._thread.start()
        return words

    def _expectation(self, kind: str, usual: float) -> str:
        """Return how long an answer may take, judged by earlier answers."""
        known = self._durations.expected(kind)
        start = (self._durations.expected(_START) or _START_SECONDS) if self._resolver is None else 0.0
        words = seconds_words(start + (usual if known is None else known))
        return words if known is not None else f"{words} the first time"

    def _answered(self, answer: Callable[[ResolverClient, Tell], str], kind: str, tell: Tell) -> str:
        try:
            link, since = self._reached(), time.monotonic()
            text = answer(link, tell)
            self._durations.note(kind, time.monotonic() - since)
            return text
        except Stopped:
            return "stopped"
        except (Refused, RiverboatError) as error:
            return str(error)
        except grpc.RpcError as error:
            address = server_in_environment("resolver") or "its socket"
            return str(refusal_of(error, service="resolver", address=address, names={}))
        except Exception as error:  # the channel was closed as we leave, or a bug: the player is told
            return f"no answer: {type(error).__name__}: {error}"

    def _reached(self) -> ResolverClient:
        with self._starting:
            if self._resolver is None:
                since = time.monotonic()
                self._resolver = self._stack.enter_context(resolver(None, {}, self._waiting))
                self._durations.note(_START, time.monotonic() - since)
            return self._resolver

    @contextmanager
    def _waiting(self, text: str) -> Iterator[Callable[[str], None]]:
        """Show the reason for a wait at the table, because a spinner would spoil the screen."""

        def say(text: str) -> None:
            if self._is_leaving.is_set():
                raise Refused("you are leaving")
            self._inbox.put(Advice(0, text, is_last=False))

        say(text)
        yield say


def explanation_of(link: ResolverClient, seen: TableView, tell: Tell) -> str:
    """Return what to do in a view whose chair is to act, as lines: actions, ranges, and why."""
    return explanation_text(seen, explain_view(link, seen, tell))


def explain_view(link: ResolverClient, seen: TableView, tell: Tell, taken: int | None = None) -> Explanation:
    """Explain the decision of a view whose chair is to act, and thinks of an action, if that is known."""
    view = seen.hand_view()
    return explain(link, list(decisions_of(view)), view.public, tuple(view.holding), taken, tell)


def explanation_text(seen: TableView, explanation: Explanation) -> str:
    """Return an explanation of a view as lines: actions, ranges, and why."""
    seat = explanation.seat
    opponent = plain(_start_of(seen).names[1 - seat])
    lines = [
        _actions(explanation),
        f"your likeliest hands: {likeliest(explanation, seat)}",
        f"{opponent}'s likeliest hands: {likeliest(explanation, 1 - seat)}",
        why(explanation, opponent),
        graded_against(explanation, opponent),
    ]
    if explanation.is_estimate:
        lines.append(estimate_words(explanation))
    return "\n".join(lines)


def _actions(explanation: Explanation) -> str:
    parts = [
        f"{action_words(explanation.public, choice.action)}: {100 * choice.frequency:.0f} % ({chips_words(choice.ev)})"
        for choice in explanation.choices
    ]
    ev = "estimated EV" if explanation.is_estimate else "EV"
    return f"how often, and {ev} in chips: {'; '.join(parts)}"


def decisions_in_record(record: HandRecord) -> list[TakenAction]:
    """Return all decisions of a finished hand."""
    state = start(record.variant, _start_of(record).stacks)
    decisions = []
    for entry in record.entries:
        if isinstance(entry, SeatMoved):
            decisions.append((state, entry.action))
            state = state.play(entry.action)
        elif isinstance(entry, BoardOpened):
            state = state.deal(entry.cards)
    return decisions


def _start_of(hand: TableView | HandRecord) -> HandBegan:
    """Return how a hand began; a server that leaves it out cannot be read."""
    for entry in hand.entries:
        if isinstance(entry, HandBegan):
            return entry
    raise Refused(f"the server does not say how hand {hand.hand_number} began")
