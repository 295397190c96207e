import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.cards import DECKS, Deck
from riverboat.errors import InvalidInput
from riverboat.holdings import holdings_of_class
from riverboat.ranges import parse_range

FULL = DECKS["52"]


def classes(text: str, deck: Deck = FULL) -> dict[str, float]:
    """Return the classes in a range with their weights, for ranges of whole classes."""
    weights = parse_range(text, deck)
    by_label = {}
    for label, members in holdings_of_class(deck).items():
        inside = set(weights[members].tolist())
        assert len(inside) == 1, f"{label} is split"
        if weight := inside.pop():
            by_label[label] = weight
    return by_label


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("QQ+", "QQ KK AA"),
        ("88-55", "88 77 66 55"),
        ("55-88", "88 77 66 55"),
        ("AKs", "AKs"),
        ("AK", "AKs AKo"),
        ("KA", "AKs AKo"),
        ("ATs+", "ATs AJs AQs AKs"),
        ("KTo+", "KTo KJo KQo"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("JTs-87s", "JTs T9s 98s 87s"),
        ("86s-64s", "86s 75s 64s"),
        ("T9+", "T9s T9o"),
        ("qq+, aKs", "QQ KK AA AKs"),
        ("22 33", "22 33"),
    ],
)
def test_notation(text: str, expected: str) -> None:
    assert set(classes(text)) == set(expected.split())


def test_the_issue_s_example() -> None:
    weights = parse_range("QQ+, AKs, A5s-A2s, KQo, 76s:0.5", FULL)
    assert np.count_nonzero(weights) == 3 * 6 + 4 + 4 * 4 + 12 + 4
    assert weights.sum() == 18 + 4 + 16 + 12 + 2


def test_random_is_everything() -> None:
    assert parse_range("random", FULL).sum() == 1326
    assert parse_range("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32", FULL).sum() == 1326


def test_single_holdings_and_later_items_count() -> None:
    weights = parse_range("AK,AhKh:0.25,AsKs:0", FULL)
    assert np.count_nonzero(weights) == 15
    assert weights.sum() == 14 + 0.25


def test_one_card_decks() -> None:
    leduc = DECKS["leduc"]
    assert parse_range("K,Qh:0.5", leduc).tolist() == [0, 0, 0.5, 0, 1, 1]
    assert parse_range("Q+", leduc).tolist() == [0, 0, 1, 1, 1, 1]
    assert parse_range("random", leduc).tolist() == [1] * 6


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty range"),
        ("QQ++", "not a holding or an item of a range"),
        ("AKx", "not a holding or an item of a range"),
        ("AhAh", "Ah appears twice"),
        ("AKs:2", "between 0 and 1"),
        ("AKs:nan", "not a number"),
        ("AKs:1_0", "not a number"),
        ("AKs:1e", "not a number"),
        ("AKs:-0.1", "not a number"),
        ("AKs:x", "not a number"),
        ("22-AKs", "both ends of a run"),
        ("ATs-A5o", "both ends of a run"),
        ("AKs-T9s", None),
        ("AKs-Q9s", "share a high card"),
        ("QQs", "neither suited nor offsuit"),
        ("A5s-A2s+", "not a holding or an item of a range"),
        ("random+", "not a holding or an item of a range"),
        ("x" * 50_000, "too many"),
    ],
)
def test_bad_ranges(text: str, reason: str | None) -> None:
    if reason is None:
        assert len(classes(text)) == 5
        return
    with pytest.raises(InvalidInput, match=reason) as caught:
        parse_range(text, FULL)
    assert len(str(caught.value)) < 200


def test_classes_outside_the_deck_are_refused() -> None:
    with pytest.raises(InvalidInput, match="there is no 22 in the 24 deck"):
        parse_range("22+", DECKS["24"])


@given(st.text(alphabet="AKQJT98765432shdco+-:, 0.5random", max_size=40))
def test_any_text_parses_or_is_refused(text: str) -> None:
    try:
        weights = parse_range(text, FULL)
    except InvalidInput:
        return
    assert weights.shape == (1326,)
    assert np.all((weights >= 0) & (weights <= 1))


def test_weights_may_be_written_small() -> None:
    assert parse_range("AsAh:1e-7", FULL).max() == np.float32(1e-7)
    assert parse_range("AsAh:.5", FULL).max() == 0.5


def test_hints_are_for_the_deck() -> None:
    with pytest.raises(InvalidInput, match="write items like K, Q"):
        parse_range("AKs", DECKS["leduc"])


def test_signs_and_tens_are_read() -> None:
    assert np.array_equal(parse_range("10♠10♥, A♠K♠:0.10", FULL), parse_range("TsTh AsKs:0.1", FULL))
