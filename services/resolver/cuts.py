"""Where a spot is cut, and what is taken for what lies below."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.nets.features import BINS, board_features
from riverboat.nets.layout import STREET_OF_CARDS
from riverboat.nets.leaf import NetworkLeaf
from riverboat.solving.leaf_values import LeafValues, compared
from riverboat.solving.questions import EQUITY, NETWORK, LineTree, SpotQuestion
from riverboat.solving.subgame import CHANCE, LEAF, Boards, Lines
from services.resolver.networks import LoadedNetwork, Networks
from services.resolver.upstream import Upstream

_EXACT_STREETS = 1  # to come, up to which a spot is solved to the end


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """What the lines of a spot end with."""

    lines: Lines
    network: LoadedNetwork | None
    name: str  # of what lies below; empty if nothing does


def look_ahead(networks: Networks, spot: SpotQuestion) -> SpotQuestion:
    """A spot with its cut: where re-solving looks to if nothing else is said."""
    if spot.depth is not None or spot.streets_left <= _EXACT_STREETS:
        return spot
    has_network = spot.leaf == NETWORK or (spot.leaf != EQUITY and _find(networks, spot) is not None)
    return replace(spot, depth=(spot.street + 1, 1 if has_network else 0))


def _find(networks: Networks, spot: SpotQuestion) -> LoadedNetwork | None:
    """The network for what follows the next deal."""
    street = STREET_OF_CARDS.get(spot.next_cards)
    return networks.find(spot.deck, street) if street and spot.total > 0 else None


def choose_cut(networks: Networks, spot: SpotQuestion, tree: LineTree) -> Cut:
    """What is taken for what lies below: a network if there is one and it fits, or a comparison of holdings."""
    lines = tree.lines
    ends = np.flatnonzero(lines.kind == LEAF)
    if not len(ends):
        return Cut(lines, None, "")
    fits = bool((lines.kind[lines.parent[ends]] == CHANCE).all() and (lines.levels()[ends] == 1).all())
    found = _find(networks, spot) if fits and spot.leaf != EQUITY else None
    if found is not None:
        return Cut(lines, found, found.name)
    if spot.leaf == NETWORK:
        reason = "no network fits: one must be there for the deck, without limits, for a cut right after the next deal"
        raise InvalidInput("spot.leaf", reason)
    return Cut(compared(lines), None, EQUITY)


def leaf_values(
    upstream: Upstream, spot: SpotQuestion, found: Cut, boards: Boards, cards: Sequence[str]
) -> LeafValues | None:
    """The estimate below a cut, if it is a network's."""
    if found.network is None:
        return None
    at = np.flatnonzero(boards.level == 1).tolist()
    profiles, means = upstream.profiles(spot.deck, tuple(cards[k] for k in at), BINS)
    if profiles.shape[1] != found.network.network.holding_count:
        raise InvalidInput("spot.leaf", f"{found.name} is for other holdings than this deck has")
    features = {board: board_features(profiles[n], means[n]) for n, board in enumerate(at)}
    return NetworkLeaf(found.network.network, features, spot.total)
