"""A board as a network sees it: how strong each holding is now, and how strong it may become.

Nothing here knows cards. A board is described by the distribution of each holding's strength over all run-outs. Names
of suits make no difference to it, so a network treats boards that differ only in the names of suits alike.
"""

import numpy as np

from riverboat.solving.subgame import F32, Reals

BINS = 32  # of strength, from the weakest holding on a board to the strongest
FEATURES = 2 * BINS  # numbers for each holding


def board_features(profile: F32, mean: Reals) -> F32:
    """Return a board as a network sees it [H, FEATURES]: how likely each holding ends in each bin, and its mean bin.

    The first half is the profile [H, BINS]; the second has the weight of one on the two bins nearest to the holding's
    mean strength [H]. Each half adds up to one for a possible holding and is zeros for others, whose mean is -1.
    """
    place = np.clip(mean * BINS - 0.5, 0, BINS - 1)
    low = np.minimum(place.astype(np.int64), BINS - 2)
    rows, part = np.arange(len(mean)), place - low
    average = np.zeros_like(profile)
    average[rows, low], average[rows, low + 1] = 1 - part, part
    average[mean < 0] = 0
    return np.concatenate([profile, average], axis=1)
