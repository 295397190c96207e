"""The cut of a spot, and the estimate of the values below it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from riverboat.contracts.resolver import EQUITY, NETWORK, SpotQuestion, is_network_name
from riverboat.contracts.state_manager import DescribedState
from riverboat.errors import InvalidInput
from riverboat.nets.features import BINS, board_features
from riverboat.nets.leaf import NetworkLeaf, bytes_of_leaf
from riverboat.services.resolver.network_files import LoadedNetwork
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.interfaces import Betting, DealtBoards
from riverboat.solving.leaf_values import LeafValues, compared
from riverboat.solving.subgame import CHANCE, I64, LEAF, Lines
from riverboat.streets import PREFLOP, STREET_OF_CARDS, is_cut

_AT_THE_DEAL, _AFTER_THE_DEAL = 0, 1  # levels of a cut


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """How the lines of a spot end."""

    lines: Lines
    network: LoadedNetwork | None
    name: str  # of the estimate below; empty without a cut


def look_ahead(networks: Networks, spot: SpotQuestion) -> SpotQuestion:
    """Return a spot with its cut: unless the question says otherwise, at the next deal or right after it."""
    if spot.depth is not None or not is_cut(spot.state.streets_left):
        return spot
    return replace(spot, depth=(spot.state.street + 1, _level(networks, spot)))


def _level(networks: Networks, spot: SpotQuestion) -> int:
    """Return the level at which a network can evaluate the cut; for equity both levels are the same."""
    if spot.leaf == EQUITY or _find(networks, spot, PREFLOP) is not None:
        return _AT_THE_DEAL
    street = STREET_OF_CARDS.get(spot.state.next_board_size)
    is_known = spot.leaf == NETWORK or _find(networks, spot, street) is not None
    return _AFTER_THE_DEAL if is_known else _AT_THE_DEAL


def _find(networks: Networks, spot: SpotQuestion, street: str | None) -> LoadedNetwork | None:
    """Return the network that a spot requests, if it is for this street and the spot can be cut there."""
    named = networks.named(spot.leaf) if is_network_name(spot.leaf) else None
    if street is None or not spot.state.winnable or (street == PREFLOP and spot.state.board):
        return None
    if named is not None:
        return named if named.place == (spot.state.deck, street) else None
    return networks.best(spot.state.deck, street) if spot.leaf == NETWORK else networks.find(spot.state.deck, street)


def choose_cut(networks: Networks, spot: SpotQuestion, betting: Betting) -> Cut:
    """Choose the estimate below a cut: a network if one fits, otherwise a comparison of holdings."""
    street = spot.state.street
    if spot.depth is not None and spot.depth[0] <= street:
        raise InvalidInput("spot.depth", f"the spot is on street {street}: a cut must be on a later one")
    lines = betting.lines
    ends = np.flatnonzero(lines.kind == LEAF)
    if not len(ends):
        return Cut(lines, None, "")
    network = None if spot.leaf == EQUITY else _find(networks, spot, _street_of(spot, lines, ends))
    if network is not None and network.about.street == PREFLOP:
        # Nobody bets after an all-in: comparing holdings is exact there.
        return Cut(compared(lines, lines.stake >= spot.state.winnable / 2), network, network.name)
    if network is not None:
        return Cut(lines, network, network.name)
    if spot.leaf not in ("", EQUITY):
        needs = (
            "for this deck, without betting limits, and for a cut right after the next deal, or at it before the flop"
        )
        raise InvalidInput("spot.leaf", f"no network fits: it must be {needs}")
    return Cut(compared(lines), None, EQUITY)


def _street_of(spot: SpotQuestion, lines: Lines, ends: I64) -> str | None:
    """Return the street whose network a cut needs: the next one's right after its deal, the first one's at the deal."""
    levels = lines.levels()[ends]
    if (levels == 1).all() and (lines.kind[lines.parent[ends]] == CHANCE).all():
        return STREET_OF_CARDS.get(spot.state.next_board_size)
    return PREFLOP if spot.depth == (spot.state.street + 1, _AT_THE_DEAL) else None


@dataclass(frozen=True, slots=True, eq=False)
class Below:
    """A network's estimate below a cut: its bytes, and how to create it once they are reserved."""

    byte_count: int
    make: Callable[[], LeafValues]


def below_cut(upstream: Upstream, state: DescribedState, cut: Cut, dealt: DealtBoards) -> Below | None:
    """Return the estimate below a cut, if it is a network's."""
    if cut.network is None:
        return None
    network = cut.network.network
    level = _AT_THE_DEAL if cut.network.about.street == PREFLOP else _AFTER_THE_DEAL
    at = np.flatnonzero(dealt.boards.level == level).tolist()
    leaf_count = int((cut.lines.kind == LEAF).sum()) * len(at)

    def make() -> LeafValues:
        profiles, means = upstream.profiles(state.deck, tuple(dealt.cards[k] for k in at), BINS)
        if profiles.shape[1] != network.holding_count:
            raise InvalidInput("spot.leaf", f"{cut.name} is for other holdings than this deck has")
        features = {board: board_features(profiles[n], means[n]) for n, board in enumerate(at)}
        return NetworkLeaf(network, features, state.winnable)

    return Below(bytes_of_leaf(len(at), leaf_count, network.holding_count), make)
