"""Ranges through a hand between two players: what each may hold, given what both have done.

Before the first action all holdings are as likely as any other. After each action its player's range is multiplied by
the chance that each holding acts so, in the strategy that re-solving finds there (Bayes' rule). Nobody's private cards
are looked at, so whoever goes through the same hand comes to the same ranges.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from clients.resolving.plans import Plan, plan_of
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, live_holdings
from riverboat.rules.bet_sizes import parse_bet_sizes, restricted_actions
from riverboat.rules.betting import CALL
from riverboat.rules.state import PublicState, View
from riverboat.rules.translation import pseudo_harmonic_chances
from riverboat.solving.answers import Resolved
from riverboat.solving.questions import Step
from riverboat.solving.resolve import bayesian_update
from riverboat.solving.subgame import F64, Reals

_SMALLEST = 1e-3  # of the largest weight: below that a holding is not looked at any more


class Resolves(Protocol):
    """Whoever re-solves: a `ResolverLink`, or something else in tests."""

    def resolve(
        self,
        public: PublicState,
        bet_sizes: str,
        ranges: tuple[Reals, Reals],
        iterations: int,
        *,
        opponent_values: Reals | None = None,
        path: Sequence[Step] = (),
        holding: int | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> Resolved:
        """What to do in a state."""


@dataclass(frozen=True, slots=True, eq=False)
class _Strategy:
    """What somebody does in a state, for each holding."""

    actions: tuple[int, ...]
    chances: F64  # [A, H]


class Tracker:
    """Follows one hand. Decisions of `seat` are all re-solved; of the other's those that no earlier tree had in it.

    `mistakes` is how often each seat is thought to do something else than the strategy says, by seat. Without that, an
    action that the strategy never takes would say nothing, or too much.
    """

    def __init__(
        self, resolver: Resolves, seat: int, mistakes: tuple[float, float], timeout: float | None = None
    ) -> None:
        self._resolver, self._seat, self._mistakes, self._timeout = resolver, seat, mistakes, timeout
        self._forget()

    def _forget(self) -> None:
        self._seen: tuple[int, ...] = ()
        self._ranges: F64 | None = None
        self._reply: _Strategy | None = None  # what the opponent does now, if that is known
        self._own: tuple[int, Resolved] | None = None  # the last decision that was asked for, and its place

    def ranges_at(self, view: View) -> F64:
        """Both ranges by seat before the decision that a view is about, as weights up to one [2, H]."""
        return self.ranges_after(list(decisions_of(view)), view.public)

    def ranges_after(self, decisions: Sequence[tuple[PublicState, int]], public: PublicState) -> F64:
        """Both ranges after decisions (states and what was done in them), on the board of a state [2, H]."""
        if public.player_count != 2:
            raise InvalidInput("seats", f"two players can be followed, not {public.player_count}")
        actions = tuple(action for _, action in decisions)
        if self._ranges is None or self._seen != actions[: len(self._seen)]:
            self._forget()
            self._ranges = np.ones((2, holdings_of(public.variant.deck).count))
        for state, action in decisions[len(self._seen) :]:
            self._see(state, action, self._ranges)
            self._seen = (*self._seen, action)
        return _on_board(self._ranges, public)

    def decide(self, view: View, holding: int, seed: int) -> int:
        """An action for the seat that a view is of, with the holding at a place on axis H."""
        ranges = self.ranges_at(view)
        # Whatever its range says, this is what it has.
        ranges[view.seat, holding] = max(ranges[view.seat, holding], 2 * _SMALLEST)
        found = self._resolve(view.public, ranges, None, holding, seed)
        self._own = len(self._seen), found
        return found.action

    def _see(self, state: PublicState, action: int, ranges: F64) -> None:
        """Change the actor's range by what it has done."""
        seat = _actor_of(state)
        reply, self._reply = self._reply, None
        if reply is None or seat == self._seat:
            reply, self._reply = self._strategy(state, action, ranges)
        chances = chances_of(state, action, reply.actions, reply.chances)
        mistakes = self._mistakes[seat]
        mixed = (1 - mistakes) * chances + mistakes / len(reply.actions)
        after = bayesian_update(ranges[seat] * live_holdings(state.variant.deck, state.board), mixed)
        ranges[seat] = after / after.max()

    def _strategy(self, state: PublicState, action: int, ranges: F64) -> tuple[_Strategy, _Strategy | None]:
        """What the actor does in a state, and what the other does after an action, if the tree has that."""
        in_tree = action in restricted_actions(state, parse_bet_sizes(_sizes(state, plan_of(state))))
        chosen = action if in_tree else None
        if self._own and self._own[0] == len(self._seen) and self._own[1].action == action:
            found = self._own[1]
        else:
            found = self._resolve(state, _on_board(ranges, state), chosen)
        reply = _Strategy(found.replies, found.reply_strategy) if in_tree and found.replies else None
        return _Strategy(found.actions, found.strategy), reply

    def _resolve(
        self, state: PublicState, ranges: F64, chosen: int | None, holding: int | None = None, seed: int = 0
    ) -> Resolved:
        seat, plan = _actor_of(state), plan_of(state)
        return self._resolver.resolve(
            state,
            _sizes(state, plan),
            (ranges[seat], ranges[1 - seat]),
            plan.iterations,
            path=() if chosen is None else (chosen,),
            holding=holding,
            seed=seed,
            timeout=self._timeout,
        )


def decisions_of(view: View) -> Iterator[tuple[PublicState, int]]:
    """Every state of a hand so far in which somebody acted, and what it did."""
    turns = (state for state in view.states() if state.actor is not None)
    yield from zip(turns, view.actions, strict=False)  # nothing has been done yet in the last state


def chances_of(state: PublicState, action: int, actions: Sequence[int], strategy: F64) -> F64:
    """How likely each holding takes an action [H]; a raise that the tree does not have is taken for its neighbours."""
    if action in actions:
        found: F64 = strategy[list(actions).index(action)]
        return found
    raises = [size for size in actions if size > CALL]
    if not raises:
        return np.ones(strategy.shape[1])
    taken_for = pseudo_harmonic_chances(state, action, raises)
    mixed: F64 = sum(
        (chance * strategy[list(actions).index(size)] for size, chance in taken_for), np.zeros(strategy.shape[1])
    )
    return mixed


def _sizes(state: PublicState, plan: Plan) -> str:
    return plan.bet_sizes(state.street)


def _actor_of(state: PublicState) -> int:
    if state.actor is None:
        raise InvalidInput("state", "nobody is to act")
    return state.actor


def _on_board(ranges: F64, public: PublicState) -> F64:
    """Ranges without what the board excludes and what is hardly possible."""
    found = ranges * live_holdings(public.variant.deck, public.board)
    found[found < _SMALLEST * found.max(axis=1, keepdims=True)] = 0
    return found
