"""Equity by rollouts: deal the unknown cards at random, and see who wins.

Players with a range are dealt first (see `sampler`), then the board, then the opponents with random
cards; the first opponent who beats the hero ends the rollout: nothing later can change its outcome.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import inlined, kernel
from riverboat.contracts.oracle import Equity, EquityStep
from riverboat.equity.matchup import Matchup
from riverboat.equity.sampler import Sampler, advance, below, deal_ranges, mixed, sampler_of
from riverboat.errors import InvalidInput, TooLarge
from riverboat.holdings import live_holdings
from riverboat.parallel import Runner, serial
from riverboat.strength.evaluation import strength
from riverboat.strength.tables import Tables, holding_tables, key_and_bits, tables_of

CHUNK = 1 << 16  # rollouts in one piece of work: some milliseconds
MOST_ROLLOUTS = 10**10
LEAST_ERROR = 1e-6
_FEWEST_CHUNKS = 4  # before a target error may stop the rollouts
_ENOUGH_ROLLOUTS = 100  # effective ones: with fewer, estimated errors are unreliable

U64 = NDArray[np.uint64]


class Unseen(NamedTuple):
    """The unseen cards, for the board and random opponents: single cards, and pairs of cards."""

    card_keys: U64
    card_bits: U64
    pair_keys: U64
    pair_bits: U64


class Start(NamedTuple):
    """The start of every rollout: the known board, and the number of cards still to be dealt."""

    board_key: np.uint64
    board_bits: np.uint64
    to_come: int  # board cards
    random_count: int  # opponents with random cards


class RolloutCounts(NamedTuple):
    """The result of a number of rollouts: sums of their weights and of the hero's shares."""

    rollouts: int
    weights: float
    wins: float  # weights of rollouts won alone
    ties: float
    shares: float  # weight * share
    weights2: float  # weight**2
    shares2: float  # weight**2 * share
    squares2: float  # weight**2 * share**2

    @property
    def effective(self) -> float:
        """How many rollouts of equal weight would be as precise."""
        return self.weights**2 / self.weights2

    def plus(self, more: "RolloutCounts") -> "RolloutCounts":
        """Return the counts of these rollouts and some more."""
        return RolloutCounts._make(a + b for a, b in zip(self, more, strict=True))


NO_ROLLOUTS = RolloutCounts._make((0, *[0.0] * 7))


