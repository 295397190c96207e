"""Exact equity: every deal that may come, counted once.

Heads-up, one of three kernels walks the list of run-outs; which one is fastest depends on how many
holdings are in play. With more players, opponents are dealt holdings one after another, and a branch
ends as soon as somebody beats the hero.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from riverboat.contracts.oracle import Equity, EquityStep
from riverboat.equity.kernels import (
    NUMBER,
    WEIGHT,
    DeckTables,
    Opponents,
    compare_few,
    compare_rows,
    compare_sorted,
    count_joint_deals,
    deal_opponents,
)
from riverboat.equity.matchup import Matchup, irreconcilable
from riverboat.equity.runouts import Runouts, class_order, runouts_of, suit_classes
from riverboat.errors import TooLarge
from riverboat.holdings import holdings_of, live_holdings
from riverboat.parallel import Runner, serial
from riverboat.strength.tables import HoldingTables, holding_tables, tables_of

EXACT_LIMIT = 20_000_000_000  # showdowns: about a minute
_CHUNK = 8_000_000  # showdowns in one piece of work: some milliseconds
_FEW = 64  # up to this many holdings of both players together, it is faster to look up each one than all of the deck's
_SEVERAL = 24  # from this many holdings of the hero on, it is faster to sort all holdings of a board

Totals = NDArray[np.float64]  # [h, 3]: weight of deals won, tied, and the share of ties
Showdowns = Callable[[Runouts], Totals]


@dataclass(frozen=True, slots=True, eq=False)
class Enumeration:
    """The hero's holdings, and for each the weight of the deals that it wins and ties."""

    heroes: NDArray[np.int64]  # [h]
    totals: Totals
    weights: NDArray[np.float64]  # [h], of all deals
    counts: list[int]  # [h], of all deals


def exact_steps(question: Matchup, run: Runner = serial, limit: int = EXACT_LIMIT) -> Iterator[EquityStep]:
    """Yield the steps of an enumeration; the last step has the equity. Raise TooLarge beyond `limit` showdowns."""
    for done, enumeration in enumerate_deals(question, run, limit):
        if enumeration is None:
            yield EquityStep(done=done, equity=None)
        else:
            yield EquityStep(done=1.0, equity=_equity(question, enumeration))


