"""Sampling situations: on any board and pot with ranges by strength, and those that solved play leads to."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.holdings import holdings_of, live_holdings
from riverboat.preflop import all_in_utility
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.state import start
from riverboat.rules.tree import Depth
from riverboat.rules.variant import no_limit
from riverboat.situations.ranges import floored, recursive_class_range, recursive_range, strength_order
from riverboat.situations.situation import BIG_BLIND, TOTAL, Situation, sample_board, sample_pot
from riverboat.solving.cfr import Solver, new_solver
from riverboat.solving.leaf_values import compared
from riverboat.solving.nodes import reach_at
from riverboat.solving.regrets import AVERAGE, CURRENT
from riverboat.solving.subgame import F32, F64, LEAF, UtilityOf
from riverboat.spots.spot import Spot, build
from riverboat.spots.symmetry import SuitSymmetry
from riverboat.utility import runout_utility

PLAYED_SHARE = 0.5  # of situations that come from play
_FROM_ONE_SPOT = 4  # most situations that are taken from one solved spot
_MOST_ITERATIONS = 60  # with which that spot is solved
_PLAY_SIZES = parse_bet_sizes("0.5p 1p all-in; 1p all-in")
_AVERAGE_SHARE = 0.5  # of spots that are played by average strategies; others by those of the last iteration
_LARGEST_BLIND = 2_000  # chips; in samples of the first street: stacks are then ten big blinds
_WIDE_SHARE = 0.5  # of spots that begin with all holdings; others begin with a mixture of these and ranges by strength
_EXPLORE = 0.5  # probability that a line is chosen uniformly, and not by its own probability


def sample(deck: Deck, street: int, count: int, rng: np.random.Generator) -> Iterator[Situation]:
    """Yield `count` situations at the start of a street: the same ones for the same generator."""
    played = round(PLAYED_SHARE * count)
    for _ in range(count - played):
        yield _symmetric(sample_by_strength(deck, street, rng))
    while played > 0:
        some = sample_played(deck, street, min(played, _FROM_ONE_SPOT), rng)
        played -= len(some)
        yield from map(_symmetric, some)


def _symmetric(situation: Situation) -> Situation:
    """Return a situation in which suits that are not on the board make no difference, as in play.

    Every range of a hand is symmetric like that, because all holdings are equally likely at its start. Solving such a
    situation is cheaper: boards that differ only by these suits are solved once.
    """
    symmetry = SuitSymmetry(situation.deck, [(card,) for card in situation.board])
    return replace(situation, weights=symmetry.mean(situation.weights.astype(np.float64)).astype(np.float32))


def sample_by_strength(deck: Deck, street: int, rng: np.random.Generator) -> Situation:
    """Sample any board, any pot, and two ranges by DeepStack's procedure."""
    board, pot = sample_board(deck, street, rng), sample_pot(rng)
    return Situation(deck, board, pot, _ranges(deck, board, rng))


