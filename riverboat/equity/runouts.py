"""The boards that may still come, without those that differ only by a swap of interchangeable suits.

Two suits are interchangeable when swapping them changes nothing that is known: the board, the dead
cards and every player's range. Then a run-out and its swapped twin give the same result, so only one
of them is listed, with a weight that says how many it stands for. Before the flop, with ranges that
are the same in all suits, 134,459 boards stand for all 2,598,960.

Boards are not stored one by one. A run-out is a *head* (its cards in two of the suits, with the
known board) joined with a *tail* (its cards in the other two), and a list of *runs* says which
consecutive tails go with which head: a few thousand entries stand for hundreds of thousands of boards.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel
from riverboat.holdings import Weights, holdings_of
from riverboat.strength.suit_sets import SuitSets, suit_sets
from riverboat.strength.tables import key_and_bits

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]


class Runouts(NamedTuple):
    """Boards as runs; a kernel joins head r with the tails starts[r] up to ends[r].

    The joined board has the sum of the keys, the union of the bits and the product of the weights.
    """

    head_keys: U64  # [R], EMPTY_KEY plus the known board's keys and the head's
    head_bits: U64  # [R], 1 << (16 * suit + rank) for each card
    head_weights: F64  # [R]
    starts: I64  # [R]
    ends: I64  # [R]
    tail_keys: U64
    tail_bits: U64
    tail_weights: F64

    def part(self, start: int, end: int) -> "Runouts":
        """Return the runs from `start` up to `end`."""
        return self._pick(np.arange(start, end))

    def parts(self, board_count: int) -> list["Runouts"]:
        """Return all boards in order, cut into parts of about `board_count` and less than twice as many."""
        lengths = self.ends - self.starts
        piece_counts = -(-lengths // board_count)
        runs = np.repeat(np.arange(len(lengths)), piece_counts)
        nth = np.arange(len(runs)) - np.repeat(np.cumsum(piece_counts) - piece_counts, piece_counts)
        starts = self.starts[runs] + nth * board_count
        short = self._pick(runs)._replace(starts=starts, ends=np.minimum(starts + board_count, self.ends[runs]))
        before = np.cumsum(short.ends - short.starts) - (short.ends - short.starts)
        cuts = [0, *(np.flatnonzero(np.diff(before // board_count)) + 1), len(before)]
        return [short.part(int(a), int(b)) for a, b in pairwise(cuts) if b > a]

    def _pick(self, runs: I64) -> "Runouts":
        return self._replace(
            head_keys=self.head_keys[runs],
            head_bits=self.head_bits[runs],
            head_weights=self.head_weights[runs],
            starts=self.starts[runs],
            ends=self.ends[runs],
        )


def runouts_of(deck: Deck, board: Sequence[int], dead: Sequence[int], ranges: Sequence[Weights]) -> Runouts:
    """Return the run-outs of `board` without dead cards, one of each kind up to interchangeable suits."""
    to_come = deck.board_sizes[-1] - len(board)
    known = [*board, *dead]
    classes = suit_classes(deck, known, ranges)
    # Suits with more interchangeable ones last, so that at most one class reaches from head to tail.
    order = sorted(range(4), key=lambda suit: (classes.count(classes[suit]), classes[suit]))
    a, b, c, d = (suit_sets(deck, known, suit, to_come) for suit in order)
    alike = [classes[order[i]] == classes[order[i + 1]] for i in range(3)]
    head = _join_sets(a, b, to_come, alike[0])
    tail = _join_sets(c, d, to_come, alike[2])
    board_key, board_bits = key_and_bits(board)
    if alike[1]:
        runs = _runs_in_order(head, tail, to_come, alike[0])
    else:
        runs = _runs_of_all(head, tail, to_come)
    heads, starts, ends, weights = runs
    return Runouts(
        head_keys=board_key + head.keys[heads],
        head_bits=board_bits | head.bits[heads],
        head_weights=weights,
        starts=starts,
        ends=ends,
        tail_keys=tail.keys,
        tail_bits=tail.bits,
        tail_weights=tail.weights,
    )


def suit_classes(deck: Deck, known: Sequence[int], ranges: Sequence[Weights]) -> tuple[int, ...]:
    """Return for each suit the first suit that it is interchangeable with."""
    known_ranks = [{card >> 2 for card in known if card & 3 == suit} for suit in range(4)]
    first = [0, 1, 2, 3]
    for a, b in combinations(range(4), 2):
        if known_ranks[a] == known_ranks[b] and all(
            np.array_equal(weights, weights[_swapped(deck, a, b)]) for weights in ranges
        ):
            first[b] = min(first[a], first[b])
    return tuple(first)


def class_order(classes: Sequence[int]) -> int:
    """Return how many permutations of suits change nothing, given `suit_classes`."""
    return prod(factorial(classes.count(first)) for first in set(classes))


@cache
def _swapped(deck: Deck, a: int, b: int) -> I64:
    """Return for each holding the holding with suits `a` and `b` exchanged [H]."""
    cards = holdings_of(deck).cards.astype(np.int64)  # [H, 2]
    suits = cards & 3
    exchanged = cards - suits + np.where(suits == a, b, np.where(suits == b, a, suits))
    low, high = np.sort(exchanged - deck.cards[0], axis=1).T
    return np.asarray(high * (high - 1) // 2 + low)


class _Joined(NamedTuple):
    """Pairs of sets of two suits, by how many cards they have together, then by place of each set."""

    keys: U64
    bits: U64
    weights: F64  # in how many ways the two sets go to interchangeable suits
    firsts: I64  # the place of the first suit's set
    seconds: I64  # the place of the second suit's set
    starts: I64  # where the pairs of each size start, and after the last one


@kernel
def _join_sets(a: SuitSets, b: SuitSets, largest: int, alike: bool) -> _Joined:
    """Return all pairs of sets with up to `largest` cards; of two alike suits the first takes the later set."""
    capacity = 0
    for size in range(largest + 1):
        for size_a in range(size + 1):
            size_b = size - size_a
            capacity += (a.starts[size_a + 1] - a.starts[size_a]) * (b.starts[size_b + 1] - b.starts[size_b])
    keys, bits = np.empty(capacity, np.uint64), np.empty(capacity, np.uint64)
    weights = np.empty(capacity, np.float64)
    firsts, seconds = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    starts = np.zeros(largest + 2, np.int64)
    count = 0
    for size in range(largest + 1):
        for size_a in range(size + 1):
            size_b = size - size_a
            for i in range(a.starts[size_a], a.starts[size_a + 1]):
                end = b.starts[size_b + 1]
                if alike:
                    end = min(end, i + 1)
                for j in range(b.starts[size_b], end):
                    keys[count] = a.keys[i] + b.keys[j]
                    bits[count] = a.bits[i] | b.bits[j]
                    weights[count] = 2.0 if alike and i != j else 1.0
                    firsts[count], seconds[count] = i, j
                    count += 1
        starts[size + 1] = count
    return _Joined(
        keys=keys[:count],
        bits=bits[:count],
        weights=weights[:count],
        firsts=firsts[:count],
        seconds=seconds[:count],
        starts=starts,
    )


def _runs_of_all(head: _Joined, tail: _Joined, to_come: int) -> tuple[I64, I64, I64, F64]:
    """Return each head with all tails of the right size: heads, starts, ends, weights."""
    heads = np.arange(len(head.keys))
    sizes = to_come - (np.searchsorted(head.starts, heads, side="right") - 1)
    return heads, tail.starts[sizes], tail.starts[sizes + 1], head.weights


@kernel
def _runs_in_order(head: _Joined, tail: _Joined, to_come: int, all_alike: bool) -> tuple[I64, I64, I64, F64]:
    """Return each head with the tails whose sets do not come after the head's second: the suits are alike.

    Three suits are alike (the head's second and both of the tail), or all four. The weight of a run is
    what makes the number of ways to give the sets to the suits out of the tail's own weight.
    """
    heads, starts = np.empty(3 * head.keys.size, np.int64), np.empty(3 * head.keys.size, np.int64)
    ends, weights = np.empty(3 * head.keys.size, np.int64), np.empty(3 * head.keys.size, np.float64)
    count = 0
    for size in range(to_come + 1):
        tail_start, tail_end = tail.starts[to_come - size], tail.starts[to_come - size + 1]
        for h in range(head.starts[size], head.starts[size + 1]):
            place = head.seconds[h]
            equal_head = all_alike and head.firsts[h] == place
            equal = tail_start + np.searchsorted(tail.firsts[tail_start:tail_end], place)
            after = tail_start + np.searchsorted(tail.firsts[tail_start:tail_end], place + 1)
            same = after - 1 if after > equal and tail.seconds[after - 1] == place else after
            if all_alike:  # 24 ways for four different sets, less for each that occurs again
                factors = (6.0, 2.0, 1.0) if equal_head else (12.0, 6.0, 4.0)
            else:
                factors = (3.0, 1.5, 1.0)
            bounds = (tail_start, equal, same, after)
            for piece in range(3):  # tails before the place, with one set at it, with both
                if bounds[piece] < bounds[piece + 1]:
                    heads[count], weights[count] = h, factors[piece]
                    starts[count], ends[count] = bounds[piece], bounds[piece + 1]
                    count += 1
    return heads[:count], starts[:count], ends[:count], weights[:count]
