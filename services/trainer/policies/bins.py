"""Features in at most 256 bins, whose borders are numbers that people can read."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
_MOST_CUTS = 255
_DIGITS = 3  # of borders between equities


@dataclass(frozen=True, slots=True, eq=False)
class FeatureBins:
    """The borders of each feature's bins, ascending; a number equal to a border belongs to the bin below it."""

    cuts: tuple[F32, ...]

    def of(self, features: F32) -> U8:
        """Return the bin of each number [N, F]."""
        out = np.empty(features.shape, np.uint8)
        for place, cuts in enumerate(self.cuts):
            out[:, place] = np.searchsorted(cuts, features[:, place], side="left")
        return out


def fit_bins(features: F32, bet_count: int) -> FeatureBins:
    """Return bins for features [N, F], the last of which are bets in chips: as even as their values allow."""
    cards = features.shape[1] - bet_count
    equities = [_equity_cuts(features[:, place]) for place in range(cards)]
    return FeatureBins((*equities, *(_bet_cuts(features[:, place]) for place in range(cards, features.shape[1]))))


def _equity_cuts(values: F32) -> F32:
    levels = np.linspace(0, 1, _MOST_CUTS + 2)[1:-1]
    cuts = np.unique(np.quantile(values, levels).astype(np.float64).round(_DIGITS))
    kept: F32 = cuts[(cuts >= values.min()) & (cuts < values.max())].astype(np.float32)
    return kept


def _bet_cuts(values: F32) -> F32:
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) > _MOST_CUTS + 1:
        wanted = np.linspace(0, len(values), _MOST_CUTS + 2)[1:-1]
        distinct = distinct[np.unique(np.append(np.searchsorted(counts.cumsum(), wanted), [0, len(distinct) - 1]))]
        distinct = distinct[: _MOST_CUTS + 1]
    pairs = zip(distinct[:-1].tolist(), distinct[1:].tolist(), strict=True)
    return np.array([roundest(low, high) for low, high in pairs], np.float32)


def roundest(low: float, high: float) -> float:
    """Return the roundest number that is at least `low` and below `high`, near their middle."""
    middle, step = (low + high) / 2, 10.0 ** np.ceil(np.log10(max(high, 1.0)))
    while step > (high - low) / 1_000:
        for unit in (step, step / 2):
            nearest = unit * np.round(middle / unit)
            if low <= nearest < high:
                return float(nearest)
        step /= 10
    return float(low)
