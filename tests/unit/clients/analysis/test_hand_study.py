"""Each street of a hand is solved once, and again only where the hand leaves its solution."""

from collections.abc import Iterator
from typing import Any

import pytest

from riverboat.cards import parse_cards
from riverboat.clients.analysis.explainer import explanations
from riverboat.clients.analysis.review import turns_of
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.rules.betting import FOLD
from riverboat.rules.state import PublicState
from tests.unit.clients.analysis.hands import CHECKED_DOWN, played

NUTS, AIR = parse_cards("9h9d"), parse_cards("JsTd")


class Counting:
    """A resolver that counts solves by street, and what was not released."""

    def __init__(self, link: ResolverClient) -> None:
        self._link = link
        self.streets: list[int] = []
        self.open: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._link, name)

    def solve(self, public: PublicState, *words: Any, **more: Any) -> Iterator[Any]:
        self.streets.append(public.street)
        for step in self._link.solve(public, *words, **more):
            self.open |= {step.handle} if step.handle else set()
            yield step

    def release(self, handle: str) -> None:
        self.open.remove(handle)
        self._link.release(handle)


def test_every_street_is_solved_once(link: ResolverClient) -> None:
    decisions, _ = played([250, 0, 0, 300, 0, 0, 0, 0, 0])
    counting: Any = Counting(link)
    wanted = turns_of(decisions, 0)
    assert [decisions[number][0].street for number in wanted] == [0, 1, 1, 2, 3]
    told = list(explanations(counting, decisions, seat=0, holding=NUTS, wanted=wanted))
    assert [one.public.street for one in told] == [0, 1, 1, 2, 3]
    assert counting.streets == [0, 1, 2, 3]
    assert not counting.open


def test_it_is_solved_again_where_the_holding_would_not_have_come(link: ResolverClient) -> None:
    """The nuts would never have folded, and air would never have called a bet of the whole stack."""
    decisions, state = played([*CHECKED_DOWN, 0, 200, 9_000])
    turns = [*decisions, (state, FOLD)]
    counting: Any = Counting(link)
    wanted = [*turns_of(decisions, 0), len(decisions)] if state.actor == 0 else [len(decisions)]
    told = list(explanations(counting, turns, seat=state.actor or 0, holding=AIR, wanted=wanted))
    assert counting.streets[-2:] == [3, 3]
    assert told[-1].choice(FOLD).loss == pytest.approx(0, abs=told[-1].slack)
    assert not counting.open


def test_an_abandoned_study_releases_its_solution(link: ResolverClient) -> None:
    decisions, _ = played(CHECKED_DOWN)
    counting: Any = Counting(link)
    told = explanations(counting, decisions, seat=0, holding=NUTS, wanted=turns_of(decisions, 0))
    next(told)
    assert len(counting.open) == 1
    told.close()  # type: ignore[attr-defined]  # it is a generator
    assert not counting.open
