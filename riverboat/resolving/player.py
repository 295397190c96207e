"""A player that re-solves at each of its decisions, as DeepStack does.

From decision to decision it carries two things, both for all holdings: its own range, by Bayes' rule from its own
strategies, and what the opponent can count on, as counterfactual values from the last solution. The next strategy
gives the opponent no more than that (the gadget). After an own action the values are those of that action, after a
deal those of that board; an action of the opponent changes nothing, whatever its size. Nothing is assumed about how
the opponent plays.

Everything follows from the public history, so a player may begin anywhere in a hand. Suits are renamed before anything
is solved, so that boards which differ only in the names of suits are one question with one answer, to the bit.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, live_holdings
from riverboat.resolving.solution import Bound, Passage, Solution, Solves
from riverboat.rules.state import PublicState, View
from riverboat.solving.subgame import F64
from riverboat.spots.symmetry import renamed, symmetry_of

_LEAST_SHARE = 1e-6  # of the largest weight: least weight of a live holding, so that each has a strategy
_NEVER = 1e-9  # probability below which an action counts as not in the strategy of a range
_MOST_KEPT = 3_000_000  # holdings in all remembered decisions together; each takes about a hundred bytes


@dataclass(frozen=True, slots=True, eq=False)
class ContinualDecision:
    """A player's knowledge at one of its decisions, and its strategy there."""

    own: F64  # [H]: its range, adding up to one
    bound: Bound  # on the opponent
    solution: Solution  # in the suits of the board that stands for this one: see `renamed`
    strategy: F64  # [A, H]: how likely each holding takes each of the solution's actions

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions of the strategy."""
        return self.solution.actions


@dataclass(frozen=True, slots=True, eq=False)
class _PlayerTurn:
    """A turn of either player: its state and its action, which is None for the decision that is to be made."""

    public: PublicState
    action: int | None


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """Knowledge of the opponent at a decision, and the solution to follow there, if there is one."""

    bound: Bound
    followed: Solution | None = None


class ContinualPlayer:
    """Plays one seat of hands between two players."""

    def __init__(self, solves: Solves, seat: int, mistakes: float = 0.0) -> None:
        """Expect the seat to deviate from the strategy with probability `mistakes`, as when another agent chooses."""
        self._solves, self._seat, self._mistakes = solves, seat, mistakes
        self._decisions: OrderedDict[tuple[object, ...], ContinualDecision] = OrderedDict()

    def decide(self, view: View) -> ContinualDecision:
        """Return the decision at a view; earlier decisions are solved first unless they are remembered."""
        named = renamed(view.public.variant.deck, view.public.board)
        known = self._decide_named(replace(view, public=view.public._replace(board=named.board)))
        return ContinualDecision(
            named.back(known.own), known.bound.map(named.back), known.solution, named.back(known.strategy)
        )

    def _decide_named(self, view: View) -> ContinualDecision:
        """Return the decision at a view with renamed suits."""
        if view.public.player_count != 2:
            raise InvalidInput("seats", f"re-solving is for two players, not {view.public.player_count}")
        if view.seat != self._seat or view.public.actor != self._seat:
            raise InvalidInput("seat", f"seat {self._seat} is not to act")
        states = list(view.states())
        acting = [state for state in states if state.actor is not None]
        turns = [_PlayerTurn(*pair) for pair in zip(acting, (*view.actions, None), strict=True)]
        own_turns = [n for n, turn in enumerate(turns) if turn.public.actor == self._seat]
        start = (view.public.variant, tuple(sum(chips) for chips in zip(acting[0].stacks, acting[0].paid, strict=True)))
        decision: ContinualDecision | None = None
        for place, n in enumerate(own_turns):
            public = turns[n].public
            key = (*start, view.actions[:n], public.board)
            if key not in self._decisions:
                before = turns[own_turns[place - 1] : n + 1] if place else turns[: n + 1]
                self._decisions[key] = self._decide(decision, before)
                if len(self._decisions) * holdings_of(public.variant.deck).count > _MOST_KEPT:
                    self._decisions.popitem(last=False)
            self._decisions.move_to_end(key)
            decision = self._decisions[key]
        if decision is None:
            raise InvalidInput("view", "nobody is to act")
        return decision

    def _decide(self, last: ContinualDecision | None, turns: list[_PlayerTurn]) -> ContinualDecision:
        """Decide at the last of some turns; the first is the start of the hand or the player's previous decision."""
        public = turns[-1].public
        own, known = self._begin(turns) if last is None else self._go_on(last, turns)
        bound, followed = known.bound, known.followed
        symmetry = symmetry_of(public.variant.deck, public.board)
        own, bound = symmetry.mean(own), bound.map(symmetry.mean)
        action = turns[-1].action
        solution = followed or self._solves.resolve(public, own, bound, is_past=action is not None)
        if action is not None and action not in solution.actions:  # somebody else played this seat before
            solution = self._solves.resolve(public, own, bound, is_past=True, played=action)
        return ContinualDecision(own, bound, solution, symmetry.mean(solution.strategy))

    def _begin(self, turns: list[_PlayerTurn]) -> tuple[F64, _Known]:
        """Return the range, and what is known of the opponent, at the player's first decision."""
        public = turns[0].public
        every = _range(np.ones(holdings_of(public.variant.deck).count), public)
        return every, self._anew(turns, every, every)

    def _anew(self, turns: list[_PlayerTurn], own: F64, other: F64) -> _Known:
        """Return what is known where both ranges are known at the first of some turns, and others have acted since."""
        start = turns[0].public
        if len(turns) == 1:
            return _Known(Bound(weights=other))
        solved = self._solves.solve_start(start, own, other, 1 - self._seat)
        return _Known(Bound(solved.opponent_values), solved.solution.follow(_actions(turns)))

    def _go_on(self, last: ContinualDecision, turns: list[_PlayerTurn]) -> tuple[F64, _Known]:
        """Return range and what is known after the previous decision and what has happened since."""
        passage, since = _passage(turns)
        chances = self._chances(last, passage.action)
        own = _range(last.own * chances, turns[-1].public)
        if (last.own * chances).sum() > _NEVER:
            values = last.solution.opponent_values(passage)
            if values is not None:
                return own, _Known(Bound(values), None if passage.cards else last.solution.follow(_actions(turns)))
            other = last.solution.opponent_range(passage)
        elif not passage.cards and last.bound.values is not None:
            return own, _Known(last.bound)
        else:  # its strategy would not have come here, so it says nothing about what the opponent can count on
            other = np.ones_like(own)
        return own, self._anew(turns[since:], own, _range(other, turns[since].public))

    def _chances(self, last: ContinualDecision, action: int) -> F64:
        """Return the probability that each holding took an action [H]; zeros if the strategy lacks the action."""
        if action not in last.actions:
            return np.zeros_like(last.own)
        chances = last.strategy[last.actions.index(action)]
        mixed: F64 = (1 - self._mistakes) * chances + self._mistakes / len(last.actions)
        return mixed


