"""The resolver service as the solver of a continual player."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from riverboat.cards import format_cards
from riverboat.clients.analysis.plans import plan_of, root_of
from riverboat.clients.analysis.tracker import leaf_below
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import EQUITY, Resolved, Step
from riverboat.resolving.solution import Passage
from riverboat.rules.state import PublicState
from riverboat.solving.subgame import F64
from riverboat.streets import PREFLOP


@dataclass(slots=True, eq=False)
class RemoteSolves:
    """Asks a resolver, with the trees and iterations of the plans."""

    client: ResolverClient
    leaf: str = ""  # what lies below a cut: "equity", names of networks, or the resolver's default
    timeout: float | None = None  # seconds for one answer
    cut_short: str = ""  # how a deadline has cut an answer short; the caller empties it

    def resolve(self, public: PublicState, own: F64, values: F64 | None, played: int | None = None) -> "RemoteSolution":
        """Solve for the actor; see `Solves`."""
        other = np.ones_like(own) if values is None else None
        ask = partial(self._ask(public, played), (own, other), values=values)
        return RemoteSolution(ask, ask())

    def opponent_worth(self, public: PublicState, own: F64, other: F64, opponent: int) -> F64:
        """Solve with both ranges known; see `Solves`."""
        ranges = (other, own) if public.actor == opponent else (own, other)
        values: F64 = self._ask(public)(ranges).values[opponent]
        return np.nan_to_num(values)

    def _ask(self, public: PublicState, played: int | None = None) -> Callable[..., Resolved]:
        leaf = leaf_below(public, self.leaf, self.client.has_network)
        plan = plan_of(public, has_network=leaf != EQUITY)
        if played is not None:
            plan = plan.with_raise(public, played)

        def ask(ranges: tuple[F64, F64 | None], values: F64 | None = None, path: Sequence[Step] = ()) -> Resolved:
            resolved: Resolved = self.client.resolve(
                root_of(public),
                plan.bet_sizes(public.street),
                ranges,
                plan.iterations,
                leaf=leaf,
                timeout=self.timeout,
                values=values,
                path=path,
                algorithm=plan.algorithm,
            )
            cost = resolved.cost
            if cost.is_partial:
                self.cut_short = (
                    f"the deadline cut re-solving after {cost.iterations:,} of {plan.iterations:,} iterations"
                )
            return resolved

        return ask


@dataclass(frozen=True, slots=True, eq=False)
class RemoteSolution:
    """A resolver's answer. What follows from an action is asked for when it is needed; the resolver remembers."""

    ask: Callable[..., Resolved]
    resolved: Resolved

    @property
    def actions(self) -> tuple[int, ...]:
        """The actor's actions."""
        return self.resolved.actions

    @property
    def strategy(self) -> F64:
        """The average strategy [A, H]."""
        return self.resolved.strategy

    def opponent_values(self, passage: Passage) -> F64 | None:
        """What the opponent can count on after a passage [H]; None if the tree was cut at its deal."""
        if passage.cards and not _knows_boards(self.resolved.cost.leaf):
            return None
        path: list[Step] = [passage.action]
        if passage.reply is not None:
            path.append(passage.reply)
        if passage.cards:
            path.append(format_cards(passage.cards))
        return np.nan_to_num(self.ask(path=path).opponent_values)

    def opponent_range(self, passage: Passage) -> F64:
        """What the opponent plays of its holdings up to the end of a street [H]."""
        reach = self.resolved.opponent_reach
        reach = np.ones(self.strategy.shape[1]) if reach is None else reach
        if passage.reply is None:
            return reach
        answer = self.ask(path=[passage.action])
        after: F64 = reach * answer.reply_strategy[answer.replies.index(passage.reply)]
        return after


def _knows_boards(leaf: str) -> bool:
    """Whether a tree goes beyond the next deal: to the end of the hand, or to a network that knows single boards."""
    return not leaf or (leaf != EQUITY and f"-{PREFLOP}-" not in leaf)
