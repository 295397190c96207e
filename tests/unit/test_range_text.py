import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import find_deck
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of, holdings_of_class
from riverboat.range_text import range_text
from riverboat.ranges import parse_range
from riverboat.starting_hands import STRONGEST_FIRST

DECK = find_deck("52")


@given(st.sets(st.sampled_from(sorted(holdings_of_class(DECK))), min_size=1))
def test_what_is_written_is_read_back(labels: set[str]) -> None:
    weights = parse_range(range_text(labels), DECK)
    members = holdings_of_class(DECK)
    assert {label for label in members if weights[members[label]].all()} == labels
    assert weights.sum() == sum(len(members[label]) for label in labels)


@pytest.mark.parametrize("deck", ["52", "36", "24"])
def test_percentages_are_shares_of_all_holdings_the_strongest_first(deck: str) -> None:
    cards = find_deck(deck)
    whole = holdings_of(cards).count
    assert set(STRONGEST_FIRST[deck]) == set(holdings_of_class(cards))
    for share in (1, 15, 33.3, 100):
        assert parse_range(f"top {share}%", cards).sum() == pytest.approx(whole * share / 100, rel=1e-4)
    parts = parse_range("15%", cards) + parse_range("15%-40%", cards)
    assert parts == pytest.approx(parse_range("top 40 %", cards), abs=1e-6)
    assert parse_range("10%", cards)[holdings_of_class(cards)["AA"]].all()


def test_percentages_beside_other_items() -> None:
    weights = parse_range("top 5%, 72o:0.5", DECK)
    assert set(weights[holdings_of_class(DECK)["72o"]].tolist()) == {0.5}
    assert parse_range("5%:0.5", DECK).max() == 0.5


@pytest.mark.parametrize("text", ["0%", "101%", "40%-20%", "top 5.5.5%"])
def test_percentages_that_make_no_sense(text: str) -> None:
    with pytest.raises(InvalidInput, match="percentages are between 0 and 100"):
        parse_range(text, DECK)


def test_a_deck_of_one_card_has_no_percentages() -> None:
    with pytest.raises(InvalidInput, match="has no percentages"):
        parse_range("50%", find_deck("kuhn"))


def test_runs() -> None:
    labels = ["AA", "KK", "99", "88", "AKs", "AQs", "A5s", "A4s", "KJo"]
    assert range_text(labels) == "KK+, 99-88, AQs+, A5s-A4s, KJo"
