"""A coach: explains decisions and reviews hands, with a resolver that is started at the first question.

It knows only the player's views and the public record of finished hands.
"""

import threading
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
from riverboat.clients.console.table.inbox import Advice, Inbox
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
_FOR_TWO = "only two-player hands can be re-solved, and {} has {}"


class Coach:
    """Answers one question at a time in the background, while the table goes on; used in a `with` block."""

    def __init__(self, link: GameManagerClient, table_id: str, inbox: Inbox) -> None:
        self._link, self._table_id, self._inbox = link, table_id, inbox
        self._stack = ExitStack()
        self._resolver: ResolverClient | None = None
        self._thread: threading.Thread | None = None
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

    def explain(self) -> None:
        """Explain the decision of the last view; the answer comes into the inbox."""
        view = self._view
        if view is None or not view.is_your_turn:
            raise Refused("it is not your turn")
        player_count = view.public.player_count if view.public else 0
        if player_count != _PLAYERS:
            raise Refused(_FOR_TWO.format("this one", player_count))
        self._begin(lambda tell: explanation_of(self._reached(), view, tell), view.hand_number, view.action_number)

    def review(self) -> None:
        """Review the player's last finished hand; the answer comes into the inbox."""
        view = self._view
        is_over = view is not None and any(isinstance(entry, HandFinished) for entry in view.entries)
        now = view.hand_number if view else 0
        over = [number for number in self._played if number < now or (number == now and is_over)]
        if not over:
            raise Refused("you have not finished a hand yet")
        number = max(over)
        holding = self._played[number]
        chair = view.chair if view else 0
        self._begin(lambda tell: self._review(number, chair, holding, tell))

    def _review(self, number: int, chair: int, holding: tuple[int, ...], tell: Tell) -> str:
        records = list(self._link.tables.hands(self._table_id, first=number, until=number + 1))
        if not records:
            raise Refused(f"the server no longer has hand {number}")
        begun = _start_of(records[0])
        if len(begun.chairs) != _PLAYERS:
            raise Refused(_FOR_TWO.format(f"hand {number}", len(begun.chairs)))
        seat = begun.chairs.index(chair)
        reviewed = list(review(self._reached(), decisions_in_record(records[0]), seat, holding, tell))
        title = f"hand {number}, you held {cards_words(format_cards(holding))}"
        if not reviewed:
            return f"{title}: you had no decision to make"
        lines = [f"{title}: {review_sum(reviewed, chips_words)}", *review_lines(reviewed, chips_words)]
        opponent = plain(begun.names[1 - seat])
        return "\n".join([*lines, *review_notes(reviewed, opponent)])

    # In the background

    def _begin(self, answer: Callable[[Tell], str], hand: int = 0, action: int | None = None) -> None:
        if self._thread and self._thread.is_alive():
            raise Refused("your last question is not answered yet")

        def tell(done: float) -> None:
            self._inbox.put(Advice(hand, f"re-solving… {100 * done:.0f} %", action, is_last=False))

        def work() -> None:
            self._inbox.put(Advice(hand, self._answered(answer, tell), action))

        self._thread = threading.Thread(target=work, daemon=True)
        self._thread.start()

    def _answered(self, answer: Callable[[Tell], str], tell: Tell) -> str:
        try:
            return answer(tell)
        except (Refused, RiverboatError) as error:
            return str(error)
        except grpc.RpcError as error:
            address = server_in_environment("resolver") or "its socket"
            return str(refusal_of(error, service="resolver", address=address, names={}))
        except Exception as error:  # the channel was closed as we leave, or a bug: the player is told
            return f"no answer: {type(error).__name__}: {error}"

    def _reached(self) -> ResolverClient:
        if self._resolver is None:
            self._resolver = self._stack.enter_context(resolver(None, {}, self._waiting))
        return self._resolver

    @contextmanager
    def _waiting(self, text: str) -> Iterator[Callable[[str], None]]:
        """Say at the table what we wait for: a spinner would spoil the screen."""

        def say(text: str) -> None:
            if self._is_leaving.is_set():
                raise Refused("you are leaving")
            self._inbox.put(Advice(0, text, is_last=False))

        say(text)
        yield say


def explanation_of(link: ResolverClient, seen: TableView, tell: Tell) -> str:
    """Return what to do in a view whose chair is to act, as lines: actions, ranges, and why."""
    view = seen.hand_view()
    explanation = explain(link, list(decisions_of(view)), view.public, tuple(view.holding), None, tell)
    opponent = plain(_start_of(seen).names[1 - view.seat])
    lines = [
        _actions(explanation),
        f"your likeliest hands: {likeliest(explanation, view.seat)}",
        f"{opponent}'s likeliest hands: {likeliest(explanation, 1 - view.seat)}",
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
