"""Strengths of hands of any deck: what they are, how they compare, and on whole boards."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from riverboat.answers import Category, Classification, Showdown
from riverboat.cards import Deck, Ordering, check_board, check_cards
from riverboat.errors import InvalidInput, in_field
from riverboat.holdings import holdings_of
from riverboat.strength.evaluate import boards_strengths, hand_strengths
from riverboat.strength.tables import scale_of, tables_of
from riverboat.strength.words import describe


def classify(deck: Deck, cards: Sequence[int]) -> Classification:
    """What the best hand in 5, 6 or 7 cards is (in a one-card deck: of a card, or two with the board's)."""
    check_cards(deck, cards)
    if deck.ordering is Ordering.PAIR:
        return _classify_small(deck, cards)
    if not 5 <= len(cards) <= 7:
        raise InvalidInput("", f"a hand has 5, 6 or 7 cards, not {len(cards)}")
    found = int(strengths_of_hands(deck, np.array([cards], np.uint8))[0])
    scale = scale_of(deck.ordering)
    category, ranks = scale.category(found), scale.ranks(found)
    return Classification(category, found, _best_five(deck, cards, found), describe(category, ranks))


def strengths_of_hands(deck: Deck, hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Strengths [B] of unchecked hands [B, 5 | 6 | 7]."""
    out = np.empty(len(hands), np.uint16)
    hand_strengths(np.ascontiguousarray(hands), tables_of(deck.ordering, hands.shape[1]), out)
    return out


def strengths_on_boards(deck: Deck, boards: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Strengths [K, H] of all holdings on unchecked boards [K, cards]; 0 where they share a card.

    Boards of hold'em decks have 3, 4 or 5 cards; those of one-card decks have what the deck says.
    """
    out = np.zeros((len(boards), holdings_of(deck).count), np.uint16)
    if deck.ordering is Ordering.PAIR:
        for k, board in enumerate(boards):
            out[k] = [_small_strength(deck, int(card), [int(c) for c in board]) for card in deck.cards]
    else:
        tables = tables_of(deck.ordering, deck.holding_size + boards.shape[1])
        boards_strengths(np.ascontiguousarray(boards), deck.ranks[0], tables, out)
    return out


def showdown(deck: Deck, board: Sequence[int], holdings: Sequence[Sequence[int]]) -> Showdown:
    """Compare any number of holdings on a board that leaves each with a complete hand."""
    with in_field("board"):
        check_board(deck, board)
    if not holdings:
        raise InvalidInput("holdings", "a showdown needs at least one holding")
    for i, holding in enumerate(holdings):
        with in_field(f"holdings[{i}]"):
            if len(holding) != deck.holding_size:
                raise InvalidInput("", f"a holding has {deck.holding_size} cards, not {len(holding)}")
    with in_field("holdings"):
        check_cards(deck, board, *holdings)
    hands = tuple(classify(deck, [*holding, *board]) for holding in holdings)
    ordered = sorted((hand.strength for hand in hands), reverse=True)
    places = tuple(ordered.index(hand.strength) + 1 for hand in hands)
    return Showdown(hands, tuple(i for i, place in enumerate(places) if place == 1), places)


def _best_five(deck: Deck, cards: Sequence[int], found: int) -> tuple[int, ...]:
    """Five of the cards with the strength of all of them, groups and high cards first."""
    fives = list(combinations(sorted(cards, reverse=True), 5))
    strengths = strengths_of_hands(deck, np.array(fives, np.uint8))
    best = fives[int(np.flatnonzero(strengths == found)[0])]
    ranks = [card >> 2 for card in best]
    order = sorted(best, key=lambda card: (ranks.count(card >> 2), card), reverse=True)
    scale = scale_of(deck.ordering)
    if scale.category(found) in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        high = scale.ranks(found)[0]
        order.sort(key=lambda card: card >> 2 > high)  # an ace below the straight comes last
    return tuple(order)


def _classify_small(deck: Deck, cards: Sequence[int]) -> Classification:
    largest = deck.holding_size + deck.board_sizes[-1]
    if not 1 <= len(cards) <= largest:
        raise InvalidInput(
            "", f"a hand of the {deck.name} deck has {' or '.join(map(str, range(1, largest + 1)))} cards"
        )
    card, board = cards[0], list(cards[1:])
    paired = any(other >> 2 == card >> 2 for other in board)
    category = Category.PAIR if paired else Category.HIGH_CARD
    best = tuple(cards) if paired else (card,)
    return Classification(category, _small_strength(deck, card, board), best, describe(category, [card >> 2]))


def _small_strength(deck: Deck, card: int, board: Sequence[int]) -> int:
    """One private card: by rank from 1 on, and a pair with the board above all that are none."""
    if card in board:
        return 0
    paired = any(other >> 2 == card >> 2 for other in board)
    return deck.ranks.index(card >> 2) + 1 + (len(deck.ranks) if paired else 0)
