"""Menus: what a model chooses from, and what each choice is in a hand."""

import pytest

from riverboat.errors import InvalidInput
from riverboat.policies.menus import Menu, menus_of, places_in_menus
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.state import start
from riverboat.rules.variant import no_limit
from tests.unit.blueprint.games import game_of

GAME = no_limit(50, 100)
MENU = Menu((0.5, 1.0))


def test_sizes_that_are_nearly_the_same_are_one_choice() -> None:
    menus = menus_of(parse_bet_sizes("; 1p all-in / 0.4p 0.75p; 0.7p all-in"), 4)
    assert [menu.names for menu in menus[:2]] == [
        ("fold", "call", "1p", "all-in"),
        ("fold", "call", "0.4p", "0.75p", "all-in"),
    ]
    assert menus[1:] == (menus[1],) * 3


def test_sizes_in_chips_are_refused() -> None:
    with pytest.raises(InvalidInput, match="fractions of the pot"):
        menus_of(parse_bet_sizes("300"), 4)


@pytest.mark.parametrize("fractions", [(0.0,), (1.0, 0.5), (0.5, 0.5), (float("nan"),)])
def test_a_menu_is_in_order(fractions: tuple[float, ...]) -> None:
    with pytest.raises(InvalidInput):
        Menu(fractions)


def test_choices_are_legal_actions() -> None:
    public = start(GAME, (20_000, 20_000))
    assert MENU.legal_actions(public) == (FOLD, CALL, 200, 300, 20_000)
    limped = public.play(CALL)
    assert MENU.legal_actions(limped) == (CALL, CALL, 200, 300, 20_000)  # a free fold is a check
    facing = public.play(20_000)
    assert MENU.legal_actions(facing) == (FOLD, CALL, CALL, CALL, CALL)  # nothing is left to raise with
    short = start(GAME, (250, 250))
    assert MENU.legal_actions(short) == (FOLD, CALL, 200, 250, 250)


def test_every_choice_is_legal_anywhere_in_a_tree() -> None:
    game = game_of("24")
    menus = menus_of(game.sizes, 4)
    for line in range(0, len(game.betting.kind), 7):
        if game.tree.kind[line] == 0:
            board = game.variant.deck.cards[: game.variant.deck.board_sizes[game.tree.street[line]]]
            public = game.betting.state(line, board)
            actions = menus[public.street].legal_actions(public)
            assert len(actions) == len(menus[public.street])
            assert all(public.can_play(action) for action in actions)


def test_actions_of_a_tree_have_their_places() -> None:
    game = game_of("24")
    places = places_in_menus(game.betting, game.tree.street, menus_of(game.sizes, 4))
    assert places[0] == -1
    first = int(game.tree.first_child[0])
    assert places[first : first + 4].tolist() == [0, 1, 2, 3]  # fold, call, the pot, all-in