@inlined
def _draw(state: np.uint64, bits: U64, used: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Draw until the cards drawn are not used; return the generator's state and the index in `bits`."""
    while True:
        state = advance(state)
        drawn = below(mixed(state), np.uint64(bits.size))
        if bits[drawn] & used == 0:
            return state, drawn


@kernel
def roll_out(
    rollout_count: int, seed: np.uint64, start: Start, sampler: Sampler, unseen: Unseen, tables: Tables
) -> RolloutCounts:
    """Return the counts of `rollout_count` rollouts of a matchup."""
    range_count, hero = sampler.starts.size - 1, sampler.hero
    keys, bits = np.zeros(range_count, np.uint64), np.zeros(range_count, np.uint64)
    cards = np.zeros(2 * range_count, np.int64)
    state, dealt, weight = deal_ranges(seed, sampler, keys, bits, cards)
    certain = sampler.starts[range_count] == range_count  # one holding each: nothing to draw again
    weights, wins, ties, shares = 0.0, 0.0, 0.0, 0.0
    weights2, shares2, squares2 = 0.0, 0.0, 0.0
    for _ in range(rollout_count):
        if not certain:
            state, dealt, weight = deal_ranges(state, sampler, keys, bits, cards)
        weights += weight
        weights2 += weight * weight
        if weight == 0:
            continue
        used, key, board = dealt | start.board_bits, start.board_key, start.board_bits
        for _ in range(start.to_come // 2):
            state, pair = _draw(state, unseen.pair_bits, used)
            used |= unseen.pair_bits[pair]
            board |= unseen.pair_bits[pair]
            key += unseen.pair_keys[pair]
        if start.to_come % 2:
            state, card = _draw(state, unseen.card_bits, used)
            used |= unseen.card_bits[card]
            board |= unseen.card_bits[card]
            key += unseen.card_keys[card]
        mine = strength(key + keys[hero], board | bits[hero], tables)
        beaten, equal = False, 0
        for other in range(range_count):
            if other != hero:
                theirs = strength(key + keys[other], board | bits[other], tables)
                beaten |= bool(theirs > mine)
                equal += theirs == mine
        opponent = 0
        while opponent < start.random_count and not beaten:
            state, pair = _draw(state, unseen.pair_bits, used)
            used |= unseen.pair_bits[pair]
            theirs = strength(key + unseen.pair_keys[pair], board | unseen.pair_bits[pair], tables)
            beaten = bool(theirs > mine)
            equal += theirs == mine
            opponent += 1
        if not beaten:
            share = weight / (equal + 1)
            wins += weight if equal == 0 else 0.0
            ties += weight if equal > 0 else 0.0
            shares += share
            shares2 += weight * share
            squares2 += share * share
    return RolloutCounts(
        rollouts=rollout_count,
        weights=weights,
        wins=wins,
        ties=ties,
        shares=shares,
        weights2=weights2,
        shares2=shares2,
        squares2=squares2,
    )


def check_rollouts(rollout_count: int, target_error: float) -> None:
    """Raise unless the count and the target error are within limits."""
    if rollout_count < 1:
        raise InvalidInput("rollout_count", f"must be at least 1, not {rollout_count:,}")
    if rollout_count > MOST_ROLLOUTS:
        raise TooLarge(f"{rollout_count:,} rollouts are too many; the limit is {MOST_ROLLOUTS:,}")
    if not 0 <= target_error < 1:
        raise InvalidInput("target_error", f"must be at least 0 and below 1, not {target_error}")
    if 0 < target_error < LEAST_ERROR:
        raise InvalidInput("target_error", f"{target_error:g} takes too many rollouts; the minimum is {LEAST_ERROR:g}")


def rollout_steps(
    question: Matchup,
    rng: np.random.Generator,
    rollout_count: int = MOST_ROLLOUTS,
    target_error: float = 0.0,
    run: Runner = serial,
) -> Iterator[EquityStep]:
    """Yield the equity by rollouts so far, up to `rollout_count` rollouts or until the standard error is on target.

    The same generator state gives the same steps, whatever the runner.
    """
    check_rollouts(rollout_count, target_error)
    total = NO_ROLLOUTS
    for chunk, part in enumerate(run(_chunks(question, rng, rollout_count)), start=1):
        total = total.plus(part)
        if total.weights == 0:
            raise InvalidInput("opponents", f"none of {total.rollouts:,} deals gave every player a holding in range")
        estimate = _equity(total)
        close_enough = (
            chunk >= _FEWEST_CHUNKS and total.effective >= _ENOUGH_ROLLOUTS and estimate.error <= target_error
        )
        finished = close_enough or total.rollouts >= rollout_count
        yield EquityStep(done=1.0 if finished else _done(estimate, rollout_count, target_error), equity=estimate)
        if finished:
            return


def _chunks(question: Matchup, rng: np.random.Generator, rollout_count: int) -> Iterator[partial[RolloutCounts]]:
    """Yield pieces of work that add up to `rollout_count` rollouts."""
    play = _player(question)
    for first in range(0, rollout_count, CHUNK):
        yield partial(play, min(CHUNK, rollout_count - first), rng.integers(2**64, dtype=np.uint64))


def _player(question: Matchup) -> Callable[[int, np.uint64], RolloutCounts]:
    """Return a function that rolls the matchup out a number of times from a seed."""
    deck = question.deck
    tables = tables_of(deck.ordering, deck.holding_size + deck.board_sizes[-1])
    holdings = holding_tables(deck)
    start = Start(*key_and_bits(question.board), question.to_come, question.random_count)
    sampler = sampler_of(question)
    dead = [*question.board, *question.known]
    cards = [card for card in deck.cards if card not in dead]
    pairs = live_holdings(deck, dead)
    unseen = Unseen(tables.card_keys[cards], tables.card_bits[cards], holdings.keys[pairs], holdings.bits[pairs])

    def play(rollout_count: int, seed: np.uint64) -> RolloutCounts:
        return roll_out(rollout_count, seed, start, sampler, unseen, tables)

    return play


def _equity(total: RolloutCounts) -> Equity:
    mean = total.shares / total.weights
    # The variance of a weighted mean, with one average win and one average loss added, so that a run
    # without losses has an error too.
    extra = (total.weights / total.rollouts) ** 2 * ((1 - mean) ** 2 + mean**2)
    spread = total.squares2 - 2 * mean * total.shares2 + mean * mean * total.weights2 + extra
    error = sqrt(max(spread, 0.0)) / total.weights
    if total.effective < _ENOUGH_ROLLOUTS:
        error = max(error, 0.5 / sqrt(total.effective))  # as large as it can be: a share is between 0 and 1
    error = min(error, 0.5)
    return Equity(
        win=total.wins / total.weights,
        tie=total.ties / total.weights,
        equity=mean,
        error=error,
        deal_count=total.rollouts,
        exact=False,
    )


def _done(estimate: Equity, rollout_count: int, target_error: float) -> float:
    by_count = estimate.deal_count / rollout_count
    by_error = min(1.0, (target_error / estimate.error) ** 2)
    return min(0.999, max(by_count, by_error))
