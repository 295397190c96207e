import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.cards import DECKS, Deck, Ordering, parse_cards
from riverboat.equity import equity, matchup
from riverboat.errors import InvalidInput
from riverboat.holdings import holding_index, holdings_of
from riverboat.ranges import parse_range
from riverboat.utility import board_utility, stud_utility
from tests.reference.strength import value, value_of_five

FULL = DECKS["52"]


@st.composite
def boards(draw: st.DrawFn) -> tuple[Deck, list[int]]:
    deck = draw(st.sampled_from(list(DECKS.values())))
    sizes = [size for size in deck.board_sizes if size or not deck.is_holdem]
    size = 5 if deck.name == "52" else draw(st.sampled_from(sizes))
    return deck, draw(st.lists(st.sampled_from(deck.cards), min_size=size, max_size=size, unique=True))


@given(boards())
@settings(max_examples=25, deadline=None)
@pytest.mark.slow
def test_zero_sum_antisymmetric_and_marked(pair: tuple[Deck, list[int]]) -> None:
    deck, board = pair
    matrix = board_utility(deck, board).matrix()
    impossible = np.isnan(matrix)
    cards = [set(map(int, row)) for row in holdings_of(deck).cards]
    for i in range(0, len(cards), 7):
        for j in range(len(cards)):
            assert impossible[i, j] == bool(cards[i] & cards[j] or cards[i] & set(board) or cards[j] & set(board))
    assert np.array_equal(impossible, impossible.T)
    assert np.array_equal(np.nan_to_num(matrix), -np.nan_to_num(matrix).T)
    assert np.nanmax(np.abs(matrix)) <= 1


def test_river_is_who_wins() -> None:
    deck, board = DECKS["36"], parse_cards("6h7hTh9dAc")
    matrix = board_utility(deck, board).matrix()
    assert set(np.unique(matrix[~np.isnan(matrix)])) == {-1, 0, 1}
    rng = np.random.default_rng(0)
    holdings = holdings_of(deck).cards
    for i, j in rng.integers(0, len(holdings), (500, 2)):
        if not np.isnan(matrix[i, j]):
            mine = value([*map(int, holdings[i]), *board], short=deck.ordering is Ordering.SHORT)
            theirs = value([*map(int, holdings[j]), *board], short=True)
            assert matrix[i, j] == (mine > theirs) - (mine < theirs)


@pytest.mark.parametrize("board", ["Td9d2c", "Td9d2c5h", "8h8d8c"])
def test_before_the_river_it_is_the_equity(board: str) -> None:
    utility = board_utility(FULL, parse_cards(board))
    pairs = [("AhKh", "QsQc"), ("2d2h", "7c6c"), ("JdTc", "JhTs")]
    for mine, theirs in pairs:
        i, j = (holding_index(FULL, parse_cards(text)) for text in (mine, theirs))
        question = matchup(FULL, parse_cards(board), parse_range(mine, FULL), [parse_range(theirs, FULL)])
        exact = equity(question, np.random.default_rng(0), exact=True)
        assert utility.rows(i, i + 1)[0, j] == pytest.approx(2 * exact.equity - 1, abs=1e-6)


def test_leduc_by_hand() -> None:
    matrix = board_utility(DECKS["leduc"], ()).matrix()
    # A jack against a queen: the other jack wins, the other queen and both kings lose.
    assert matrix[0, 2] == pytest.approx((1 - 3) / 4)
    assert board_utility(DECKS["kuhn"], ()).matrix()[2].tolist()[:2] == [1, 1]


@pytest.mark.parametrize("board", ["", "Td9d", "Td9d2c5h3s4s", "TdTd2c"])
def test_bad_boards(board: str) -> None:
    with pytest.raises(InvalidInput):
        board_utility(FULL, parse_cards(board))


def test_stud_agrees_with_the_book() -> None:
    mine, theirs = parse_cards("AhKhQhJh"), parse_cards("2c2d7s8s")
    matrix = stud_utility(FULL, mine, theirs)
    assert matrix.shape == (52, 52)
    for i in range(52):
        for j in range(52):
            if i == j or i in mine or i in theirs or j in mine or j in theirs:
                assert np.isnan(matrix[i, j])
            else:
                a, b = value_of_five([*mine, i]), value_of_five([*theirs, j])
                assert matrix[i, j] == (a > b) - (a < b)
    swapped = stud_utility(FULL, theirs, mine)
    assert np.array_equal(np.nan_to_num(matrix), -np.nan_to_num(swapped).T)


@pytest.mark.parametrize(
    ("deck", "mine", "theirs", "field"),
    [
        ("52", "AhKhQh", "2c2d7s8s", "mine"),
        ("52", "AhKhQhJh", "2c2d7s8s9s", "theirs"),
        ("52", "AhKhQhJh", "Ah2d7s8s", "theirs"),
        ("leduc", "KhKs", "QhQs", "deck"),
    ],
)
def test_bad_stud(deck: str, mine: str, theirs: str, field: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{field}: "):
        stud_utility(DECKS[deck], parse_cards(mine), parse_cards(theirs))
