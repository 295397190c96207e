"""The resolver itself: re-solves for an action, and solves spots to study."""

from collections.abc import Callable, Generator

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.solving.answers import Cost, NodeAnswer, Resolved, Solved
from riverboat.solving.best_response import exploitability, worth
from riverboat.solving.capture import capture
from riverboat.solving.cfr import Algorithm, Solver, new_solver
from riverboat.solving.gadget import Gadget
from riverboat.solving.memory import Precision, bytes_of, count_rows
from riverboat.solving.nodes import lock, reach_at, strategy_at
from riverboat.solving.questions import ResolveQuestion, SolveQuestion, SpotQuestion, Step
from riverboat.solving.resolve import Resolution, read_resolution
from riverboat.solving.solve import Progress, solve
from riverboat.solving.subgame import ACT, CHANCE, F32, F64, FOLDED, SHOWDOWN, Boards, Lines, Subgame, compatible
from riverboat.solving.traverse import EVALUATE
from services.resolver.solutions import Solution, Solutions
from services.resolver.spots import BuiltSpot, Place, build, find, leaf_values
from services.resolver.upstream import Upstream

_SMALLEST = 1e-12

Clock = Callable[[], float]
TimeLeft = Callable[[], float | None]


class Resolver:
    """Answers that need a spot to be built and solved."""

    def __init__(self, upstream: Upstream, solutions: Solutions, byte_limit: int, threads: int, clock: Clock) -> None:
        self._upstream, self._solutions = upstream, solutions
        self._byte_limit, self._threads, self._clock = byte_limit, threads, clock

    # Re-solving

    def resolve(self, question: ResolveQuestion, time_left: TimeLeft) -> Generator[Resolved | None, None, None]:
        """An action for the actor, within the caller's time: nothing for a while, then the answer."""
        start = self._clock()
        player = question.spot.actor
        weights = self._ranges_of(question)
        built = build(self._upstream, question.spot, weights)
        solver = self._solver(built, question.algorithm, Precision.SINGLE)
        try:
            built_at = self._clock()
            gadget = None
            if question.opponent_values is not None:
                # The values were given over a range that adds up to one; the solver's is as it came.
                scale = float(weights[player][built.subgame.boards.live[0]].sum())
                gadget = Gadget(solver, 1 - player, question.opponent_values.astype(np.float64) * scale)
            is_partial = False
            for _ in solve(solver, question.limits, self._clock, gadget):
                is_partial = _is_nearly_over(time_left())
                if is_partial:
                    break
                yield None
            left = gadget.shortfall() if gadget else exploitability(solver)
            cost = self._cost(built, solver, left, start, built_at, is_partial)
            yield _resolved(question, built, read_resolution(solver, is_safe=gadget is not None), cost)
        finally:
            solver.close()

    def _ranges_of(self, question: ResolveQuestion) -> F32:
        """Both ranges [2, H]; an opponent of whom only values are known may have anything that they are finite for."""
        own = question.own_range
        other = question.opponent_range
        if other is None:
            values = question.opponent_values
            other = np.isfinite(values).astype(np.float32) if values is not None else np.ones_like(own)
        if own.shape != other.shape:
            raise InvalidInput("own_range", f"has {len(own):,} holdings, and the opponent's {len(other):,}")
        return np.array([own, other] if question.spot.actor == 0 else [other, own], np.float32)

    # Studying

    def solve(self, question: SolveQuestion) -> Generator[Solved, None, None]:
        """Progress, and in the end a handle."""
        start = self._clock()
        if len(question.ranges) % 2:
            raise InvalidInput("ranges", "must be two, of the same length")
        built = build(self._upstream, question.spot, question.ranges.reshape(2, -1))
        precision = Precision.SHORT if question.short_storage else Precision.SINGLE
        solver = self._solver(built, question.algorithm, precision)
        for i, wanted in enumerate(question.locks):
            self._lock(built, solver, wanted.path, wanted.strategy, f"locks[{i}]")
        built_at = self._clock()
        try:
            for progress in solve(solver, question.limits, self._clock):
                cost = self._cost(built, solver, _known(progress), start, built_at, False)
                if not progress.is_last:
                    yield Solved(cost)
        finally:
            solver.close()
        means = worth(solver).means + question.spot.pot / 2
        handle = self._solutions.keep(Solution(built, solver))
        yield Solved(cost, handle, tuple(means.tolist()), self._solutions.expire_seconds)

    def _lock(self, built: BuiltSpot, solver: Solver, path: tuple[Step, ...], strategy: F32, field: str) -> None:
        place = find(self._upstream, built, path)
        count = len(built.actions(place.line))
        if not count or strategy.size != count * built.subgame.holding_count:
            raise InvalidInput(f"{field}.strategy", f"must be [{count}, {built.subgame.holding_count}]")
        asked = strategy.reshape(count, -1).astype(np.float64)
        lock(solver.memory, place.line, place.board, asked[:, place.names])

    def node(self, handle: str, path: tuple[Step, ...]) -> NodeAnswer:
        """One node of a solution."""
        solution = self._solutions.find(handle)
        built, solver = solution.built, solution.solver
        place = find(self._upstream, built, path)
        lines = built.subgame.lines
        kind = int(lines.kind[place.line])
        with solution.lock:
            values = [capture(solver, player, EVALUATE, place.board) for player in (0, 1)]
            reach = reach_at(solver.memory, place.line, place.board)
            acts = kind == ACT
            strategy = strategy_at(solver.memory, place.line, place.board) if acts else np.zeros((0, reach.shape[1]))
        player = int(lines.player[place.line]) if acts else -1
        evs = np.array([self._evs(built, solver, place, values[p], place.line, p, reach) for p in (0, 1)])
        first = int(lines.first_child[place.line])
        children = range(first, first + len(strategy))
        action_evs = [self._evs(built, solver, place, values[player], child, player, reach) for child in children]
        return NodeAnswer(
            player,
            tuple(built.actions(place.line)),
            _named(strategy, place),
            _named(evs, place),
            _named(np.array(action_evs).reshape(strategy.shape), place),
            _named(reach, place),
            int(built.tree.paid[place.line].sum()),
            place.cards,
            self._deals(built, place) if kind == CHANCE else (),
            self._upstream.apply(built.spot.state, path),
        )

    def _evs(
        self, built: BuiltSpot, solver: Solver, place: Place, values: F64, line: int, player: int, reach: F64
    ) -> F64:
        """EVs of a line for a player, counted from the node on [H]."""
        opposing = compatible(built.subgame.items, reach[1 - player])
        cfvs = values[int(solver.memory.layout.local_line[line])]
        possible = built.subgame.boards.live[place.board] & (built.subgame.weights[player] > 0)
        found = np.full(len(cfvs), np.nan)
        sure = possible & (opposing > _SMALLEST)
        found[sure] = cfvs[sure] / opposing[sure] + built.tree.paid[place.line, player]
        return found

    def _deals(self, built: BuiltSpot, place: Place) -> tuple[str, ...]:
        """What may be dealt next: all boards that follow, mirrors included."""
        spot = built.spot
        question = SpotQuestion(b"", spot.deck, place.cards, 0, 0, "", None, None, 0)
        nothing = np.arange(built.subgame.holding_count, dtype=np.float32)[None, :]  # which no exchange leaves
        cards = self._upstream.boards(question, 1, nothing)[1]
        return tuple(text[len(place.cards) :] for text in cards[1:])

    def release(self, handle: str) -> bool:
        """Forget a solution; whether it was there."""
        return self._solutions.release(handle)

    # Both

    def _solver(self, built: BuiltSpot, algorithm: Algorithm, precision: Precision) -> Solver:
        return new_solver(
            built.subgame,
            algorithm,
            precision=precision,
            threads=self._threads if built.subgame.boards.count > 1 else 1,
            limit=self._byte_limit,
            leaf_values=leaf_values(self._upstream, built),
        )

    def _cost(
        self, built: BuiltSpot, solver: Solver, left: float, start: float, built_at: float, is_partial: bool
    ) -> Cost:
        now = self._clock()
        rows = bytes_of(count_rows(built.subgame), Precision.SINGLE, solver.algorithm.predictive)
        count, boards = built.subgame.lines.count, built.subgame.boards.count
        return Cost(solver.iteration, left, now - built_at, now - start, count, boards, rows, is_partial)


