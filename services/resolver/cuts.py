"""Where a spot is cut, and what is taken for what lies below."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.nets.features import BINS, board_features
from riverboat.nets.layout import PREFLOP, STREET_OF_CARDS
from riverboat.nets.leaf import NetworkLeaf, bytes_of_leaf
from riverboat.services.resolver.network_files import LoadedNetwork
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.leaf_values import LeafValues, compared
from riverboat.solving.questions import EQUITY, NETWORK, LineTree, SpotQuestion, is_network_name
from riverboat.solving.subgame import CHANCE, I64, LEAF, Boards, Lines

_EXACT_STREETS = 1  # to come, up to which a spot is solved to the end
_AT_THE_DEAL, _AFTER_THE_DEAL = 0, 1  # levels of a cut


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
    return replace(spot, depth=(spot.street + 1, _level(networks, spot)))


def _level(networks: Networks, spot: SpotQuestion) -> int:
    """At the next deal or right after it: where a network knows what follows. As equity does, it is the same."""
    if spot.leaf == EQUITY or _find(networks, spot, PREFLOP) is not None:
        return _AT_THE_DEAL
    is_known = spot.leaf == NETWORK or _find(networks, spot, STREET_OF_CARDS.get(spot.next_cards)) is not None
    return _AFTER_THE_DEAL if is_known else _AT_THE_DEAL


def _find(networks: Networks, spot: SpotQuestion, street: str | None) -> LoadedNetwork | None:
    """The network that a spot asks for, if it is for this street and the spot can be cut there."""
    named = networks.named(spot.leaf) if is_network_name(spot.leaf) else None
    if street is None or not spot.total or (street == PREFLOP and spot.board):
        return None
    if named is not None:
        return named if named.place == (spot.deck, street) else None
    return networks.best(spot.deck, street) if spot.leaf == NETWORK else networks.find(spot.deck, street)


def choose_cut(networks: Networks, spot: SpotQuestion, tree: LineTree) -> Cut:
    """What is taken for what lies below: a network if there is one and it fits, or a comparison of holdings."""
    if spot.depth is not None and spot.depth[0] <= spot.street:
        raise InvalidInput("spot.depth", f"the spot is on street {spot.street}: a cut must be on a later one")
    lines = tree.lines
    ends = np.flatnonzero(lines.kind == LEAF)
    if not len(ends):
        return Cut(lines, None, "")
    found = None if spot.leaf == EQUITY else _find(networks, spot, _street_of(spot, lines, ends))
    if found is not None and found.about.street == PREFLOP:
        # Nobody bets any more after all-in: holdings are compared, which is exact.
        return Cut(compared(lines, lines.stake >= spot.total / 2), found, found.name)
    if found is not None:
        return Cut(lines, found, found.name)
    if spot.leaf not in ("", EQUITY):
        reason = "no network fits: one must be there for the deck, without limits, for a cut right after the next deal"
        raise InvalidInput("spot.leaf", f"{reason}, or at it before the flop")
    return Cut(compared(lines), None, EQUITY)


def _street_of(spot: SpotQuestion, lines: Lines, ends: I64) -> str | None:
    """Whose network a cut is for: the next street's right after its deal, the first one's at the deal."""
    levels = lines.levels()[ends]
    if (levels == 1).all() and (lines.kind[lines.parent[ends]] == CHANCE).all():
        return STREET_OF_CARDS.get(spot.next_cards)
    return PREFLOP if spot.depth == (spot.street + 1, _AT_THE_DEAL) else None


@dataclass(frozen=True, slots=True, eq=False)
class Below:
    """A network's estimate of what lies below a cut: how much it takes, and how it is made when there is room."""

    byte_count: int
    make: Callable[[], LeafValues]


def below_cut(upstream: Upstream, spot: SpotQuestion, cut: Cut, boards: Boards, cards: Sequence[str]) -> Below | None:
    """The estimate below a cut, if it is a network's."""
    if cut.network is None:
        return None
    network = cut.network.network
    level = _AT_THE_DEAL if cut.network.about.street == PREFLOP else _AFTER_THE_DEAL
    at = np.flatnonzero(boards.level == level).tolist()
    leaf_count = int((cut.lines.kind == LEAF).sum()) * len(at)

    def make() -> LeafValues:
        profiles, means = upstream.profiles(spot.deck, tuple(cards[k] for k in at), BINS)
        if profiles.shape[1] != network.holding_count:
            raise InvalidInput("spot.leaf", f"{cut.name} is for other holdings than this deck has")
        features = {board: board_features(profiles[n], means[n]) for n, board in enumerate(at)}
        return NetworkLeaf(network, features, spot.total)

    return Below(bytes_of_leaf(len(at), leaf_count, network.holding_count), make)
