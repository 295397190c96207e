import numpy as np
import pytest

from riverboat.cards import DECKS, parse_cards
from riverboat.equity import Matchup, matchup
from riverboat.errors import InvalidInput
from riverboat.ranges import parse_range

FULL = DECKS["52"]


def ask(hero: str, opponents: list[str], board: str = "", deck: str = "52") -> Matchup:
    cards = DECKS[deck]
    others = [None if text == "" else parse_range(text, cards) for text in opponents]
    return matchup(cards, parse_cards(board), parse_range(hero, cards), others)


def test_deal_counts() -> None:
    """The published numbers of deals."""
    assert ask("AsAh", ["KsKh"]).most_deals == 1_712_304
    assert ask("AsAh", [""]).most_deals == 2_097_572_400
    assert ask("AsAh", [""], "2c7dTh").most_deals == 1_070_190


def test_random_in_words_is_random() -> None:
    assert ask("AsAh", ["random"]).opponents == (None,)
    assert ask("AsAh", ["random:0.5"]).opponents == (None,)
    assert ask("AsAh", ["QQ+"]).opponents[0] is not None


def test_holdings_on_the_board_have_no_weight() -> None:
    question = ask("AA", ["KK"], "AhKhQh")
    assert np.count_nonzero(question.hero) == 3
    assert question.known == ()
    assert ask("AhAs", ["KK"]).known == parse_cards("AhAs")


@pytest.mark.parametrize(
    ("hero", "opponents", "board", "deck", "reason"),
    [
        ("AA", [], "", "52", "opponents: there must be 1 to 9"),
        ("AA", [""] * 10, "", "52", "opponents: there must be 1 to 9"),
        ("AA", [""] * 9, "", "24", "opponents: 9 opponents need 25 cards in all; the 24 deck has 24"),
        ("AA", [""], "AhKh", "52", "board: a board of the 52 deck has"),
        ("AA", [""], "AhAhKh", "52", "board: Ah appears twice"),
        ("AhAs", [""], "AhKhQh", "52", "hero: AsAh has a card that is on the board"),
        ("AA", ["AhAs"], "AhKhQh", "52", r"opponents\[0\]: AsAh has a card that is on the board"),
        ("AhAs,AhKs", [""], "AhKhQh", "52", "hero: the range is empty on this board"),
        ("AA:0", [""], "", "52", "hero: the range is empty$"),
        ("AhAs", ["AhKh"], "", "52", "Ah is in two players' hands"),
        ("AA", ["AA", "AA"], "", "52", "exclude each other"),
    ],
)
def test_impossible_questions(hero: str, opponents: list[str], board: str, deck: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        ask(hero, opponents, board, deck)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -1.0])
def test_weights_must_be_numbers(bad: float) -> None:
    weights = np.ones(1326, np.float32)
    weights[7] = bad
    with pytest.raises(InvalidInput, match="hero: weights must be finite numbers, none below zero"):
        matchup(FULL, (), weights, [None])


def test_weights_must_fit_the_deck() -> None:
    with pytest.raises(InvalidInput, match="a range has 1326 weights, not 276"):
        matchup(FULL, (), np.ones(276, np.float32), [None])


def test_a_hopeless_search_for_a_deal_gives_up() -> None:
    """Nine players whose ranges contain only seventeen cards: impossible, and slow to prove by trying."""
    few = np.zeros(1326, np.float32)
    few[: 17 * 16 // 2] = 1
    question = matchup(FULL, (), few, [few] * 8)
    assert question.most_deals > 0
