"""Who wins with what, in a sentence."""

import pytest

from riverboat.cards import parse_cards
from riverboat.clients.analysis.endings import win_words
from riverboat.rules.state import PublicState, start_with_cards
from riverboat.rules.variant import no_limit


def showdown(board: str) -> PublicState:
    """Return the end of a hand in which both players checked to a showdown."""
    hand = start_with_cards(
        no_limit(50, 100), [10_000] * 2, [parse_cards("AhKh"), parse_cards("7c2d")], parse_cards(board)
    )
    for _ in range(8):
        hand = hand.play(0)
    return hand.public


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("QhJhTh3c4d", "a royal flush"),
        ("Qh9h4h3c5d", "a flush, ace-king-queen-nine-four"),
        ("QcJdTh3c4d", "a straight, ace high"),
        ("AcAdKc3c4d", "a full house, aces over kings"),
        ("Ac9dTh3c4d", "a pair of aces, king-ten-nine kickers"),
        ("AcKdTh3c4d", "two pair, aces and kings, ten kicker"),
        ("AcAdTh3c4d", "three of a kind, aces, king-ten kickers"),
        ("AcAdAs3c4d", "four of a kind, aces, king kicker"),
        ("QcJd9h3c4d", "high card, ace-king-queen-jack-nine"),
    ],
)
def test_a_winning_hand_has_an_article_where_english_wants_one(board: str, words: str) -> None:
    assert win_words("Ann", "800", showdown(board), parse_cards("AhKh")) == f"Ann wins 800 with {words}"


def test_the_hand_is_left_out_if_it_is_unknown() -> None:
    assert win_words("Ann", "800", showdown("QhJhTh3c4d"), None) == "Ann wins 800"