def _resolved(question: ResolveQuestion, built: BuiltSpot, found: Resolution, cost: Cost) -> Resolved:
    """An action, sampled, and what follows from it."""
    action = found.sample(np.random.default_rng(question.seed), question.holding)
    return Resolved(
        action=built.actions(0)[action],
        actions=tuple(built.actions(0)),
        strategy=found.strategy,
        own_range=found.range_after(action),
        opponent_range=None if question.opponent_range is None else found.ranges[1 - found.player],
        values=found.values / found.totals[::-1, None],
        opponent_values=found.opponent_values_after(action),
        cost=cost,
    )


def _is_nearly_over(seconds: float | None) -> bool:
    return seconds is not None and seconds < 0.3  # what is left is needed to answer


def _known(progress: Progress) -> float:
    return progress.exploitability if progress.exploitability is not None else float("nan")


def _named(values: F64, place: Place) -> F64:
    """Columns by the names that holdings have where somebody asked."""
    found = np.zeros_like(values)
    found[:, place.names] = values
    return found


def warm_up() -> None:
    """Compile every kernel, or load it from the cache, by solving something very small with no, one and two deals."""
    for precision in (Precision.SINGLE, Precision.SHORT):
        for deals in range(3):
            solver = new_solver(_tiny(deals), precision=precision)
            solver.run(1)
            exploitability(solver)


def _tiny(deals: int) -> Subgame:
    """A decision to go on or to give up before each deal and at the end, then a comparison of two holdings."""
    kinds = [kind for _ in range(deals) for kind in (ACT, CHANCE, FOLDED)] + [ACT, SHOWDOWN, FOLDED]
    count = len(kinds)
    parent = [-1 if i == 0 else i - 2 if i % 3 == 0 else i - i % 3 for i in range(count)]
    first = [i + 1 if kind == ACT else i + 2 if kind == CHANCE else 0 for i, kind in enumerate(kinds)]
    lines = Lines(
        kind=np.array(kinds, np.int8),
        player=np.array([0 if kind in (ACT, FOLDED) else -1 for kind in kinds], np.int8),
        parent=np.array(parent, np.int32),
        first_child=np.array(first, np.int32),
        child_count=np.array([{ACT: 2, CHANCE: 1}.get(kind, 0) for kind in kinds], np.int32),
        action=np.zeros(count, np.int64),
        stake=np.ones(count),
    )
    boards = Boards(
        level=np.arange(deals + 1, dtype=np.int32),
        parent=np.arange(-1, deals, dtype=np.int32),
        chance=np.ones(deals + 1),
        live=np.ones((deals + 1, 2), np.bool_),
        mirrors=(np.zeros((0, 2), np.int32),) * (deals + 1),
    )
    items, strengths = np.array([[0], [1]], np.uint8), np.array([[1, 2]] * (deals + 1), np.uint16)
    return Subgame(lines, boards, items, np.ones((2, 2), np.float32), strengths)
