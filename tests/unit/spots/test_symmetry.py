"""Suits that deals treat alike, and boards that differ only in the names of suits."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from riverboat.cards import Deck, find_deck, parse_cards
from riverboat.holdings import holding_index, holdings_of
from riverboat.spots.symmetry import SuitSymmetry, renamed, symmetry_of

_DECK = find_deck("52")


def _classes(symmetry: SuitSymmetry) -> list[float]:
    classes: list[float] = symmetry.mean(np.random.default_rng(0).random(holdings_of(_DECK).count)).tolist()
    return classes


def _alike(symmetry: SuitSymmetry, one: str, other: str) -> bool:
    classes = _classes(symmetry)
    first, second = (holding_index(_DECK, tuple(parse_cards(text))) for text in (one, other))
    return classes[first] == classes[second]


def test_before_the_flop_there_are_169_classes() -> None:
    assert len(set(_classes(symmetry_of(_DECK, ())))) == 169


def test_suits_that_are_not_on_a_flop_are_alike() -> None:
    flop = symmetry_of(_DECK, tuple(parse_cards("Ks7s2h")))
    assert _alike(flop, "AdQd", "AcQc")
    assert _alike(flop, "AdQs", "AcQs")
    assert not _alike(flop, "AdQd", "AhQh")
    assert not _alike(flop, "AsQs", "AcQc")


def test_a_turn_card_separates_the_suits_of_a_paired_flop() -> None:
    board = tuple(parse_cards("KsKh7d"))
    assert _alike(symmetry_of(_DECK, board), "AsQs", "AhQh")
    assert not _alike(symmetry_of(_DECK, (*board, *parse_cards("2s"))), "AsQs", "AhQh")
    assert not _alike(SuitSymmetry(_DECK, [(card,) for card in board]), "AsQs", "AhQh")  # if the kings came one by one


def _boards(deck: Deck, size: int) -> SearchStrategy[tuple[int, ...]]:
    return st.permutations(deck.cards).map(lambda cards: tuple(cards[:size]))


@given(st.sampled_from(["24", "52"]).flatmap(lambda name: st.tuples(st.just(find_deck(name)), st.randoms())), st.data())
def test_renamed_boards_are_one_for_all_names_of_suits(
    deck_and_random: tuple[Deck, Random], data: st.DataObject
) -> None:
    deck, random = deck_and_random
    board = data.draw(_boards(deck, data.draw(st.sampled_from([0, 3, 4, 5]))))
    suits = random.sample(range(4), 4)
    other = [card - card % 4 + suits[card % 4] for card in board]
    other[:3] = random.sample(other[:3], len(other[:3]))  # the order within a flop
    assert renamed(deck, tuple(other)).board == renamed(deck, board).board
    if len(board) > 3:
        assert renamed(deck, board[:-1]).board == renamed(deck, board).board[:-1]


@given(_boards(_DECK, 5))
def test_numbers_come_back_to_the_holdings_that_were_dealt(board: tuple[int, ...]) -> None:
    """A number for each renamed holding, here its own cards, returns to the holding with those names."""
    named = renamed(_DECK, board)
    cards = holdings_of(_DECK).cards.astype(np.int64)
    back = named.back(np.arange(len(cards), dtype=np.float64)).astype(np.int64)
    names = np.array(named.exchange.cards)
    np.testing.assert_array_equal(np.sort(names[cards], axis=1), cards[back])
    assert sorted(names[list(board)].tolist()) == sorted(named.board)