def showdown_count(question: Matchup) -> int:
    """Return roughly how many comparisons of two hands an enumeration makes, after symmetry."""
    boards = comb(len(question.deck.cards) - len(question.board) - len(question.known), question.to_come)
    classes = suit_classes(question.deck, [*question.board, *question.known], question.ranges)
    return max(1, boards // class_order(classes)) * _showdowns_per_board(question)


def enumerate_deals(
    question: Matchup, run: Runner, limit: int = EXACT_LIMIT
) -> Iterator[tuple[float, Enumeration | None]]:
    """Yield the fraction done after each task; the last step also has the enumeration."""
    size = showdown_count(question)
    if size > limit:
        raise TooLarge(
            f"{question.most_deals:,} deals are too many to enumerate: they take {size:,} showdowns after "
            f"symmetry, and the limit is {limit:,}; ask for rollouts instead"
        )
    heroes = np.flatnonzero(question.hero)
    joint = np.ones((len(heroes), 2))  # weight and number of ways to deal the opponents with ranges
    if len(question.ranges) > 1:
        joint[:] = 0
        for part in run(_count_tasks(question, heroes)):
            joint += part
            yield 0.0, None
    if not joint.any():
        raise irreconcilable()
    others = question.random_ways * question.board_count
    tasks = _showdown_tasks(question, heroes)
    totals = np.zeros((len(heroes), 3))
    for finished, part in enumerate(run(tasks), start=1):
        totals += part
        if finished < len(tasks):
            yield finished / len(tasks), None
    counts = [int(count) * others for count in joint[:, NUMBER]]
    yield 1.0, Enumeration(heroes, totals, joint[:, WEIGHT] * float(others), counts)


def _equity(question: Matchup, enumeration: Enumeration) -> Equity:
    prior = question.hero[enumeration.heroes].astype(np.float64)  # [h]
    win, tie, share = prior @ enumeration.totals
    total = prior @ enumeration.weights
    if len(question.opponents) == 1:
        share = tie / 2
    win, tie, share = float(win / total), float(tie / total), float((win + share) / total)
    return Equity(win=win, tie=tie, equity=share, error=0.0, deal_count=sum(enumeration.counts), exact=True)


def _opponents(question: Matchup, with_random: bool) -> Opponents:
    """Return the opponents' possible holdings; the opponent with most holdings comes first."""
    live = live_holdings(question.deck, question.board)
    every = np.where(live, np.float32(1), np.float32(0))
    ranges = [weights for weights in question.opponents if weights is not None]
    if with_random:
        ranges += [every] * question.random_count
    ranges.sort(key=np.count_nonzero, reverse=True)
    held = [np.flatnonzero(weights) for weights in ranges]
    weights = [weights[indices].astype(np.float64) for weights, indices in zip(ranges, held, strict=True)]
    starts = np.cumsum([0, *map(len, held)])
    return Opponents(
        holdings=np.concatenate(held), weights=np.concatenate(weights), starts=starts, first=0, last=int(starts[1])
    )


def _slices(opponents: Opponents, size: int) -> list[Opponents]:
    """Cut the first opponent's holdings into slices of about _CHUNK showdowns each; all together have `size`."""
    count = int(opponents.starts[1])
    step = max(1, count * _CHUNK // max(size, 1))
    return [opponents._replace(first=first, last=min(first + step, count)) for first in range(0, count, step)]


def _count_tasks(question: Matchup, heroes: NDArray[np.int64]) -> list[partial[NDArray[np.float64]]]:
    """Return the tasks that count the ways to deal the opponents with ranges."""
    bits = holding_tables(question.deck).bits
    others = _opponents(question, with_random=False)

    def count(part: Opponents) -> NDArray[np.float64]:
        out = np.zeros((len(heroes), 2))
        count_joint_deals(heroes, bits, part, out)
        return out

    size = len(heroes) * prod(int(n) for n in np.diff(others.starts))
    return [partial(count, part) for part in _slices(others, size)]


def _showdown_tasks(question: Matchup, heroes: NDArray[np.int64]) -> list[partial[Totals]]:
    """Return the tasks that compare hands: some boards each, or one board and some of the first opponent's holdings."""
    runouts = runouts_of(question.deck, question.board, question.known, question.ranges)
    per_board = _showdowns_per_board(question)
    pieces = runouts.parts(max(1, _CHUNK // per_board))
    if len(question.opponents) == 1:
        showdowns = _choose_kernel(question, heroes)
        return [partial(showdowns, piece) for piece in pieces]
    deal, others = _deal_kernel(question, heroes)
    slices = _slices(others, per_board)
    return [partial(deal, piece, part) for piece in pieces for part in slices]


def _showdowns_per_board(question: Matchup) -> int:
    if len(question.opponents) > 1:
        return prod(int(np.count_nonzero(weights)) for weights in question.ranges) * question.random_ways
    heroes = int(np.count_nonzero(question.hero))
    opponents = len(_opponents(question, with_random=True).holdings)
    every = holdings_of(question.deck).count
    return heroes + opponents if heroes + opponents <= _FEW else every * min(heroes, _SEVERAL)


def _deal_kernel(
    question: Matchup, heroes: NDArray[np.int64]
) -> tuple[Callable[[Runouts, Opponents], Totals], Opponents]:
    """Return a function that compares against more than one opponent, and those opponents."""
    deck = question.deck
    strengths = tables_of(deck.ordering, deck.holding_size + deck.board_sizes[-1])
    tables = DeckTables(deck.ranks[0], holding_tables(deck).bits, strengths)

    def deal(boards: Runouts, opponents: Opponents) -> Totals:
        out = np.zeros((len(heroes), 3))
        deal_opponents(boards, heroes, opponents, tables, out)
        return out

    return deal, _opponents(question, with_random=True)


def _choose_kernel(question: Matchup, heroes: NDArray[np.int64]) -> Showdowns:
    """Return a function that maps run-outs to the totals of the hero's holdings against one opponent."""
    deck = question.deck
    tables = tables_of(deck.ordering, deck.holding_size + deck.board_sizes[-1])
    keys, bits = holding_tables(deck)
    lowest = deck.ranks[0]
    opponents = _opponents(question, with_random=True)
    held, weights = opponents.holdings, opponents.weights

    def few(boards: Runouts) -> Totals:
        out = np.zeros((len(heroes), 3))
        compare_few(boards, mine, theirs, weights, tables, out)
        return out

    def rows(boards: Runouts) -> Totals:
        out = np.zeros((len(heroes), 3))
        compare_rows(boards, heroes, seen, lowest, tables, out)
        return out

    def at_once(boards: Runouts) -> Totals:
        out = np.zeros((len(keys), 3))
        compare_sorted(boards, holdings_of(deck).cards, dense, lowest, tables, out)
        return out[heroes]

    if len(heroes) + len(held) <= _FEW:
        mine, theirs = HoldingTables(keys[heroes], bits[heroes]), HoldingTables(keys[held], bits[held])
        return few
    dense = np.zeros(len(keys))
    dense[held] = weights
    if len(heroes) >= _SEVERAL:
        return at_once
    seen = np.where(bits[heroes][:, None] & bits[None, :], 0.0, dense[None, :])  # [h, H]
    return rows