def _ranges(deck: Deck, board: tuple[int, ...], rng: np.random.Generator) -> F32:
    if not board:
        return np.array([recursive_class_range(deck, rng) for _ in range(2)], np.float32)
    order, count = strength_order(deck, board, rng), holdings_of(deck).count
    return np.array([recursive_range(order, count, rng) for _ in range(2)], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Played:
    """A spot on the previous street, solved as if nobody bet after that street."""

    board: tuple[int, ...]
    solver: Solver
    ends: NDArray[np.integer]  # lines that lead to the next street


def sample_played(deck: Deck, street: int, count: int, rng: np.random.Generator) -> list[Situation]:
    """Return up to `count` situations that play leads to from one spot, on the previous street or the first itself."""
    played = _played_start(deck, street, rng) if street <= 1 else _play(_spot_before(deck, street, rng))
    played.solver.run(1 + int(rng.integers(_MOST_ITERATIONS)))
    # A network evaluates final strategies, and also those of earlier iterations.
    source = AVERAGE if rng.random() < _AVERAGE_SHARE else CURRENT
    situations = []
    for _ in range(count):
        line = _choose_line(played, source, rng)
        rest = [card for card in deck.cards if card not in played.board]
        more = rng.choice(rest, deck.board_sizes[street] - len(played.board), replace=False).tolist()
        board = tuple(sorted((*played.board, *more)))
        reach = reach_at(played.solver.memory, line, 0, source)
        pot = round(2 * played.solver.memory.subgame.lines.stake[line])
        situations.append(Situation(deck, board, pot, _dealt(deck, board, reach)))
    return situations


def _played_start(deck: Deck, street: int, rng: np.random.Generator) -> _Played:
    """Return the first street played from its usual start; in samples of that street, with other ranges and blinds."""
    blind, everything = BIG_BLIND, np.ones((2, holdings_of(deck).count), np.float32)
    if street == 0:
        blind = 2 * round(exp(rng.uniform(log(BIG_BLIND), log(_LARGEST_BLIND))) / 2)
        everything = _mixed(deck, (), rng)
    public = start(no_limit(blind // 2, blind, deck=deck.name), [TOTAL // 2, TOTAL // 2])
    utility = all_in_utility(deck)
    return _play(Spot(public, everything, _PLAY_SIZES, Depth(1, 0)), lambda _, rows, columns: utility[rows][:, columns])


def _spot_before(deck: Deck, street: int, rng: np.random.Generator) -> Spot:
    """Sample a spot on the previous street: any board, and ranges that are often wide, as they are in play."""
    board = sample_board(deck, street - 1, rng)
    weights = _mixed(deck, board, rng)
    situation = Situation(deck, board, min(sample_pot(rng), TOTAL // 4), weights)
    return Spot(situation.public(), weights, _PLAY_SIZES, Depth(street, 0))


def _mixed(deck: Deck, board: tuple[int, ...], rng: np.random.Generator) -> F32:
    """Sample ranges: all holdings, or ranges by strength mixed with all."""
    live = live_holdings(deck, board)
    share = 1.0 if rng.random() < _WIDE_SHARE else rng.random()
    mixed: F32 = ((1 - share) * _ranges(deck, board, rng) + share * live / live.sum()).astype(np.float32)
    return mixed


def _play(spot: Spot, utility: UtilityOf | None = None) -> _Played:
    """Solve a spot up to its next deal."""
    subgame = build(spot).subgame
    ends = np.flatnonzero(subgame.lines.kind == LEAF)
    solver = new_solver(replace(subgame, lines=compared(subgame.lines), utility=utility or _runouts_of(spot)))
    return _Played(spot.public.board, solver, ends)


def _runouts_of(spot: Spot) -> UtilityOf:
    deck, board = spot.public.variant.deck, spot.public.board
    return lambda _, rows, columns: runout_utility(deck, board, rows, columns)


def _choose_line(played: _Played, source: int, rng: np.random.Generator) -> int:
    """Choose a line to the next street on which both have chips left: by its probability, or uniformly."""
    memory = played.solver.memory
    likely = np.array([reach_at(memory, int(line), 0, source).sum(axis=1).prod() for line in played.ends])
    chances = _EXPLORE / len(likely) + (1 - _EXPLORE) * likely / max(likely.sum(), 1e-300)
    chances /= chances.sum()
    return int(rng.choice(played.ends, p=chances))


def _dealt(deck: Deck, board: tuple[int, ...], reach: F64) -> F32:
    """Return the ranges on a board [2, H], each adding up to one, with some weight on every possible holding."""
    live = np.flatnonzero(live_holdings(deck, board))
    total = reach[:, live].sum(axis=1, keepdims=True)
    mixed = np.where(total > 0, reach, 1.0)  # a range with nothing left in it is everything
    return np.array([floored(weights, live) for weights in mixed], np.float32)
