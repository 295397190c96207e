"""Practice: warnings before costly actions, and hands played again."""

from collections.abc import Sequence
from dataclasses import replace
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from riverboat.arena.bots import CallBot
from riverboat.cards import parse_cards
from riverboat.clients.analysis.explanation import Choice
from riverboat.clients.console.table.inbox import Rehearsed, Studied
from riverboat.clients.console.table.practice import Practice, Warner, nearest_choice
from riverboat.clients.console.table.rehearsal import PlayedHand, Rehearsal, bots_of
from riverboat.history.hand import History
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.variant import no_limit
from riverboat.tables.entries import BoardOpened, HandFinished, HoldingShown, SeatMoved
from tests.unit.clients.console.table.tables import deal, play, table_of, view

HAND = History(
    variant=no_limit(50, 100),
    stacks=(1000, 1000),
    holdings=(parse_cards("AhKd"), parse_cards("7c7s")),
    events=(
        Move(1, 300), Move(0, CALL), BoardDealt(parse_cards("Ks7h2c")), Move(0, CALL), Move(1, 200), Move(0, FOLD),
    ),
    names=("Anna", "always-call 2"),
    finishing_stacks=(700, 1300),
    label=4,
)  # fmt: skip


def explained(choices: Sequence[tuple[int, float]], public: Any, slack: float = 1.0) -> Any:
    best = max(ev for _, ev in choices)
    listed = tuple(Choice(action, 0.5, 0.5, ev, best - ev, None) for action, ev in choices)
    top = max(listed, key=lambda choice: choice.ev)
    return SimpleNamespace(choices=listed, best=top, slack=slack, public=public, is_estimate=False)


@pytest.fixture
def seen() -> Any:
    table = deal(table_of("Anna", "rollout"))
    shown = view(table, 0)
    return shown if shown.is_your_turn else view(play(table, 300), 0)


def test_an_action_that_costs_much_is_held_back_once(seen: Any) -> None:
    warner = Warner(0.05, lambda _: True)
    warner.see(seen)
    explanation = explained([(FOLD, 0.0), (CALL, 60.0), (900, 50.0)], seen.public)
    assert warner.hear(Studied(seen.place, explanation)) == (None, "")
    assert warner.objection(seen, CALL) == ""
    warning = warner.objection(seen, FOLD)
    assert warning.startswith("folding loses 60 chips (")
    assert "The same again plays it" in warning
    assert warner.objection(seen, FOLD) == "", "a second time it is sent"
    assert warner.explanation(seen) is explanation


def test_an_action_waits_for_its_cost_and_is_sent_if_it_is_fine(seen: Any) -> None:
    warner = Warner(0.05, lambda _: True)
    warner.see(seen)
    assert "working out what" in warner.objection(seen, CALL)
    explanation = explained([(FOLD, 0.0), (CALL, 60.0)], seen.public)
    assert warner.hear(Studied(seen.place, explanation)) == (CALL, "")
    other = Warner(0.05, lambda _: True)
    other.see(seen)
    other.objection(seen, FOLD)
    action, words = other.hear(Studied(seen.place, explanation))
    assert action is None
    assert words.startswith("folding loses 60 chips")


def test_without_an_explanation_nothing_is_held_back(seen: Any) -> None:
    warner = Warner(0.05, lambda _: False)
    warner.see(seen)
    assert warner.objection(seen, FOLD) == ""
    late = Warner(0.05, lambda _: True)
    late.see(seen)
    late.objection(seen, FOLD)
    assert late.hear(Studied(seen.place, None)) == (FOLD, "")
    assert late.hear(Studied((99, 0), None)) == (None, ""), "about an earlier decision"


def test_a_raise_of_another_size_costs_what_the_nearest_one_does(seen: Any) -> None:
    explanation = explained([(FOLD, 0), (CALL, 1), (300, 2), (900, 3)], seen.public)
    assert [nearest_choice(explanation, to).action for to in (FOLD, 310, 500, 600, 5000)] == [FOLD, 300, 300, 900, 900]


