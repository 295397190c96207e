"""Rules of play, one by one, each with a short hand."""

from dataclasses import replace

import numpy as np
import pytest

from riverboat.cards import parse_cards
from riverboat.errors import IllegalAction, InvalidInput
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import ACT, CALL, CHANCE, FOLD, FOLDED, SHOWDOWN
from riverboat.rules.state import PublicState, start, start_random, start_with_cards
from riverboat.rules.tree import Depth, count_nodes
from riverboat.rules.variant import KUHN, LEDUC, VARIANTS, Variant, fixed_limit, no_limit, pot_limit

NL = no_limit(50, 100)


def after(state: PublicState, *actions: int) -> PublicState:
    for action in actions:
        state = state.play(action)
    return state


def test_heads_up_the_button_posts_the_small_blind_and_acts_first() -> None:
    state = start(NL, [1000, 1000])  # seat 1 is the button
    assert state.bets == (100, 50)
    assert state.actor == 1
    state = after(state, CALL, CALL)
    assert state.phase == CHANCE
    state = state.deal(parse_cards("2c3d4h"))
    assert state.actor == 0


def test_three_players_act_from_the_left_of_the_big_blind() -> None:
    state = start(NL, [1000] * 3)
    assert state.bets == (50, 100, 0)
    assert state.actor == 2
    assert after(state, CALL, CALL).actor == 1  # the big blind has its option
    assert after(state, CALL, CALL, CALL).phase == CHANCE


def test_a_straddle_is_a_third_blind() -> None:
    state = start(no_limit(50, 100, 200), [2000] * 4)
    assert state.bets == (50, 100, 200, 0)
    assert state.actor == 3
    assert after(state, CALL, CALL, CALL).actor == 2


def test_minimum_raise() -> None:
    state = start(NL, [10_000] * 3)
    assert state.raise_limits == (200, 10_000)
    state = state.play(300)  # by 200
    assert state.raise_limits == (500, 10_000)
    assert state.play(1000).raise_limits == (1700, 10_000)


def test_a_short_all_in_does_not_reopen_betting_to_those_who_have_acted() -> None:
    state = start(NL, [10_000, 10_000, 10_000, 450])
    state = after(state, 300, 450)  # seat 2 raises to 300, seat 3 all-in to 450: 150 more, 200 are a full raise
    assert state.raise_limits == (650, 10_000)  # seat 0 has not acted
    state = after(state, CALL, CALL)
    assert state.actor == 2
    assert state.to_call == 150
    assert state.raise_limits is None
    with pytest.raises(IllegalAction, match="since it acted nobody has raised by 200 chips"):
        state.play(1000)


def test_short_all_ins_that_together_are_a_full_raise_reopen_betting() -> None:
    state = start(NL, [10_000, 620, 10_000, 450])
    state = after(state, 300, 450, CALL, 620)  # 150 and 170 more
    assert state.actor == 2
    assert state.raise_limits == (820, 10_000)


def test_an_opening_all_in_below_the_smallest_bet_does_not_reopen_betting() -> None:
    state = after(start(NL, [1000, 1000, 160]), CALL, CALL, CALL).deal(parse_cards("2c3d4h"))
    state = after(state, CALL, CALL, 60)  # two checks, then all-in for 60
    assert state.actor == 0
    assert state.raise_limits is None
    assert state.to_call == 60


def test_a_raise_after_a_short_all_in_is_by_the_last_full_raise() -> None:
    state = after(start(NL, [10_000, 10_000, 10_000, 450]), 300, 450)
    assert state.raise_limits == (650, 10_000)


def test_nobody_can_raise_when_nobody_can_call_more() -> None:
    state = after(start(NL, [500, 10_000]), CALL, 500)
    assert state.to_call == 400
    assert state.raise_limits is None


def test_nothing_is_asked_when_nothing_can_be_decided() -> None:
    state = start(NL, [50, 10_000])  # the big blind is all-in for less than the small blind
    assert state.phase == CHANCE
    state = start(NL, [1000, 1000, 1000, 40])
    state = after(state, FOLD, CALL, FOLD)  # only the big blind remains, against an all-in of 40
    assert state.phase == CHANCE


def test_a_short_big_blind_is_called_in_full() -> None:
    """The price is the full blind, not the chips that were posted; the difference comes back."""
    state = start(NL, [1000, 30, 1000])
    assert state.bets == (50, 30, 0)
    assert (state.to_call, state.raise_limits) == (100, (200, 1000))
    hand = start_with_cards(NL, [1000, 30, 1000], cards("AhAd", "KhKd", "QhQd"), parse_cards("2c3d4h7s8c"))
    hand = hand.play(CALL).play(FOLD)
    assert hand.is_over
    assert hand.payoffs() == (-50, 60, -10)  # 90 for the kings; seat 2 has 20 of the small blind and 70 back


