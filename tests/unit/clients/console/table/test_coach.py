"""A coach's questions about views and records; the resolver is a fake that keeps them."""

from contextlib import contextmanager
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from riverboat.cards import format_cards
from riverboat.clients.console.table import coach as coach_module
from riverboat.clients.console.table.coach import Coach, decisions_in_record
from riverboat.clients.console.table.durations import Durations
from riverboat.clients.console.table.inbox import Advice, Inbox
from riverboat.clients.console.views.text import cards_words
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.convert.tables import encode_records
from riverboat.tables.records import hand_records
from riverboat.tables.table import Table
from tests.unit.clients.console.table.tables import SEED, deal, play, table_of, typed, view


@contextmanager
def no_resolver(*_: object) -> Any:
    yield SimpleNamespace()


def coach_at(table: Table, inbox: Inbox, durations: Durations | None = None) -> Coach:
    def list_hands(request: Any, timeout: float) -> Any:
        return encode_records(hand_records(table, request.first_hand, request.hand_count))

    link: Any = SimpleNamespace(tables=typed(SimpleNamespace(ListHands=list_hands)))
    return Coach(link, "3f2a91c0d4e5", inbox, durations)


def last_of(inbox: Inbox) -> Advice:
    while True:
        message = inbox.get(timeout=20)
        assert isinstance(message, Advice)
        if message.is_last:
            return message


@pytest.fixture(autouse=True)
def nobody_else() -> Any:
    with mock.patch.object(coach_module, "resolver", no_resolver):
        yield


def test_it_explains_what_its_player_sees_and_nothing_else() -> None:
    table, inbox = play(deal(table_of("Anna", "rollout")), 300, 0, 0), SimpleQueue[Any]()
    seen = view(table, 0)
    asked = list[Any]()

    def explain(_link: object, decisions: Any, public: Any, holding: Any, taken: Any, _tell: Any) -> Any:
        asked.append((decisions, public, holding, taken))
        raise Refused("that was the question")

    with mock.patch.object(coach_module, "explain", explain), coach_at(table, inbox) as coach:
        coach.see(seen)
        coach.explain()
        assert last_of(inbox) == Advice(1, "that was the question", action_number=3)
    decisions, public, holding, taken = asked[0]
    assert [action for _, action in decisions] == [300, 0, 0]
    assert seen.public
    assert public.board == seen.public.board
    assert (holding, taken) == (seen.holding, None)


def test_what_it_does_not_answer() -> None:
    inbox = SimpleQueue[Any]()
    three = deal(table_of("Anna", "rollout", "random"))
    with coach_at(three, inbox) as coach:
        with pytest.raises(Refused, match="it is not your turn"):
            coach.explain()
        with pytest.raises(Refused, match="you have not finished a hand yet"):
            coach.review()
        coach.see(view(three, 0))
        with pytest.raises(Refused, match="only two-player hands can be re-solved, and this one has 3"):
            coach.explain()
        with pytest.raises(Refused, match="you have not finished a hand yet"):
            coach.review()
        coach.see(view(play(three, -1, -1), 0))
        coach.review()
        assert last_of(inbox).text == "only two-player hands can be re-solved, and hand 1 has 3"


def test_it_reviews_the_last_hand_that_is_over() -> None:
    table, inbox = deal(table_of("Anna", "rollout")), SimpleQueue[Any]()
    asked = list[Any]()

    def review(_link: object, decisions: Any, seat: int, holding: Any, _tell: Any) -> list[Any]:
        asked.append(([action for _, action in decisions], seat, holding))
        return []

    with mock.patch.object(coach_module, "review", review), coach_at(table, inbox) as coach:
        first = view(table, 0)
        coach.see(first)
        play(table, 300, -1)
        deal(table, SEED[::-1])  # nobody sees its end
        for _ in range(2):
            coach.see(view(table, 0))
        coach.review()
        words = cards_words(format_cards(first.holding))
        assert last_of(inbox) == Advice(0, f"hand 1, you held {words}: you had no decision to make")
    assert asked == [([300, -1], first.seat, first.holding)]


def test_one_question_at_a_time_and_errors_are_words() -> None:
    table, inbox = deal(table_of("Anna", "rollout")), SimpleQueue[Any]()
    may_end: SimpleQueue[None] = SimpleQueue()

    def explain(*_: object) -> Any:
        may_end.get(timeout=20)
        raise ValueError("closed")

    with mock.patch.object(coach_module, "explain", explain), coach_at(table, inbox) as coach:
        coach.see(view(table, 0))
        coach.explain()
        with pytest.raises(Refused, match="your last question is not answered yet"):
            coach.explain()
        may_end.put(None)
        assert last_of(inbox).text == "no answer: ValueError: closed"


def test_the_decisions_of_a_record_are_those_of_the_hand() -> None:
    table = play(deal(table_of("Anna", "rollout")), 300, 0, 0, 600, 0, 0, 0, 0, 0)
    (record,) = hand_records(table, 1, 1)
    decisions = decisions_in_record(record)
    assert [action for _, action in decisions] == [300, 0, 0, 600, 0, 0, 0, 0, 0]
    assert [state.street for state, _ in decisions] == [0, 0, 1, 1, 1, 2, 2, 3, 3]
    assert [state.actor for state, _ in decisions] == [1, 0, 0, 1, 0, 0, 1, 0, 1]


def test_a_stopped_question_is_never_answered_and_the_next_one_is() -> None:
    table, inbox = deal(table_of("Anna", "rollout")), SimpleQueue[Any]()
    told, may_go_on = SimpleQueue[None](), SimpleQueue[None]()

    def slow(*arguments: Any) -> Any:
        tell = arguments[-1]
        told.put(None)
        may_go_on.get(timeout=20)
        tell(0.5)
        raise AssertionError("the question was stopped")

    def quick(*_: object) -> Any:
        raise Refused("the next answer")

    with coach_at(table, inbox) as coach:
        coach.see(view(table, 0) if table.actor == 0 else view(table, 1))
        with mock.patch.object(coach_module, "explain", slow):
            coach.explain()
            told.get(timeout=20)
            assert coach.is_busy
            coach.stop()
            assert not coach.is_busy
        with mock.patch.object(coach_module, "explain", quick):
            coach.explain()
            assert last_of(inbox).text == "the next answer"
        may_go_on.put(None)
    assert inbox.empty()


def test_it_says_how_long_an_answer_may_take() -> None:
    table, inbox, durations = deal(table_of("Anna", "rollout")), SimpleQueue[Any](), Durations()
    with (
        mock.patch.object(coach_module, "explanation_of", return_value="the answer"),
        coach_at(table, inbox, durations) as coach,
    ):
        coach.see(view(table, 0) if table.actor == 0 else view(table, 1))
        assert coach.explain() == "about 15 s the first time", "the resolver is started, too"
        assert last_of(inbox).text == "the answer"
        durations.note("explain 52 0", 40.0)
        assert durations.expected("explain 52 0") == pytest.approx(20, abs=3)
        assert coach.explain() == "about 20 s"
        last_of(inbox)
