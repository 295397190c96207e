"""pokerkit as an independent referee; `python -m tests.referee 100000` plays more."""

import pytest

from tests.referee import compare_hands


@pytest.mark.slow
@pytest.mark.parametrize(("part", "has_posts"), [(0, False), (1, False), (2, True), (3, True)])
def test_random_hands_agree_with_pokerkit(part: int, has_posts: bool) -> None:
    tally = compare_hands(range(1_000_000 + 400 * part, 1_000_000 + 400 * (part + 1)), has_posts)
    assert tally.hands == 400
    assert tally.actions > 2000
    # Rules that pokerkit reads differently: few enough not to hide a mistake of ours.
    assert tally.reopened + tally.closed < tally.actions / 50
