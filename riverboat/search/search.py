"""A search: as many iterations as asked for, or until the time is up or somebody cancels it."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.errors import InvalidInput
from riverboat.rules.betting import ACTOR
from riverboat.search.playing import action_of
from riverboat.search.problem import Problem
from riverboat.search.tree import MAXIMUM, MEAN, MOST_MOVES, SearchTree, iterate, new_tree, write_moves

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
_PIECE = 2_000  # iterations between two looks at the clock
BACKUPS = {"mean": MEAN, "maximum": MAXIMUM}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How a decision is searched."""

    iterations: int = 40_000
    explore: float = 0.7  # the weight of what is not known yet, in spreads of results
    backup: str = "mean"  # what a node is worth: the mean of its results, or its best child
    temperature: float = 0.0  # chips by which a worse move may be worse; 0 for the best move only
    trees: int = 1  # searched side by side, each on a core

    def __post_init__(self) -> None:
        if self.backup not in BACKUPS:
            raise InvalidInput("backup", f"must be mean or maximum, not {self.backup[:20]!r}")
        for name, least in (("iterations", 1), ("trees", 1), ("explore", 0), ("temperature", 0)):
            if not getattr(self, name) >= least:
                raise InvalidInput(name, f"must be at least {least}, not {getattr(self, name)}")


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """The results of a search for each move at its decision; values are chips over folding at once."""

    actions: tuple[int, ...]  # as the rules have them
    values: F64  # [A]
    visits: I64  # [A]
    iterations: int

    @property
    def best(self) -> int:
        """The action with the highest value among those that were tried."""
        return self.actions[int(np.where(self.visits > 0, self.values, -np.inf).argmax())]

    @property
    def value(self) -> float:
        """The value of the best action."""
        return float(self.values[self.actions.index(self.best)])

    def chances(self, temperature: float) -> F64:
        """Return how likely each action is drawn [A]: by softmax, or only the best one at temperature 0."""
        tried = np.where(self.visits > 0, self.values, -np.inf)
        if temperature <= 0:
            best: F64 = (np.arange(len(tried)) == tried.argmax()).astype(np.float64)
            return best
        weights = np.exp((tried - tried.max()) / temperature)
        shares: F64 = weights / weights.sum()
        return shares


def search(
    problem: Problem,
    settings: SearchSettings,
    rng: np.random.Generator,
    goes_on: Callable[[], bool] = lambda: True,
    executor: Executor | None = None,
) -> SearchResult:
    """Return each move's value and visits after the iterations, or as soon as `goes_on` returns False.

    At least one piece of iterations is played in each tree. With an executor trees are searched at the same time; the
    result is the same.
    """
    per_tree = -(-settings.iterations // settings.trees)
    seeds = rng.integers(0, 2**63, settings.trees, dtype=np.uint64)

    def grown(seed: np.uint64) -> tuple[SearchTree, int]:
        tree, random = new_tree(per_tree + 2), np.array([seed], np.uint64)
        done = played = 0
        while done < per_tree and (done == 0 or goes_on()):
            piece = min(_PIECE, per_tree - done)
            played += iterate(problem, tree, piece, settings.explore, BACKUPS[settings.backup], random)
            done += piece
        return tree, played

    trees = list(executor.map(grown, seeds) if executor else map(grown, seeds))
    return _result(problem, [tree for tree, _ in trees], sum(played for _, played in trees))


def root_value(problem: Problem, settings: SearchSettings, rng: np.random.Generator) -> float:
    """Return the searching player's value of a problem's state, in which any seat may be to act."""
    tree, random = new_tree(settings.iterations + 2), rng.integers(0, 2**63, 1, dtype=np.uint64)
    iterate(problem, tree, settings.iterations, settings.explore, BACKUPS[settings.backup], random)
    return float(tree.value[0])


def _result(problem: Problem, trees: list[SearchTree], iterations: int) -> SearchResult:
    if problem.state[ACTOR] != problem.seat:
        raise InvalidInput("problem", "another seat is to act")
    moves = np.empty(MOST_MOVES, np.int64)
    moves = moves[: write_moves(problem, problem.state, moves)]
    values, visits = np.zeros(len(moves)), np.zeros(len(moves), np.int64)
    for tree in trees:
        child = int(tree.first[0])
        while child >= 0:
            place = int(np.flatnonzero(moves == tree.key[child])[0])
            values[place] += tree.visits[child] * tree.value[child]
            visits[place] += tree.visits[child]
            child = int(tree.sibling[child])
    actions = tuple(int(action_of(problem, problem.state, int(move))) for move in moves)
    return SearchResult(actions, values / np.maximum(1, visits), visits, iterations)
