"""Counts in words."""

import pytest

from riverboat.clients.analysis.counts import counted


@pytest.mark.parametrize(("count", "words"), [(0, "0 hands"), (1, "1 hand"), (2, "2 hands"), (1200, "1,200 hands")])
def test_one_is_singular(count: int, words: str) -> None:
    assert counted(count, "hand") == words