def test_short_antes_and_blinds() -> None:
    state = start(no_limit(50, 100, ante=20), [10, 60, 1000, 1000])
    assert state.paid == (10, 60, 20, 20)
    assert state.bets == (0, 40, 0, 0)
    assert state.stacks == (0, 0, 980, 980)


def test_a_big_blind_ante_is_dead_money() -> None:
    game = replace(no_limit(50, 100), antes=(0, 100))
    hand = start_with_cards(game, [1000] * 3, cards("KhKd", "QhQd", "AhAd"), BOARD)
    assert hand.public.dead == (0, 100, 0)
    assert hand.public.paid == (50, 100, 0)
    while not hand.is_over:
        hand = hand.play(CALL)
    assert hand.payoffs() == (-100, -200, 300)
    short = start_with_cards(game, [1000, 100, 1000], cards("KhKd", "AsAh", "QhQd"), BOARD)  # only the ante
    while not short.is_over:
        short = short.play(CALL)
    assert short.payoffs() == (100, 0, -100)


def test_what_a_folded_player_paid_above_all_others_is_shared() -> None:
    game = replace(no_limit(50, 100), antes=(0, 100), free_folds=True)
    hand = start_with_cards(game, [150, 1000, 150], cards("AhKd", "QhQd", "AdKh"), BOARD)
    hand = hand.play(150).play(CALL).play(FOLD)
    assert hand.payoffs() == (100, -200, 100)


def cards(*texts: str) -> list[tuple[int, ...]]:
    return [parse_cards(text) for text in texts]


BOARD = parse_cards("2c3d4h7s8c")


def test_uncalled_chips_go_back() -> None:
    hand = start_with_cards(NL, [1000, 300], cards("KhKd", "AhAd"), BOARD)
    hand = hand.play(CALL).play(1000).play(CALL)  # seat 0 bets everything, seat 1 has 300
    assert hand.is_over
    assert hand.payoffs() == (-300, 300)


def test_any_number_of_side_pots() -> None:
    stacks = [100, 200, 300, 400]
    hand = start_with_cards(NL, stacks, cards("AhAd", "KhKd", "QhQd", "JhJd"), BOARD)
    hand = hand.play(300).play(CALL).play(CALL).play(CALL)
    assert hand.is_over
    # 400 for the aces, 300 for the kings, 200 for the queens.
    assert hand.payoffs() == (300, 100, -100, -300)


def test_odd_chips_go_to_the_first_seat_left_of_the_button() -> None:
    hand = start_with_cards(no_limit(1, 2, ante=1), [101] * 3, cards("AhKd", "AdKh", "AsKc"), BOARD)
    hand = hand.play(FOLD).play(CALL).play(CALL)  # a pot of 7 for seats 0 and 1
    while not hand.is_over:
        hand = hand.play(CALL)
    assert hand.payoffs() == (4 - 3, 3 - 3, -1)


def test_folded_chips_stay_in_the_pot() -> None:
    hand = start_with_cards(NL, [1000] * 3, cards("AhAd", "KhKd", "QhQd"), BOARD)
    hand = hand.play(300).play(CALL).play(FOLD)
    hand = hand.play(500).play(FOLD)
    assert hand.public.phase == FOLDED
    assert hand.payoffs() == (400, -100, -300)


def test_pot_limit() -> None:
    state = start(pot_limit(50, 100), [10_000] * 3)
    assert state.raise_limits == (200, 350)  # call 100, and raise by the 250 that are then in
    assert state.play(350).raise_limits == (600, 350 + 500 + 300)  # call 300, and raise by the pot of 800


def test_fixed_limit_and_its_cap() -> None:
    state = start(fixed_limit(100), [10_000] * 2)
    assert state.raise_limits == (200, 200)
    state = after(state, 200, 300, 400)
    assert state.raise_limits is None
    with pytest.raises(IllegalAction, match="3 bets and raises on this street already"):
        state.play(500)
    state = state.play(CALL).deal(parse_cards("2c3d4h"))
    assert state.raise_limits == (100, 100)
    state = after(state, CALL, CALL).deal(parse_cards("5c"))
    assert state.raise_limits == (200, 200)


def test_restrictions() -> None:
    capped = replace(NL, pot_cap=1000)
    assert start(capped, [10_000] * 2).raise_limits == (200, 900)
    assert start(replace(capped, pot_cap=200), [10_000] * 2).raise_limits is None
    no_all_in = replace(NL, all_in=False)
    assert start(no_all_in, [10_000] * 2).raise_limits == (200, 9_999)
    assert start(no_all_in, [150, 150]).raise_limits is None
    assert after(start(no_all_in, [500, 10_000]), 499).to_call == 399


