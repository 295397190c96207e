"""How many hands of a deck have each strength, by looking every one of them up."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel
from riverboat.contracts.oracle import Category
from riverboat.parallel import Runner, serial
from riverboat.strength.evaluation import EMPTY_KEY, ranked_strength, strength
from riverboat.strength.suit_sets import suit_sets
from riverboat.strength.tables import Tables, scale_of, tables_of

U64 = NDArray[np.uint64]
Counts = NDArray[np.int64]


def strength_counts(deck: Deck, card_count: int, run: Runner = serial) -> Counts:
    """For each strength of a hold'em deck the number of hands of 5, 6 or 7 cards that have it."""
    counts = np.zeros(scale_of(deck.ordering).strength_count + 1, np.int64)
    for part in run(_tasks(deck, card_count)):
        counts += part
    return counts


def category_counts(deck: Deck, card_count: int, run: Runner = serial) -> dict[Category, int]:
    """For each category of a hold'em deck the number of hands of 5, 6 or 7 cards that are of it."""
    scale = scale_of(deck.ordering)
    counts = dict.fromkeys(Category, 0)
    for value, count in enumerate(strength_counts(deck, card_count, run)):
        if count:
            counts[scale.category(value)] += int(count)
    return counts


def _tasks(deck: Deck, card_count: int) -> Iterator[partial[Counts]]:
    """One piece of work for each way to split the cards over the suits, the largest first."""
    tables = tables_of(deck.ordering, card_count)
    size = scale_of(deck.ordering).strength_count + 1
    suits = [suit_sets(deck, (), suit, card_count) for suit in range(4)]
    splits = [sizes for sizes in product(range(card_count + 1), repeat=4) if sum(sizes) == card_count]
    for sizes in sorted(splits, key=lambda sizes: prod(comb(len(deck.ranks), n) for n in sizes), reverse=True):
        parts = [
            (s.keys[a:b], s.bits[a:b]) for s, n in zip(suits, sizes, strict=True) for a, b in [s.starts[n : n + 2]]
        ]
        parts.sort(key=lambda part: len(part[0]))  # the longest loop inside
        if all(len(keys) for keys, _ in parts):
            yield partial(_count, parts, max(sizes) >= 5, size, tables)


def _count(parts: list[tuple[U64, U64]], flush: bool, size: int, tables: Tables) -> Counts:
    counts = np.zeros(size, np.int64)
    (a, a_bits), (b, b_bits), (c, c_bits), (d, d_bits) = parts
    if flush:
        _count_flushes(a, a_bits, b, b_bits, c, c_bits, d, d_bits, tables, counts)
    else:
        _count_ranked(a, b, c, d, tables, counts)
    return counts


@kernel
def _count_ranked(a: U64, b: U64, c: U64, d: U64, tables: Tables, counts: Counts) -> None:
    strengths = np.empty(d.size, np.uint16)
    for first in a:
        for second in b:
            for third in c:
                key = EMPTY_KEY + first + second + third
                for i in range(d.size):  # apart from the counting, so that it becomes vector code
                    strengths[i] = ranked_strength(key + d[i], tables)
                for i in range(d.size):
                    counts[strengths[i]] += 1


@kernel
def _count_flushes(
    a: U64,
    a_bits: U64,
    b: U64,
    b_bits: U64,
    c: U64,
    c_bits: U64,
    d: U64,
    d_bits: U64,
    tables: Tables,
    counts: Counts,
) -> None:
    for i in range(a.size):
        for j in range(b.size):
            for k in range(c.size):
                key = EMPTY_KEY + a[i] + b[j] + c[k]
                bits = a_bits[i] | b_bits[j] | c_bits[k]
                for m in range(d.size):
                    counts[strength(key + d[m], bits | d_bits[m], tables)] += 1
