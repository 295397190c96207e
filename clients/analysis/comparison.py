"""How a holding compares with a range at this moment: which part it beats, which beats it, and their names."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, Ordering
from riverboat.contracts.oracle import Category
from riverboat.holdings import holding_index, holdings_of, live_holdings
from riverboat.solving.subgame import F64
from riverboat.strength.hands import strengths_of_hands, strengths_on_boards
from riverboat.strength.tables import scale_of
from riverboat.strength.words import CATEGORY_NAMES, describe

Flags = NDArray[np.bool_]
I64 = NDArray[np.int64]

_TEN = 8  # the rank
_ACE = 12
_PREFLOP_PAIR = 13 * 13  # strengths before the flop: above all holdings that are not pairs
_WHOLE_BOARD = 5
_OPEN_RANKS = 2  # a straight draw counts if at least this many ranks complete it
_PLURALS = {
    Category.HIGH_CARD: "high cards",
    Category.TWO_PAIR: "two pair",
    Category.THREE_OF_A_KIND: "three of a kind",
    Category.STRAIGHT: "straights",
    Category.FLUSH: "flushes",
    Category.FULL_HOUSE: "full houses",
    Category.FOUR_OF_A_KIND: "four of a kind",
    Category.STRAIGHT_FLUSH: "straight flushes",
    Category.ROYAL_FLUSH: "royal flushes",
}
# How many cards of each of the hand's ranks must be on the board for the board alone to make the hand.
_ON_BOARD = {Category.PAIR: (2,), Category.TWO_PAIR: (2, 2), Category.THREE_OF_A_KIND: (3,)}
_SUITED = (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)


@dataclass(frozen=True, slots=True)
class RangePart:
    """Holdings that players call by one name, like "draws", and their share of the opponent's range."""

    words: str
    share: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Shares of the opponent's range that a holding would beat, lose to and tie with at a showdown now."""

    beats: float
    loses: float
    ties: float
    beaten: tuple[RangePart, ...]  # the parts it beats, largest share first
    better: tuple[RangePart, ...]  # the parts it loses to, largest share first


def compare(deck: Deck, board: Sequence[int], holding: Sequence[int], weights: F64) -> Comparison:
    """Return how a holding compares with the opponent's weights [H]; holdings that share a card with it must have 0."""
    strengths, place = strengths_now(deck, board), holding_index(deck, holding)
    mine, shares = strengths[place], weights / weights.sum()
    words = class_words(deck, tuple(board))
    below, above = strengths < mine, strengths > mine
    return Comparison(
        beats=float(shares[below].sum()),
        loses=float(shares[above].sum()),
        ties=float(shares[strengths == mine].sum()),
        beaten=_parts(words, shares, below, words[place], "weaker"),
        better=_parts(words, shares, above, words[place], "better"),
    )


def _parts(words: Sequence[str], shares: F64, chosen: Flags, own: str, compared: str) -> tuple[RangePart, ...]:
    """Return the chosen holdings by name, largest share first; `compared` tells those with the name `own` apart."""
    totals = defaultdict[str, float](float)
    for place in np.flatnonzero(chosen & (shares > 0)).tolist():
        totals[f"{compared} {own}" if words[place] == own else words[place]] += float(shares[place])
    ordered = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return tuple(RangePart(name, share) for name, share in ordered)


def strengths_now(deck: Deck, board: Sequence[int]) -> I64:
    """Return the strength of each holding on the board so far [H]; before the flop pairs are best, then high cards."""
    if board or not deck.is_holdem:
        on_board: I64 = strengths_on_boards(deck, np.array([board], np.uint8))[0].astype(np.int64)
        return on_board
    low, high = holdings_of(deck).cards.astype(np.int64).T >> 2
    before_flop: I64 = np.where(low == high, _PREFLOP_PAIR + high, 13 * high + low)
    return before_flop


