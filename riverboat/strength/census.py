"""A census: how many hands of a deck have each strength, counted by looking up every hand."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel
from riverboat.parallel import Runner, serial
from riverboat.strength.evaluation import EMPTY_KEY, ranked_strength, strength
from riverboat.strength.suit_sets import SuitSets, suit_sets
from riverboat.strength.tables import Tables, scale_of, tables_of

U64 = NDArray[np.uint64]
Counts = NDArray[np.int64]


class _Sets(NamedTuple):
    """Sets of cards of one suit, all of one size; see SuitSets."""

    keys: U64
    bits: U64


def strength_counts(deck: Deck, card_count: int, run: Runner = serial) -> Counts:
    """Return how many hands of 5, 6 or 7 cards of a hold'em deck have each strength [strengths + 1]."""
    counts = np.zeros(scale_of(deck.ordering).strength_count + 1, np.int64)
    for part in run(_tasks(deck, card_count)):
        counts += part
    return counts


def _tasks(deck: Deck, card_count: int) -> Iterator[partial[Counts]]:
    """Yield one piece of work for each way to split the cards over the suits, the largest first."""
    tables = tables_of(deck.ordering, card_count)
    strength_count = scale_of(deck.ordering).strength_count + 1
    suits = [suit_sets(deck, (), suit, card_count) for suit in range(4)]
    splits = [sizes for sizes in product(range(card_count + 1), repeat=4) if sum(sizes) == card_count]
    for sizes in sorted(splits, key=lambda sizes: prod(comb(len(deck.ranks), n) for n in sizes), reverse=True):
        parts = [_of_size(sets, size) for sets, size in zip(suits, sizes, strict=True)]
        parts.sort(key=lambda part: len(part.keys))  # the longest loop inside
        if all(len(part.keys) for part in parts):
            yield partial(_count, parts, max(sizes) >= 5, strength_count, tables)


def _of_size(sets: SuitSets, size: int) -> _Sets:
    first, last = sets.starts[size : size + 2]
    return _Sets(sets.keys[first:last], sets.bits[first:last])


def _count(parts: list[_Sets], flush: bool, strength_count: int, tables: Tables) -> Counts:
    counts = np.zeros(strength_count, np.int64)
    a, b, c, d = parts
    if flush:
        _count_flushes(a, b, c, d, tables, counts)
    else:
        _count_ranked(a.keys, b.keys, c.keys, d.keys, tables, counts)
    return counts


@kernel
def _count_ranked(a: U64, b: U64, c: U64, d: U64, tables: Tables, counts: Counts) -> None:
    strengths = np.empty(d.size, np.uint16)
    for first in a:
        for second in b:
            for third in c:
                key = EMPTY_KEY + first + second + third
                for i in range(d.size):  # a loop without the counting, so that the compiler vectorises it
                    strengths[i] = ranked_strength(key + d[i], tables)
                for i in range(d.size):
                    counts[strengths[i]] += 1


@kernel
def _count_flushes(a: _Sets, b: _Sets, c: _Sets, d: _Sets, tables: Tables, counts: Counts) -> None:
    for i in range(a.keys.size):
        for j in range(b.keys.size):
            for k in range(c.keys.size):
                key = EMPTY_KEY + a.keys[i] + b.keys[j] + c.keys[k]
                bits = a.bits[i] | b.bits[j] | c.bits[k]
                for m in range(d.keys.size):
                    counts[strength(key + d.keys[m], bits | d.bits[m], tables)] += 1
