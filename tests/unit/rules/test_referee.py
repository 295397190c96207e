"""pokerkit as an independent referee; `python -m tests.referee 100000` plays more."""

import pytest

from tests.referee import compare_hands


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_random_hands_are_what_pokerkit_says(part: int) -> None:
    tally = compare_hands(range(1_000_000 + 400 * part, 1_000_000 + 400 * (part + 1)))
    assert tally.hands == 400
    assert tally.actions > 2000
    assert tally.reopened + tally.closed < tally.actions / 50
