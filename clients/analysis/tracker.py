"""Ranges through a hand between two players: what each may hold, given what both have done.

Before the first action all holdings are equally likely. After each action the player's range is multiplied by the
chance that each holding takes that action (Bayes' rule). For the seat that is followed, the chance comes from
re-solving; for the opponent, from the heuristic reading (`likelihood.py`), and before the flop from re-solving too.
Private cards do not matter, with one exception: a player who decides always counts its own holding as possible.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from riverboat.clients.analysis.effort import APART, cut_short_words
from riverboat.clients.analysis.likelihood import Reading, read_action
from riverboat.clients.analysis.plans import plan_of, root_of
from riverboat.clients.remote.resolver import ResolverClient, place_beyond
from riverboat.contracts.resolver import EQUITY, Resolved
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, live_holdings
from riverboat.marks import partial
from riverboat.rules.betting import CALL
from riverboat.rules.state import PublicState, View
from riverboat.rules.translation import pseudo_harmonic_chances
from riverboat.solving.resolution import bayesian_update
from riverboat.solving.subgame import F64

TakenAction = tuple[PublicState, int]  # a state, and the action that was taken in it

_SMALLEST = 1e-3  # of the largest weight: a holding below that is dropped
_OWN_SHARE = 2 * _SMALLEST  # of the largest weight: the least weight of the holding that a player has


class Tracker:
    """Follows one hand for a seat; it needs only the actions so far, so it may begin in the middle of the hand.

    `mistakes` is how often the seat deviates from the strategy. With 0, an action outside the strategy would give
    every holding probability 0.
    """

    def __init__(
        self,
        resolver: ResolverClient,
        seat: int,
        mistakes: float = 0.0,
        time_left: Callable[[], float | None] | None = None,
    ) -> None:
        self._resolver, self._seat, self._mistakes, self._time_left = resolver, seat, mistakes, time_left
        self._reading = Reading()
        self._cut_short = ""  # how a deadline cut short the solving behind the last decision
        self._forget()

    def _forget(self) -> None:
        self._seen: tuple[int, ...] = ()
        self._board: tuple[int, ...] = ()  # at the last action seen
        self._ranges: F64 | None = None
        self._decided: tuple[int, Resolved] | None = None  # the last answer, and after how many actions
        # How likely each holding would have made the decisions made here [H]; None if it began in the middle.
        self.reach: F64 | None = np.ones(())
        # How many of the opponent's actions were read, and how many re-solved.
        self.read_count, self.resolved_count = 0, 0

    def ranges_at(self, view: View) -> F64:
        """Return both ranges by seat before the decision that a view is about, as weights up to one [2, H]."""
        return self.ranges_after(list(decisions_of(view)), view.public)

    def ranges_after(self, decisions: Sequence[TakenAction], public: PublicState) -> F64:
        """Return both ranges after some decisions, on the board of a state [2, H]."""
        if public.player_count != 2:
            raise InvalidInput("seats", f"two players can be followed, not {public.player_count}")
        actions = tuple(action for _, action in decisions)
        goes_on = self._seen == actions[: len(self._seen)] and self._board == public.board[: len(self._board)]
        if self._ranges is None or not goes_on:
            self._forget()
            self._ranges = np.ones((2, holdings_of(public.variant.deck).count))
        for state, action in decisions[len(self._seen) :]:
            self._ranges = self._after(state, action, self._ranges)
            self._seen, self._board = (*self._seen, action), state.board
        return on_board(self._ranges, public)

    def decide(self, view: View, holding: int, seed: int) -> int:
        """Return an action for the seat of a view, with the holding at a place on axis H.

        It is marked as partial if the deadline cut short the solving of this decision, or of an earlier one that had to
        be solved now.
        """
        self._cut_short = ""
        ranges = self.ranges_at(view)
        # The player has this holding, whatever the range says.
        others = ranges[view.seat] >= _OWN_SHARE  # holdings whose decision would have come from the same strategies
        ranges[view.seat, holding] = max(ranges[view.seat, holding], _OWN_SHARE)
        resolved = self._resolve(view.public, ranges, holding, seed)
        self._decided = len(self._seen), resolved
        taken = np.where(others, resolved.strategy[list(resolved.actions).index(resolved.action)], 0.0)
        self.reach = None if self.reach is None else self.reach * taken
        return partial(resolved.action, self._cut_short) if self._cut_short else resolved.action

    def strategy(self, view: View) -> tuple[tuple[int, ...], F64]:
        """Return the actions that `decide` chooses from, and about how likely each holding takes each [A, H].

        These are approximate: `decide` adds a little weight for its own holding, and this adds it for every holding.
        """
        ranges = self.ranges_at(view)
        live = live_holdings(view.public.variant.deck, view.public.board)
        own = ranges[view.seat]
        ranges[view.seat] = np.where(live, np.maximum(own, _OWN_SHARE), own)
        resolved = self._resolve(view.public, ranges)
        return resolved.actions, resolved.strategy

    def _after(self, state: PublicState, action: int, ranges: F64) -> F64:
        """Return both ranges after an action."""
        seat = actor_of(state)
        before = on_board(ranges, state)
        if seat == self._seat:
            if self._decided is None or self._decided[0] != len(self._seen):
                self.reach = None
            chances = self._strategy(state, action, before, self._mistakes)
        elif state.board:
            chances = read_action(state, action, before[1 - seat], self._reading)
            self.read_count += 1
        else:
            chances = self._strategy(state, action, before, self._reading.mistakes)
            self.resolved_count += 1
        updated = bayesian_update(before[seat], chances)
        after = before.copy()
        after[seat] = updated / updated.max()
        return after

    def _strategy(self, state: PublicState, action: int, ranges: F64, mistakes: float) -> F64:
        """Return how likely each holding of the actor takes an action, by re-solving [H]."""
        known = self._decided
        resolved = known[1] if known and known[0] == len(self._seen) else self._resolve(state, ranges)
        chances = chances_of(state, action, resolved.actions, resolved.strategy)
        mixed: F64 = (1 - mistakes) * chances + mistakes / len(resolved.actions)
        return mixed

    def _resolve(self, state: PublicState, ranges: F64, holding: int | None = None, seed: int = 0) -> Resolved:
        seat = actor_of(state)
        leaf = leaf_below(state, "", self._resolver.has_network)
        plan = plan_of(state, has_network=leaf != EQUITY)
        resolved = self._resolver.resolve(
            root_of(state),
            plan.bet_sizes(state.street),
            (ranges[seat], ranges[1 - seat]),
            plan.limits(None),
            holding=holding,
            seed=seed,
            leaf=leaf,
            timeout=self._time_left() if self._time_left else None,
            algorithm=plan.algorithm,
        )
        if resolved.cost.is_partial:
            self._cut_short = cut_short_words(resolved.cost.iterations, plan.iterations)
        return resolved


def leaf_below(state: PublicState, leaf: str, has_network: Callable[[str, str], bool]) -> str:
    """Return the estimate below the next deal: a network that `leaf` names for it, the default one, or equity."""
    place = place_beyond(state)
    if leaf == EQUITY or place is None:
        return EQUITY
    named = [name for name in leaf.split(APART) if name.startswith(f"{place[0]}-{place[1]}-")]
    if named:
        return named[0]
    return "" if has_network(*place) else EQUITY


def decisions_of(view: View) -> Iterator[TakenAction]:
    """Yield the decisions of a hand so far."""
    turns = (state for state in view.states() if state.actor is not None)
    yield from zip(turns, view.actions, strict=False)  # nobody has acted yet in the last state


def chances_of(state: PublicState, action: int, actions: Sequence[int], strategy: F64) -> F64:
    """Return how likely each holding takes an action [H]; a raise not in the tree counts as the nearest sizes."""
    if action in actions:
        in_tree: F64 = strategy[list(actions).index(action)]
        return in_tree
    raises = [size for size in actions if size > CALL]
    if not raises:
        return np.ones(strategy.shape[1])
    nearest = pseudo_harmonic_chances(state, action, raises)
    mixed: F64 = sum(
        (chance * strategy[list(actions).index(size)] for size, chance in nearest), np.zeros(strategy.shape[1])
    )
    return mixed


def actor_of(state: PublicState) -> int:
    """Return the seat that is to act; raise InvalidInput if nobody is."""
    if state.actor is None:
        raise InvalidInput("state", "nobody is to act")
    return state.actor


def on_board(ranges: F64, public: PublicState) -> F64:
    """Return ranges without holdings that the board excludes, and without those that are hardly possible."""
    live = ranges * live_holdings(public.variant.deck, public.board)
    live[live < _SMALLEST * live.max(axis=1, keepdims=True)] = 0
    return live
