"""Labels through a network that was trained before: it gives the values after the next deal."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.nets.features import BINS, board_features
from riverboat.nets.leaf import NetworkLeaf
from riverboat.nets.network import Network
from riverboat.situations.labels import LeafMaker
from riverboat.situations.situation import TOTAL
from riverboat.solving.leaf_values import LeafValues
from riverboat.solving.subgame import F32
from riverboat.spots.spot import BuiltSpot
from riverboat.strength.profiles import strength_profile
from riverboat.training.jobs import STREET_AFTER, Job


def through_network(get: Callable[[str], bytes]) -> Callable[[str, Job], LeafMaker]:
    """Return a function that finds networks by name and loads each once; `get` returns the file of one."""
    load = lru_cache(4)(lambda name: Network(get(name)))
    make = lru_cache(4)(leaf_maker)

    def find(name: str, job: Job) -> LeafMaker:
        network = load(name)
        if (network.about.deck, network.about.street) != (job.deck, STREET_AFTER[job.street]):
            raise InvalidInput("leaf", f"{name} is not for {job.deck} cards after the {job.street}")
        return make(network)

    return find


def leaf_maker(network: Network) -> LeafMaker:
    """Return a function that makes a network's estimates for any spot that is cut right after the next deal."""

    def make(built: BuiltSpot) -> LeafValues:
        deck = built.spot.public.variant.deck
        features: dict[int, F32] = {}
        for board in np.flatnonzero(built.subgame.boards.level == 1).tolist():
            features[board] = board_features(*strength_profile(deck, built.cards[board], BINS))
        return NetworkLeaf(network, features, TOTAL)

    return make
