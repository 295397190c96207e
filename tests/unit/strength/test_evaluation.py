"""The kernels, compared with the slow twin, each other, and two other evaluators."""

import json
import os
import subprocess
import sys
from itertools import combinations, pairwise

import eval7
import numpy as np
import poker_equity
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from phevaluator import evaluate_cards

from riverboat.cards import DECKS, Deck, Ordering, format_card
from riverboat.holdings import holdings_of, live_holdings
from riverboat.strength.hands import strengths_of_hands, strengths_on_boards
from riverboat.strength.single_hand import strength_of_five, strength_of_seven, strength_of_six
from tests.reference.strength import value

HOLDEM = [DECKS[name] for name in ("52", "36", "24")]
A_MILLION = 1_000_000


def random_hands(deck: Deck, card_count: int, hand_count: int, seed: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    places = rng.random((hand_count, len(deck.cards))).argsort(axis=1)[:, :card_count]
    return np.array(deck.cards, np.uint8)[places]


def same_order(strengths: NDArray[np.uint16], values: list[object]) -> bool:
    """Return whether two scales order all hands in the same way."""
    pairs = sorted(set(zip(strengths.tolist(), values, strict=True)))
    return all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))  # type: ignore[operator]


@pytest.mark.parametrize("deck", HOLDEM, ids=lambda deck: deck.name)
@pytest.mark.parametrize("card_count", [5, 6, 7])
def test_agrees_with_the_book(deck: Deck, card_count: int) -> None:
    hands = random_hands(deck, card_count, 3000, seed=card_count)
    short = deck.ordering is Ordering.SHORT
    values: list[object] = [value(map(int, hand), short) for hand in hands]
    assert same_order(strengths_of_hands(deck, hands), values)


@pytest.mark.slow
def test_agrees_with_phevaluator_on_a_million_hands() -> None:
    hands = random_hands(DECKS["52"], 7, A_MILLION, seed=1)
    ours = strengths_of_hands(DECKS["52"], hands)
    theirs = np.array([evaluate_cards(*hand) for hand in hands.tolist()])  # 1 is best, 7462 worst
    assert np.array_equal(7463 - theirs, ours)


@pytest.mark.slow
def test_agrees_with_eval7_on_a_million_hands() -> None:
    cards = [eval7.Card(format_card(card)) for card in range(52)]
    hands = random_hands(DECKS["52"], 7, A_MILLION, seed=2)
    theirs: list[object] = [eval7.evaluate([cards[card] for card in hand]) for hand in hands.tolist()]
    assert same_order(strengths_of_hands(DECKS["52"], hands), theirs)


def test_agrees_with_poker_equity_in_the_short_deck() -> None:
    """Another evaluator's six-plus: a flush beats a full house, A-6-7-8-9 is a straight."""
    hands = random_hands(DECKS["36"], 7, 200_000, seed=3)
    scores = poker_equity.score_batch("short_deck", ["".join(map(format_card, hand)) for hand in hands.tolist()])
    theirs: list[object] = [-score for score in scores]  # lower is better there
    assert same_order(strengths_of_hands(DECKS["36"], hands), theirs)


@pytest.mark.parametrize("card_count", [5, 6])
def test_agrees_with_phevaluator_on_fewer_cards(card_count: int) -> None:
    hands = random_hands(DECKS["52"], card_count, 50_000, seed=card_count)
    theirs = np.array([evaluate_cards(*hand) for hand in hands.tolist()])
    assert np.array_equal(7463 - theirs, strengths_of_hands(DECKS["52"], hands))


def test_one_hand_equals_a_batch() -> None:
    for card_count, one in ((5, strength_of_five), (6, strength_of_six), (7, strength_of_seven)):
        hands = random_hands(DECKS["52"], card_count, 2000, seed=9)
        assert [one(*hand) for hand in hands.tolist()] == strengths_of_hands(DECKS["52"], hands).tolist()


@pytest.mark.slow
def test_processors_without_wide_vectors_agree() -> None:
    """The same hands on the plainest processor that numba compiles for."""
    program = """
import numpy as np
from riverboat.cards import DECKS
from riverboat.strength.hands import strengths_of_hands
from riverboat.strength.wide_vectors import WIDE
assert not WIDE
hands = np.random.default_rng(4).random((5003, 52)).argsort(axis=1)[:, :7].astype(np.uint8)
print(strengths_of_hands(DECKS["52"], hands).astype(int).tolist())
"""
    plain = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    process = subprocess.run([sys.executable, "-c", program], env=plain, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    hands = np.random.default_rng(4).random((5003, 52)).argsort(axis=1)[:, :7].astype(np.uint8)
    assert json.loads(process.stdout) == strengths_of_hands(DECKS["52"], hands).tolist()


hands_of_seven = st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True)


@given(hands_of_seven, st.permutations(range(7)), st.permutations(range(4)))
def test_neither_order_nor_names_of_suits_matter(hand: list[int], order: list[int], suits: list[int]) -> None:
    changed = [4 * (hand[i] >> 2) + suits[hand[i] & 3] for i in order]
    assert strength_of_seven(*hand) == strength_of_seven(*changed)


@given(hands_of_seven)
def test_the_best_five_of_seven_count(hand: list[int]) -> None:
    best = max(strength_of_five(*five) for five in combinations(hand, 5))
    assert strength_of_seven(*hand) == best
    assert strength_of_six(*hand[:6]) <= best


@pytest.mark.parametrize("deck", HOLDEM, ids=lambda deck: deck.name)
@pytest.mark.parametrize("board_size", [3, 4, 5])
def test_all_holdings_on_a_board_equal_each_by_itself(deck: Deck, board_size: int) -> None:
    boards = random_hands(deck, board_size, 150, seed=board_size)
    boards[:20] = np.array(deck.cards, np.uint8)[:: len(deck.suits)][:board_size]  # one suit: flushes for all
    boards[20:40] = np.array(deck.cards, np.uint8)[-board_size:]  # four aces
    strengths = strengths_on_boards(deck, boards)
    holdings = holdings_of(deck).cards
    for board, row in zip(boards, strengths, strict=True):
        live = live_holdings(deck, board.tolist())
        hands = np.concatenate([np.repeat(board[None], live.sum(), axis=0), holdings[live]], axis=1)
        assert np.array_equal(row[live], strengths_of_hands(deck, hands))
        assert not row[~live].any()


def test_small_decks_on_boards() -> None:
    leduc, kuhn = DECKS["leduc"], DECKS["kuhn"]
    king = leduc.cards[4]
    assert strengths_on_boards(leduc, np.array([[king]], np.uint8)).tolist() == [[1, 1, 2, 2, 0, 6]]
    assert strengths_on_boards(kuhn, np.zeros((1, 0), np.uint8)).tolist() == [[1, 2, 3]]