def test_a_raise_that_the_explanation_lacks_is_studied_first(seen: Any) -> None:
    asked = list[int | None]()

    def study(action: int | None) -> bool:
        asked.append(action)
        return True

    warner = Warner(0.05, study)
    warner.see(seen)
    few = explained([(FOLD, 0.0), (CALL, 60.0), (300, 50.0)], seen.public)
    assert warner.hear(Studied(seen.place, few)) == (None, "")
    assert "working out what" in warner.objection(seen, 4000)
    assert asked == [None, 4000]
    more = explained([(FOLD, 0.0), (CALL, 60.0), (300, 50.0), (4000, -200.0)], seen.public)
    action, words = warner.hear(Studied(seen.place, more))
    assert action is None
    assert words.startswith("raising to 4,000 loses 260 chips")
    assert warner.objection(seen, 4000) == ""
    early = Warner(0.05, study)
    early.see(seen)
    early.objection(seen, 4000)
    assert "working out what" in early.hear(Studied(seen.place, few))[1]
    assert early.hear(Studied(seen.place, more))[1].startswith("raising to 4,000 loses")


def rehearsal(number: int, bots: dict[int, Any] | None = None) -> Rehearsal:
    return Rehearsal(PlayedHand(HAND, 0), number, bots or {1: CallBot}, np.random.default_rng(1))


def test_a_hand_is_played_again_from_a_decision() -> None:
    hand = PlayedHand(HAND, 0)
    assert [action for _, action in hand.turns] == [CALL, CALL, FOLD]
    assert "1 preflop (calls 200), 2 flop (checks), 3 flop (folds)" in hand.list_of_turns()
    again = rehearsal(3)
    shown = again.view()
    assert shown.is_your_turn
    assert shown.public
    assert (shown.public.pot, shown.public.to_call, shown.public.board) == (800, 200, parse_cards("Ks7h2c"))
    assert shown.holding == parse_cards("AhKd")
    assert not any(isinstance(entry, HoldingShown) for entry in shown.entries), "the opponent's cards stay hidden"
    assert "no chips change hands; q ends it" in again.words()
    while not again.is_over:
        again.play(CALL)
    ended = again.view()
    assert not ended.is_your_turn
    assert isinstance(ended.entries[-1], HandFinished)
    assert sum(ended.entries[-1].payoffs) == 0
    assert ended.entries[-1].payoffs[1] == 500, "the set still wins: known cards stay the same"
    board = [card for entry in ended.entries if isinstance(entry, BoardOpened) for card in entry.cards]
    assert board[:3] == list(parse_cards("Ks7h2c"))
    assert len(set(board)) == 5
    assert [entry.action for entry in ended.entries if isinstance(entry, SeatMoved)][:3] == [300, CALL, CALL]
    assert "-500 chips; it was -300 in the hand you played" in again.words()


def test_cards_that_nobody_saw_are_drawn_anew() -> None:
    hidden = replace(HAND, holdings=(HAND.holdings[0], None))
    drawn = set()
    for seed in range(5):
        again = Rehearsal(PlayedHand(hidden, 0), 3, {1: CallBot}, np.random.default_rng(seed))
        while not again.is_over:
            again.play(CALL)
        (shown,) = [entry.cards for entry in again.view().entries if isinstance(entry, HoldingShown) and entry.seat]
        assert not set(shown) & set(parse_cards("AhKdKs7h2c"))
        drawn.add(shown)
    assert len(drawn) > 1


def test_orders_of_practice() -> None:
    inbox: Any = SimpleQueue()
    practice = Practice(Warner(0.05, lambda _: False), inbox, ["always-call"])
    assert practice.begin("p") == "no hand is over yet that could be played again"
    practice.keep(HAND, "Anna")
    assert practice.begin("p").startswith("hand 4 again from your decision 1 preflop")
    assert practice.begin("p 9") == practice.begin("p")
    assert practice.rehearsal is None
    assert practice.begin("p 3") == ""
    assert practice.rehearsal
    practice.play(FOLD)
    assert inbox.get(timeout=20) == Rehearsed("")
    assert practice.rehearsal.is_over
    practice.end()
    assert practice.rehearsal is None
    assert [Practice.is_order(text) for text in ("p", "p2", "p 12", "pot", "r 2")] == [True, True, True, False, False]


def test_the_second_agent_of_a_name_plays_like_the_first() -> None:
    first, other = object(), object()
    makers: Any = {"always-call": first}
    assert bots_of(PlayedHand(HAND, 0), makers, other) == {1: first}  # type: ignore[arg-type]
    assert bots_of(PlayedHand(HAND, 1), makers, other) == {0: other}  # type: ignore[arg-type]
