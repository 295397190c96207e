"""Suits that deals treat alike."""

import numpy as np

from riverboat.cards import find_deck, parse_cards
from riverboat.holdings import holding_index, holdings_of
from riverboat.spots.symmetry import SuitSymmetry, symmetry_of

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
