"""Files of networks, and networks below a cut."""

from dataclasses import replace

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.nets.features import FEATURES
from riverboat.nets.layout import LAYOUT, read_about
from riverboat.nets.leaf import NetworkLeaf
from riverboat.nets.network import Network
from riverboat.solving.leaf_values import Leaves
from tests.unit.nets.tiny import about, tiny_network

H = 276


def inputs(boards: int, lines: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    ranges = rng.random((boards, lines, 2, H)).astype(np.float32)
    return ranges, np.full((boards, lines, 1), 0.5, np.float32), np.ones((boards, H, FEATURES), np.float32)


def test_a_network_says_what_it_is_and_gives_values() -> None:
    network = Network(tiny_network(factor=3.0))
    assert network.about == about()
    assert network.holding_count == H
    given = inputs(2, 3)
    assert np.allclose(network.values(*given), 3 * given[0])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "cannot run this file"),
        (b"\x00" * 100, "cannot run this file"),
        (tiny_network()[:-50], "cannot run this file"),
        (tiny_network(about(layout=LAYOUT + 1)), "this program knows"),
    ],
)
def test_other_files_are_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        Network(data)


def test_metadata_must_be_whole() -> None:
    texts = about().as_texts()
    assert read_about(texts) == about()
    for name in texts:
        with pytest.raises(InvalidInput, match="not a Riverboat network"):
            read_about({key: text for key, text in texts.items() if key != name})
    with pytest.raises(InvalidInput):
        read_about({**texts, "samples": "many"})


def test_values_that_are_not_finite_are_never_used() -> None:
    with pytest.raises(InvalidInput, match="finite"):
        Network(tiny_network(factor=float("inf"))).values(*inputs(1, 1))


def leaf(features: dict[int, np.ndarray], total: float = 1000.0) -> NetworkLeaf:
    return NetworkLeaf(Network(tiny_network()), features, total)


def test_a_leaf_counts_in_chips_over_the_opponents_reach() -> None:
    live = np.ones((H, FEATURES), np.float32)
    live[:10] = 0  # holdings that the board excludes
    leaves = Leaves(np.array([5, 6, 5, 6]), np.array([1, 1, 2, 2]), np.array([50.0, 100.0, 50.0, 100.0]))
    reach = np.random.default_rng(1).random((2, 4, H))
    values = leaf({1: live, 2: live})(leaves, reach)
    for n in range(4):
        for player in (0, 1):
            own = np.where(np.arange(H) < 10, 0, reach[player, n])
            opposing = reach[1 - player, n, 10:].sum()
            expected = own / own.sum() * 2 * leaves.stake[n] * opposing
            assert np.allclose(values[player, n], expected, rtol=1e-4)


def test_a_range_that_is_empty_gets_values_all_the_same() -> None:
    live = np.ones((H, FEATURES), np.float32)
    leaves = Leaves(np.array([5]), np.array([1]), np.array([50.0]))
    reach = np.zeros((2, 1, H))
    reach[1] = 1.0
    values = leaf({1: live})(leaves, reach)
    assert np.allclose(values[0, 0], 100 / H * H, rtol=1e-4)  # as if it had a range
    assert not values[1].any()  # nothing can be won from an empty range


def test_another_cut_is_refused() -> None:
    live = np.ones((H, FEATURES), np.float32)
    leaves = Leaves(np.array([5, 5]), np.array([3, 4]), np.array([50.0, 50.0]))
    with pytest.raises(InvalidInput, match="the cut must come directly after one deal"):
        leaf({1: live, 2: live})(leaves, np.ones((2, 2, H)))
    with pytest.raises(InvalidInput, match="the cut must come directly after one deal"):
        leaf({1: live, 2: live}).pieces(leaves)


@pytest.mark.parametrize("lines", [1, 7, 100, 256, 257, 600])
@pytest.mark.slow
def test_leaves_are_evaluated_in_small_pieces(lines: int) -> None:
    """Each batch is whole boards or a part of one; together they are all leaves, in order."""
    boards = [1, 2, 3, 4, 5]
    live = np.ones((H, FEATURES), np.float32)
    count = lines * len(boards)
    stakes = np.linspace(10, 90, count)
    leaves = Leaves(np.tile(np.arange(lines), len(boards)), np.repeat(boards, lines), stakes)
    below = leaf(dict.fromkeys(boards, live))
    pieces = below.pieces(leaves)
    assert [place for piece in pieces for place in range(piece.start, piece.stop)] == list(range(count))
    assert max(piece.stop - piece.start for piece in pieces) <= 256
    reach = np.random.default_rng(1).random((2, count, H))
    parts = [Leaves(leaves.line[piece], leaves.board[piece], leaves.stake[piece]) for piece in pieces]
    values = [below(part, reach[:, piece].copy()) for part, piece in zip(parts, pieces, strict=True)]
    assert np.concatenate(values, axis=1) == pytest.approx(below(leaves, reach))


def test_about_is_a_value() -> None:
    assert replace(about(), samples=5).samples == 5