def _passage(turns: list[_PlayerTurn]) -> tuple[Passage, int]:
    """Return the passage between two own decisions, and the place of the turn after its deal (or after the action)."""
    first, now = turns[0], turns[-1]
    if first.action is None:
        raise InvalidInput("view", "a decision has no action yet")
    cards = now.public.board[len(first.public.board) :]
    if now.public.street == first.public.street:
        return Passage(first.action), 1
    later = next(place for place, turn in enumerate(turns) if turn.public.street == now.public.street)
    ended = turns[1] if turns[1].public.street == first.public.street else None
    return Passage(first.action, ended.action if ended else None, cards), later


def _actions(turns: list[_PlayerTurn]) -> tuple[int, ...]:
    """Return the actions before the last of some turns."""
    return tuple(turn.action for turn in turns if turn.action is not None)[: len(turns) - 1]


def _range(weights: F64, public: PublicState) -> F64:
    """Return a range on a board, adding up to one, with some weight on every live holding [H]."""
    live = live_holdings(public.variant.deck, public.board)
    kept = np.where(live, weights, 0.0)
    if kept.max() <= 0:
        kept = live.astype(np.float64)
    kept = np.where(live, np.maximum(kept, _LEAST_SHARE * kept.max()), 0.0)
    shares: F64 = kept / kept.sum()
    return shares
