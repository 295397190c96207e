"""Buckets: holdings of like strength on a board, weak ones in large buckets and strong ones in small ones.

Before the flop a bucket is a class of holdings. After it, holdings are in the order of their expected squared strength,
E[HS²]: the mean over run-outs of the square of the share of opposing holdings that are beaten, ties counted half.
Holdings that tie share the places of all of them, so that a bucket holds the same share of holdings on every board.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS
from riverboat.compiled.kernels import kernel
from riverboat.features.points import BLOCKED, points_on_boards
from riverboat.holdings import class_label, holdings_of
from riverboat.streets import STREETS
from riverboat.strength.boards import runouts

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

_DECK = DECKS["52"]
CLASS_COUNT = 169
BUCKET_COUNTS = (CLASS_COUNT, 20, 20, 10)  # by street
_SHRINKS = (1.0, 0.85, 0.85, 0.72)  # how much smaller the next stronger bucket is
HOLDING_COUNT = 1326
NOWHERE = 255  # place of a holding that shares a card with the board
_FINEST = 250  # places are in steps of so many parts of all buckets
_STRIDE = 421  # a prime: so that a sample of run-outs is spread over all of them
_FLOP_RUNOUTS = 64  # of 1,081: what a flop's order is measured on


def bucket_shares(street: int) -> F64:
    """Return which share of all holdings each bucket of a street has, the weakest first."""
    shares = _SHRINKS[street] ** np.arange(BUCKET_COUNTS[street])
    scaled: F64 = shares / shares.sum()
    return scaled


SHARES = tuple(bucket_shares(street) for street in range(len(STREETS)))


@cache
def holding_classes() -> I64:
    """Return the class of each holding [HOLDING_COUNT]: its bucket before the flop."""
    labels = [class_label(cards) for cards in holdings_of(_DECK).cards.tolist()]
    places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    return np.array([places[label] for label in labels])


def strengths_on(board: U8, most_runouts: int = _FLOP_RUNOUTS) -> F64:
    """Return E[HS²] of each holding on a board of 3, 4 or 5 cards, -1 where they share a card.

    On a flop the run-outs are a sample, the same one at every call.
    """
    boards = runouts(_DECK, board.tolist()) if len(board) < 5 else board[None]
    if len(boards) > most_runouts:
        boards = boards[np.arange(most_runouts) * _STRIDE % len(boards)]
    return _squares(points_on_boards(_DECK, np.ascontiguousarray(boards)))


@kernel
def _squares(points: NDArray[np.uint16]) -> F64:
    out = np.full(points.shape[1], -1.0)
    for h in range(points.shape[1]):
        total, count = np.int64(0), 0
        for k in range(points.shape[0]):
            if points[k, h] != BLOCKED:
                total += np.int64(points[k, h]) * np.int64(points[k, h])
                count += 1
        if count:
            out[h] = total / (count * 1980.0 * 1980.0)
    return out


def places_on(board: U8, most_runouts: int = _FLOP_RUNOUTS) -> U8:
    """Return where each holding's buckets begin and end on a board [HOLDING_COUNT, 2]: see `places_of`."""
    strengths = strengths_on(board, most_runouts)
    blocked = np.isin(holdings_of(_DECK).cards, board).any(1)
    strengths[blocked] = -1.0
    return places_of(strengths, SHARES[len(board) - 2])


def places_of(strengths: F64, shares: F64) -> U8:
    """Return where each holding's buckets begin and end [H, 2], by strengths [H]; NOWHERE for negative ones.

    The unit is a 250th of all buckets: place 25 of 20 buckets is the end of the second. Holdings that tie have the same
    beginning and end.
    """
    out = np.full((len(strengths), 2), NOWHERE, np.uint8)
    live = np.flatnonzero(strengths >= 0)
    order = live[np.argsort(strengths[live], kind="stable")]
    edges = np.concatenate([np.zeros(1), np.cumsum(shares)])
    _write_places(strengths, order, edges, out)
    return out


@kernel
def _write_places(strengths: F64, order: I64, edges: F64, out: U8) -> None:
    count, first = len(order), 0
    while first < count:
        last = first + 1
        while last < count and strengths[order[last]] == strengths[order[first]]:
            last += 1
        low, high = _place(first / count, edges), _place(last / count, edges)
        if high == low:
            low, high = (low - 1, high) if low == _FINEST else (low, high + 1)
        for at in range(first, last):
            out[order[at], 0], out[order[at], 1] = low, high
        first = last


@kernel
def _place(share: float, edges: F64) -> int:
    """Return the place of a share of all holdings among buckets."""
    buckets, bucket = len(edges) - 1, 0
    while bucket < buckets - 1 and edges[bucket + 1] <= share:
        bucket += 1
    inside = min(1.0, (share - edges[bucket]) / (edges[bucket + 1] - edges[bucket]))
    return int(np.floor((bucket + inside) * _FINEST / buckets + 0.5))


@kernel
def write_membership(low: int, high: int, shares: F64, out: F64) -> tuple[int, int]:
    """Write to which part a holding is in each bucket of `shares` [K]; return the first bucket and the one after."""
    buckets = len(shares)
    first = min(buckets - 1, low * buckets // _FINEST)
    end = min(buckets, (high * buckets + _FINEST - 1) // _FINEST)
    total = 0.0
    for bucket in range(first, end):
        begins, ends = max(low * buckets / _FINEST, bucket), min(high * buckets / _FINEST, bucket + 1)
        out[bucket] = (ends - begins) * shares[bucket]
        total += out[bucket]
    for bucket in range(first, end):
        out[bucket] /= total
    return first, end
