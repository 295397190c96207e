"""Equity by rollouts: deal at random what is not known, and look who wins.

Players with a range are dealt first, one after another, each from what the others have left. That
alone would favour holdings that leave the next players little, so a rollout is weighed by how much
of each range was still possible: the average over rollouts is then that over all joint deals in
proportion to the product of their weights. Then come the board and the opponents with random cards;
one who beats the hero ends the rollout, because nothing after it can change its outcome.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.answers import Equity, Step
from riverboat.cards import CARD_COUNT
from riverboat.equity.matchup import Matchup
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, live_holdings
from riverboat.kernels import kernel
from riverboat.parallel import Run, serial
from riverboat.strength.evaluate import strength
from riverboat.strength.tables import NO_SUITS, Tables, holding_tables, tables_of

CHUNK = 1 << 16  # rollouts in one piece of work: some milliseconds
MOST_ROLLOUTS = 10**10
_FEWEST = 4  # chunks before a target error may stop the rollouts
_QUICK_DRAWS = 8  # from a range before going through all of it for a holding that is free

U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A, _MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


class Sampler(NamedTuple):
    """Holdings with the chance of each, to draw from: one table per player, all in the same arrays.

    Player n's entries are starts[n] : starts[n + 1]. Of every entry `keep` in 2**32 draws stay with it
    and the rest go to entry `other` (Walker's alias method).
    """

    starts: NDArray[np.int64]
    keep: U64
    other: NDArray[np.int64]
    chances: F64
    cards: NDArray[np.uint8]  # [entries, 2]
    keys: U64
    bits: U64
    blocked: F64  # [players, 52, 52], the chance of a card (on the diagonal) and of a pair of cards


class Unseen(NamedTuple):
    """What the board and random opponents are dealt from: single cards, and pairs of cards."""

    card_keys: U64
    card_bits: U64
    pair_keys: U64
    pair_bits: U64


class Counts(NamedTuple):
    """What a number of rollouts came to; sums over rollouts of their weights and the hero's shares."""

    rollouts: int
    weights: float
    wins: float  # weights of rollouts won alone
    ties: float
    shares: float  # weight * share
    weights2: float  # weight**2
    shares2: float  # weight**2 * share
    squares2: float  # weight**2 * share**2

    def plus(self, more: "Counts") -> "Counts":
        """These rollouts and some more."""
        return Counts(self.rollouts + more.rollouts, *(a + b for a, b in zip(self[1:], more[1:], strict=True)))


@kernel
def _mixed(state: np.uint64) -> np.uint64:
    """64 random bits from a counter that goes up by _GOLDEN (SplitMix64)."""
    z = (state ^ (state >> _S30)) * _MIX_A
    z = (z ^ (z >> _S27)) * _MIX_B
    return z ^ (z >> _S31)


@kernel
def _draw_by_scan(state: np.uint64, n: int, taken: np.uint64, sampler: Sampler) -> int:
    """An entry of player n that uses no taken card, found by going through all; -1 if there is none."""
    free = 0.0
    for entry in range(sampler.starts[n], sampler.starts[n + 1]):
        if sampler.bits[entry] & taken == 0:
            free += sampler.chances[entry]
    left = free * np.float64(_mixed(state) >> _S32) / 2.0**32
    last = -1
    for entry in range(sampler.starts[n], sampler.starts[n + 1]):
        if sampler.bits[entry] & taken == 0:
            last = entry
            left -= sampler.chances[entry]
            if left < 0:
                break
    return last


@kernel
def _still_possible(n: int, cards: NDArray[np.int64], card_count: int, sampler: Sampler) -> float:
    """The chance that a holding drawn from player n's range uses none of some cards."""
    chance = 1.0
    for i in range(card_count):
        chance -= sampler.blocked[n, cards[i], cards[i]]
        for j in range(i):
            chance += sampler.blocked[n, cards[i], cards[j]]
    return max(chance, 0.0)


@kernel
def _deal_ranges(
    state: np.uint64, sampler: Sampler, keys: U64, bits: U64, cards: NDArray[np.int64]
) -> tuple[np.uint64, np.uint64, float]:
    """Deal each player with a range a holding that shares no card with those before.

    Returns the generator's state, the cards dealt, and the weight of this deal (0 if there was none).
    """
    taken, weight = np.uint64(0), 1.0
    for n in range(sampler.starts.size - 1):
        start, size = sampler.starts[n], np.uint64(sampler.starts[n + 1] - sampler.starts[n])
        entry = -1
        for _ in range(_QUICK_DRAWS):
            state += _GOLDEN
            random = _mixed(state)
            drawn = start + np.int64(((random >> _S32) * size) >> _S32)
            if (random & _LOW) >= sampler.keep[drawn]:
                drawn = sampler.other[drawn]
            if sampler.bits[drawn] & taken == 0:
                entry = drawn
                break
        if entry < 0:
            state += _GOLDEN
            entry = _draw_by_scan(state, n, taken, sampler)
            if entry < 0:
                return state, taken, 0.0
        if n > 0:
            weight *= _still_possible(n, cards, 2 * n, sampler)
        keys[n], bits[n] = sampler.keys[entry], sampler.bits[entry]
        cards[2 * n], cards[2 * n + 1] = sampler.cards[entry, 0], sampler.cards[entry, 1]
        taken |= bits[n]
    return state, taken, weight


@kernel
def roll_out(
    rollout_count: int,
    seed: np.uint64,
    board_key: np.uint64,
    board_bits: np.uint64,
    to_come: int,
    sampler: Sampler,
    random_count: int,
    unseen: Unseen,
    tables: Tables,
) -> tuple[int, float, float, float, float, float, float, float]:
    """Play a matchup out `rollout_count` times; what comes back is a `Counts`."""
    range_count = sampler.starts.size - 1
    keys, bits = np.zeros(range_count, np.uint64), np.zeros(range_count, np.uint64)
    cards = np.zeros(2 * range_count, np.int64)
    card_count, pair_count = np.uint64(unseen.card_keys.size), np.uint64(unseen.pair_keys.size)
    state, dealt, weight = _deal_ranges(seed, sampler, keys, bits, cards)
    certain = sampler.starts[range_count] == range_count  # one holding each: nothing to draw again
    weights, wins, ties, shares = 0.0, 0.0, 0.0, 0.0
    weights2, shares2, squares2 = 0.0, 0.0, 0.0
    for _ in range(rollout_count):
        if not certain:
            state, dealt, weight = _deal_ranges(state, sampler, keys, bits, cards)
        weights += weight
        weights2 += weight * weight
        if weight == 0:
            continue
        used, key, board = dealt | board_bits, board_key, board_bits
        left = to_come
        while left > 1:
            state += _GOLDEN
            pair = ((_mixed(state) >> _S32) * pair_count) >> _S32
            if unseen.pair_bits[pair] & used == 0:
                used |= unseen.pair_bits[pair]
                board |= unseen.pair_bits[pair]
                key += unseen.pair_keys[pair]
                left -= 2
        while left == 1:
            state += _GOLDEN
            card = ((_mixed(state) >> _S32) * card_count) >> _S32
            if unseen.card_bits[card] & used == 0:
                used |= unseen.card_bits[card]
                board |= unseen.card_bits[card]
                key += unseen.card_keys[card]
                left = 0
        mine = strength(key + keys[0], board | bits[0], tables)
        beaten, level = False, 0
        for other in range(1, range_count):
            theirs = strength(key + keys[other], board | bits[other], tables)
            beaten |= bool(theirs > mine)
            level += theirs == mine
        opponent = 0
        while opponent < random_count and not beaten:
            state += _GOLDEN
            pair = ((_mixed(state) >> _S32) * pair_count) >> _S32
            if unseen.pair_bits[pair] & used == 0:
                used |= unseen.pair_bits[pair]
                theirs = strength(key + unseen.pair_keys[pair], board | unseen.pair_bits[pair], tables)
                beaten = bool(theirs > mine)
                level += theirs == mine
                opponent += 1
        if not beaten:
            share = weight / (level + 1)
            wins += weight if level == 0 else 0.0
            ties += weight if level > 0 else 0.0
            shares += share
            shares2 += weight * share
            squares2 += share * share
    return rollout_count, weights, wins, ties, shares, weights2, shares2, squares2


def rollout_steps(
    question: Matchup,
    rng: np.random.Generator,
    rollout_count: int = MOST_ROLLOUTS,
    target_error: float = 0.0,
    run: Run = serial,
) -> Iterator[Step]:
    """Roll a matchup out until there are `rollout_count`, or the standard error is down to a target.

    Each step has the result so far. The same generator state gives the same steps, however they run.
    """
    if not 1 <= rollout_count <= MOST_ROLLOUTS:
        raise InvalidInput("rollout_count", f"must be between 1 and {MOST_ROLLOUTS:,}, not {rollout_count:,}")
    if not 0 <= target_error < 1:
        raise InvalidInput("target_error", f"must be at least 0 and below 1, not {target_error}")
    total = Counts(0, *[0.0] * 7)
    for chunk, part in enumerate(run(_chunks(question, rng, rollout_count)), start=1):
        total = total.plus(part)
        if total.weights == 0:
            raise InvalidInput("opponents", f"none of {total.rollouts:,} deals gave every player a holding in range")
        found = _equity(total)
        close_enough = chunk >= _FEWEST and found.error <= target_error
        finished = close_enough or total.rollouts >= rollout_count
        yield Step(1.0 if finished else _done(found, rollout_count, target_error), found)
        if finished:
            return


def _chunks(question: Matchup, rng: np.random.Generator, rollout_count: int) -> Iterator[partial[Counts]]:
    """Pieces of work that add up to `rollout_count` rollouts."""
    play = _player(question)
    for first in range(0, rollout_count, CHUNK):
        yield partial(play, min(CHUNK, rollout_count - first), rng.integers(2**64, dtype=np.uint64))


def _player(question: Matchup) -> Callable[[int, np.uint64], Counts]:
    """A function that rolls the matchup out a number of times from a seed."""
    deck = question.deck
    tables = tables_of(deck.ordering, deck.holding_size + deck.board_sizes[-1])
    holdings = holding_tables(deck)
    board_key = np.uint64(NO_SUITS) + tables.card_keys[list(question.board)].sum(dtype=np.uint64)
    board_bits = np.bitwise_or.reduce(tables.card_bits[list(question.board)], initial=np.uint64(0))
    sampler = _sampler(question)
    gone = [*question.board, *question.known]
    cards = [card for card in deck.cards if card not in gone]
    pairs = live_holdings(deck, gone)
    unseen = Unseen(tables.card_keys[cards], tables.card_bits[cards], holdings.keys[pairs], holdings.bits[pairs])

    def play(rollout_count: int, seed: np.uint64) -> Counts:
        return Counts(
            *roll_out(
                rollout_count,
                seed,
                board_key,
                board_bits,
                question.to_come,
                sampler,
                question.random_count,
                unseen,
                tables,
            )
        )

    return play


def _sampler(question: Matchup) -> Sampler:
    """Tables for all ranges, the hero's first and then the narrowest, which clash with the most."""
    cards, holdings = holdings_of(question.deck).cards, holding_tables(question.deck)
    ranges = [question.ranges[0], *sorted(question.ranges[1:], key=np.count_nonzero)]
    held = [np.flatnonzero(weights) for weights in ranges]
    chances = [weights[indices] / weights.sum(dtype=np.float64) for weights, indices in zip(ranges, held, strict=True)]
    starts = np.cumsum([0, *map(len, held)])
    aliases = [_alias(chance) for chance in chances]
    blocked = np.zeros((len(ranges), CARD_COUNT, CARD_COUNT))
    for n, (indices, chance) in enumerate(zip(held, chances, strict=True)):
        a, b = cards[indices].T
        blocked[n, a, b] = blocked[n, b, a] = chance
        for card in (a, b):
            np.add.at(blocked[n], (card, card), chance)
    every = np.concatenate(held)
    return Sampler(
        starts,
        np.concatenate([keep for keep, _ in aliases]),
        np.concatenate([other + start for (_, other), start in zip(aliases, starts, strict=False)]),
        np.concatenate(chances),
        cards[every],
        holdings.keys[every],
        holdings.bits[every],
        blocked,
    )


def _alias(chances: F64) -> tuple[U64, NDArray[np.int64]]:
    """Walker's tables for drawing an index with its chance."""
    chance = chances * len(chances)
    other = np.arange(len(chances))
    small = [i for i in other if chance[i] < 1]
    large = [i for i in other if chance[i] >= 1]
    while small and large:
        low, high = small.pop(), large.pop()
        other[low] = high
        chance[high] -= 1 - chance[low]
        (small if chance[high] < 1 else large).append(high)
    chance[[*small, *large]] = 1.0  # what rounding left over
    return np.round(chance * 2.0**32).astype(np.uint64), other


def _equity(total: Counts) -> Equity:
    mean = total.shares / total.weights
    # The variance of a weighted mean; one average win and loss more than seen, so that a run without
    # losses has an error, too.
    extra = (total.weights / total.rollouts) ** 2 * ((1 - mean) ** 2 + mean**2)
    spread = total.squares2 - 2 * mean * total.shares2 + mean * mean * total.weights2 + extra
    error = sqrt(max(spread, 0.0)) / total.weights
    return Equity(total.wins / total.weights, total.ties / total.weights, mean, error, total.rollouts, exact=False)


def _done(found: Equity, rollout_count: int, target_error: float) -> float:
    by_count = found.deal_count / rollout_count
    by_error = min(1.0, (target_error / found.error) ** 2)
    return min(0.999, max(by_count, by_error))
