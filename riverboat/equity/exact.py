"""Exact equity: every deal that may come, counted once.

Heads-up there are three ways over the same list of run-outs; which is quickest depends on how many
holdings are in play. With more players, opponents are dealt holdings one after another, and a branch
is left as soon as somebody beats the hero.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from riverboat.answers import Equity, Step
from riverboat.equity.kernels import (
    compare_few,
    compare_rows,
    compare_sorted,
    deal_opponents,
    joint_weight,
)
from riverboat.equity.matchup import Matchup
from riverboat.equity.runouts import Runouts, class_order, runouts_of, suit_classes
from riverboat.errors import InvalidInput, TooLarge
from riverboat.holdings import holdings_of, live_holdings
from riverboat.parallel import Run, serial
from riverboat.strength.tables import holding_tables, tables_of

EXACT_LIMIT = 20_000_000_000  # showdowns: about a minute
_CHUNK = 8_000_000  # showdowns in one piece of work: some milliseconds
_FEW = 64  # holdings of both players together, up to which looking up each is quicker than all
_SEVERAL = 24  # hero's holdings from which sorting all holdings of a board is quicker

Totals = NDArray[np.float64]  # [h, 3]: weight of deals won, tied, and the share of ties
Showdowns = Callable[[Runouts], Totals]


@dataclass(frozen=True, slots=True, eq=False)
class Enumeration:
    """The hero's holdings and the weight of deals that each wins, ties and plays at all."""

    heroes: NDArray[np.int64]  # [h]
    totals: Totals
    weights: NDArray[np.float64]  # [h], of all deals


def exact_steps(question: Matchup, run: Run = serial, limit: int = EXACT_LIMIT) -> Iterator[Step]:
    """Enumerate a matchup; the last step has the result. Refuses what is beyond `limit` showdowns."""
    for done, found in enumerate_deals(question, run, limit):
        if found is None:
            yield Step(done, None)
        else:
            yield Step(1.0, _equity(question, found))


def showdown_count(question: Matchup) -> int:
    """About how many comparisons of two hands an enumeration makes, after symmetry."""
    boards = comb(len(question.deck.cards) - len(question.board) - len(question.known), question.to_come)
    classes = suit_classes(question.deck, [*question.board, *question.known], question.ranges)
    return max(1, boards // class_order(classes)) * _showdowns_per_board(question)


def enumerate_deals(
    question: Matchup, run: Run, limit: int = EXACT_LIMIT
) -> Iterator[tuple[float, Enumeration | None]]:
    """Fractions done, then the enumeration."""
    size = showdown_count(question)
    if size > limit:
        raise TooLarge(
            f"{question.deal_count:,} deals are too many to enumerate ({size:,} showdowns after symmetry; "
            f"the limit is {limit:,}): ask for rollouts instead"
        )
    heroes = np.flatnonzero(question.hero)
    weights = _deal_weights(question, heroes)
    if not weights.any():
        raise InvalidInput("opponents", "the ranges exclude each other: no deal gives every player a holding in range")
    runouts = runouts_of(question.deck, question.board, question.known, question.ranges)
    showdowns = _choose_kernel(question, heroes)
    pieces = runouts.parts(max(1, _CHUNK // _showdowns_per_board(question)))
    totals = np.zeros((len(heroes), 3))
    for finished, part in enumerate(run(partial(showdowns, piece) for piece in pieces), start=1):
        totals += part
        if finished < len(pieces):
            yield finished / len(pieces), None
    yield 1.0, Enumeration(heroes, totals, weights)


def _equity(question: Matchup, found: Enumeration) -> Equity:
    prior = question.hero[found.heroes].astype(np.float64)  # [h]
    win, tie, share = prior @ found.totals
    total = prior @ found.weights
    if len(question.opponents) == 1:
        share = tie / 2
    win, tie, share = float(win / total), float(tie / total), float((win + share) / total)
    return Equity(win, tie, share, 0.0, question.deal_count, exact=True)


def _opponents(
    question: Matchup, with_random: bool
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Holdings and weights of the opponents in turn, and where each one's start; narrowest first."""
    live = live_holdings(question.deck, question.board)
    every = np.where(live, np.float32(1), np.float32(0))
    ranges = [
        every if weights is None else weights for weights in question.opponents if with_random or weights is not None
    ]
    ranges.sort(key=np.count_nonzero)
    held = [np.flatnonzero(weights) for weights in ranges]
    starts = np.cumsum([0, *(len(indices) for indices in held)])
    nothing = np.zeros(0, np.int64)
    weights = [weights[indices].astype(np.float64) for weights, indices in zip(ranges, held, strict=True)]
    return np.concatenate([nothing, *held]), np.concatenate([nothing.astype(np.float64), *weights]), starts


def _deal_weights(question: Matchup, heroes: NDArray[np.int64]) -> NDArray[np.float64]:
    """The weight of all deals for each of the hero's holdings."""
    bits = holding_tables(question.deck).bits
    others = _opponents(question, with_random=False)
    joint = np.array([joint_weight(bits[hero], bits, *others) for hero in heroes])
    return joint * float(question.random_ways) * float(question.board_count)


def _showdowns_per_board(question: Matchup) -> int:
    heroes = int(np.count_nonzero(question.hero))
    if len(question.opponents) > 1:
        starts = _opponents(question, with_random=True)[2]
        return heroes * prod(int(n) for n in np.diff(starts))
    villains = len(_opponents(question, with_random=True)[0])
    every = holdings_of(question.deck).count
    return heroes + villains if heroes + villains <= _FEW else every * min(heroes, _SEVERAL)


def _choose_kernel(question: Matchup, heroes: NDArray[np.int64]) -> Showdowns:
    """A function from run-outs to what each of the hero's holdings wins and ties on them."""
    deck = question.deck
    tables = tables_of(deck.ordering, deck.holding_size + deck.board_sizes[-1])
    keys, bits = holding_tables(deck)
    lowest = deck.ranks[0]
    held, weights, starts = _opponents(question, with_random=True)

    def few(boards: Runouts) -> Totals:
        out = np.zeros((len(heroes), 3))
        compare_few(boards, keys[heroes], bits[heroes], keys[held], bits[held], weights, tables, out)
        return out

    def rows(boards: Runouts) -> Totals:
        out = np.zeros((len(heroes), 3))
        compare_rows(boards, heroes, seen, lowest, tables, out)
        return out

    def at_once(boards: Runouts) -> Totals:
        out = np.zeros((len(keys), 3))
        compare_sorted(boards, holdings_of(deck).cards, dense, lowest, tables, out)
        return out[heroes]

    def several(boards: Runouts) -> Totals:
        out = np.zeros((len(heroes), 3))
        deal_opponents(boards, heroes, bits, held, weights, starts, lowest, tables, out)
        return out

    if len(question.opponents) > 1:
        return several
    if len(heroes) + len(held) <= _FEW:
        return few
    dense = np.zeros(len(keys))
    dense[held] = weights
    if len(heroes) >= _SEVERAL:
        return at_once
    seen = np.where(bits[heroes][:, None] & bits[None, :], 0.0, dense[None, :])  # [h, H]
    return rows
