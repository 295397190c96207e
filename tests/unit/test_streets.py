import pytest

from riverboat.cards import DECKS
from riverboat.rules.state import start
from riverboat.rules.variant import LEDUC, no_limit
from riverboat.streets import STREET_NUMBERS, STREET_OF_CARDS, STREETS, is_cut, street_name


def test_names_are_those_of_hold_em() -> None:
    assert [street_name(street, 4) for street in range(4)] == ["preflop", "flop", "turn", "river"]
    assert [STREETS[number] for number in STREET_NUMBERS.values()] == list(STREET_NUMBERS)


def test_other_games_have_numbered_streets() -> None:
    assert [street_name(street, 2) for street in range(2)] == ["street 1", "street 2"]


def test_boards_have_the_names_of_their_streets() -> None:
    for size, name in STREET_OF_CARDS.items():
        assert DECKS["52"].board_sizes[STREET_NUMBERS[name]] == size


@pytest.mark.parametrize(("street", "expected"), [(0, True), (1, True), (2, False), (3, False)])
def test_the_last_two_streets_are_solved_to_the_end(street: int, expected: bool) -> None:
    assert is_cut(len(STREETS) - 1 - street) is expected


def test_a_state_knows_how_many_streets_follow() -> None:
    assert start(no_limit(50, 100), [1000, 1000]).streets_left == 3
    leduc = start(LEDUC, [100, 100])
    assert leduc.streets_left == 1
    assert not is_cut(leduc.streets_left)
