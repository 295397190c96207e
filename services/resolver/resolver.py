"""Re-solving: what to do in a situation, and what both players know afterwards."""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.services.resolver.cache import Kept
from riverboat.services.resolver.cuts import look_ahead
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.solutions import Solutions
from riverboat.services.resolver.solvers import Hurry, Solvers, Started, TimeLeft
from riverboat.services.resolver.spots import BuiltSpot, Place, build, find
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.answers import Cost, Resolved
from riverboat.solving.best_response import exploitability
from riverboat.solving.gadget import Gadget
from riverboat.solving.memory import Precision
from riverboat.solving.questions import ResolveQuestion
from riverboat.solving.resolve import Resolution, read_resolution
from riverboat.solving.solve import solve
from riverboat.solving.subgame import F32, F64

_KEPT_BYTES = 200_000_000


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What re-solving has found, whatever is then done with it."""

    built: BuiltSpot
    resolution: Resolution
    cost: Cost


class Resolver:
    """Re-solves, and remembers what it has found: a hand is gone through again when somebody comes back to it."""

    def __init__(self, upstream: Upstream, networks: Networks, solvers: Solvers, solutions: Solutions) -> None:
        self._upstream, self._networks, self._solvers, self._solutions = upstream, networks, solvers, solutions
        self._kept = Kept(_KEPT_BYTES)

    def resolve(self, question: ResolveQuestion, time_left: TimeLeft) -> Generator[Resolved | None, None, None]:
        """An action for the actor, within the caller's time: nothing for a while, then the answer."""
        question = replace(question, spot=look_ahead(self._networks, question.spot))
        key = _key(question, self._networks.version)
        known: _Found | None = self._kept.find(key) if key else None
        if known is None:
            for found in self._solve(question, time_left):
                if found is None:
                    yield None
                else:
                    known = found
        if known is None:
            raise RuntimeError("solving ended without a result")
        if key and not known.cost.is_partial:
            self._kept.keep(key, known, _size(known))
        yield _resolved(self._upstream, question, known)

    def _solve(self, question: ResolveQuestion, time_left: TimeLeft) -> Generator[_Found | None, None, None]:
        begin = self._solvers.clock()
        weights = _ranges_of(question)
        values = () if question.opponent_values is None else (question.opponent_values,)
        built = build(self._upstream, self._networks, question.spot, weights, _names(question), values)
        _check(self._upstream, question, built)
        started = self._solvers.start(built, question.algorithm, Precision.SINGLE, begin)
        try:
            gadget = _gadget(question, started, weights)
            hurry = Hurry(started.solver, time_left, self._solvers.clock)
            is_partial = False
            for progress in solve(started.solver, question.limits, self._solvers.clock, gadget):
                is_partial = not progress.is_last and hurry.is_over()
                if is_partial:
                    break
                yield None
            left = gadget.shortfall() if gadget else exploitability(started.solver)
            found = read_resolution(started.solver, is_safe=gadget is not None)
            cost = started.cost(left, self._solvers.clock(), is_partial, is_safe=gadget is not None)
            yield _Found(built, found, cost)
        finally:
            started.solver.close()
            self._solutions.free(started.byte_count)


def _key(question: ResolveQuestion, networks: str) -> bytes | None:
    """What the result depends on; None if it also depends on the time."""
    if question.limits.seconds is not None:
        return None
    arrays = (question.own_range, question.opponent_range, question.opponent_values)
    given = [b"-" if array is None else array.tobytes() for array in arrays]
    return repr((question.spot, question.algorithm, question.limits, networks)).encode() + b"|".join(given)


def _size(found: _Found) -> int:
    resolution, subgame = found.resolution, found.built.subgame
    arrays = (resolution.opponent.rows, resolution.opponent_dealt.rows, resolution.strategy, *resolution.replies)
    boards = (subgame.boards.live, *subgame.boards.mirrors, subgame.strengths)
    return sum(array.nbytes for array in (*arrays, *boards))


def _check(upstream: Upstream, question: ResolveQuestion, built: BuiltSpot) -> None:
    """Refuse, before any work is done, what could not be answered afterwards."""
    find(upstream, built, question.path)
    possible = built.subgame.boards.live[0] & (question.own_range > 0)
    holding = question.holding
    if holding is not None and not (0 <= holding < len(possible) and possible[holding]):
        raise InvalidInput("holding", f"holding {holding} is not possible here")


def _ranges_of(question: ResolveQuestion) -> F32:
    """Both ranges [2, H]; the opponent may have only what its values, if there are any, are finite for."""
    own, other, values = question.own_range, question.opponent_range, question.opponent_values
    for name, array in (("opponent_range", other), ("opponent_values", values)):
        if array is not None and array.shape != own.shape:
            raise InvalidInput(name, f"has {len(array):,} holdings, and the own range {len(own):,}")
    other = np.ones_like(own) if other is None else other
    other = other if values is None else np.where(np.isfinite(values), other, np.float32(0))
    return np.array([own, other] if question.spot.actor == 0 else [other, own], np.float32)


def _names(question: ResolveQuestion) -> tuple[str, str]:
    """What the ranges are called, by player."""
    other = "opponent_range" if question.opponent_range is not None else "opponent_values"
    return ("own_range", other) if question.spot.actor == 0 else (other, "own_range")


def _gadget(question: ResolveQuestion, started: Started, weights: F32) -> Gadget | None:
    if question.opponent_values is None:
        return None
    player = question.spot.actor
    # The values were given over a range that adds up to one; the solver's is as it came.
    scale = float(weights[player][started.built.subgame.boards.live[0]].sum())
    return Gadget(started.solver, 1 - player, question.opponent_values.astype(np.float64) * scale)


def _resolved(upstream: Upstream, question: ResolveQuestion, known: _Found) -> Resolved:
    """An action, sampled unless it is known, and what follows from it."""
    found, built = known.resolution, known.built
    actions = built.actions(0)
    if question.path:
        place = find(upstream, built, question.path)
        taken = next(i for i, action in enumerate(actions) if action == question.path[0])
    else:
        taken = found.sample(np.random.default_rng(question.seed), question.holding)
        place = find(upstream, built, (actions[taken],))
    replies = found.replies[taken] if len(question.path) <= 1 else found.replies[taken][:0]
    return Resolved(
        action=actions[taken],
        actions=tuple(actions),
        strategy=found.strategy,
        own_range=found.range_after(taken),
        opponent_range=None if question.opponent_range is None else found.ranges[1 - found.player],
        values=found.values_over_ranges(),
        opponent_values=_opponent_values(known, taken, place),
        cost=known.cost,
        replies=tuple(built.actions(place.line)) if len(replies) else (),
        reply_strategy=replies,
    )


def _opponent_values(known: _Found, taken: int, place: Place) -> F64:
    """What the opponent can count on at a place; NaN where it has no such holding."""
    found, subgame = known.resolution, known.built.subgame
    left = subgame.boards.live[place.board]
    values = found.opponent_values_at(taken, place.line, place.board, left)
    live = left & (subgame.weights[1 - found.player] > 0)
    named = np.full(len(values), np.nan)
    named[place.names] = np.where(live, values, np.nan)
    return named
