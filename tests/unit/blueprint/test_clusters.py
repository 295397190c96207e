"""Clusters: nearest centres against a slow twin, in order of equity, closer than equity alone."""

import numpy as np
import pytest

from riverboat.blueprint.clusters import cluster_centres, distances, nearest_centres
from riverboat.errors import InvalidInput


def vectors(count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.sort(rng.random((count, 11)), axis=1).astype(np.float32)


def test_the_nearest_centre_is_the_nearest() -> None:
    points, centres = vectors(500), vectors(20, 1)
    squares = ((points[:, None, :].astype(np.float64) - centres[None]) ** 2).sum(axis=2)
    assert np.allclose(squares[np.arange(500), nearest_centres(points, centres)], squares.min(axis=1), atol=1e-6)
    assert np.allclose(distances(points, centres), np.sqrt(squares.min(axis=1) / 11), atol=1e-6)


def test_centres_are_in_order_of_equity_and_the_same_for_a_seed() -> None:
    points = vectors(2_000)
    centres = cluster_centres(points, 15, np.random.default_rng(4))
    assert centres.shape == (15, 11)
    assert (np.diff(centres[:, 0]) >= 0).all()
    assert np.array_equal(centres, cluster_centres(points, 15, np.random.default_rng(4)))


def test_more_clusters_lose_less_and_clusters_lose_less_than_equity_alone() -> None:
    points = vectors(3_000)
    lost = [distances(points, cluster_centres(points, n, np.random.default_rng(0))).mean() for n in (4, 16, 64)]
    assert lost[0] > lost[1] > lost[2]
    order = np.argsort(points[:, 0])
    by_equity = np.stack([points[part].mean(axis=0) for part in np.array_split(order, 16)])
    own = np.concatenate([np.full(len(part), i) for i, part in enumerate(np.array_split(order, 16))])
    lost_by_equity = np.sqrt(((points[order] - by_equity[own]) ** 2).mean(axis=1)).mean()
    assert lost[1] < lost_by_equity


def test_few_different_vectors_are_their_own_centres() -> None:
    points = np.repeat(vectors(3), 10, axis=0)
    centres = cluster_centres(points, 5, np.random.default_rng(0))
    assert len(centres) == 3
    assert distances(points, centres).max() == 0


def test_nothing_cannot_be_clustered() -> None:
    with pytest.raises(InvalidInput):
        cluster_centres(np.empty((0, 11), np.float32), 5, np.random.default_rng(0))
