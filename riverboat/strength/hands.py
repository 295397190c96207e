"""Strengths of hands of any deck: one hand, a showdown, batches of hands, and all holdings on boards."""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import CARD_COUNT, Deck, Ordering, check_board, check_cards
from riverboat.contracts.oracle import Category, Classification, Showdown
from riverboat.errors import InvalidInput, in_field
from riverboat.holdings import check_holding, holdings_of
from riverboat.strength.evaluation import best_five, boards_strengths, hand_strengths
from riverboat.strength.tables import scale_of, tables_of
from riverboat.strength.words import describe

_of_one_hand: dict[int, Callable[..., int]] = {}  # by the number of cards; filled when the first hand comes


def classify(deck: Deck, cards: Sequence[int]) -> Classification:
    """Return the best hand in 5, 6 or 7 cards; in a one-card deck, in the private card or in it and the board card."""
    check_cards(deck, cards)
    if deck.ordering is Ordering.PAIR:
        return _classify_small(deck, cards)
    if not 5 <= len(cards) <= 7:
        raise InvalidInput("", f"a hand has 5, 6 or 7 cards, not {len(cards)}")
    ordered = sorted(cards, reverse=True)
    tables, tables_of_five = tables_of(deck.ordering, len(cards)), tables_of(deck.ordering, 5)
    strength, *unneeded = best_five(np.array(ordered, np.uint8), tables, tables_of_five)
    category, ranks, words = _meaning(deck.ordering, strength)
    best = [card for place, card in enumerate(ordered) if place not in unneeded]
    return Classification(
        category=category, strength=strength, best=_most_important_first(best, category, ranks), words=words
    )


@cache
def _meaning(ordering: Ordering, strength: int) -> tuple[Category, tuple[int, ...], str]:
    """Return the category, the ranks that decide, and the words of a strength."""
    scale = scale_of(ordering)
    category, ranks = scale.category(strength), scale.ranks(strength)
    return category, ranks, describe(category, ranks)


def strength_of(deck: Deck, cards: Sequence[int]) -> int:
    """Return the strength of one hand, the private cards first; the cards are not checked."""
    if deck.ordering is Ordering.STANDARD and (of_one_hand := (_of_one_hand or _load_kernels()).get(len(cards))):
        return of_one_hand(*cards)
    if deck.ordering is Ordering.PAIR:
        return _small_strength(deck, cards[0], cards[1:])
    return int(strengths_of_hands(deck, np.array([cards], np.uint8))[0])


def _load_kernels() -> dict[int, Callable[..., int]]:
    """Return the kernels for one hand. Their module makes its tables when it is imported, which takes 0.2 s."""
    from riverboat.strength.single_hand import strength_of_five, strength_of_seven, strength_of_six

    _of_one_hand.update({5: strength_of_five, 6: strength_of_six, 7: strength_of_seven})
    return _of_one_hand


def strengths_of_hands(deck: Deck, hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return strengths [B] of hands [B, 5 | 6 | 7]. Each hand must have different cards of the deck; that is not
    checked.
    """
    _check_array(hands, (5, 6, 7))
    out = np.empty(len(hands), np.uint16)
    hand_strengths(np.ascontiguousarray(hands), tables_of(deck.ordering, hands.shape[1]), out)
    return out


def strengths_on_boards(deck: Deck, boards: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return strengths [K, H] of all holdings on boards [K, cards]; 0 where they share a card.

    Boards of hold'em decks have 3, 4 or 5 cards, those of one-card decks what the deck says. That the
    cards of a board are different and in the deck is not checked.
    """
    _check_array(boards, deck.board_sizes[1:] if deck.is_holdem else deck.board_sizes)
    out = np.zeros((len(boards), holdings_of(deck).count), np.uint16)
    if deck.ordering is Ordering.PAIR:
        kinds, place = np.unique(boards, axis=0, return_inverse=True) if boards.size else (boards[:1], 0)
        rows = [[_small_strength(deck, card, board) for card in deck.cards] for board in kinds.tolist()]
        out[:] = np.array(rows, np.uint16)[place]
    else:
        tables = tables_of(deck.ordering, deck.holding_size + boards.shape[1])
        boards_strengths(np.ascontiguousarray(boards), deck.ranks[0], tables, out)
    return out


def _check_array(cards: NDArray[np.uint8], sizes: Sequence[int]) -> None:
    """Raise unless every row has one of these numbers of possible cards: kernels read without bounds checks."""
    if cards.dtype != np.uint8 or cards.ndim != 2 or cards.shape[1] not in sizes:
        wanted = ", ".join(map(str, sizes))
        raise InvalidInput("", f"cards must be uint8 in rows of {wanted}, not {cards.dtype} of shape {cards.shape}")
    if cards.size and cards.max() >= CARD_COUNT:
        raise InvalidInput("", f"a card is below {CARD_COUNT}, not {cards.max()}")


def showdown(deck: Deck, board: Sequence[int], holdings: Sequence[Sequence[int]]) -> Showdown:
    """Return the hands of any number of holdings on a board of 3 to 5 cards, the winners and the places."""
    with in_field("board"):
        if deck.is_holdem and len(board) not in deck.board_sizes[1:]:
            raise InvalidInput("", f"a showdown needs a board of 3, 4 or 5 cards, not {len(board)}")
        check_board(deck, board)
    if not holdings:
        raise InvalidInput("holdings", "a showdown needs at least one holding")
    for i, holding in enumerate(holdings):
        with in_field(f"holdings[{i}]"):
            check_holding(deck, holding)
            check_cards(deck, board, *holdings[:i], holding)
    hands = tuple(classify(deck, [*holding, *board]) for holding in holdings)
    ordered = sorted((hand.strength for hand in hands), reverse=True)
    places = tuple(ordered.index(hand.strength) + 1 for hand in hands)
    return Showdown(hands=hands, winners=tuple(i for i, place in enumerate(places) if place == 1), places=places)


def _most_important_first(best: list[int], category: Category, ranks: Sequence[int]) -> tuple[int, ...]:
    """Return five cards, given in descending order, as people show them: groups first, a low ace last."""
    if category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        best.sort(key=lambda card: card >> 2 > ranks[0])
    elif category not in (Category.FLUSH, Category.HIGH_CARD, Category.ROYAL_FLUSH):
        held = [card >> 2 for card in best]
        best.sort(key=lambda card: held.count(card >> 2), reverse=True)
    return tuple(best)


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
    return Classification(
        category=category, strength=_small_strength(deck, card, board), best=best, words=describe(category, [card >> 2])
    )


def _small_strength(deck: Deck, card: int, board: Sequence[int]) -> int:
    """Return the strength of one private card: its rank from 1 on; a pair with the board is above all others."""
    if card in board:
        return 0
    paired = any(other >> 2 == card >> 2 for other in board)
    return deck.ranks.index(card >> 2) + 1 + (len(deck.ranks) if paired else 0)
