"""Holdings: the private cards of one player, and their place on the axis H.

The holdings of a deck are ordered by their higher card, then by their lower card (colexicographic),
counting cards by their place in the deck. For two cards at places a < b the index is b(b-1)/2 + a;
for one card the index is its place. H is 1326, 630, 276, 6 and 3 for the decks 52, 36, 24, leduc and kuhn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import RANKS, Deck, card_mask, check_cards, format_cards
from riverboat.errors import InvalidInput

Weights = NDArray[np.float32]  # [H]: a range, how likely each holding is relative to the others


@dataclass(frozen=True, slots=True, eq=False)
class Holdings:
    """All holdings of one deck, in axis order."""

    deck: Deck
    cards: NDArray[np.uint8]  # [H, holding_size], lower card first
    masks: NDArray[np.uint64]  # [H], the cards as 52-bit sets

    @property
    def count(self) -> int:
        """Number of holdings, H."""
        return len(self.cards)

    def label(self, index: int) -> str:
        """Return the holding as people write it, higher card first: "AsKh"."""
        return format_cards(int(card) for card in self.cards[index][::-1])


@cache
def holdings_of(deck: Deck) -> Holdings:
    """Return the holdings of `deck`; built once."""
    places = range(len(deck.cards))
    if deck.holding_size == 1:
        groups: list[tuple[int, ...]] = [(a,) for a in places]
    else:
        groups = [(a, b) for b in places for a in range(b)]
    cards = np.array(deck.cards, np.uint8)[np.array(groups)]
    masks = np.array([card_mask(map(int, row)) for row in cards], np.uint64)
    cards.flags.writeable = masks.flags.writeable = False
    return Holdings(deck, cards, masks)


def holding_index(deck: Deck, cards: Sequence[int]) -> int:
    """Return the place on axis H of the holding made of `cards`, in any order."""
    check_holding(deck, cards)
    places = sorted(deck.cards.index(card) for card in cards)
    return places[0] if len(places) == 1 else places[1] * (places[1] - 1) // 2 + places[0]


def check_holding(deck: Deck, cards: Sequence[int]) -> None:
    """Raise unless `cards` are as many different cards of the deck as a player holds."""
    if len(cards) != deck.holding_size:
        noun = "card" if deck.holding_size == 1 else "cards"
        raise InvalidInput("", f"a holding of the {deck.name} deck has {deck.holding_size} {noun}, not {len(cards)}")
    check_cards(deck, cards)


def live_holdings(deck: Deck, dead: Sequence[int]) -> NDArray[np.bool_]:
    """Return which holdings share no card with `dead` [H]."""
    free: NDArray[np.bool_] = (holdings_of(deck).masks & np.uint64(card_mask(dead))) == 0  # [H]
    return free


def class_label(cards: Sequence[int]) -> str:
    """Return the starting-hand class of a holding: "QQ", "AKs", "T9o", or "K" for a single card."""
    high, *low = sorted(cards, reverse=True)
    label = RANKS[high >> 2] + "".join(RANKS[card >> 2] for card in low)
    if not low or label[0] == label[1]:
        return label
    return label + ("s" if high & 3 == low[0] & 3 else "o")


@cache
def class_grid(deck: Deck) -> tuple[tuple[str, ...], ...]:
    """Return class labels as people draw them: aces first, pairs on the diagonal, suited above it."""
    ranks = [RANKS[rank] for rank in reversed(deck.ranks)]
    if deck.holding_size == 1:
        return (tuple(ranks),)
    return tuple(
        tuple(a + b if i == j else a + b + "s" if i < j else b + a + "o" for j, b in enumerate(ranks))
        for i, a in enumerate(ranks)
    )


@cache
def holdings_of_class(deck: Deck) -> dict[str, NDArray[np.int64]]:
    """Return the indices of the holdings of each class label: 6, 4 or 12 of them in a four-suit deck."""
    members: dict[str, list[int]] = {label: [] for row in class_grid(deck) for label in row}
    for index, cards in enumerate(holdings_of(deck).cards):
        members[class_label([int(card) for card in cards])].append(index)
    return {label: np.array(indices) for label, indices in members.items()}
