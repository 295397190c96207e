import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import DECKS, Deck, format_cards, parse_cards
from riverboat.errors import InvalidInput
from riverboat.holdings import class_grid, class_label, holding_index, holdings_of, holdings_of_class, live_holdings

decks = st.sampled_from(list(DECKS.values()))


def test_holding_counts() -> None:
    counts = {name: holdings_of(deck).count for name, deck in DECKS.items()}
    assert counts == {"52": 1326, "36": 630, "24": 276, "leduc": 6, "kuhn": 3}


@given(decks, st.data())
def test_index_is_the_place_in_the_axis(deck: Deck, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, holdings_of(deck).count - 1))
    cards = [int(card) for card in holdings_of(deck).cards[index]]
    assert holding_index(deck, cards) == index == holding_index(deck, cards[::-1])
    assert parse_cards(holdings_of(deck).label(index)) == tuple(reversed(cards))


def test_axis_order_is_documented_order() -> None:
    full = holdings_of(DECKS["52"])
    assert [full.label(i) for i in (0, 1, 2, 3, 1325)] == ["2d2c", "2h2c", "2h2d", "2s2c", "AsAh"]


def test_bad_holdings() -> None:
    with pytest.raises(InvalidInput, match="has 2 cards, not 3"):
        holding_index(DECKS["52"], [1, 2, 3])
    with pytest.raises(InvalidInput, match="appears twice"):
        holding_index(DECKS["52"], [1, 1])
    with pytest.raises(InvalidInput, match="has 1 card, not 2"):
        holding_index(DECKS["leduc"], parse_cards("KhKs"))


@given(decks, st.data())
def test_live_holdings_share_no_card(deck: Deck, data: st.DataObject) -> None:
    dead = data.draw(st.lists(st.sampled_from(deck.cards), unique=True, max_size=len(deck.cards)))
    live = live_holdings(deck, dead)
    for cards, alive in zip(holdings_of(deck).cards, live, strict=True):
        assert alive == (not set(map(int, cards)) & set(dead))


@pytest.mark.parametrize(("cards", "label"), [("AhKh", "AKs"), ("KdAh", "AKo"), ("7c7d", "77"), ("2s9s", "92s")])
def test_class_labels(cards: str, label: str) -> None:
    assert class_label(parse_cards(cards)) == label


def test_there_are_169_classes() -> None:
    grid = class_grid(DECKS["52"])
    assert len({label for row in grid for label in row}) == 169
    assert grid[0][0] == "AA"
    assert grid[0][1] == "AKs"
    assert grid[1][0] == "AKo"
    assert len(class_grid(DECKS["24"])) == 6


@given(decks)
def test_classes_divide_the_holdings(deck: Deck) -> None:
    members = np.concatenate(list(holdings_of_class(deck).values()))
    assert sorted(members.tolist()) == list(range(holdings_of(deck).count))


def test_class_sizes() -> None:
    sizes = {label: len(members) for label, members in holdings_of_class(DECKS["52"]).items()}
    assert (sizes["AA"], sizes["AKs"], sizes["AKo"]) == (6, 4, 12)
    for label, members in holdings_of_class(DECKS["36"]).items():
        for index in members:
            assert class_label([int(card) for card in holdings_of(DECKS["36"]).cards[index]]) == label
    assert format_cards(map(int, holdings_of(DECKS["leduc"]).cards[5])) == "Ks"
