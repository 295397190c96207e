"""The value network: from both ranges, the pot and a board to the value of every holding.

Each board has its own features for every holding: the bins of strength into which the holding falls. Ranges are added
up over these
bins, a trunk of residual blocks turns the two of them, the board and the pot into a value for each bin and player, and
holdings take the values of their bins. So the order of holdings and names of suits make no difference.

The value of a bin depends more on the other range than on the board: values are therefore also given at knots, points
between beating nothing of that range and all of it, and a bin takes those of the knots that it lies between. Card
removal is counted exactly, and the values are made zero-sum at the end.
"""

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from riverboat.holdings import holdings_of
from riverboat.nets.features import BINS, FEATURES
from riverboat.situations.situation import find_deck
from riverboat.spots.boards import deck_places
from riverboat.streets import RIVER

_POT_FEATURES = 4
_KNOTS = 16  # between beating nothing of a range and all of it
_OUTPUTS = 2 * FEATURES + 4 * _KNOTS  # of the trunk: values of bins and of knots
_SHARP = 300.0  # two holdings of different strength are further apart than 1 / 300 of a bin, equal ones much closer
_MOST_COMPARED = 36  # cards of a deck, up to which a river network compares all pairs of holdings
_SCALE = 10.0  # brings shares of bins near one


MakeNetwork = Callable[[str, int, int], "ValueNetwork"]  # from a deck, a width and a depth


def incidence(name: str) -> NDArray[np.float32]:
    """Return 1 for each card that is in a holding of a deck, 0 for the others [H, cards]."""
    deck = find_deck(name)
    places = deck_places(deck)[holdings_of(deck).cards]
    out = np.zeros((len(places), len(deck.cards)), np.float32)
    np.put_along_axis(out, places.astype(np.int64), 1.0, axis=1)
    return out


class Block(nn.Module):
    """A residual block: two layers, and a connection around them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output [..., width]."""
        out: Tensor = x + self.second(torch.relu(self.first(torch.relu(x))))
        return out


class ValueNetwork(nn.Module):
    """The network of this module's docstring; shapes are those of riverboat/nets/layout.py."""

    holds: Tensor
    beats: Tensor
    knots: Tensor

    def __init__(self, deck: str, width: int, depth: int, more: int = 0) -> None:
        """Make room for `more` outputs of the trunk, which `_beyond_bins` of a subclass uses."""
        super().__init__()
        # Constants, which are not learnt.
        for name, constant in (("holds", incidence(deck)), ("beats", _beaten()), ("knots", np.linspace(0, 1, _KNOTS))):
            self.register_buffer(name, torch.tensor(constant, dtype=torch.float32), persistent=False)
        self.enter = nn.Linear(3 * FEATURES + 4 * _KNOTS + _POT_FEATURES, width)
        self.trunk = nn.Sequential(*(Block(width) for _ in range(depth)))
        self.leave = nn.Linear(width, _OUTPUTS + more)
        # What bins win against the opponent's bins without any betting, and how much that counts for a pot.
        self.showdown = nn.Linear(FEATURES, FEATURES, bias=False)
        self.gain = nn.Linear(_POT_FEATURES, 2)
        nn.init.zeros_(self.leave.weight)

    def forward(self, ranges: Tensor, pot: Tensor, board: Tensor) -> Tensor:
        """Return values [K, L, 2, H] from ranges [K, L, 2, H], pot [K, L, 1] and board [K, H, F]."""
        bins = _split(torch.matmul(ranges.flatten(1, 2), board), 1, -1, 2)  # [K, L, 2, F]
        pots = pot_features(pot)  # [K, L, 4]
        texture = (board.sum(dim=1) / board.sum(dim=(1, 2)).unsqueeze(-1)).unsqueeze(1)  # [K, 1, F]
        hats = self._hats(bins)  # [K, L, 2, 2, BINS, knots]
        standing = torch.matmul(_split(bins, -1, 2, BINS).unsqueeze(-2), hats).flatten(2)  # [K, L, 4 * knots]
        shares = torch.cat([bins.flatten(2), texture.expand(-1, bins.shape[1], -1), standing], dim=-1) * _SCALE
        out = self.leave(torch.relu(self.trunk(self.enter(torch.cat([shares, pots], dim=-1)))))
        by_bin = _split(out[..., : 2 * FEATURES], -1, 2, FEATURES)
        by_knot = out[..., 2 * FEATURES : _OUTPUTS].unflatten(-1, (2, 2, _KNOTS, 1))
        by_bin = by_bin + torch.matmul(hats, by_knot).squeeze(-1).flatten(3)
        by_bin = by_bin + self.showdown(bins.flip(2) * _SCALE) * (1 + self.gain(pots)).unsqueeze(-1)
        by_holding = _split(torch.matmul(by_bin.flatten(1, 2), board.transpose(1, 2)), 1, -1, 2)
        possible = self._possible(ranges)
        beyond = self._beyond_bins(ranges, board, out[..., _OUTPUTS:], pots)
        return zero_sum(ranges, by_holding * possible + beyond, possible)

    def _beyond_bins(self, ranges: Tensor, board: Tensor, more: Tensor, pots: Tensor) -> Tensor | float:
        """Return the values of holdings that are added to those of their bins [K, L, 2, H]; none in general."""
        return 0.0

    def _hats(self, bins: Tensor) -> Tensor:
        """Return the weights of the knots for each bin, by the share of the opponent's range that it beats."""
        other = _split(bins.flip(2), -1, 2, BINS)
        beaten = torch.matmul(other / other.sum(dim=-1, keepdim=True).clamp_min(1e-6), self.beats)
        return torch.relu(1 - (beaten.unsqueeze(-1) - self.knots).abs() * (_KNOTS - 1))

    def _possible(self, ranges: Tensor) -> Tensor:
        """Return for each holding the opponent's weight that it does not exclude."""
        other = ranges.flip(2)
        weights: Tensor = other.sum(dim=-1, keepdim=True) - (other @ self.holds) @ self.holds.T + other
        return weights


