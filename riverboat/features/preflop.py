"""Card features before the flop: 31 numbers for each class of holdings.

They are equity, ten deciles over all flops, ten over all turns (boards of four cards) and ten over all rivers.
Exchanging suits takes flops to flops and holdings to holdings of the same class. So it is enough to look at one flop of
each kind, with all its run-outs and all holdings, and to count it as often as there are flops of its kind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel
from riverboat.features.card_features import F32, card_totals, check_features, feature_count
from riverboat.features.deciles import DECILES, write_deciles
from riverboat.features.points import BLOCKED, I64, Points, best_points, points_on_boards
from riverboat.holdings import holdings_of, holdings_of_class
from riverboat.strength.boards import different_boards, runouts

_FLOP = 3
_TO_COME = 2  # cards after the flop


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """How often each total of points occurs for each class, over all flops so far."""

    rivers: NDArray[np.int64]  # [classes, best + 1], by points
    turns: NDArray[np.int32]  # [classes, best * rivers after a turn + 1], by total over these rivers
    flops: I64  # [flops, H], totals over all run-outs of a flop; -1 if the holding is blocked


def class_features(deck: Deck, report: Callable[[float], None] = lambda done: None) -> F32:
    """Return the features of each class of holdings [classes, 31], in the order of `holdings_of_class`.

    `report` is called with the share that is done, 0 to 1. It takes a minute with 52 cards, three seconds with 36, one
    with 24.
    """
    check_features(deck, ())
    flops, weights = different_boards(deck, _FLOP)
    counts, classes = _empty_counts(deck, len(flops)), class_numbers(deck)
    totals = np.empty((52, len(classes)), np.int64)
    for place, (flop, weight) in enumerate(zip(flops.tolist(), weights.tolist(), strict=True)):
        boards = runouts(deck, flop)
        points = points_on_boards(deck, boards)
        card_totals(points, np.ascontiguousarray(boards[:, _FLOP:]), totals)
        _add_flop(points, totals, classes, weight, counts.rivers, counts.turns, counts.flops[place])
        report((place + 1) / len(flops))
    return _features(deck, counts, classes, weights)


def spread_features(deck: Deck, features: F32) -> F32:
    """Return the features of each holding [H, 31] from those of each class [classes, 31]."""
    return features[class_numbers(deck)]


def class_numbers(deck: Deck) -> I64:
    """Return the number of each holding's class [H]."""
    numbers = np.empty(holdings_of(deck).count, np.int64)
    for number, members in enumerate(holdings_of_class(deck).values()):
        numbers[members] = number
    return numbers


def _empty_counts(deck: Deck, flop_count: int) -> _Counts:
    best, class_count = best_points(deck), len(holdings_of_class(deck))
    return _Counts(
        rivers=np.zeros((class_count, best + 1), np.int64),
        turns=np.zeros((class_count, best * _river_count(deck) + 1), np.int32),
        flops=np.full((flop_count, holdings_of(deck).count), -1, np.int64),
    )


def _river_count(deck: Deck) -> int:
    """Return how many rivers a holding may see after a turn."""
    return len(deck.cards) - deck.holding_size - _FLOP - 1


@kernel
def _add_flop(
    points: Points,
    totals: I64,
    classes: I64,
    weight: int,
    rivers: NDArray[np.int64],
    turns: NDArray[np.int32],
    flop: I64,
) -> None:
    """Count the points [K, H] and turn totals [52, H] of a flop `weight` times; write its own totals to flop [H]."""
    for k in range(points.shape[0]):
        for h in range(points.shape[1]):
            if points[k, h] != BLOCKED:
                rivers[classes[h], points[k, h]] += weight
    for card in range(52):
        for h in range(points.shape[1]):
            if totals[card, h] >= 0:
                turns[classes[h], totals[card, h]] += weight
                flop[h] = max(flop[h], 0) + totals[card, h]  # counts a run-out twice: for each of its cards
    for h in range(points.shape[1]):
        if flop[h] > 0:
            flop[h] //= _TO_COME


def _features(deck: Deck, counts: _Counts, classes: I64, weights: I64) -> F32:
    best, after_turn = best_points(deck), _river_count(deck)
    after_flop = comb(after_turn + 1, _TO_COME)
    out = np.empty((len(counts.rivers), feature_count(deck, 0)), np.float32)
    for number, (rivers, turns) in enumerate(zip(counts.rivers, counts.turns, strict=True)):
        out[number, 0] = (rivers @ np.arange(best + 1)) / (rivers.sum() * best)
        of_class = counts.flops[:, classes == number]
        totals, weight = of_class.ravel(), np.repeat(weights, of_class.shape[1])
        order = np.argsort(totals)[np.count_nonzero(totals < 0) :]
        by_street = (
            (totals[order], weight[order], after_flop * best),
            (np.arange(len(turns)), turns, after_turn * best),
            (np.arange(best + 1), rivers, best),
        )
        for street, (values, counted, unit) in enumerate(by_street):
            write_deciles(values, counted, unit, out[number, 1 + DECILES * street :])
    return out
