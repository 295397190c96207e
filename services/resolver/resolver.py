"""Re-solving: the strategy for a situation, and both players' ranges and values afterwards."""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from riverboat.contracts.resolver import Cost, Resolved, ResolveQuestion
from riverboat.errors import InvalidInput
from riverboat.services.resolver.answer_cache import AnswerCache
from riverboat.services.resolver.cuts import look_ahead
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.places import NodePlace, place_at
from riverboat.services.resolver.solutions import Solutions
from riverboat.services.resolver.solvers import Hurry, Solvers, TimeLeft
from riverboat.services.resolver.spots import PreparedSpot, prepare_spot
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.loop import Limits
from riverboat.solving.memory import Precision
from riverboat.solving.resolution import Resolution, resolve
from riverboat.solving.subgame import F32, F64


@dataclass(frozen=True, slots=True, eq=False)
class _ResolvedSpot:
    """A spot that was re-solved, before an action is chosen."""

    spot: PreparedSpot
    resolution: Resolution
    cost: Cost


class SpotResolver:
    """Re-solves, and caches the results, because players return to the same situations."""

    def __init__(
        self, upstream: Upstream, networks: Networks, solvers: Solvers, solutions: Solutions, answers: AnswerCache
    ) -> None:
        self._upstream, self._networks, self._solvers, self._solutions = upstream, networks, solvers, solutions
        self._cache = answers

    def resolve(self, question: ResolveQuestion, time_left: TimeLeft) -> Generator[Resolved | None, None, None]:
        """Choose an action for the actor within the caller's time: yield None after each step, then the answer."""
        question = replace(question, spot=look_ahead(self._networks, question.spot))
        is_timed = question.limits.seconds is not None
        known: _ResolvedSpot | None = None if is_timed else self._cache.find(self._key(question))
        if known is None:
            known = yield from self._solve(question, time_left)
            # A solution depends on its number of iterations only, so one ended by time is the answer for that number.
            limits = question.limits if not known.cost.is_partial and not is_timed else Limits(known.cost.iterations)
            self._cache.keep(self._key(replace(question, limits=limits)), known, _size(known))
        yield _resolved(question, known)

    def _key(self, question: ResolveQuestion) -> bytes:
        """Return everything that the result depends on."""
        arrays = (question.own_range, question.opponent_range, question.opponent_values)
        given = [b"-" if array is None else array.tobytes() for array in arrays]
        return repr((question.spot, question.algorithm, question.limits, self._networks.version)).encode() + b"|".join(
            given
        )

    def _solve(self, question: ResolveQuestion, time_left: TimeLeft) -> Generator[None, None, _ResolvedSpot]:
        begin = self._solvers.clock()
        weights = _ranges_of(question)
        values = () if question.opponent_values is None else (question.opponent_values,)
        spot = prepare_spot(self._upstream, self._networks, question.spot, weights, _names(question), values)
        _check(question, spot)
        started = self._solvers.start(spot, question.algorithm, Precision.SINGLE, begin)
        try:
            hurry = Hurry(started.solver, time_left, self._solvers.clock)
            bound = _bound(question, spot, weights)
            resolution = yield from resolve(started.solver, question.limits, self._solvers.clock, bound, hurry.is_over)
            now, is_safe = self._solvers.clock(), bound is not None
            return _ResolvedSpot(
                spot, resolution, started.cost(resolution.exploitability, now, resolution.is_partial, is_safe)
            )
        finally:
            started.solver.close()
            self._solutions.free(started.byte_count)


def _size(known: _ResolvedSpot) -> int:
    resolution, subgame = known.resolution, known.spot.subgame
    values = (values.rows for values in (*resolution.before_deal, *resolution.after_deal))
    arrays = (*values, *resolution.strategies.values())
    boards = (subgame.boards.live, *subgame.boards.mirrors, subgame.strengths)
    return sum(array.nbytes for array in (*arrays, *boards))


def _check(question: ResolveQuestion, spot: PreparedSpot) -> None:
    """Raise, before any solving, if the question could not be answered afterwards."""
    place_at(spot, question.path)
    possible = spot.subgame.boards.live[0] & (question.own_range > 0)
    holding = question.holding
    if holding is not None and not (0 <= holding < len(possible) and possible[holding]):
        raise InvalidInput("holding", f"holding {holding} is not possible here")


def _ranges_of(question: ResolveQuestion) -> F32:
    """Return both ranges [2, H]. With the opponent's values, it can hold only holdings with finite values."""
    own, other, values = question.own_range, question.opponent_range, question.opponent_values
    for name, array in (("opponent_range", other), ("opponent_values", values)):
        if array is not None and array.shape != own.shape:
            raise InvalidInput(name, f"has {len(array):,} holdings, but own_range has {len(own):,}")
    other = np.ones_like(own) if other is None else other
    other = other if values is None else np.where(np.isfinite(values), other, np.float32(0))
    return np.array([own, other] if question.spot.state.actor == 0 else [other, own], np.float32)


def _names(question: ResolveQuestion) -> tuple[str, str]:
    """Return the request's field for each player's range."""
    other = "opponent_range" if question.opponent_range is not None else "opponent_values"
    return ("own_range", other) if question.spot.state.actor == 0 else (other, "own_range")


def _bound(question: ResolveQuestion, spot: PreparedSpot, weights: F32) -> F64 | None:
    """Return the opponent's values, if given, for the actor's range as sent, whose sum need not be one."""
    if question.opponent_values is None:
        return None
    scale = float(weights[question.spot.state.actor][spot.subgame.boards.live[0]].sum())
    return question.opponent_values.astype(np.float64) * scale


def _resolved(question: ResolveQuestion, known: _ResolvedSpot) -> Resolved:
    """Return the answer for an action: the one in the path, or else a sampled one."""
    resolution, spot = known.resolution, known.spot
    actions = spot.built.actions(0)
    if question.path:
        place = place_at(spot, question.path)
        taken = next(i for i, action in enumerate(actions) if action == question.path[0])
    else:
        taken = resolution.sample(np.random.default_rng(question.seed), question.holding)
        place = place_at(spot, (actions[taken],))
    next_strategy = resolution.strategy_at(place.line if place.board == 0 else -1)
    return Resolved(
        action=actions[taken],
        actions=tuple(actions),
        strategy=resolution.strategy,
        own_range=resolution.range_after(taken),
        opponent_range=None if question.opponent_range is None else resolution.ranges[1 - resolution.player],
        values=resolution.values_over_ranges(),
        opponent_values=_values_at(known, 1 - resolution.player, place),
        cost=known.cost,
        replies=tuple(spot.built.actions(place.line)) if len(next_strategy) else (),
        reply_strategy=next_strategy,
        opponent_reach=resolution.opponent_reach,
        actor_values=_values_at(known, resolution.player, place),
    )


def _values_at(known: _ResolvedSpot, player: int, place: NodePlace) -> F64:
    """Return the values that a player can count on at a place [H]; NaN for holdings it cannot have."""
    resolution, subgame = known.resolution, known.spot.subgame
    left = subgame.boards.live[place.board]
    values = resolution.values_at(player, place.line, place.board, left)
    live = left & (subgame.weights[player] > 0)
    named = np.full(len(values), np.nan)
    named[place.names] = np.where(live, values, np.nan)
    return named
