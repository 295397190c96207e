"""A sampler of deals to players with ranges: joint deals come in proportion to their weights.

Players are dealt one after another, each from what the others have left. To draw by a range's weights
alone would waste most deals where ranges collide, and give rare but decisive holdings almost never. So
a holding's chance also counts how much of each later range it leaves possible, and every deal gets a
weight that makes up for the difference: with two players it is the same for all deals.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import CARD_COUNT
from riverboat.compiled.kernels import kernel
from riverboat.equity.matchup import Matchup, irreconcilable
from riverboat.holdings import holdings_of
from riverboat.strength.tables import holding_tables

U64 = NDArray[np.uint64]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

_QUICK_DRAWS = 8  # from a range, before it is scanned for a holding that is free
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A, _MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S32 = (np.uint64(shift) for shift in (11, 27, 30, 31, 32))
_UNIT = 1.0 / (1 << 53)
_LOW = np.uint64(0xFFFFFFFF)


class Sampler(NamedTuple):
    """Holdings to draw from: one table per player with a range, all in the same arrays.

    Player n's entries are starts[n] : starts[n + 1]. Of every entry `keep` in 2**32 draws stay with it
    and the rest go to entry `other` (Walker's alias method).
    """

    hero: int  # which of the players is the hero
    starts: I64
    keep: U64
    other: I64
    chances: F64  # of the entries of a player, together 1
    factors: F64  # weight by chance, up to a constant
    cards: NDArray[np.uint8]  # [entries, 2]
    keys: U64
    bits: U64
    blocked: F64  # [players, 52, 52], the chance of a card (on the diagonal) and of a pair of cards


class _Range(NamedTuple):
    """A player's holdings, the chance to draw each, and the factor that corrects for it."""

    held: I64
    chances: F64
    factors: F64


def sampler_of(question: Matchup) -> Sampler:
    """Return tables for all players with ranges, narrow ranges first, because they collide most often."""
    cards, tables = holdings_of(question.deck).cards, holding_tables(question.deck)
    order = sorted(range(len(question.ranges)), key=lambda n: int(np.count_nonzero(question.ranges[n])))
    ranges = [_with_chances(question, order[n], order[n + 1 :], tables.bits) for n in range(len(order))]
    starts = np.cumsum([0, *(len(one.held) for one in ranges)])
    aliases = [_alias(one.chances) for one in ranges]
    every = np.concatenate([one.held for one in ranges])
    return Sampler(
        hero=order.index(0),
        starts=starts,
        keep=np.concatenate([keep for keep, _ in aliases]),
        other=np.concatenate([other + start for (_, other), start in zip(aliases, starts, strict=False)]),
        chances=np.concatenate([one.chances for one in ranges]),
        factors=np.concatenate([one.factors for one in ranges]),
        cards=cards[every],
        keys=tables.keys[every],
        bits=tables.bits[every],
        blocked=np.array([_blocked(cards[one.held], one.chances) for one in ranges]),
    )


def _with_chances(question: Matchup, player: int, later: list[int], bits: U64) -> _Range:
    """Return a player's holdings that leave every later player something, favouring those that leave much."""
    weights = question.ranges[player].astype(np.float64)
    held = np.flatnonzero(weights)
    possible = np.ones(len(held))
    for other in later:
        theirs = question.ranges[other].astype(np.float64)
        their_held = np.flatnonzero(theirs)
        apart = (bits[held][:, None] & bits[their_held][None, :]) == 0
        possible *= apart @ (theirs[their_held] / theirs.sum())
    held, possible = held[possible > 0], possible[possible > 0]
    if not len(held):
        raise irreconcilable()
    chances = weights[held] * possible
    return _Range(held, chances / chances.sum(), possible.max() / possible)


def _alias(chances: F64) -> tuple[U64, I64]:
    """Return Walker's tables for drawing an index with its chance."""
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


def _blocked(cards: NDArray[np.uint8], chances: F64) -> F64:
    """Return the chance that a drawn holding has a card (on the diagonal), or a pair of cards [52, 52]."""
    blocked = np.zeros((CARD_COUNT, CARD_COUNT))
    a, b = cards.T
    blocked[a, b] = blocked[b, a] = chances
    for card in (a, b):
        np.add.at(blocked, (card, card), chances)
    return blocked


@kernel
def advance(state: np.uint64) -> np.uint64:
    """Return the next state of a random generator."""
    return state + _GOLDEN


@kernel
def mixed(state: np.uint64) -> np.uint64:
    """Return 64 random bits from a state (SplitMix64)."""
    z = (state ^ (state >> _S30)) * _MIX_A
    z = (z ^ (z >> _S27)) * _MIX_B
    return z ^ (z >> _S31)


@kernel
def next_unit(state: NDArray[np.uint64]) -> float:
    """Return a random number in [0, 1) and advance the generator's state [1]."""
    state[0] = advance(state[0])
    return float(mixed(state[0]) >> _S11) * _UNIT


@kernel
def below(random: np.uint64, count: np.uint64) -> np.uint64:
    """Return a number below `count` from the upper half of 64 random bits."""
    return ((random >> _S32) * count) >> _S32


@kernel
def _draw_by_scan(random: np.uint64, n: int, taken: np.uint64, sampler: Sampler) -> tuple[int, float]:
    """Return an entry of player n that uses no taken card, by scanning all, and the total chance of such entries.

    The entry is -1 if there is none.
    """
    free = 0.0
    for entry in range(sampler.starts[n], sampler.starts[n + 1]):
        if sampler.bits[entry] & taken == 0:
            free += sampler.chances[entry]
    left = free * np.float64(random >> _S32) / 2.0**32
    last = -1
    for entry in range(sampler.starts[n], sampler.starts[n + 1]):
        if sampler.bits[entry] & taken == 0:
            last = entry
            left -= sampler.chances[entry]
            if left < 0:
                break
    return last, free


@kernel
def _still_possible(n: int, cards: I64, card_count: int, sampler: Sampler) -> float:
    """Return the chance that a holding drawn from player n's range uses none of these cards."""
    chance = 1.0
    for i in range(card_count):
        chance -= sampler.blocked[n, cards[i], cards[i]]
        for j in range(i):
            chance += sampler.blocked[n, cards[i], cards[j]]
    return max(chance, 0.0)


@kernel
def deal_ranges(
    state: np.uint64, sampler: Sampler, keys: U64, bits: U64, cards: I64
) -> tuple[np.uint64, np.uint64, float]:
    """Deal each player with a range a holding that shares no card with those before.

    Return the generator's state, the cards dealt, and the weight of this deal (0 if none was possible).
    """
    taken, weight = np.uint64(0), 1.0
    for n in range(sampler.starts.size - 1):
        start, size = sampler.starts[n], np.uint64(sampler.starts[n + 1] - sampler.starts[n])
        entry = -1
        for _ in range(_QUICK_DRAWS):
            state = advance(state)
            random = mixed(state)
            drawn = start + np.int64(below(random, size))
            if (random & _LOW) >= sampler.keep[drawn]:
                drawn = sampler.other[drawn]
            if sampler.bits[drawn] & taken == 0:
                entry = drawn
                break
        if entry < 0:
            state = advance(state)
            entry, possible = _draw_by_scan(mixed(state), n, taken, sampler)
            if entry < 0:
                return state, taken, 0.0
        else:
            possible = _still_possible(n, cards, 2 * n, sampler)
        weight *= possible * sampler.factors[entry]
        keys[n], bits[n] = sampler.keys[entry], sampler.bits[entry]
        cards[2 * n], cards[2 * n + 1] = sampler.cards[entry, 0], sampler.cards[entry, 1]
        taken |= bits[n]
    return state, taken, weight