class RiverNetwork(ValueNetwork):
    """A network for complete boards, on which the result of every pair of holdings is certain.

    What a holding wins from the other range without further bets is counted exactly, pair by pair: bins are coarser,
    and they contain only how much of the other range a holding excludes, not which part. The trunk adds, by bin, how
    much more or less than that is won with bets.
    """

    compatible: Tensor

    def __init__(self, deck: str, width: int, depth: int) -> None:
        super().__init__(deck, width, depth, more=2 * FEATURES)
        self.register_buffer("compatible", (self.holds @ self.holds.T == 0).float(), persistent=False)
        self.stakes = nn.Linear(_POT_FEATURES, 2)

    def _beyond_bins(self, ranges: Tensor, board: Tensor, more: Tensor, pots: Tensor) -> Tensor:
        by_bin = _split(more, -1, 2, FEATURES)
        by_holding = _split(torch.matmul(by_bin.flatten(1, 2), board.transpose(1, 2)), 1, -1, 2)
        factor: Tensor = by_holding + (1 + self.stakes(pots)).unsqueeze(-1) / 4
        return self.won(ranges, board) * factor

    def won(self, ranges: Tensor, board: Tensor) -> Tensor:
        """Return how much more of the other range each holding beats than loses to [K, L, 2, H]."""
        place = board[..., BINS:] @ torch.arange(BINS, dtype=board.dtype)  # [K, H]: in bins, with a fraction
        beats = ((place.unsqueeze(2) - place.unsqueeze(1)) * _SHARP).clamp(-1, 1) * self.compatible  # [K, H, H]
        return _split(torch.matmul(ranges.flip(2).flatten(1, 2), beats.transpose(1, 2)), 1, -1, 2)


def network_for(street: str) -> MakeNetwork:
    """Return the function that makes a network for a street; pairs of holdings take too long with 52 cards."""
    return _for_river if street == RIVER else ValueNetwork


def _for_river(deck: str, width: int, depth: int) -> ValueNetwork:
    small = len(find_deck(deck).cards) <= _MOST_COMPARED
    return RiverNetwork(deck, width, depth) if small else ValueNetwork(deck, width, depth)


def _beaten() -> NDArray[np.float32]:
    """Return 1 where the bin of a column beats that of a row [BINS, BINS], 0.5 where they are the same."""
    return (np.triu(np.ones((BINS, BINS)), 1) + np.eye(BINS) / 2).astype(np.float32)


def _split(x: Tensor, axis: int, *sizes: int) -> Tensor:
    """Split an axis into two."""
    parts: Tensor = torch.unflatten(x, axis, sizes)
    return parts


def pot_features(pot: Tensor) -> Tensor:
    """Return the pot's share of all chips in several forms [..., 4]."""
    return torch.cat([pot, torch.log(pot) / 3, torch.sqrt((1 - pot) / pot) / 10, pot * pot], dim=-1)


def zero_sum(ranges: Tensor, values: Tensor, possible: Tensor) -> Tensor:
    """Return zero-sum values: both players give up half of the surplus, in proportion to what is possible."""
    surplus = (ranges * values).sum(dim=(-1, -2), keepdim=True)
    pairs = (ranges * possible).sum(dim=(-1, -2), keepdim=True)
    return values - possible * surplus / pairs.clamp_min(1e-9)
