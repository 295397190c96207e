"""Newcomers' posts and straddles out of turn."""

from dataclasses import replace

import pytest

from riverboat.errors import InvalidInput
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import start
from riverboat.rules.variant import no_limit, rules_array

NL = no_limit(50, 100)


def test_a_post_is_live_and_its_poster_keeps_the_turn() -> None:
    state = start(replace(NL, posts=(0, 0, 0, 100)), [1000] * 5)
    assert (state.actor, state.pot, state.bet) == (2, 250, 100)
    state = state.play(FOLD)
    assert (state.actor, state.to_call, state.raise_limits) == (3, 0, (200, 1000))
    checked = state.play(CALL).play(FOLD).play(CALL)
    assert (checked.actor, checked.pot) == (1, 300)  # the big blind has the last word
    raised = state.play(300).play(FOLD).play(FOLD).play(CALL)
    assert (raised.pot, raised.paid[3]) == (650, 300)


def test_a_smaller_post_is_part_of_the_call() -> None:
    state = start(replace(NL, posts=(0, 0, 50)), [1000] * 3)
    assert (state.actor, state.to_call) == (2, 50)
    assert state.play(CALL).paid == (50, 100, 100)


def test_a_larger_post_is_the_bet_to_call() -> None:
    state = start(replace(NL, posts=(0, 0, 0, 150)), [1000] * 4)
    assert (state.actor, state.to_call, state.raise_limits) == (2, 150, (250, 1000))


def test_a_short_post_is_all_in() -> None:
    state = start(replace(NL, posts=(0, 0, 100)), [1000, 1000, 60])
    assert (state.actor, state.stacks[2], state.pot) == (0, 0, 210)


def test_dead_chips_of_a_newcomer_are_an_ante_of_the_seat() -> None:
    game = replace(NL, posts=(0, 0, 0, 100), antes=(0, 0, 0, 50))
    state = start(game, [1000] * 4)
    assert (state.pot, state.dead[3], state.bets[3]) == (300, 50, 100)
    state = state.play(FOLD).play(CALL).play(FOLD).play(300).play(FOLD)
    assert state.payoffs([0] * 4) == (-50, 200, 0, -150)


def test_a_poster_without_opponents_to_bet_against_is_skipped() -> None:
    state = start(replace(NL, posts=(0, 0, 100)), [50, 100, 200, 20])
    assert state.actor == 3


def test_a_straddle_of_the_button_makes_the_small_blind_act_first() -> None:
    state = start(replace(NL, blinds=(50, 100, 0, 200)), [1000] * 4)
    assert (state.actor, state.to_call) == (0, 150)
    state = state.play(FOLD).play(FOLD).play(CALL)
    assert (state.actor, state.raise_limits) == (3, (300, 1000))


def test_a_second_straddle_is_the_last_blind() -> None:
    state = start(no_limit(50, 100, 200, 400), [1000] * 5)
    assert (state.actor, state.bet, state.bets) == (4, 400, (50, 100, 200, 400, 0))


def test_heads_up_the_button_acts_first_whoever_posts() -> None:
    state = start(replace(NL, blinds=(50,), posts=(0, 100)), [1000] * 2)
    assert (state.actor, state.bets) == (1, (100, 50))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"blinds": (50, 100, 0, 70)}, "blinds: each must be at least as large"),
        ({"posts": (0, 100)}, "posts: a seat with a blind does not post"),
        ({"posts": (0, 0, -5)}, "posts: must be at most 10 numbers"),
    ],
)
def test_impossible_posts_are_refused(changes: dict[str, tuple[int, ...]], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        replace(NL, **changes)  # type: ignore[arg-type]


def test_more_posts_than_players_are_refused() -> None:
    with pytest.raises(InvalidInput, match="posts: 4 posts are too many for 3 players"):
        rules_array(replace(NL, posts=(0, 0, 0, 100)), 3)
