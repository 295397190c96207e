"""Strength profiles: the percentile that each holding reaches among all others, over all run-outs.

A holding's percentile on a complete board is the share of holdings that it beats, ties counted as halves. A profile
says how likely a holding ends in each of a number of bins of percentiles; a percentile between the middles of two bins
counts towards both.
"""

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck
from riverboat.compiled.kernels import kernel
from riverboat.holdings import holdings_of, holdings_of_class
from riverboat.strength.boards import different_boards, runouts
from riverboat.strength.hands import strengths_on_boards

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
_AT_A_TIME = 2_000  # boards whose strengths are in memory at once
_ONE_AT_A_TIME = Lock()


def strength_profile(deck: Deck, board: Sequence[int], bin_count: int) -> tuple[F32, F64]:
    """Return how likely each holding ends in each bin [H, bins], and its average percentile [H].

    Impossible holdings have 0 and -1.
    """
    if not len(board):
        with _ONE_AT_A_TIME:  # a second caller waits for the first one's result instead of computing it again
            return _profile_before_the_flop(deck, bin_count)
    strengths = strengths_on_boards(deck, runouts(deck, board))
    profile = np.zeros((strengths.shape[1], bin_count), np.float32)
    mean = np.zeros(strengths.shape[1])
    _add_runouts(strengths, profile, mean)
    count = (strengths > 0).sum(axis=0)
    profile /= np.maximum(count, 1)[:, None].astype(np.float32)
    return profile, np.where(count > 0, mean / np.maximum(count, 1), -1.0)


@lru_cache(maxsize=8)
def _profile_before_the_flop(deck: Deck, bin_count: int) -> tuple[F32, F64]:
    """Return the `strength_profile` before the flop; evaluate boards that differ only by names of suits once."""
    count = holdings_of(deck).count
    profile, mean, total = np.zeros((count, bin_count)), np.zeros(count), np.zeros(count)
    boards, weights = different_boards(deck)
    for weight in np.unique(weights):
        alike = boards[weights == weight]
        for first in range(0, len(alike), _AT_A_TIME):
            strengths = strengths_on_boards(deck, alike[first : first + _AT_A_TIME])
            part, part_mean = np.zeros((count, bin_count), np.float32), np.zeros(count)
            _add_runouts(strengths, part, part_mean)
            profile += weight * part
            mean += weight * part_mean
            total += weight * (strengths > 0).sum(axis=0)
    for members in holdings_of_class(deck).values():  # by symmetry: what one lacks, another has
        profile[members] = profile[members].sum(axis=0) / total[members].sum()
        mean[members] = mean[members].sum() / total[members].sum()
    shares = profile.astype(np.float32)
    for array in (shares, mean):
        array.flags.writeable = False
    return shares, mean


def strength_profiles(deck: Deck, boards: NDArray[np.uint8], bin_count: int) -> tuple[F32, F32]:
    """Return the profiles [K, H, bins] and average percentiles [K, H] of K boards."""
    profiles = [strength_profile(deck, board, bin_count) for board in boards.tolist()]
    return np.array([profile for profile, _ in profiles]), np.array([mean for _, mean in profiles], np.float32)


@kernel
def _add_runouts(strengths: NDArray[np.uint16], profile: F32, mean: F64) -> None:
    bins = profile.shape[1]
    for k in range(strengths.shape[0]):
        row = strengths[k]
        below = np.zeros(np.int64(row.max()) + 2)  # first how many have each strength, then how many have less
        for h in range(len(row)):
            if row[h] > 0:
                below[row[h] + 1] += 1
        for s in range(1, len(below)):
            below[s] += below[s - 1]
        for h in range(len(row)):
            if row[h] > 0:
                percentile = 0.5 * (below[row[h]] + below[row[h] + 1]) / below[-1]
                mean[h] += percentile
                place = min(max(percentile * bins - 0.5, 0.0), bins - 1.0)
                low = min(int(place), bins - 2)
                profile[h, low] += np.float32(1 - place + low)
                profile[h, low + 1] += np.float32(place - low)
