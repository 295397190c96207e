"""A network's view of a board: how strong each holding is on it, and may become.

Nothing here knows cards. A board is given by what becomes of each holding's strength over all run-outs; names of suits
make no difference to that, so a network that sees only this treats boards that differ by suits alike.
"""

import numpy as np

from riverboat.solving.subgame import F32, Reals

BINS = 32  # of strength, from the weakest holding on a board to the strongest
FEATURES = 2 * BINS  # numbers for each holding


def board_features(profile: F32, mean: Reals) -> F32:
    """Return a board as a network sees it [H, FEATURES]: how likely holdings end in which bin, and where on average.

    The first half is the profile [H, BINS], the second says in which bin a holding is on average [H]. Each half adds
    up to one for a holding that is possible, and is zeros for others (whose average is -1).
    """
    place = np.clip(mean * BINS - 0.5, 0, BINS - 1)
    low = np.minimum(place.astype(np.int64), BINS - 2)
    rows, part = np.arange(len(mean)), place - low
    average = np.zeros_like(profile)
    average[rows, low], average[rows, low + 1] = 1 - part, part
    average[mean < 0] = 0
    return np.concatenate([profile, average], axis=1)
