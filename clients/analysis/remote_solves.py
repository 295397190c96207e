"""The resolver service as the solver of a continual player."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from riverboat.cards import format_cards
from riverboat.clients.analysis.effort import AS_PLANNED, Effort, cut_short_words
from riverboat.clients.analysis.plans import plan_of, root_of
from riverboat.clients.analysis.tracker import leaf_below
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import EQUITY, Resolved, Step
from riverboat.resolving.solution import Bound, Passage, SolvedStart
from riverboat.rules.state import PublicState
from riverboat.solving.loop import Limits
from riverboat.solving.subgame import F64
from riverboat.streets import PREFLOP

_MOST_ITERATIONS = 100_000  # where seconds are the limit
_WHOLE_SECONDS = 4.0  # that must be left for a solve to the end of the hand where a cut is quicker
_LEAST_SECONDS = 0.05  # of a solve


@dataclass(slots=True, eq=False)
class RemoteSolves:
    """Asks a resolver, with the trees and iterations of the plans, or with those that the caller chose."""

    client: ResolverClient
    effort: Effort = AS_PLANNED
    time_left: Callable[[], float | None] | None = None  # seconds until the answer is needed, whatever the effort
    cut_short: str = ""  # how a deadline has cut an answer of this decision short
    _seconds: float = 0.0  # of solving that are left for this decision, if the effort is in seconds

    def begin(self) -> None:
        """Begin a decision."""
        self.cut_short, self._seconds = "", self.effort.seconds or 0.0

    def resolve(
        self, public: PublicState, own: F64, bound: Bound, is_past: bool = False, played: int | None = None
    ) -> "RemoteSolution":
        """Solve for the actor; see `Solves`."""
        ask = partial(self._ask(public, self._wish(1.0), is_past, played), (own, bound.weights), values=bound.values)
        resolved = ask()
        return RemoteSolution(partial(ask, wish=Limits(resolved.cost.iterations)), resolved)

    def solve_start(self, public: PublicState, own: F64, other: F64, opponent: int) -> SolvedStart:
        """Solve with both ranges known; see `Solves`."""
        ranges = (other, own) if public.actor == opponent else (own, other)
        ask = partial(self._ask(public, self._wish(0.5)), ranges)
        resolved = ask()
        solution = RemoteSolution(partial(ask, wish=Limits(resolved.cost.iterations)), resolved)
        return SolvedStart(np.nan_to_num(resolved.values[opponent]), solution)

    def _wish(self, share: float) -> Limits | None:
        """Return the limits of a solve that may use a share of the seconds left for the decision."""
        if self.effort.seconds is None:
            return Limits(self.effort.iterations) if self.effort.iterations else None
        return Limits(_MOST_ITERATIONS, seconds=max(_LEAST_SECONDS, share * self._seconds))

    def _ask(
        self, public: PublicState, wish: Limits | None, is_past: bool = False, played: int | None = None
    ) -> Callable[..., Resolved]:
        leaf = leaf_below(public, self.effort.leaf, self.client.has_network)
        left = self.time_left() if self.time_left else None
        is_short = is_past or (left is not None and left < _WHOLE_SECONDS)
        may_be_exact = self.effort.may_be_exact and not is_short
        plan = plan_of(public, has_network=leaf != EQUITY, may_be_exact=may_be_exact)
        if played is not None:
            plan = plan.with_raise(public, played)

        def ask(
            ranges: tuple[F64, F64 | None],
            values: F64 | None = None,
            path: Sequence[Step] = (),
            wish: Limits | None = wish,
        ) -> Resolved:
            limits = plan.limits(wish)
            resolved: Resolved = self.client.resolve(
                root_of(public),
                plan.bet_sizes(public.street),
                ranges,
                limits,
                depth=plan.depth(public),
                leaf=leaf,
                timeout=self.time_left() if self.time_left else None,
                values=values,
                path=path,
                algorithm=plan.algorithm,
            )
            cost = resolved.cost
            if path:  # the answer was kept, with its cost
                return resolved
            self._seconds -= cost.total_seconds
            if cost.is_partial:
                self.cut_short = cut_short_words(cost.iterations, limits.iterations or plan.iterations)
            return resolved

        return ask


@dataclass(frozen=True, slots=True, eq=False)
class RemoteSolution:
    """A resolver's answer. What follows from an action is asked for when it is needed; the resolver remembers."""

    ask: Callable[..., Resolved]
    resolved: Resolved  # of the root
    followed: tuple[int, ...] = ()  # actions from the root to the decision that this is about
    here: Resolved | None = None  # the answer there, without any for the root

    @property
    def actions(self) -> tuple[int, ...]:
        """The player's actions."""
        return self.here.replies if self.here else self.resolved.actions

    @property
    def strategy(self) -> F64:
        """The average strategy [A, H]."""
        return self.here.reply_strategy if self.here else self.resolved.strategy

    def opponent_values(self, passage: Passage) -> F64 | None:
        """Return the values that the opponent can count on after a passage [H]; None if its deal was cut off."""
        if passage.cards and not _knows_boards(self.resolved.cost.leaf):
            return None
        path: list[Step] = [*self.followed, passage.action]
        if passage.reply is not None:
            path.append(passage.reply)
        if passage.cards:
            path.append(format_cards(passage.cards))
        answer = self.ask(path=path)
        values = answer.actor_values if len(self.followed) % 2 else answer.opponent_values
        return None if values is None else np.nan_to_num(values)

    def opponent_range(self, passage: Passage) -> F64:
        """Return how much of each of its holdings the opponent plays up to the end of a street [H]."""
        reach = self.resolved.opponent_reach
        reach = np.ones(self.strategy.shape[1]) if reach is None else reach
        if passage.reply is None:
            return reach
        answer = self.ask(path=[passage.action])
        after: F64 = reach * answer.reply_strategy[answer.replies.index(passage.reply)]
        return after

    def follow(self, actions: tuple[int, ...]) -> "RemoteSolution | None":
        """Return the same solution after some actions on this street; None if it is cut or lacks them."""
        if self.resolved.cost.leaf:
            return None
        answer, known = self.here or self.resolved, self.actions
        for n, action in enumerate(actions):
            if action not in known:
                return None
            answer = self.ask(path=[*self.followed, *actions[: n + 1]])
            known = answer.replies
        if not known or answer.actor_values is None:  # an older resolver knows less
            return None
        return RemoteSolution(self.ask, self.resolved, (*self.followed, *actions), answer)


def _knows_boards(leaf: str) -> bool:
    """Return whether a tree passes the next deal: to the end of the hand, or to a network that knows single boards."""
    return not leaf or (leaf != EQUITY and f"-{PREFLOP}-" not in leaf)
