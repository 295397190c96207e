"""Groups on boards: the same for boards that differ by names of suits, and what the features say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.blueprint.clusters import nearest_centres
from riverboat.blueprint.deals import empty_live, write_live
from riverboat.blueprint.groups import NOBODY
from riverboat.cards import DECKS
from riverboat.features.card_features import all_features
from riverboat.holdings import holdings_of, live_holdings
from riverboat.preflop import suit_exchanges
from tests.unit.blueprint.games import game_of, grouping_of, tables_of_game

DECK = DECKS["24"]
BOARDS = st.permutations(DECK.cards).map(lambda cards: tuple(cards[:5]))
quick = settings(max_examples=15, deadline=None)


@quick
@given(BOARDS, st.sampled_from([3, 4, 5]))
def test_a_group_is_the_nearest_centre_of_the_features(cards: tuple[int, ...], size: int) -> None:
    board = cards[:size]
    groups, features = grouping_of("24").on_board(board), all_features(DECK, board)
    live = live_holdings(DECK, board)
    assert np.array_equal(groups == NOBODY, ~live)
    wanted = nearest_centres(features[live], grouping_of("24").centres[size - 3])
    assert (groups[live] == wanted).mean() > 0.99  # suits may be renamed: sums of floats then round differently


@quick
@given(BOARDS, st.integers(0, 23))
def test_renaming_suits_renames_groups(cards: tuple[int, ...], number: int) -> None:
    order = suit_exchanges(DECK)[number]
    holdings = holdings_of(DECK).cards
    singles: dict[int, set[int]] = {}  # where the permutation takes each card
    for h, image in enumerate(order.tolist()):
        for card in holdings[h].tolist():
            singles.setdefault(card, set(holdings[image].tolist()))
            singles[card] &= set(holdings[image].tolist())
    board = cards[:3]
    renamed = tuple(next(iter(singles[card])) for card in board)
    grouping = grouping_of("24")
    assert np.array_equal(grouping.on_board(renamed)[order], grouping.on_board(board))


@quick
@given(BOARDS)
def test_a_dealt_board_has_its_live_holdings_by_strength_with_the_same_groups(cards: tuple[int, ...]) -> None:
    game, grouping = game_of("24"), grouping_of("24")
    live = empty_live(game.holding_count, 4)
    n = write_live(np.array(cards, np.uint8), tables_of_game("24"), live)
    index = live.holding[:n]
    assert np.array_equal(np.sort(index), np.flatnonzero(live_holdings(DECK, cards)))
    for street, size in enumerate(game.variant.board_sizes):
        same = live.groups[street, :n] == grouping.on_board(cards[:size])[index]
        assert same.mean() > 0.99


def test_groups_have_a_meaning_a_higher_one_has_more_equity() -> None:
    for centres in grouping_of("24").centres:
        assert (np.diff(centres[:, 0]) >= 0).all()


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_small_games_lose_nothing(name: str) -> None:
    deck = game_of(name).variant.deck
    for size in deck.board_sizes:
        for board in [(card,) for card in deck.cards] if size else [()]:
            groups = grouping_of(name).on_board(board)
            ranks = [(card >> 2, *(b >> 2 for b in board)) for card in deck.cards]
            assert len({*zip(groups.tolist(), ranks, strict=True)}) == len({*ranks}) == len({*groups.tolist()})
