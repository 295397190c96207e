"""The split of situations into training, validation (which chooses the best epoch) and test (which only measures).

The board decides, so that no network is measured on a board that it was trained on; names of suits make no difference.
Every board that contains a test flop is for testing too, whichever of its cards were dealt first. So no network of a
deck, for any street, has been trained on play after a test flop. Before the flop there is no board, and ranges decide.
"""

from enum import IntEnum
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from riverboat.solving.subgame import F32
from riverboat.strength.boards import board_keys

_HELD_OUT = 10  # one board in ten, before the flop one pair of ranges in ten
_TEST_FLOPS = 32  # one flop in 32; about one turn in ten and one river in five contain one
_TEST_RANGES = 10  # one pair of ranges in ten, before the flop
_FLOP, _CARDS = 3, 52
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_MORE = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))  # splitmix64


class Side(IntEnum):
    """The use of a situation: training, validation or test."""

    TRAIN = 0  # the network learns from it
    VALIDATION = 1  # chooses the best epoch, and when to stop
    TEST = 2  # measures the finished network, and chooses nothing in its run


def sides(boards: NDArray[np.uint8], ranges: F32 | None = None) -> NDArray[np.uint8]:
    """Return the Side of each situation [N] by its board [N, cards]; without boards by its ranges [N, 2, H]."""
    is_validation = held_out(boards, ranges)
    if boards.shape[1]:
        is_test = _has_test_flop(boards)
    else:
        is_test = _mixed(_keys(boards, ranges)) % np.uint64(_TEST_RANGES) == 0
    return np.where(is_test, Side.TEST, np.where(is_validation, Side.VALIDATION, Side.TRAIN)).astype(np.uint8)


def held_out(boards: NDArray[np.uint8], ranges: F32 | None = None) -> NDArray[np.bool_]:
    """Return whether each situation is held out, to choose the best epoch, or the best network by a yardstick [N].

    About one in ten is; none of them was ever trained on, not in version 0.1 either. A situation that is held out is
    for validation unless it is for testing.
    """
    of_each: NDArray[np.bool_] = (_keys(boards, ranges) * _MIXER >> np.uint64(32)) % np.uint64(_HELD_OUT) == 0
    return of_each


def _keys(boards: NDArray[np.uint8], ranges: F32 | None) -> NDArray[np.uint64]:
    """Return a number for each situation [N] that ignores suits: of its board, or of its ranges before the flop."""
    if boards.shape[1] or ranges is None:
        return board_keys(boards)
    bits: NDArray[np.uint64] = ranges.astype(np.float32).view(np.uint32).astype(np.uint64)
    keys: NDArray[np.uint64] = bits.sum(axis=(1, 2), dtype=np.uint64)
    return keys


def _has_test_flop(boards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return whether any three cards of each board are a test flop [N]."""
    ordered, is_test = np.sort(boards, axis=1), np.zeros(len(boards), np.bool_)
    for places in combinations(range(boards.shape[1]), _FLOP):
        is_test |= _test_flops()[tuple(ordered[:, places].T)]
    return is_test


@cache
def _test_flops() -> NDArray[np.bool_]:
    """Return whether three cards in ascending order are a test flop [52, 52, 52]."""
    flops = np.array(list(combinations(range(_CARDS), _FLOP)), np.uint8)
    table = np.zeros((_CARDS,) * _FLOP, np.bool_)
    table[tuple(flops.T)] = _mixed(board_keys(flops)) % np.uint64(_TEST_FLOPS) == 0
    return table


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers whose bits all depend on all bits of the keys."""
    mixed = keys + _MIXER
    for shift, factor in _MORE:
        mixed = (mixed ^ (mixed >> shift)) * factor
    return mixed ^ (mixed >> np.uint64(31))


def follows(boards: NDArray[np.uint8], earlier: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return whether each board [N, cards] can follow any of these shorter boards [M, fewer], in any suits [N]."""
    known = np.unique(board_keys(earlier))
    is_later = np.zeros(len(boards), np.bool_)
    for places in combinations(range(boards.shape[1]), earlier.shape[1]):
        is_later |= np.isin(board_keys(boards[:, places]), known)
    return is_later
