import numpy as np
import pytest

from riverboat.cards import find_deck, parse_cards
from riverboat.clients.analysis.comparison import class_words, compare, has_draw, strengths_now
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.ranges import parse_range
from riverboat.strength.hands import strength_of

FULL, SMALL = find_deck("52"), find_deck("24")


def words(board: str, holding: str) -> str:
    return class_words(FULL, parse_cards(board))[holding_index(FULL, parse_cards(holding))]


@pytest.mark.parametrize(
    ("board", "holding", "expected"),
    [
        ("", "8h8d", "pairs"),
        ("", "AhTd", "aces"),
        ("", "KhTd", "king-high hands"),
        ("", "Th2d", "lower cards"),
        ("Td9h2c", "AhKd", "high cards"),
        ("Td9h2c", "AhTs", "pairs of tens"),
        ("Td9h2c", "QsJh", "draws"),
        ("Td9h2c", "QsKh", "high cards"),  # one rank makes the straight
        ("Td9d2c", "AdKd", "draws"),
        ("Td9d2c", "TsTh", "three of a kind"),
        ("Td9d2c5h", "AdKd", "draws"),
        ("Td9d2c5h3s", "AdKd", "missed draws"),
        ("Td9d2c5h3s", "AhKs", "high cards"),
        ("TdTh2c", "AhKs", "hands with only the board's pair"),
        ("TdTh2c", "AhAs", "two pair"),
        ("TdTh2c2d", "AhKs", "hands with only the board's two pair"),
        ("TdTh2c2d5s", "8h8s", "two pair"),
        ("TdThTc2d", "AhKs", "hands with only the board's three of a kind"),
        ("8d9hTcJdQs", "2h3s", "hands with only the board's straight"),
        ("8d9hTcJdQs", "Kh3s", "straights"),
        ("8d9h8cJdJs", "Jh3s", "full houses"),
        ("2d5d9dJd3c", "7h7s", "pairs of sevens"),
        ("2d5d9dJd", "Kh7s", "high cards"),  # the flush would be everybody's
        ("2d5d9dJd", "7d8s", "flushes"),
    ],
)
def test_what_players_call_it(board: str, holding: str, expected: str) -> None:
    assert words(board, holding) == expected


def test_draws_by_hand() -> None:
    """Flush draws and open-ended straight draws, counted card by card."""
    board = parse_cards("Jd7d3c")
    draws = has_draw(FULL, board)
    for place in range(0, holdings_of(FULL).count, 7):
        cards = [int(card) for card in holdings_of(FULL).cards[place]]
        if set(cards) & set(board):
            assert not draws[place]
            continue
        suits = [card & 3 for card in (*cards, *board)]
        flush = max(suits.count(suit) for suit in range(4)) == 4
        ranks = {card >> 2 for card in (*cards, *board)} | ({-1} if 12 in {c >> 2 for c in (*cards, *board)} else set())
        ways = {new for new in range(13) if new not in ranks for low in range(-1, 9) if _run(ranks, new, low)}
        assert draws[place] == (flush or len(ways) >= 2), cards


def _run(ranks: set[int], new: int, low: int) -> bool:
    more = {new, -1} if new == 12 else {new}
    return set(range(low, low + 5)) <= ranks | more


@pytest.mark.parametrize("board", ["Kd9h9c", "Kd9h9cTs", "Kd9h9cTsAd"])
def test_shares_by_hand(board: str) -> None:
    cards, holding = parse_cards(board), parse_cards("KhQs")
    weights = np.array(parse_range("AA-99,AK,KQ:0.5,QJs,JT:0.2", SMALL), np.float64)
    weights *= live_holdings(SMALL, (*cards, *holding))
    comparison = compare(SMALL, cards, holding, weights)
    mine = strength_of(SMALL, (*holding, *cards))
    sums = {-1: 0.0, 0: 0.0, 1: 0.0}
    for place, weight in enumerate(weights.tolist()):
        if weight:
            theirs = strength_of(SMALL, [*map(int, holdings_of(SMALL).cards[place]), *cards])
            sums[(theirs > mine) - (theirs < mine)] += weight
    shares = [sums[side] / weights.sum() for side in (-1, 1, 0)]
    assert [comparison.beats, comparison.loses, comparison.ties] == pytest.approx(shares)
    assert sum(group.share for group in comparison.beaten) == pytest.approx(comparison.beats)
    assert sum(group.share for group in comparison.better) == pytest.approx(comparison.loses)
    assert list(comparison.beaten) == sorted(comparison.beaten, key=lambda group: -group.share)


def test_the_same_kind_of_hand_is_weaker_or_better() -> None:
    board, holding = parse_cards("Td9h2c"), parse_cards("AhTs")
    weights = np.array(parse_range("KT,QT,99,TT", FULL), np.float64) * live_holdings(FULL, (*board, *holding))
    comparison = compare(FULL, board, holding, weights)
    assert [group.words for group in comparison.beaten] == ["weaker pairs of tens"]
    assert [group.words for group in comparison.better] == ["three of a kind"]


def test_before_the_flop_pairs_come_first_then_high_cards() -> None:
    strengths = strengths_now(FULL, ())
    order = [strengths[holding_index(FULL, parse_cards(cards))] for cards in ("3h2d", "KhQd", "Ah2d", "AhKd", "2h2d")]
    assert order == sorted(order)
    assert len(set(order)) == len(order)


def test_one_card() -> None:
    leduc = find_deck("leduc")
    king = holdings_of(leduc).count - 1
    assert class_words(leduc, ())[king] == "kings"
    assert "pairs of kings" in class_words(leduc, (leduc.cards[-2],))
