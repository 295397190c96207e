"""The features of a board that networks see."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import DECKS
from riverboat.holdings import live_holdings
from riverboat.nets.features import BINS, FEATURES, board_features
from riverboat.strength.boards import runouts
from riverboat.strength.hands import strengths_on_boards
from riverboat.strength.profiles import strength_profile, strength_profiles

DECK = DECKS["24"]


def slow_profile(board: tuple[int, ...], bins: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the same features, one holding and one run-out at a time."""
    strengths = strengths_on_boards(DECK, runouts(DECK, board)).astype(int)
    profile, mean = np.zeros((strengths.shape[1], bins)), np.full(strengths.shape[1], -1.0)
    for h in range(strengths.shape[1]):
        shares = []
        for row in strengths:
            if row[h]:
                others = row[row > 0]
                shares.append(((others < row[h]).sum() + (others == row[h]).sum() / 2) / len(others))
        if shares:
            mean[h] = np.mean(shares)
            for share in shares:
                weights = np.maximum(0, 1 - np.abs(np.clip(share * bins - 0.5, 0, bins - 1) - np.arange(bins)))
                profile[h] += weights / len(shares)
    return profile, mean


@given(st.integers(0, 2**32 - 1), st.sampled_from([4, 5]))
@pytest.mark.slow
def test_profiles_are_what_a_slow_loop_finds(seed: int, cards: int) -> None:
    board = tuple(sorted(np.random.default_rng(seed).choice(DECK.array, cards, replace=False).tolist()))
    profile, mean = strength_profile(DECK, board, 8)
    expected, average = slow_profile(board, 8)
    assert np.allclose(profile, expected, atol=1e-5)
    assert np.allclose(mean, average, atol=1e-6)


def test_before_the_flop_every_board_counts() -> None:
    """Boards that differ only in suits are computed once, with the same result as one by one."""
    profile, mean = strength_profile(DECK, (), 8)
    strengths = strengths_on_boards(DECK, runouts(DECK, ()))
    for holding in (0, 17, 275):
        rows = strengths[strengths[:, holding] > 0].astype(int)
        own = rows[:, holding, None]
        beaten = ((rows < own) & (rows > 0)).sum(axis=1) + (rows == own).sum(axis=1) / 2
        shares = beaten / (rows > 0).sum(axis=1)
        place = np.clip(shares * 8 - 0.5, 0, 7)[:, None]
        assert np.isclose(mean[holding], shares.mean())
        assert np.allclose(profile[holding], np.maximum(0, 1 - np.abs(place - np.arange(8))).mean(axis=0), atol=1e-5)


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 4, 5]))
def test_each_half_adds_up_to_one_for_what_is_possible(seed: int, cards: int) -> None:
    board = tuple(sorted(np.random.default_rng(seed).choice(DECK.array, cards, replace=False).tolist()))
    features = board_features(*strength_profile(DECK, board, BINS))
    live = live_holdings(DECK, board)
    assert features.shape == (276, FEATURES)
    assert np.allclose(features[:, :BINS].sum(axis=1), live, atol=1e-4)
    assert np.allclose(features[:, BINS:].sum(axis=1), live, atol=1e-4)
    assert (features >= 0).all()


def test_names_of_suits_make_no_difference() -> None:
    board = (DECK.cards[0], DECK.cards[5], DECK.cards[13], DECK.cards[22])
    renamed = tuple(card - card % 4 + (card + 1) % 4 for card in board)
    both = [board_features(*strength_profile(DECK, cards, BINS)) for cards in (board, renamed)]
    assert np.allclose(np.sort(both[0], axis=0), np.sort(both[1], axis=0), atol=1e-5)


def test_many_boards_are_one_after_the_other() -> None:
    boards = np.array([DECK.cards[:4], DECK.cards[7:11]], np.uint8)
    profiles, means = strength_profiles(DECK, boards, 8)
    for n, board in enumerate(boards.tolist()):
        profile, mean = strength_profile(DECK, board, 8)
        assert np.array_equal(profiles[n], profile)
        assert np.allclose(means[n], mean)
