"""Deciles: against their definition, and the points that people disagree about."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from riverboat.features.deciles import DECILES, write_deciles
from tests.reference.features import deciles


def ours(values: list[int], weights: list[int], unit: int = 1) -> list[float]:
    out = np.full(DECILES, -1, np.float32)
    write_deciles(np.array(values, np.int64), np.array(weights, np.int64), unit, out)
    return [float(number) for number in out]


def test_every_decile_is_a_value_that_occurs() -> None:
    assert ours([3], [1]) == [3.0] * 10
    assert ours([0, 1], [1, 1]) == [0.0] * 5 + [1.0] * 5  # half of the values are at most 0
    assert ours(list(range(1, 11)), [1] * 10) == list(range(1, 11))
    assert ours(list(range(1, 48)), [1] * 47) == [5, 10, 15, 19, 24, 29, 33, 38, 43, 47]


def test_values_without_weight_do_not_occur() -> None:
    assert ours([0, 1, 2, 3], [0, 1, 0, 0]) == [1.0] * 10


def test_values_are_divided_by_the_unit() -> None:
    assert ours([1, 2], [1, 1], 4) == [0.25] * 5 + [0.5] * 5


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60))
def test_equal_to_the_definition(values: list[int]) -> None:
    counts = Counter(values)
    wanted = [float(number) for number in deciles([Fraction(value) for value in values])]
    assert ours(sorted(counts), [counts[value] for value in sorted(counts)]) == wanted
    assert ours(sorted(values), [1] * len(values)) == wanted
    assert ours(sorted(counts), [7 * counts[value] for value in sorted(counts)]) == wanted  # only shares matter
