"""The error of groups: the distance of a holding's features from its group's, on boards that were not fitted to.

    python -m benchmarks.group_loss

The distance is the root mean square over the numbers of a feature vector, in equity: 0.05 means that a holding's
chances of winning, decile by decile, differ by about five percentage points from its group's. Groups by equity alone
are the peer.
"""

import numpy as np

from riverboat.blueprint.clusters import F32, cluster_centres, distances
from riverboat.cards import DECKS
from riverboat.features.card_features import all_features

_DECK = DECKS["52"]
_COUNTS = (50, 100, 200, 400)
_BOARDS = {3: 40, 4: 250, 5: 400}  # by size; as many again are held out
_ROWS = 30_000
_SEED = 9


def main() -> None:
    """Print a line for each street and number of groups."""
    rng = np.random.default_rng(_SEED)
    for size, count in _BOARDS.items():
        fitted, held_out = _vectors(size, count, rng), _vectors(size, count, rng)
        for groups in _COUNTS:
            by_features = distances(held_out, cluster_centres(fitted, groups, rng)).mean()
            by_equity = _by_equity(fitted, held_out, groups)
            print(f"{size} cards, {groups:3} groups: {by_features:.4f} by features, {by_equity:.4f} by equity alone")


def _vectors(size: int, count: int, rng: np.random.Generator) -> F32:
    boards = [rng.choice(_DECK.cards, size, replace=False).tolist() for _ in range(count)]
    vectors = np.concatenate([all_features(_DECK, board) for board in boards])
    vectors = vectors[~np.isnan(vectors[:, 0])]
    chosen: F32 = vectors[rng.choice(len(vectors), min(_ROWS, len(vectors)), replace=False)]
    return chosen


def _by_equity(fitted: F32, held_out: F32, groups: int) -> float:
    """Return the distance to the mean vector of the holding's quantile of equity."""
    edges = np.quantile(fitted[:, 0], np.arange(1, groups) / groups)
    own, theirs = np.searchsorted(edges, fitted[:, 0]), np.searchsorted(edges, held_out[:, 0])
    sizes = np.maximum(np.bincount(own, minlength=groups), 1)
    means = np.stack([np.bincount(own, column, groups) / sizes for column in fitted.T], axis=1)
    return float(np.sqrt(((held_out - means[theirs]) ** 2).mean(axis=1)).mean())


if __name__ == "__main__":
    main()
