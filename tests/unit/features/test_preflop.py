"""Card features before the flop: from those of single holdings on every board, and known equities."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from riverboat.cards import DECKS, Deck, parse_cards
from riverboat.contracts.oracle import FeaturesQuestion
from riverboat.errors import InvalidInput
from riverboat.features.card_features import F32, holding_features
from riverboat.features.preflop import class_features, class_numbers, spread_features
from riverboat.holdings import class_label, holding_index, holdings_of, holdings_of_class
from riverboat.parallel import serial
from riverboat.services.oracle.oracle import Oracle
from riverboat.services.oracle.preflop_features import features_before_the_flop, kept_features
from tests.reference.features import deciles

SMALL, FULL = DECKS["24"], DECKS["52"]


def twin(deck: Deck, holding: tuple[int, ...]) -> F32:
    """Return the features of one holding from its equities on all flops, turns and rivers, each computed alone."""
    unseen = [card for card in deck.cards if card not in holding]
    numbers: list[float] = []
    for size in (3, 4, 5):
        equities = [float(holding_features(deck, board, holding)[0]) for board in combinations(unseen, size)]
        numbers += deciles(equities)  # type: ignore[arg-type]  # floats are ordered too
    return np.array([np.mean(equities), *numbers], np.float32)


@pytest.mark.parametrize("holding", ["AsAh", "9c9d", "AsKs", "Jd9h"])
def test_24_cards_equal_the_twin(holding: str) -> None:
    cards = parse_cards(holding)
    ours, wanted = features_before_the_flop(SMALL)[holding_index(SMALL, cards)], twin(SMALL, cards)
    assert np.array_equal(ours[1:], wanted[1:])
    assert ours[0] == pytest.approx(wanted[0], abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "holding"), [("52", "KsKh"), ("36", "JsTs")])
def test_larger_decks_equal_the_twin(name: str, holding: str) -> None:
    deck, cards = DECKS[name], parse_cards(holding)
    ours, wanted = features_before_the_flop(deck)[holding_index(deck, cards)], twin(deck, cards)
    assert np.array_equal(ours[1:], wanted[1:])
    assert ours[0] == pytest.approx(wanted[0], abs=1e-6)


def test_kings_and_other_known_equities() -> None:
    features = features_before_the_flop(FULL)
    known = {"KsKh": 0.8240, "AsAh": 0.8520, "AsKs": 0.6704, "7d2c": 0.3458}
    for holding, equity in known.items():
        assert features[holding_index(FULL, parse_cards(holding)), 0] == pytest.approx(equity, abs=5e-5)
    kings = features[holding_index(FULL, parse_cards("KsKh")), 0]
    assert kings == pytest.approx(0.825, abs=0.0011)  # the paper says 82.5 %


@pytest.mark.parametrize("name", ["52", "36", "24"])
def test_every_holding_of_a_class_has_the_same_features(name: str) -> None:
    deck = DECKS[name]
    features = features_before_the_flop(deck)
    assert features.shape == (holdings_of(deck).count, 31)
    for members in holdings_of_class(deck).values():
        assert (features[members] == features[members[0]]).all()
    assert features[:, 0].mean() == pytest.approx(0.5, abs=1e-6)  # what one wins another loses
    assert (np.diff(features[:, 1:].reshape(-1, 3, 10), axis=2) >= 0).all()


def test_classes_are_numbered_in_their_order() -> None:
    labels, numbers = list(holdings_of_class(SMALL)), class_numbers(SMALL)
    for cards, number in zip(holdings_of(SMALL).cards.tolist(), numbers, strict=True):
        assert labels[number] == class_label(cards)
    table = np.arange(len(labels), dtype=np.float32)[:, None]
    assert np.array_equal(spread_features(SMALL, table)[:, 0], numbers)


def kept(deck: Deck) -> F32:
    features = kept_features(deck)
    assert features is not None
    return features


def test_a_deck_that_is_not_in_the_file_is_computed() -> None:
    deck = replace(SMALL, name="20", ranks=SMALL.ranks[1:])
    assert kept_features(deck) is None
    holdings = (parse_cards("AsAh"), parse_cards("JdTh"))
    features = Oracle(serial, 1).features(FeaturesQuestion(deck=deck, board=(), holdings=holdings))
    for ours, holding in zip(features, holdings, strict=True):
        assert np.array_equal(ours[1:], twin(deck, holding)[1:])


def test_the_file_is_what_the_library_makes_and_progress_is_reported() -> None:
    shares: list[float] = []
    assert np.array_equal(kept(SMALL), class_features(SMALL, shares.append))
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert kept(FULL).shape == (169, 31)
    assert kept(DECKS["36"]).shape == (81, 31)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["52", "36"])
def test_the_file_is_what_the_library_makes_of_larger_decks(name: str) -> None:
    assert np.array_equal(kept(DECKS[name]), class_features(DECKS[name]))


def test_a_deck_with_one_private_card() -> None:
    with pytest.raises(InvalidInput, match="two private cards"):
        class_features(DECKS["leduc"])
