"""Continual re-solving: what one player needs to remember from one decision to the next, and how it decides.

It remembers its own range, what the opponent can count on with each holding (counterfactual values), and what the
opponent probably holds. A strategy is then sought that gives the opponent no more than that, whatever it holds: so
nothing is lost by being wrong about the opponent (DeepStack; Burch, Johanson and Bowling, 2014).

    own action      the own range by Bayes' rule; the values are those after the action
    other's action  its range by Bayes' rule, as far as the last tree says what it does; the values stay
    a deal          the values of the last solution on that board; where it did not look so far, what the holding wins
                    against the own range if nobody bets any more
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clients.resolving.plans import plan_of
from clients.resolving.tracking import Resolves, chances_of, decisions_of
from riverboat.cards import format_cards
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.rules.bet_sizes import parse_bet_sizes, restricted_actions
from riverboat.rules.state import PublicState, View
from riverboat.solving.answers import Resolved
from riverboat.solving.questions import Step
from riverboat.solving.resolve import bayesian_update
from riverboat.solving.subgame import F64
from riverboat.utility import runout_utility

_SMALLEST = 1e-3  # of the largest weight: below that an own holding is not looked at any more
_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Trust:
    """How far the opponent is thought to play as it should."""

    mistakes: float = 0.1  # how often it does something else than the strategy says
    floor: float = 0.05  # of the likeliest holding's weight: what every holding has at least


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What is remembered."""

    street: int
    own: F64  # [H]
    other: F64  # [H]
    values: F64 | None  # [H]; None before anybody has acted: then both ranges are known


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A decision of our own that was solved, and what happened since."""

    public: PublicState
    known: _Known
    own: F64  # as it was asked with
    path: tuple[Step, ...]
    is_in_tree: bool = True


class Continual:
    """Plays one seat of one hand; everything follows from the view, so it may begin in the middle of it."""

    def __init__(self, resolver: Resolves, seat: int, trust: Trust | None = None, timeout: float | None = None) -> None:
        self._resolver, self._seat, self._timeout = resolver, seat, timeout
        self._trust = trust or Trust()
        self._forget()

    def _forget(self) -> None:
        self._seen: tuple[int, ...] = ()
        self._known: _Known | None = None
        self._asked: _Asked | None = None
        self._decided: tuple[int, Resolved] | None = None  # the last answer, and after how many actions
        self._reply: Resolved | None = None  # the answer to what was asked last, if it says what the other does next

    def decide(self, view: View, seed: int) -> int:
        """An action for the seat, by the strategy that re-solving finds."""
        if view.public.player_count != _PLAYERS:
            raise InvalidInput("seats", f"re-solving is for two players, not {view.public.player_count}")
        holding = holding_index(view.public.variant.deck, view.holding)
        known = self._follow(view)
        asked = self._question(view.public, known, holding)
        found = self._ask(asked, (), holding, seed)
        self._decided = len(view.actions), found
        return found.action

    def _follow(self, view: View) -> _Known:
        """Go through what has happened since the last time."""
        public, deck = view.public, view.public.variant.deck
        if self._known is None or self._seen != view.actions[: len(self._seen)]:
            self._forget()
            everything = np.ones(holdings_of(deck).count)
            self._known = _Known(0, everything, everything, None)
        holding = holding_index(deck, view.holding)
        for state, action in list(decisions_of(view))[len(self._seen) :]:
            known = self._on_street(self._known, state)
            if state.actor == self._seat:
                self._known = self._after_own(known, state, action, holding)
            else:
                self._known = self._after_other(known, state, action)
            self._seen = (*self._seen, action)
        return self._on_street(self._known, public)

    # What happens

    def _after_own(self, known: _Known, state: PublicState, action: int, holding: int) -> _Known:
        asked = self._question(state, known, holding)
        in_tree = action in restricted_actions(state, parse_bet_sizes(plan_of(state).bet_sizes(state.street)))
        if self._decided and self._decided[0] == len(self._seen) and self._decided[1].action == action:
            found = self._decided[1]
        else:
            found = self._ask(asked, (action,) if in_tree else (), None, 0)
        self._asked, self._reply = replace(asked, path=(action,), is_in_tree=in_tree), found
        own = bayesian_update(asked.own, chances_of(state, action, found.actions, found.strategy))
        values = found.opponent_values if in_tree else found.values[1 - self._seat]
        return replace(known, own=own / own.max(), values=values)

    def _after_other(self, known: _Known, state: PublicState, action: int) -> _Known:
        actions, strategy, values = self._of_other(known, state)
        if self._asked is not None:
            in_tree = self._asked.is_in_tree and action in actions
            self._asked = replace(self._asked, path=(*self._asked.path, action), is_in_tree=in_tree)
        if not len(actions):
            return replace(known, values=values)
        mistakes = self._trust.mistakes
        chances = (1 - mistakes) * chances_of(state, action, actions, strategy) + mistakes / len(actions)
        other = bayesian_update(known.other, chances)
        return replace(known, other=other / other.max(), values=values)

    def _of_other(self, known: _Known, state: PublicState) -> tuple[Sequence[int], F64, F64 | None]:
        """What the other does in a state, as far as that is known, and what it can count on there."""
        if known.values is None:  # nobody has acted: what it should do follows from the rules alone
            found = self._ask(_Asked(state, known, known.other, ()), (), None, 0)
            return found.actions, found.strategy, found.values[1 - self._seat]
        last, reply = self._asked, self._reply
        is_next = last is not None and last.is_in_tree and len(last.path) == 1 and last.public.street == state.street
        if reply is None or not is_next:
            return (), np.zeros((0, len(known.other))), known.values
        return reply.replies, reply.reply_strategy, known.values

    def _on_street(self, known: _Known, public: PublicState) -> _Known:
        """What is known when a street has begun."""
        if public.street == known.street:
            return known
        live = live_holdings(public.variant.deck, public.board)
        own, other = known.own * live, known.other * live
        after = _Known(public.street, own / own.max(), other / other.max(), None)
        return replace(after, values=self._values_after_deal(after, public))

    def _values_after_deal(self, known: _Known, public: PublicState) -> F64:
        last, deck = self._asked, public.variant.deck
        size = public.variant.board_sizes[known.street - 1]
        to_come = len(public.variant.streets) - 1 - known.street
        if last is not None and last.is_in_tree and to_come == 0 and last.public.street == known.street - 1:
            path = (*last.path, format_cards(public.board[size:]))
            return self._ask(last, path, None, 0).opponent_values
        live = np.flatnonzero(live_holdings(deck, public.board)).astype(np.int32)
        share = known.own[live] / known.own[live].sum()
        stake = (public.pot - sum(public.bets)) / 2
        values = np.full(len(known.own), np.nan)
        values[live] = stake * (runout_utility(deck, public.board, live, live) @ share)
        return values

    # Asking

    def _question(self, public: PublicState, known: _Known, holding: int) -> _Asked:
        live = live_holdings(public.variant.deck, public.board)
        own = known.own * live
        own[own < _SMALLEST * own.max()] = 0
        own[holding] = max(own[holding], 2 * _SMALLEST * own.max())  # whatever its range says, this is what it has
        return _Asked(public, known, own, ())

    def _ask(self, asked: _Asked, path: tuple[Step, ...], holding: int | None, seed: int) -> Resolved:
        public, known = asked.public, asked.known
        plan, live = plan_of(public), live_holdings(public.variant.deck, public.board)
        is_own = public.actor == self._seat
        other = np.maximum(known.other, self._trust.floor) if known.values is not None else known.other
        ranges = (asked.own, other * live) if is_own else (known.other * live, known.own * live)
        return self._resolver.resolve(
            public,
            plan.bet_sizes(public.street),
            ranges,
            plan.iterations,
            opponent_values=np.where(live, known.values, np.nan) if known.values is not None else None,
            path=path,
            holding=holding,
            seed=seed,
            timeout=self._timeout,
        )
