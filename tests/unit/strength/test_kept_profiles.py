"""The strength profiles before the flop that come with the oracle."""

import numpy as np
import pytest

from riverboat.cards import DECKS, parse_cards
from riverboat.nets.features import BINS
from riverboat.services.oracle import preflop_profiles
from riverboat.services.oracle.preflop_profiles import profiles_on_boards
from riverboat.strength.profiles import strength_profile, strength_profiles

FULL, SMALL = DECKS["52"], DECKS["24"]


@pytest.mark.slow
def test_the_file_has_what_would_be_computed() -> None:
    profiles, means = profiles_on_boards(FULL, np.zeros((2, 0), np.uint8), BINS)
    profile, mean = strength_profile(FULL, (), BINS)
    for board in (0, 1):
        assert np.array_equal(profiles[board], profile)
        assert np.array_equal(means[board], mean.astype(np.float32))
    assert profiles.dtype == means.dtype == np.float32


def test_it_is_read_instead_of_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflop_profiles, "strength_profiles", None)
    profiles, means = profiles_on_boards(FULL, np.zeros((1, 0), np.uint8), BINS)
    assert profiles.shape == (1, 1326, BINS)
    assert np.allclose(profiles.sum(axis=2), 1, atol=1e-5)
    assert means[0].mean() == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize(
    ("deck", "board", "bins"), [("24", "", BINS), ("52", "", 2), ("24", "AhKdTc9s", BINS), ("52", "AhKdTc9s2c", BINS)]
)
@pytest.mark.slow
def test_everything_else_is_computed(deck: str, board: str, bins: int) -> None:
    boards = np.array([parse_cards(board)], np.uint8).reshape(1, -1)
    wanted = strength_profiles(DECKS[deck], boards, bins)
    for ours, theirs in zip(profiles_on_boards(DECKS[deck], boards, bins), wanted, strict=True):
        assert np.array_equal(ours, theirs)