@cache
def class_words(deck: Deck, board: tuple[int, ...]) -> tuple[str, ...]:
    """Return what players call each holding on a board [H].

    The name of a holding that shares a card with the board means nothing.
    """
    if deck.ordering is Ordering.PAIR:
        return tuple(_small_words(int(card), board) for (card,) in holdings_of(deck).cards)
    if not board:
        return tuple(_preflop_words(int(low) >> 2, int(high) >> 2) for low, high in holdings_of(deck).cards)
    scale, strengths = scale_of(deck.ordering), strengths_now(deck, board)
    made = {
        strength: _made_words(scale.category(strength), scale.ranks(strength), deck, board, strength)
        for strength in np.unique(strengths[strengths > 0]).tolist()
    }
    is_whole = len(board) == _WHOLE_BOARD
    draws = has_draw(deck, board[:-1] if is_whole else board)
    of_draws = "missed draws" if is_whole else "draws"
    words = []
    for strength, draw in zip(strengths.tolist(), draws.tolist(), strict=True):
        name, is_made = made.get(strength, ("", True))
        words.append(of_draws if draw and not is_made else name)
    return tuple(words)


def _small_words(card: int, board: Sequence[int]) -> str:
    """Return the name of a holding of one card."""
    pairs = describe(Category.PAIR, [card >> 2]).replace("pair", "pairs", 1)
    return pairs if any(card >> 2 == other >> 2 for other in board) else pairs.removeprefix("pairs of ")


def _preflop_words(low: int, high: int) -> str:
    if low == high:
        return "pairs"
    if high == _ACE:
        return "aces"
    if high <= _TEN:
        return "lower cards"
    return f"{describe(Category.HIGH_CARD, [high]).removeprefix('high card, ')}-high hands"


def _made_words(
    category: Category, ranks: Sequence[int], deck: Deck, board: Sequence[int], strength: int
) -> tuple[str, bool]:
    """Return the players' name for a strength, and whether private cards made it a pair or better."""
    if category is Category.HIGH_CARD:
        return _PLURALS[category], False
    board_ranks = [card >> 2 for card in board]
    counts = _ON_BOARD.get(category)
    if counts:
        is_on_board = all(board_ranks.count(rank) >= count for rank, count in zip(ranks, counts, strict=False))
    else:
        is_whole = len(board) == _WHOLE_BOARD
        is_on_board = is_whole and strength == strengths_of_hands(deck, np.array([board], np.uint8))[0]
    if is_on_board:
        return f"hands with only the board's {CATEGORY_NAMES[category]}", False
    if category is Category.PAIR:
        return describe(category, ranks[:1]).replace("pair", "pairs", 1), True
    return _PLURALS[category], True


def has_draw(deck: Deck, board: Sequence[int]) -> Flags:
    """Return which holdings are one card short of a flush, or of a straight that two or more ranks complete [H].

    A hand that the board alone would make does not count.
    """
    cards = [card for card in deck.cards if card not in board]
    boards = np.array([[*board, card] for card in cards], np.uint8)  # [K, cards]
    strengths = strengths_on_boards(deck, boards)  # [K, H]
    if boards.shape[1] == _WHOLE_BOARD:
        strengths = np.where(strengths > strengths_of_hands(deck, boards)[:, None], strengths, 0)
    categories = _categories(deck.ordering)[strengths]
    flush = np.isin(categories, _SUITED).any(axis=0)
    ranks = np.array(cards) >> 2
    straight = categories == Category.STRAIGHT
    completed = np.array([straight[ranks == rank].any(axis=0) for rank in deck.ranks])  # [ranks, H]
    draws: Flags = flush | (completed.sum(axis=0) >= _OPEN_RANKS)
    return draws & live_holdings(deck, board)


@cache
def _categories(ordering: Ordering) -> I64:
    """Return the category of each strength; -1 for none."""
    scale = scale_of(ordering)
    return np.array([-1, *(scale.category(strength) for strength in range(1, scale.strength_count + 1))], np.int64)
