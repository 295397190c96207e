"""Bugs that other libraries shipped, each with a test that ours does not have it."""

from riverboat.cards import parse_cards
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.sized_raises import sized_raises
from riverboat.rules.state import start, start_with_cards
from riverboat.rules.variant import no_limit


def test_pokerkit_40_the_minimum_raise_is_not_capped_by_the_opponent_s_stack() -> None:
    """A raise is full or all-in, and uncalled chips come back (TDA 43: a raise is at least the last one)."""
    state = start(no_limit(10, 20), [200, 1000])
    state = state.play(100).play(180)
    assert state.raise_limits == (260, 1000)


def test_pokerkit_45_a_full_all_in_raise_does_not_let_a_later_short_one_reopen_betting() -> None:
    """TDA 47: players who have acted may raise again only after a full raise."""
    for all_in in (16, 200):  # the first raise is all-in, or not
        state = start(no_limit(1, 2), [19, 200, all_in, 200])
        state = state.play(16).play(CALL).play(19).play(CALL)
        if all_in == 200:
            assert state.actor == 2
            assert state.raise_limits is None
            state = state.play(CALL)
        assert state.actor == 3
        assert state.to_call == 3
        assert state.raise_limits is None


def test_pokerkit_46_each_pot_is_shared_by_itself() -> None:
    """TDA 21: a losing hand in a side pot does not change who gets the odd chip of another pot."""
    holdings = [parse_cards(text) for text in ("QhTs", "8h2s", "AsKh", "4s6d", "Ah6c", "TcQd", "4dQc")]
    hand = start_with_cards(no_limit(1, 2, ante=1), [76, 181, 300, 117, 5, 66, 27], holdings, parse_cards("7c2hTdKcQs"))
    for action in (114, 116, FOLD, CALL, CALL, CALL, CALL, FOLD):
        hand = hand.play(action)
    while not hand.is_over:
        hand = hand.play(CALL)
    # Seats 0 and 5 tie for pots of 163 and 195: an odd chip each time for seat 0. Together they would divide.
    assert hand.payoffs() == (82 + 98 + 40 - 76, 121 - 117, -115, -117, -1, 81 + 97 - 66, -27)


def test_rlcard_203_pot_sized_raises_count_the_whole_pot() -> None:
    state = start(no_limit(1, 2), [100, 100]).play(CALL).play(CALL).deal(parse_cards("2c3d4h"))
    assert sized_raises(state, parse_bet_sizes("0.5p 1p")) == (2, 4)
    state = state.play(4).play(CALL).deal(parse_cards("5s"))
    assert sized_raises(state, parse_bet_sizes("0.5p 1p")) == (6, 12)


def test_rlcard_231_no_raise_below_the_minimum_and_none_without_chips() -> None:
    state = start(no_limit(1, 2), [100, 100]).play(20)
    assert sized_raises(state, parse_bet_sizes("0.1p")) == (38,)  # a tenth of the pot is less than a raise by 18
    state = start(no_limit(1, 2), [20, 100]).play(30)
    assert state.raise_limits is None  # a call takes the whole stack
    assert sized_raises(state, parse_bet_sizes("1p all-in")) == ()


def test_pypokerengine_72_all_in_below_a_full_raise_is_possible() -> None:
    state = start(no_limit(50, 100), [450, 10_000]).play(300)
    assert state.raise_limits == (450, 450)


def test_texasholdem_39_a_raise_is_to_and_never_by() -> None:
    state = start(no_limit(50, 100), [1000] * 3).play(300)
    assert state.bets == (50, 100, 300)
    assert state.pot == 450
    state = state.play(650)
    assert state.bets == (650, 100, 300)
    assert state.stacks == (350, 900, 700)


def test_odd_chips_are_not_dropped() -> None:
    """PyPokerEngine loses the chips that do not divide."""
    holdings = [parse_cards(text) for text in ("AhKd", "AdKh", "AsKc")]
    hand = start_with_cards(no_limit(1, 2, ante=2), [50, 50, 51], holdings, parse_cards("2c3d4h7s8c"))
    hand = hand.play(49).play(CALL).play(CALL)
    assert sum(hand.payoffs()) == 0
