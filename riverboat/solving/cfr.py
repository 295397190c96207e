"""Counterfactual regret minimisation: one loop, several ways to count regrets."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.solving.memory import Memory
from riverboat.solving.regrets import AVERAGE, CURRENT, Rule
from riverboat.solving.subgame import F64
from riverboat.solving.traverse import BEST, BOTH, EVALUATE, UPDATE, Steps, Work, walk


@dataclass(frozen=True, slots=True)
class Algorithm:
    """How regrets and strategies of earlier iterations count in later ones.

    In iteration t, positive regrets so far are multiplied by s^a / (s^a + 1) with s = t - 1 and a = `alpha`, the
    others likewise with `beta`; None leaves them alone. The strategy of iteration t counts t^gamma in the average.
    """

    name: str
    alpha: float | None = None
    beta: float | None = None
    gamma: float = 0.0
    floor: bool = False  # regrets are never negative
    predictive: bool = False  # the next regrets are expected to be like the last ones
    simultaneous: bool = False  # both players learn from the same strategies; otherwise one after the other
    average_from: int = 1  # the first iteration whose strategy counts

    def __post_init__(self) -> None:
        if self.average_from < 1:
            raise InvalidInput("average_from", f"must be at least 1, not {self.average_from}")

    def rule(self, iteration: int) -> Rule:
        """How iteration t = 1, 2, … changes what is remembered."""
        since = iteration - self.average_from + 1  # how many count in the average, with this one
        decay = ((since - 1) / since) ** self.gamma if since > 1 else 0.0
        return Rule(
            np.float32(_discount(iteration - 1, self.alpha)),
            np.float32(_discount(iteration - 1, self.beta)),
            np.float32(decay),
            self.floor,
            self.predictive,
        )


def _discount(before: int, power: float | None) -> float:
    if power is None:
        return 1.0
    weight: float = float(before) ** power
    return weight / (weight + 1)


CFR = Algorithm("cfr")
SEED_CFR = Algorithm("cfr, both at once", simultaneous=True)
CFR_PLUS = Algorithm("cfr+", gamma=1.0, floor=True)
LINEAR = Algorithm("linear", alpha=1.0, beta=1.0, gamma=1.0)
DISCOUNTED = Algorithm("discounted", alpha=1.5, beta=0.0, gamma=2.0)
PREDICTIVE_PLUS = Algorithm("predictive cfr+", gamma=2.0, floor=True, predictive=True)
ALGORITHMS = {found.name: found for found in (CFR, SEED_CFR, CFR_PLUS, LINEAR, DISCOUNTED, PREDICTIVE_PLUS)}


def _steps(walks: Sequence[tuple[int, int, int]], rules: Sequence[Rule]) -> Steps:
    numbers = np.array(walks, np.int64).reshape(-1, 3).T.copy()
    rule = np.array([(rule.positive, rule.negative, rule.decay) for rule in rules], np.float32).reshape(-1, 3)
    return Steps(numbers[0], numbers[1], numbers[2], rule, rules[0].floor, rules[0].predictive)


class Solver:
    """A subgame, what has been learnt about it, and the means to learn more."""

    def __init__(self, memory: Memory, algorithm: Algorithm, threads: int = 1) -> None:
        self.memory, self.algorithm = memory, algorithm
        self.iteration = 0
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._threads = threads

    def run(self, count: int) -> None:
        """Iterate `count` times."""
        players = (BOTH,) if self.algorithm.simultaneous else (0, 1)
        rules = [self.algorithm.rule(self.iteration + 1 + i) for i in range(count)]
        self.walk([(player, CURRENT, UPDATE) for _ in rules for player in players], [r for r in rules for _ in players])
        self.iteration += count

    def walk(self, walks: Sequence[tuple[int, int, int]], rules: Sequence[Rule]) -> None:
        """Go through the whole subgame, once for each (player, source, purpose)."""
        if self._pool is None or len(self.memory.layout.levels) == 1:
            self._walk_part(_steps(walks, rules), 0, len(self.memory.layout.events), self.memory.works[0])
            return
        for found, rule in zip(walks, rules, strict=True):
            self._walk_on_threads(self._pool, _steps([found], [rule]))

    def _walk_on_threads(self, pool: ThreadPoolExecutor, steps: Steps) -> None:
        first, works = self.memory.layout.event_first, self.memory.works
        self._walk_part(steps, first[0], first[1], works[0])
        # Each thread takes the next board that is left; every board has its own place for results, so that who did
        # which makes no difference.
        waiting = iter(range(1, len(first) - 2))

        def work_off(work: Work) -> None:
            for part in waiting:
                self._walk_part(steps, first[part], first[part + 1], work)

        for done in [pool.submit(work_off, work) for work in works]:
            done.result()
        self._walk_part(steps, first[-2], first[-1], works[0])

    def _walk_part(self, steps: Steps, start: int, end: int, work: Work) -> None:
        memory, layout = self.memory, self.memory.layout
        walk(steps, layout.events, start, end, layout.levels, layout.boards, memory.store, work, memory.shared)

    def values(self, purpose: int, source: int = AVERAGE) -> list[F64]:
        """Counterfactual values at the root, for both players [H]."""
        found = []
        for player in (0, 1):
            self.walk([(player, source, purpose)], [self.algorithm.rule(1)])
            found.append(self.memory.root_values(player))
        return found

    def best_values(self) -> list[F64]:
        """What the best response of each player to the other's average strategy is worth at the root [H]."""
        return self.values(BEST)

    def average_values(self) -> list[F64]:
        """What the average strategies are worth at the root [H]."""
        return self.values(EVALUATE)

    def exploitability(self) -> float:
        """Chips that best responses win on average against the average strategies, halved."""
        weights = self.memory.subgame.weights.astype(np.float64)
        best = sum(float(weights[player] @ values) for player, values in enumerate(self.best_values()))
        return best / 2 / self.memory.pair_weight

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()
