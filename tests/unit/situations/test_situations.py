"""Situations: sampling, values, and the held-out boards."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, live_holdings
from riverboat.situations.judgement import judge, with_equity
from riverboat.situations.labels import Care, label, spot_of
from riverboat.situations.ranges import recursive_range, strength_order
from riverboat.situations.sampler import sample, sample_by_strength
from riverboat.situations.situation import BIG_BLIND, TOTAL, Situation, find_deck, find_street, sample_pot
from riverboat.situations.split import Side, follows, sides
from riverboat.solving.best_response import exploitability
from riverboat.solving.cfr import new_solver
from riverboat.spots.boards import exchanges
from riverboat.spots.spot import build
from riverboat.strength.boards import board_keys

DECK = DECKS["24"]
SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS)
def test_ranges_add_up_to_one_and_miss_nothing_that_is_possible(seed: int) -> None:
    rng = np.random.default_rng(seed)
    situation = sample_by_strength(DECK, 3, rng)
    live = live_holdings(DECK, situation.board)
    assert np.allclose(situation.weights.sum(axis=1), 1, atol=1e-5)
    assert (situation.weights[:, live] > 0).all()
    assert not situation.weights[:, ~live].any()


def test_ranges_share_weight_between_the_weaker_and_the_stronger_half_by_chance() -> None:
    order = np.arange(200)
    rng = np.random.default_rng(1)
    weaker = np.array([recursive_range(order, 200, rng)[:100].sum() for _ in range(4000)])
    # Uniform between 0 and 1, as the procedure says.
    assert abs(weaker.mean() - 0.5) < 0.02
    assert abs(weaker.std() - 12**-0.5) < 0.02


def test_holdings_are_ordered_by_what_they_beat() -> None:
    board = tuple(sorted([DECK.cards[place] for place in (0, 5, 10, 15, 20)]))
    from riverboat.strength.hands import strengths_on_boards

    order = strength_order(DECK, board, np.random.default_rng(0))
    strengths = strengths_on_boards(DECK, np.array([board], np.uint8))[0][order].astype(int)
    assert (np.diff(strengths) >= 0).all()


def test_pots_go_from_the_blinds_to_the_stacks() -> None:
    rng = np.random.default_rng(3)
    pots = np.array([sample_pot(rng) for _ in range(5000)])
    assert (pots % 2 == 0).all()
    assert pots.min() >= 2 * BIG_BLIND
    assert pots.max() < TOTAL
    # Log-uniform: as many between 2 and 20 blinds as between 20 and 200.
    assert abs((pots < 20 * BIG_BLIND).mean() - np.log(10) / np.log((TOTAL - 200) / 200)) < 0.03


@pytest.mark.parametrize("street", [1, 2, 3])
def test_the_same_seed_gives_the_same_situations(street: int) -> None:
    first, second = (list(sample(DECK, street, 6, np.random.default_rng(5))) for _ in range(2))
    assert len(first) == 6
    for a, b in zip(first, second, strict=True):
        assert (a.board, a.pot, a.weights.tobytes()) == (b.board, b.pot, b.weights.tobytes())
        assert len(a.board) == DECK.board_sizes[street]
        assert a.pot + 2 * a.stack == TOTAL
        assert np.isfinite(a.weights).all()


@pytest.mark.parametrize("street", [1, 2])
def test_suits_that_are_not_on_the_board_make_no_difference(street: int) -> None:
    for situation in sample(DECK, street, 12, np.random.default_rng(9)):
        suits = {card % 4 for card in situation.board}
        same = [e for e in exchanges(DECK, situation.board, situation.weights) if all(e.cards[s] == s for s in suits)]
        assert len(same) == factorial(4 - len(suits))


@pytest.mark.parametrize(("street", "tolerance"), [(3, 0.003), (2, 0.006)])
def test_values_are_zero_sum_and_those_of_a_long_solve(street: int, tolerance: float) -> None:
    situation = sample_by_strength(DECK, street, np.random.default_rng(8))
    labelled = label(situation, Care(target=0.001, iterations=600))
    assert abs(float((situation.weights * labelled.values).sum())) < 1e-5
    assert labelled.exploitability <= 0.001
    other = label(situation, Care(target=1e-9, iterations=1500))
    mean = np.abs(situation.weights * (labelled.values - other.values)).sum() / 2
    assert mean < tolerance


def test_a_holding_that_always_wins_gets_the_pot_at_least() -> None:
    """On a royal flush board everybody ties: nothing can be won, and no bet is called for less."""
    board = tuple(sorted(card for card in DECK.cards if card % 4 == 0 and card // 4 >= 8))
    live = live_holdings(DECK, board)
    weights = np.array([live / live.sum()] * 2, np.float32)
    labelled = label(Situation(DECK, board, 1000, weights), Care())
    assert np.abs(labelled.values).max() < 2e-3


@given(SEEDS, st.permutations(range(4)))
def test_boards_that_differ_by_suits_are_on_the_same_side(seed: int, order: list[int]) -> None:
    rng = np.random.default_rng(seed)
    boards = np.array([rng.choice(DECK.array, 4, replace=False) for _ in range(20)], np.uint8)
    renamed = boards - boards % 4 + np.array(order, np.uint8)[boards % 4]
    shuffled = np.array([rng.permutation(row) for row in renamed], np.uint8)
    assert (board_keys(boards) == board_keys(shuffled)).all()
    assert (sides(boards) == sides(shuffled)).all()


@pytest.mark.parametrize("deck", ["24", "36", "52"])
def test_every_side_has_boards_of_every_street(deck: str) -> None:
    """Most are for training, about one in ten for validation, one flop in 32 and what follows it for testing."""
    rng = np.random.default_rng(0)
    rivers = np.array([rng.choice(DECKS[deck].array, 5, replace=False) for _ in range(20_000)], np.uint8)
    for cards, test_share in ((3, 1 / 32), (4, 0.1), (5, 0.2)):
        shares = np.bincount(sides(rivers[:, :cards]), minlength=3) / len(rivers)
        assert shares[Side.TRAIN] > 0.65
        assert 0.04 < shares[Side.VALIDATION] < 0.15
        assert test_share / 2 < shares[Side.TEST] < test_share * 1.5


def test_whatever_follows_a_test_flop_is_for_testing() -> None:
    """So no network learns from, or is chosen by, a board that follows a test flop, in any suits."""
    flops = np.array(list(combinations(DECK.cards, 3)), np.uint8)
    tested = flops[sides(flops) == Side.TEST]
    assert len(tested)
    rng = np.random.default_rng(1)
    for cards in (4, 5):
        boards = np.array([rng.choice(DECK.array, cards, replace=False) for _ in range(5_000)], np.uint8)
        assert ((sides(boards) == Side.TEST) == follows(boards, tested)).all()


def test_exact_strategies_are_judged_good_and_equity_is_not() -> None:
    situation = sample_by_strength(DECK, 2, np.random.default_rng(21))
    exact = new_solver(build(spot_of(situation, is_cut=False), isomorphic=False).subgame)
    exact.run(200)
    own = exploitability(exact) / situation.pot
    judged = judge(situation, exact, 200)
    assert judged < max(4 * own, 0.005)
    assert judge(situation, with_equity(situation, 100), 200) > 5 * judged


def test_unknown_decks_and_streets_are_refused_with_what_there_is() -> None:
    with pytest.raises(InvalidInput, match="52, 36, 24"):
        find_deck("leduc")
    with pytest.raises(InvalidInput, match="flop, turn, river"):
        find_street("showdown")
    assert holdings_of(find_deck("24")).count == 276


@given(SEEDS)
def test_a_board_follows_those_that_it_begins_with_whatever_suits_are_called(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rivers = np.array([rng.choice(DECK.cards, 5, replace=False) for _ in range(4)], np.uint8)
    suits = rng.permutation(4).astype(np.uint8)
    turn = rivers[:1, rng.permutation(5)[:4]]
    is_later = follows(rivers, turn - turn % 4 + suits[turn % 4])
    assert is_later[0]
    # Another follows only if four of its ranks are those of the turn.
    ranks = sorted((turn[0] // 4).tolist())
    for river, is_found in zip(rivers[1:], is_later[1:], strict=True):
        fours = [sorted(np.delete(river // 4, place).tolist()) for place in range(5)]
        assert not is_found or ranks in fours