def test_kuhn_and_leduc_are_variants_like_any_other() -> None:
    state = start(KUHN, [2, 2])
    assert (state.pot, state.actor, state.raise_limits) == (2, 0, (1, 1))
    assert after(state, CALL, 1, CALL).payoffs([3, 1]) == (2, -2)
    state = after(start(LEDUC, [100, 100]), 2, 4, CALL)
    assert (state.pot, state.phase) == (10, CHANCE)
    state = state.deal(parse_cards("Kh"))
    assert state.raise_limits == (4, 4)
    assert after(state, 4, 8).raise_limits is None


def test_showdown_order() -> None:
    state = after(start(NL, [1000] * 4), *[CALL] * 4)
    for board in ("2c3d4h", "7s"):
        state = after(state.deal(parse_cards(board)), *[CALL] * 4)
    checked = after(state.deal(parse_cards("8c")), *[CALL] * 4)
    assert checked.phase == SHOWDOWN
    assert checked.showdown_order() == (0, 1, 2, 3)
    bet = after(state.deal(parse_cards("8c")), CALL, CALL, 100, CALL, FOLD, CALL)
    assert bet.showdown_order() == (2, 3, 1)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (150, r"seat 1 cannot raise to 150; it may raise to between 200 and 1000"),
        (2000, "may raise to between 200 and 1000"),
        (-7, "-7 is not an action"),
    ],
)
def test_illegal_actions_say_what_would_be_right(action: int, reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        start(NL, [1000, 1000]).play(action)


def test_other_things_that_cannot_be_done() -> None:
    state = start(NL, [1000, 1000])
    with pytest.raises(IllegalAction, match="no board cards are to be dealt now"):
        state.deal(parse_cards("2c3d4h"))
    checked = after(state, CALL, CALL)
    with pytest.raises(IllegalAction, match="3 board cards come first"):
        checked.play(CALL)
    with pytest.raises(InvalidInput, match="3 board cards are to be dealt, not 1"):
        checked.deal(parse_cards("2c"))
    with pytest.raises(InvalidInput, match="2c appears twice"):
        checked.deal(parse_cards("2c2c3d"))
    with pytest.raises(IllegalAction, match="the hand is not over"):
        checked.payoffs([0, 0])
    with pytest.raises(IllegalAction, match="no reason to fold: check"):
        after(state, CALL).play(FOLD)
    assert after(start(replace(NL, free_folds=True), [1000, 1000]), CALL, FOLD).is_over
    assert state.phase == ACT


@pytest.mark.parametrize("stacks", [[1000], [1000] * 11, [0, 1000], [-5, 1000], [10**15, 1]])
def test_impossible_stacks(stacks: list[int]) -> None:
    with pytest.raises(InvalidInput, match=r"^stacks: "):
        start(NL, stacks)


def test_states_cannot_be_written_to() -> None:
    hand = start_with_cards(NL, [1000] * 2, cards("AhAd", "KhKd"), BOARD)
    for state in (hand, hand.play(CALL), hand.play(300)):
        with pytest.raises(ValueError, match="read-only"):
            state.view(0).public.flat[6] = 0


def test_chips_of_a_fold_before_anybody_else_paid_are_won() -> None:
    game = replace(no_limit(5, 5), blinds=(5,), free_folds=True)
    assert start(game, [100, 100]).play(FOLD).payoffs([0, 0]) == (5, -5)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_variant_can_be_played_and_expanded(variant: Variant) -> None:
    for count in (2, min(3, variant.most_players)):
        hand = start_random(variant, [500] * count, np.random.default_rng(count))
        assert count_nodes(hand.public, parse_bet_sizes("1p"), Depth(0, 3)) > 3
        while not hand.is_over:
            limits = hand.public.raise_limits
            hand = hand.play(limits[0] if limits and hand.public.raise_count < 2 else CALL)
        assert sum(hand.payoffs()) == 0


def test_a_view_has_the_hand_s_history() -> None:
    hand = start_with_cards(NL, [1000] * 2, cards("AhAd", "KhKd"), BOARD).play(300).play(CALL).play(CALL)
    view = hand.view(0)
    assert view.actions == (300, CALL, CALL)
    states = list(view.states())
    assert states[0] == start(NL, [1000] * 2)
    assert states[-1] == hand.public
    assert [state.street for state in states] == [0, 0, 0, 1, 1]


def test_views_show_one_holding() -> None:
    hand = start_with_cards(NL, [1000] * 2, cards("AhAd", "KhKd"), BOARD)
    view = hand.view(1)
    assert view.holding == parse_cards("KhKd")
    assert view.public.board == ()
    assert not hasattr(view, "holdings")
    assert np.array_equal(view.public.flat, hand.public.flat)
