"""Strength profiles before the flop; `python -m riverboat.services.oracle.preflop_profiles` writes their file.

A value network needs them at the first decision of a hand. With 52 cards they take several seconds to compute.
"""

from functools import cache
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS, Deck
from riverboat.holdings import holdings_of, holdings_of_class
from riverboat.strength.profiles import F32, F64, strength_profile, strength_profiles

_KEPT = DECKS["52"]
_BINS = 32  # of the networks that come with Riverboat
_FILE = "preflop_profiles_52.npz"


def profiles_on_boards(deck: Deck, boards: NDArray[np.uint8], bin_count: int) -> tuple[F32, F32]:
    """Return the profiles [K, H, bins] and average percentiles [K, H] of K boards; those in the file are not computed.

    Both ways give the same bits.
    """
    if deck is _KEPT and bin_count == _BINS and boards.shape[1] == 0:
        profile, mean = _kept_profile()
        count = len(boards)
        return np.repeat(profile[None], count, 0), np.repeat(mean.astype(np.float32)[None], count, 0)
    return strength_profiles(deck, boards, bin_count)


@cache
def _kept_profile() -> tuple[F32, F64]:
    """Return the profile [H, bins] and average percentiles [H] in the file, which has a row for each class."""
    with np.load(BytesIO(files(__package__).joinpath(_FILE).read_bytes()), allow_pickle=False) as arrays:
        profiles, means = arrays["profiles"], arrays["means"]
    count = holdings_of(_KEPT).count
    profile, mean = np.zeros((count, _BINS), np.float32), np.zeros(count)
    for row, members in enumerate(holdings_of_class(_KEPT).values()):
        profile[members], mean[members] = profiles[row], means[row]
    return profile, mean


def _write(path: Path) -> None:
    profile, mean = strength_profile(_KEPT, (), _BINS)
    first_of = [members[0] for members in holdings_of_class(_KEPT).values()]
    np.savez_compressed(path, profiles=profile[first_of], means=mean[first_of])


if __name__ == "__main__":
    with as_file(files(__package__).joinpath(_FILE)) as path:
        _write(path)
