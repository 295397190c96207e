"""Features that are kept from epoch to epoch."""

import numpy as np
import pytest

from riverboat.cards import find_deck, parse_cards
from riverboat.nets.features import BINS, board_features
from riverboat.services.trainer.learning import kept_features
from riverboat.services.trainer.learning.kept_features import KeptFeatures
from riverboat.strength.profiles import strength_profile

BOARDS = [tuple(parse_cards(text)) for text in ("AsKd9h", "TsTd9c", "QhJh9h")]


def test_they_are_the_board_s_features_at_half_precision_each_time() -> None:
    kept = KeptFeatures(10**9)
    first, again = kept.of("24", BOARDS[0]), kept.of("24", BOARDS[0])
    np.testing.assert_array_equal(first, again)
    expected = board_features(*strength_profile(find_deck("24"), BOARDS[0], BINS))
    np.testing.assert_allclose(first, expected, atol=5e-4)


@pytest.mark.parametrize(("limit", "computed"), [(10**9, 3), (0, 9), (276 * (2 * BINS + 8), 7)])
def test_boards_are_computed_once_up_to_a_limit(limit: int, computed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def note(*words: object) -> object:
        asked.append(words[1])
        return strength_profile(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(kept_features, "strength_profile", note)
    kept = KeptFeatures(limit)
    for board in BOARDS * 3:
        kept.of("24", board)
    assert len(asked) == computed
