import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import (
    DECKS,
    Deck,
    check_board,
    check_cards,
    deal,
    find_deck,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    shuffle,
)
from riverboat.errors import InvalidInput

FULL = DECKS["52"]
decks = st.sampled_from(list(DECKS.values()))


def test_deck_sizes() -> None:
    assert {name: len(deck.cards) for name, deck in DECKS.items()} == {
        "52": 52, "36": 36, "24": 24, "leduc": 6, "kuhn": 3,
    }  # fmt: skip


def test_cards_keep_their_number_in_every_deck() -> None:
    assert parse_card("9c") == 28 == DECKS["24"].cards[0]
    assert parse_card("6c") == 16 == DECKS["36"].cards[0]
    assert parse_card("As") == 51 == FULL.cards[-1]


@given(st.integers(0, 51))
def test_card_text_round_trip(card: int) -> None:
    text = format_card(card)
    assert parse_card(text) == card == parse_card(text.lower()) == parse_card(text.upper())


@given(st.lists(st.integers(0, 51), max_size=52), st.sampled_from(["", " ", ",", ", ", "\n"]))
def test_cards_text_round_trip(cards: list[int], between: str) -> None:
    assert parse_cards(between.join(map(format_card, cards))) == tuple(cards)
    assert parse_cards(format_cards(cards)) == tuple(cards)


@pytest.mark.parametrize("text", ["A", "Ahh", "1h", "Ax", "hA", "10h", "A h", "♥A", "\x00\x00"])
def test_bad_cards_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_card(text)


def test_megabytes_are_refused_without_repeating_them() -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_cards("Ah" * 1_000_000)
    assert len(str(caught.value)) < 200


@given(st.text(max_size=30))
def test_any_text_parses_or_is_refused(text: str) -> None:
    try:
        cards = parse_cards(text)
    except InvalidInput:
        return
    assert all(0 <= card < 52 for card in cards)


def test_unknown_deck() -> None:
    with pytest.raises(InvalidInput, match="no deck is called 'tarot'; the decks are 52, 36, 24, leduc, kuhn"):
        find_deck("tarot")


def test_check_cards() -> None:
    check_cards(FULL, parse_cards("AhKh"), parse_cards("QhJh"))
    with pytest.raises(InvalidInput, match="Ah appears twice"):
        check_cards(FULL, parse_cards("AhKh"), parse_cards("Ah"))
    with pytest.raises(InvalidInput, match="2c is not in the 24 deck"):
        check_cards(DECKS["24"], parse_cards("2c"))


@pytest.mark.parametrize("count", [1, 2, 6, 7])
def test_board_lengths(count: int) -> None:
    with pytest.raises(InvalidInput, match=f"has 0, 3, 4 or 5 cards, not {count}"):
        check_board(FULL, list(range(count)))


@given(decks, st.integers(0, 2**64 - 1))
def test_shuffle_is_a_permutation_and_repeats(deck: Deck, seed: int) -> None:
    cards = shuffle(deck, np.random.default_rng(seed))
    assert sorted(cards) == list(deck.cards)
    assert cards == shuffle(deck, np.random.default_rng(seed))


def test_shuffle_is_fair() -> None:
    """Each card in each place about equally often: chi-squared with 51 x 52 degrees of freedom."""
    rng = np.random.default_rng(5)
    counts = np.zeros((52, 52))
    rounds = 20_000
    for _ in range(rounds):
        counts[np.arange(52), shuffle(FULL, rng)] += 1
    expected = rounds / 52
    statistic = float(((counts - expected) ** 2 / expected).sum())
    freedom = 51 * 51
    assert abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5


@given(decks, st.integers(0, 12), st.integers(0, 5), st.integers(0, 1000))
def test_deal_uses_each_card_once(deck: Deck, holding_count: int, board_size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    if holding_count * deck.holding_size + board_size > len(deck.cards):
        with pytest.raises(InvalidInput, match=r"the \w+ deck has"):
            deal(deck, holding_count, board_size, rng)
        return
    result = deal(deck, holding_count, board_size, rng)
    assert [len(holding) for holding in result.holdings] == [deck.holding_size] * holding_count
    assert len(result.board) == board_size
    dealt = [card for holding in result.holdings for card in holding]
    assert sorted([*dealt, *result.board, *result.stub]) == list(deck.cards)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(InvalidInput, match="negative"):
        deal(FULL, -1, 5, np.random.default_rng(0))
