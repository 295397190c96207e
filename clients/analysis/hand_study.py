"""A hand of two players, studied for one of them: each street is solved once, from its start.

Both ranges are followed from street to street as in `tracker.py`: the player's own by its solved strategies, mixed with
some mistakes; the opponent's before the flop by the solved strategy, later by the heuristic reading. Within a street
both ranges are those of its solution: the opponent is assumed to play the solved strategy there. Where the hand leaves
the lines that the solution plays, the rest of the street is solved anew with the ranges followed so far.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import numpy as np

from riverboat.clients.analysis.likelihood import Reading, read_action
from riverboat.clients.analysis.plans import DecisionPlan, plan_of, root_of
from riverboat.clients.analysis.street_solution import StreetSolution
from riverboat.clients.analysis.tracker import chances_of, on_board
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.holdings import holdings_of
from riverboat.rules.betting import CALL
from riverboat.rules.state import PublicState
from riverboat.solving.loop import Limits
from riverboat.solving.resolution import bayesian_update
from riverboat.solving.subgame import F64
from riverboat.streets import is_cut

Tell = Callable[[float], None]  # how much is done, 0 to 1
TurnToStudy = tuple[PublicState, int | None]  # a state with a player to act, and the action if it is known

MISTAKES = 0.1  # how often the player is assumed to deviate from the strategy
_TIMES = 4  # times as many iterations as play needs, for a decision that is studied
_EXPLOITABILITY = 1e-3  # of the pot: precise enough
_LEAST_WEIGHT = 2e-3  # of the holding that is held: the player has it, whatever the range says
_WORK = (1.0, 6.0, 6.0, 1.0)  # of solving each street, roughly


class HandStudy:
    """Goes through a hand once and stops at the decisions to study."""

    def __init__(
        self, link: ResolverClient, turns: Sequence[TurnToStudy], seat: int, place: int, tell: Tell | None = None
    ) -> None:
        """Take every turn of the hand, the seat, and the place of its holding on axis H."""
        self._link, self._turns, self._seat, self._place, self._tell = link, turns, seat, place, tell
        first = turns[0][0]
        self.ranges: F64 = np.ones((2, holdings_of(first.variant.deck).count))  # [2, H], as they were followed
        # The opponent's actions behind its range: read, re-solved before the flop, and within the street's solution.
        self.read_count, self.resolved_count, self.solved_count = 0, 0, 0
        self._solution: StreetSolution | None = None
        self._reading = Reading()
        self._done, self._all = 0.0, 1.0

    def stops(self, wanted: Sequence[int]) -> Iterator[tuple[int, StreetSolution]]:
        """Yield each wanted turn by its number, with its street's solution at its node, which holds until the next."""
        streets = [list(part) for _, part in groupby(range(max(wanted) + 1), lambda n: self._turns[n][0].street)]
        self._all = sum(map(self._work, streets))
        for numbers in streets:
            looked_at = set(numbers) & set(wanted)
            try:
                yield from self._street(numbers, looked_at, max(wanted))
            finally:
                self._drop()
            self._done += self._work(numbers)

    def _street(self, numbers: Sequence[int], looked_at: set[int], last: int) -> Iterator[tuple[int, StreetSolution]]:
        is_quick, self.solved_count = not looked_at, 0
        for number in numbers:
            public, action = self._turns[number]
            self.ranges = on_board(self.ranges, public)
            is_own = public.actor == self._seat
            solution = self._solution_at(number, is_quick, must_know=number in looked_at)
            if number in looked_at:
                yield number, solution
            if action is None or number == last:
                return
            self._follow(public, action, solution, is_own)

    def _solution_at(self, number: int, is_quick: bool, must_know: bool) -> StreetSolution:
        """Return the street's solution at a turn; solve from there if there is none or it does not play that far."""
        action = self._turns[number][1]
        known = self._solution
        if known and must_know:
            has_action = action is None or known.has(action)
            if not (has_action and known.knows(self._seat, self._place)):
                known = None
        if known is None:
            self._drop()
            known = self._solution = self._solve(number, is_quick)
            self.solved_count = 0
        return known

    def _follow(self, public: PublicState, action: int, solution: StreetSolution, is_own: bool) -> None:
        """Take an action into the ranges, and go on in the solution if it has the action."""
        actor = public.actor or 0
        if public.board and not is_own:
            chances = read_action(public, action, self.ranges[1 - actor], self._reading)
            self.read_count += 1
        else:
            node, mistakes = solution.node(), MISTAKES if is_own else self._reading.mistakes
            chances = chances_of(public, action, node.actions, node.strategy)
            chances = (1 - mistakes) * chances + mistakes / len(node.actions)
            self.resolved_count += not is_own
        updated = bayesian_update(self.ranges[actor], chances)
        self.ranges = self.ranges.copy()
        self.ranges[actor] = updated / updated.max()
        if solution.has(action):
            solution.follow(action)
            self.solved_count += not is_own
        else:
            self._drop()

    def _solve(self, number: int, is_quick: bool) -> StreetSolution:
        public = self._turns[number][0]
        has_network = self._link.knows_beyond(public)
        plan = self._plan(number, has_network, is_quick)
        limits = Limits(plan.iterations, _EXPLOITABILITY * public.pot)
        weights = self.ranges.copy()
        weights[self._seat, self._place] = max(weights[self._seat, self._place], _LEAST_WEIGHT)
        sizes, depth = plan.bet_sizes(public.street), _depth(public, has_network)
        for step in self._link.solve(
            root_of(public), sizes, weights, limits, depth=depth, algorithm=plan.algorithm if plan.has_network else ""
        ):
            if self._tell:
                share = 1.0 if step.handle else min(1.0, step.cost.iterations / plan.iterations)
                self._tell((self._done + share * self._work_at(public)) / self._all)
            solved = step
        return StreetSolution(self._link, solved.handle, solved.cost)

    def _plan(self, number: int, has_network: bool, is_quick: bool) -> DecisionPlan:
        """Return the plan of a street, with the raises that are made on the rest of it."""
        public = self._turns[number][0]
        # More iterations than play has would only exploit a network's errors.
        by_network = has_network and is_cut(public.streets_left)
        plan = plan_of(public, by_network)
        plan = plan if by_network or is_quick else plan.harder(_TIMES)
        for state, action in self._turns[number:]:
            if state.street == public.street and action is not None and action > CALL:
                plan = plan.with_raise(state, action)
        return plan

    def _work(self, numbers: Sequence[int]) -> float:
        return self._work_at(self._turns[numbers[0]][0])

    @staticmethod
    def _work_at(public: PublicState) -> float:
        return _WORK[min(public.street, len(_WORK) - 1)]

    def _drop(self) -> None:
        if self._solution:
            self._solution.release()
        self._solution = None


def _depth(public: PublicState, has_network: bool) -> tuple[int, int] | None:
    """Return where to cut: at the next deal, or right after it for a network that knows its cards."""
    return (public.street + 1, int(has_network and bool(public.board))) if is_cut(public.streets_left) else None
