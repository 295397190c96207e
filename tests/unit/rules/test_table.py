import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.errors import InvalidInput
from riverboat.rules.state import start
from riverboat.rules.table import chairs_in_order, next_button, settle
from riverboat.rules.variant import no_limit


def test_the_button_moves_past_empty_and_bust_chairs() -> None:
    stacks = [500, 0, 0, 300, 200]
    assert next_button(stacks, 0) == 3
    assert next_button(stacks, 4) == 0
    assert chairs_in_order(stacks, 3) == (4, 0, 3)


def test_two_players_left_play_heads_up() -> None:
    stacks = [500, 0, 0, 300]
    chairs = chairs_in_order(stacks, 0)
    assert chairs == (3, 0)
    state = start(no_limit(50, 100), [stacks[chair] for chair in chairs])
    assert chairs[state.actor or 0] == 0  # and acts first before the flop
    assert state.bets == (100, 50)  # the button, chair 0, has the small blind


def test_busting() -> None:
    assert settle([500, 0, 300], (2, 0), (-300, 300)) == (800, 0, 0)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=10).filter(lambda stacks: sum(map(bool, stacks)) > 1))
def test_everybody_with_chips_gets_the_button_in_turn(stacks: list[int]) -> None:
    button = next_button(stacks, 0)
    seen = []
    for _ in range(sum(map(bool, stacks))):
        seen.append(button)
        assert sorted(chairs_in_order(stacks, button)) == [i for i, stack in enumerate(stacks) if stack]
        assert chairs_in_order(stacks, button)[-1] == button
        button = next_button(stacks, button)
    assert sorted(seen) == [i for i, stack in enumerate(stacks) if stack]


def test_impossible_tables() -> None:
    with pytest.raises(InvalidInput):
        next_button([0, 0], 0)
    with pytest.raises(InvalidInput):
        chairs_in_order([0, 5], 0)
