"""Trees and boosted trees against slow twins, and what is refused."""

import numpy as np
import pytest

from riverboat.errors import InvalidInput
from riverboat.policies.boosted_trees import BoostedTrees
from riverboat.policies.trees import F32, LEAF, TreeShape, check_questions, depths, tree_of_leaves

FEATURES = 4


def random_shape(rng: np.random.Generator, questions: int) -> TreeShape:
    """Return a random tree in preorder."""

    def grow(count: int) -> list[list[float]]:
        if count == 0:
            return [[LEAF, round(float(rng.normal()), 3), 0]]
        left = int(rng.integers(count))
        below, other = grow(left), grow(count - 1 - left)
        for row in other:
            row[2] += (1 + len(below)) * (row[0] != LEAF)
        for row in below:
            row[2] += row[0] != LEAF
        return [[int(rng.integers(FEATURES)), float(rng.random()), 1 + len(below)], *below, *other]

    feature, cut, right = zip(*grow(questions), strict=True)
    return TreeShape(np.array(feature, np.int16), np.array(cut, np.float32), np.array(right, np.int32))


def slow_leaf(shape: TreeShape, row: F32, node: int = 0) -> int:
    """Return the leaf of a row, by asking one question after another."""
    if shape.feature[node] == LEAF:
        return node
    yes = row[shape.feature[node]] <= shape.cut[node]
    return slow_leaf(shape, row, node + 1 if yes else int(shape.right[node]))


@pytest.mark.parametrize("seed", range(5))
def test_a_tree_answers_like_its_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = random_shape(rng, 12)
    chances = rng.dirichlet(np.ones(3), 13).astype(np.float32)
    tree = tree_of_leaves(shape, rng.integers(1, 50, 13).astype(np.float32), chances)
    rows = rng.random((100, FEATURES)).astype(np.float32)
    wanted = [slow_leaf(shape, row) for row in rows]
    assert tree.leaves(rows).tolist() == wanted
    assert np.array_equal(tree.chances(rows), tree.values[wanted])
    for row, leaf in zip(rows, wanted, strict=True):
        path = tree.path(row)
        assert (path[0], path[-1], len(path) - 1) == (0, leaf, depths(shape)[leaf])
    leaves = shape.feature == LEAF
    assert np.isclose(tree.states[0], tree.states[leaves].sum())
    assert np.allclose(tree.values[0], tree.states[leaves] @ tree.values[leaves] / tree.states[0], atol=1e-5)


def test_boosted_trees_add_up() -> None:
    rng = np.random.default_rng(1)
    shapes = [random_shape(rng, int(rng.integers(8))) for _ in range(6)]
    roots = np.cumsum([0, *(len(shape.feature) for shape in shapes)])[:-1]
    joined = TreeShape(
        np.concatenate([shape.feature for shape in shapes]),
        np.concatenate([shape.cut for shape in shapes]),
        np.concatenate(
            [shape.right + root * (shape.feature != LEAF) for shape, root in zip(shapes, roots, strict=True)]
        ).astype(np.int32),
    )
    base = np.array([0.5, -0.5, 0.0], np.float32)
    rows = rng.random((50, FEATURES)).astype(np.float32)
    scores = np.tile(base.astype(np.float64), (50, 1))
    for number, shape in enumerate(shapes):
        scores[:, number % 3] += [shape.cut[slow_leaf(shape, row)] for row in rows]
    wanted = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert np.allclose(BoostedTrees(joined, roots.astype(np.int32), base).chances(rows), wanted, atol=1e-5)


def shape_of(feature: list[int], right: list[int], cut: float = 0.5) -> TreeShape:
    return TreeShape(np.array(feature, np.int16), np.full(len(feature), cut, np.float32), np.array(right, np.int32))


@pytest.mark.parametrize(
    "shape",
    [
        shape_of([], []),
        shape_of([0, -1], [1, 0]),  # one child is both
        shape_of([0, -1, -1], [9, 0, 0]),
        shape_of([0, -1, -1], [0, 0, 0]),  # it leads back
        shape_of([-1, -1], [0, 0]),  # a node without a parent
        shape_of([-2], [0]),
        shape_of([-1], [0], cut=float("nan")),
    ],
)
def test_what_is_no_tree_is_refused(shape: TreeShape) -> None:
    with pytest.raises(InvalidInput):
        check_questions(shape)


def test_chances_add_up_to_one() -> None:
    with pytest.raises(InvalidInput, match="add up"):
        tree_of_leaves(shape_of([-1], [0]), np.ones(1, np.float32), np.array([[0.5, 0.4]], np.float32))


def test_too_few_features_are_refused() -> None:
    tree = tree_of_leaves(shape_of([3, -1, -1], [2, 0, 0]), np.ones(2, np.float32), np.eye(2, dtype=np.float32))
    with pytest.raises(InvalidInput, match="features"):
        tree.chances(np.zeros((1, 3), np.float32))
