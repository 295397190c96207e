"""The value network: from both ranges, the pot and a board to what every holding is worth.

Each board has its own features for every holding: into which bins of strength it falls. Ranges are added up over these
bins, a trunk of residual blocks turns the two of them, the board and the pot into a value for each bin and player, and
holdings take the values of their bins. So the order of holdings and names of suits make no difference. What a holding
excludes is counted exactly, and the values are made zero-sum at the end.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from riverboat.holdings import holdings_of
from riverboat.nets.features import FEATURES
from riverboat.situations.situation import find_deck
from riverboat.spots.boards import deck_places

_POT_FEATURES = 4
_SCALE = 10.0  # brings shares of bins near one


def incidence(deck: str) -> NDArray[np.float32]:
    """Which cards are in which holdings [H, cards]."""
    found = find_deck(deck)
    places = deck_places(found)[holdings_of(found).cards]
    out = np.zeros((len(places), len(found.cards)), np.float32)
    np.put_along_axis(out, places.astype(np.int64), 1.0, axis=1)
    return out


class Block(nn.Module):
    """Two layers beside a way around them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """[..., width]."""
        out: Tensor = x + self.second(torch.relu(self.first(torch.relu(x))))
        return out


class ValueNetwork(nn.Module):
    """See above; shapes are those of riverboat/nets/layout.py."""

    holds: Tensor

    def __init__(self, deck: str, width: int, depth: int) -> None:
        super().__init__()
        self.register_buffer("holds", torch.tensor(incidence(deck)), persistent=False)
        self.enter = nn.Linear(3 * FEATURES + _POT_FEATURES, width)
        self.trunk = nn.Sequential(*(Block(width) for _ in range(depth)))
        self.leave = nn.Linear(width, 2 * FEATURES)
        # What bins win against the opponent's bins without any betting, and how much that counts for a pot.
        self.showdown = nn.Linear(FEATURES, FEATURES, bias=False)
        self.gain = nn.Linear(_POT_FEATURES, 2)
        nn.init.zeros_(self.leave.weight)

    def forward(self, ranges: Tensor, pot: Tensor, board: Tensor) -> Tensor:
        """Values [K, L, 2, H] from ranges [K, L, 2, H], pot [K, L, 1] and board [K, H, F]."""
        bins = self._bins(ranges, board)  # [K, L, 2, F]
        pots = pot_features(pot)  # [K, L, 4]
        texture = (board.sum(dim=1) / board.sum(dim=(1, 2)).unsqueeze(-1)).unsqueeze(1) * _SCALE  # [K, 1, F]
        seen = torch.cat([bins[:, :, 0], bins[:, :, 1], texture.expand(-1, bins.shape[1], -1), pots], dim=-1)
        hidden = torch.relu(self.trunk(self.enter(seen)))
        by_bin = _split(self.leave(hidden), -1, 2, FEATURES)
        by_bin = by_bin + self.showdown(bins.flip(2)) * (1 + self.gain(pots)).unsqueeze(-1)
        by_holding = _split(torch.matmul(by_bin.flatten(1, 2), board.transpose(1, 2)), 1, -1, 2)
        possible = self._possible(ranges)
        return zero_sum(ranges, by_holding * possible, possible)

    def _bins(self, ranges: Tensor, board: Tensor) -> Tensor:
        return _split(torch.matmul(ranges.flatten(1, 2), board), 1, -1, 2) * _SCALE

    def _possible(self, ranges: Tensor) -> Tensor:
        """For each holding, the opponent's weight that it does not exclude."""
        other = ranges.flip(2)
        found: Tensor = other.sum(dim=-1, keepdim=True) - (other @ self.holds) @ self.holds.T + other
        return found


def _split(x: Tensor, axis: int, *sizes: int) -> Tensor:
    """An axis as two."""
    found: Tensor = torch.unflatten(x, axis, sizes)
    return found


def pot_features(pot: Tensor) -> Tensor:
    """The pot's share of all chips in several forms [..., 4]."""
    return torch.cat([pot, torch.log(pot) / 3, torch.sqrt((1 - pot) / pot) / 10, pot * pot], dim=-1)


def zero_sum(ranges: Tensor, values: Tensor, possible: Tensor) -> Tensor:
    """Values from which both players give up half of what they have too much, in proportion to what is possible."""
    surplus = (ranges * values).sum(dim=(-1, -2), keepdim=True)
    pairs = (ranges * possible).sum(dim=(-1, -2), keepdim=True)
    return values - possible * surplus / pairs.clamp_min(1e-9)
