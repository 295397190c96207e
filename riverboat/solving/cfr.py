"""Counterfactual regret minimisation: one loop, several ways to count regrets."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.solving.layout import BoardTable, events_below
from riverboat.solving.leaf_values import LeafPort, LeafValues
from riverboat.solving.memory import Memory, Precision, allocate
from riverboat.solving.regrets import AVERAGE, CURRENT, Rule
from riverboat.solving.sampling import BoardSampler, Sample
from riverboat.solving.subgame import F64, I32, I64, Subgame
from riverboat.solving.traversal import ADD, BOTH, LEARN, REACH, UPDATE, Arrays, Steps, Work, walk

_PARTS_PER_THREAD = 4  # more even the load out, fewer cost less


@dataclass(frozen=True, slots=True, kw_only=True)
class Algorithm:
    """How regrets and strategies of earlier iterations count in later ones.

    In iteration t, positive regrets so far are multiplied by s^a / (s^a + 1) with s = t - 1 and a = `alpha`, the
    others likewise with `beta`; None leaves them alone. `alpha` may rise with t, up to `most_alpha`. The strategy of
    the nth iteration that counts (they do from `average_from` on) counts n^gamma in the average.
    """

    name: str
    alpha: float | None = None
    beta: float | None = None
    gamma: float = 0.0
    floor: bool = False  # regrets are never negative
    predictive: bool = False  # the next regrets are expected to be like the last ones
    simultaneous: bool = False  # both players learn from the same strategies; otherwise one after the other
    average_from: int = 1  # the first iteration whose strategy counts
    alpha_rise: float = 0.0  # of `alpha` in each iteration
    most_alpha: float = 3.0

    def __post_init__(self) -> None:
        if self.average_from < 1:
            raise InvalidInput("average_from", f"must be at least 1, not {self.average_from}")

    def rule(self, iteration: int) -> Rule:
        """Return the factors by which iteration t = 1, 2, … changes regrets and sums."""
        since = iteration - self.average_from + 1  # how many count in the average, with this one
        decay = ((since - 1) / since) ** self.gamma if since > 1 else 0.0
        return Rule(
            _discount(iteration - 1, self._alpha_at(iteration)),
            _discount(iteration - 1, self.beta),
            decay,
            self.floor,
            self.predictive,
        )

    def _alpha_at(self, iteration: int) -> float | None:
        if self.alpha is None or not self.alpha_rise:
            return self.alpha
        return min(self.most_alpha, self.alpha + self.alpha_rise * iteration)


def _discount(before: int, power: float | None) -> float:
    if power is None:
        return 1.0
    if before == 0:
        return 0.0  # there is nothing yet
    weight: float = float(before) ** power
    return weight / (weight + 1)


CFR = Algorithm(name="cfr")
SEED_CFR = Algorithm(name="cfr-simultaneous", simultaneous=True)  # as in the seed paper's pseudocode
CFR_PLUS = Algorithm(name="cfr+", gamma=1.0, floor=True)
LINEAR = Algorithm(name="linear", alpha=1.0, beta=1.0, gamma=1.0)
DISCOUNTED = Algorithm(name="discounted", alpha=1.5, beta=0.0, gamma=2.0)
# The same with late strategies counting more, which is as quick and brings EVs of single holdings nearer: the default.
RECENT = Algorithm(name="recent", alpha=1.5, beta=0.0, gamma=4.0)
PREDICTIVE_PLUS = Algorithm(name="predictive", gamma=2.0, floor=True, predictive=True)
# With a wide average, for estimates below a cut: late strategies alone follow an estimate's errors.
STEADY = Algorithm(name="steady", alpha=1.5, beta=0.0, gamma=1.0, floor=True)
# For players, who have few iterations and often deep stacks: it forgets the first iterations sooner than later ones.
RISING = Algorithm(name="rising", alpha=1.0, beta=0.0, gamma=4.0, floor=True, alpha_rise=1 / 40)
_EVERY = (CFR, SEED_CFR, CFR_PLUS, LINEAR, DISCOUNTED, RECENT, PREDICTIVE_PLUS, STEADY, RISING)
ALGORITHMS = {algorithm.name: algorithm for algorithm in _EVERY}


def _in_turns(rules: Sequence[Rule]) -> tuple[list[tuple[int, int]], list[Rule], list[float]]:
    """Return walks in which the players learn in turn, their rules, and their iterations' own decays.

    In a walk in which one player learns, the other's reaches are known, and are added to the other's sums. When player
    1 learns, player 0's reaches come from the regrets that it has just updated, and count for the next iteration: so
    those of the first iteration are added before, and the last walk adds none.
    """
    after = [*rules[1:], rules[-1]]
    walks, chosen, decays = [(1, ADD)], [rules[0]], [rules[0].decay]
    for rule, following in zip(rules, after, strict=True):
        walks += [(0, UPDATE), (1, UPDATE)]
        chosen += [rule, rule._replace(decay=following.decay)]
        decays += [rule.decay, rule.decay]
    walks[-1] = (1, LEARN)
    return walks, chosen, decays


def _steps(walks: Sequence[tuple[int, int]], rules: Sequence[Rule], source: int) -> Steps:
    player, purpose = np.array(walks, np.int64).reshape(-1, 2).T.copy()
    rule = np.array([_numbers(rule) for rule in rules], np.float64).reshape(-1, 1, 3)
    return Steps(
        player=player, purpose=purpose, rule=rule, source=source, floor=rules[0].floor, predictive=rules[0].predictive
    )


def _numbers(rule: Rule) -> tuple[float, float, float]:
    return rule.positive, rule.negative, rule.decay


def new_solver(
    subgame: Subgame,
    algorithm: Algorithm = RECENT,
    *,
    precision: Precision = Precision.SINGLE,
    threads: int = 1,
    leaf_values: LeafValues | None = None,
    asks_once: bool = False,
    sampled: int | None = None,
    rng: np.random.Generator | None = None,
) -> "Solver":
    """Return a solver for a subgame that has learnt nothing yet.

    With `sampled`, an iteration visits at most this many boards after each board, drawn anew each time by `rng`. All
    boards are learnt about, and everything except learning visits all of them. An estimate below a cut is asked about
    all boards, and then all are visited. With `asks_once` it is asked once an iteration, for both
    players, and not again before the second player learns: half as many questions for nearly as good strategies.
    """
    if sampled is not None and (sampled < 1 or rng is None):
        raise InvalidInput("sampled", "must be at least 1 and come with a random generator")
    memory = allocate(subgame, precision=precision, predictive=algorithm.predictive, threads=threads)
    samples = leaf_values is None and subgame.boards.count > 1
    sampler = BoardSampler(subgame.boards, sampled, rng) if samples and sampled and rng else None
    return Solver(
        memory=memory,
        algorithm=algorithm,
        threads=threads,
        leaf_values=leaf_values,
        sampler=sampler,
        asks_once=asks_once,
    )


class _Route(NamedTuple):
    """The boards that a walk visits: all, or a sample."""

    events: I32
    event_first: I64
    boards: BoardTable


class Solver:
    """Solves a subgame: runs iterations, and keeps their regrets and average strategies."""

    def __init__(
        self,
        memory: Memory,
        algorithm: Algorithm,
        threads: int = 1,
        leaf_values: LeafValues | None = None,
        sampler: BoardSampler | None = None,
        asks_once: bool = False,
    ) -> None:
        if memory.layout.leaf_count and leaf_values is None:
            raise InvalidInput("leaf_values", "a subgame that is cut needs an estimate of what lies below its cut")
        self.memory, self.algorithm = memory, algorithm
        self.iteration = 0
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._leaf_values, self._sampler = leaf_values, sampler
        self._asks_once, self._has_fresh = asks_once, False  # whether leaf values still hold for the next player
        self._whole = _Route(memory.layout.events, memory.layout.event_first, memory.layout.boards)
        self.port = LeafPort(memory)  # to what lies below the cut

    def run(self, count: int) -> None:
        """Iterate `count` times."""
        if self._sampler is not None:
            for _ in range(count):
                self.iterate_once([(BOTH, UPDATE)] if self.algorithm.simultaneous else [(0, UPDATE), (1, UPDATE)])
        elif count > 0:
            walks, rules, decays = self._plan(count)
            self.walk(walks, rules, decays=decays)
            self.iteration += count

    def iterate_once(self, walks: Sequence[tuple[int, int]]) -> None:
        """Run one iteration of walks that follow one another, all through the same boards."""
        if self._sampler is None:
            self.walk(walks, [self.algorithm.rule(self.iteration + 1)] * len(walks))
        else:
            self._walk_sampled(self._sampler.next(), walks)
        self.iteration += 1

    def start_at(self, iteration: int) -> None:
        """Go on after iterations that another solver has done."""
        self.iteration = iteration
        if self._sampler is not None:
            self._sampler.start_at(iteration)

    def _walk_sampled(self, sample: Sample, walks: Sequence[tuple[int, int]]) -> None:
        """Go through some boards; for each, only the iterations that went through it count."""
        rules = np.zeros((len(walks), self.memory.layout.boards.level.size, 3))
        for visits in np.unique(sample.visits[sample.boards]):
            at = sample.boards[sample.visits[sample.boards] == visits]
            rules[:, at] = _numbers(self.algorithm.rule(int(visits)))
        steps = _steps(walks, [self.algorithm.rule(1)] * len(walks), CURRENT)._replace(rule=rules)
        table = self.memory.layout.boards._replace(chance=sample.chance)
        self._walk_through(steps, _Route(sample.events, sample.event_first, table))

    def _plan(self, count: int) -> tuple[list[tuple[int, int]], list[Rule], list[float]]:
        """Return the walks of the next iterations, their rules, and their own decays."""
        rules = [self.algorithm.rule(self.iteration + 1 + i) for i in range(count)]
        if self.algorithm.simultaneous:
            return [(BOTH, UPDATE)] * count, rules, [rule.decay for rule in rules]
        return _in_turns(rules)

    def walk(
        self,
        walks: Sequence[tuple[int, int]],
        rules: Sequence[Rule],
        source: int = CURRENT,
        decays: Sequence[float] | None = None,
    ) -> None:
        """Go through the whole subgame, once for each (player, purpose).

        What lies below a cut is averaged by the decays of the iterations, which may not be those of the rules.
        """
        if self._leaf_values is not None:
            decays = [rule.decay for rule in rules] if decays is None else decays
            for (player, purpose), rule, decay in zip(walks, rules, decays, strict=True):
                self._look_below(self._leaf_values, player, purpose, rule, decay, source)
                self._walk_through(_steps([(player, purpose)], [rule], source), self._whole)
            return
        self._walk_through(_steps(walks, rules, source), self._whole)

    def walk_below(self, board: int, player: int, purpose: int) -> None:
        """Go through one board and those that follow it, by the average strategies; above it only reaches go down."""
        rule = self.algorithm.rule(1)
        if self._leaf_values is not None:
            self._look_below(self._leaf_values, player, purpose, rule, rule.decay, AVERAGE)
        layout = self.memory.layout
        events = events_below(layout.boards.parent, board)
        route = _Route(events, layout.event_first, layout.boards)
        steps = _steps([(player, purpose)], [rule], AVERAGE)
        self._walk_part(steps, route, 0, len(events), self.memory.works[0])

    def _look_below(self, values: LeafValues, player: int, purpose: int, rule: Rule, decay: float, source: int) -> None:
        """Get the leaves' values for a walk: of the reaches now, or with average strategies their average so far."""
        if purpose == ADD:
            return
        learns = source == CURRENT and purpose in (UPDATE, LEARN)
        is_fresh, self._has_fresh = self._has_fresh and learns, False
        if source == AVERAGE and self.port.recall():
            return
        if not is_fresh:
            self._walk_through(_steps([(BOTH, REACH)], [rule], source), self._whole)
            self.port.fill(values)
            self._has_fresh = self._asks_once and learns and player != BOTH
        if learns:
            self.port.remember(player, decay)

    def _walk_through(self, steps: Steps, route: _Route) -> None:
        """Run walks that follow one another; on threads one at a time, because each needs all of the one before."""
        if self._pool is None or len(self.memory.layout.levels) == 1:
            self._walk_part(steps, route, 0, len(route.events), self.memory.works[0])
            return
        for n in range(len(steps.player)):
            one = slice(n, n + 1)
            step = steps._replace(player=steps.player[one], purpose=steps.purpose[one], rule=steps.rule[one])
            self._walk_on_threads(self._pool, step, route)

    def _walk_on_threads(self, pool: ThreadPoolExecutor, steps: Steps, route: _Route) -> None:
        first, works = route.event_first, self.memory.works
        self._walk_part(steps, route, first[0], first[1], works[0])
        # Each thread takes the next few boards that are left; every board has its own place for results, so that who
        # did which makes no difference.
        last = len(first) - 2
        step = max(1, (last - 1) // (_PARTS_PER_THREAD * len(works)))
        waiting = iter(range(1, last, step))

        def work_off(work: Work) -> None:
            for part in waiting:
                self._walk_part(steps, route, first[part], first[min(part + step, last)], work)

        for done in [pool.submit(work_off, work) for work in works]:
            done.result()
        self._walk_part(steps, route, first[-2], first[-1], works[0])

    def _walk_part(self, steps: Steps, route: _Route, start: int, end: int, work: Work) -> None:
        memory = self.memory
        arrays = Arrays(memory.layout.levels, route.boards, memory.store, work, memory.shared)
        walk(steps, route.events, start, end, arrays)

    def values(self, purpose: int, source: int) -> list[F64]:
        """Return both players' counterfactual values at the root [H], from the last strategies or the averages."""
        values = []
        for player in (0, 1):
            self.walk([(player, purpose)], [self.algorithm.rule(1)], source)
            values.append(self.memory.root_values(player))
        return values

    def close(self) -> None:
        """Stop the threads; any later work is done on one thread."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
