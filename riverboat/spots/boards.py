"""The boards that can follow a board; of boards that differ only in the names of suits, one stands for all."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS, Deck
from riverboat.errors import InvalidInput, TooLarge
from riverboat.holdings import holdings_of, live_holdings
from riverboat.solving.subgame import F32, I32, Boards

_SUITS = 4
MOST_BOARDS = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """An exchange of suits: the card that each card becomes, and the holding that each holding becomes."""

    cards: tuple[int, ...]  # [52]
    holdings: I32  # [H]

    def of(self, cards: Sequence[int]) -> tuple[int, ...]:
        """Return cards with their suits exchanged, in ascending order."""
        return tuple(sorted(self.cards[card] for card in cards))


def exchanges(deck: Deck, board: Sequence[int], weights: F32) -> list[Exchange]:
    """Return all exchanges of suits under which board and ranges [2, H] stay the same; the first changes nothing."""
    same = tuple(sorted(board))
    return [
        exchange
        for exchange in every_exchange(deck)
        if exchange.of(board) == same and np.array_equal(weights[:, exchange.holdings], weights)
    ]


@lru_cache(len(DECKS))
def every_exchange(deck: Deck) -> tuple[Exchange, ...]:
    """Return all exchanges of a deck's suits; the first changes nothing."""
    holdings = holdings_of(deck)
    place = {mask: index for index, mask in enumerate(holdings.masks.tolist())}
    every = []
    suits = sorted({card % _SUITS for card in deck.cards})
    for order in permutations(suits):
        names = dict(zip(suits, order, strict=True))
        cards = tuple(card - card % _SUITS + names.get(card % _SUITS, card % _SUITS) for card in range(52))
        masks = np.zeros(holdings.count, np.uint64)
        for column in range(holdings.cards.shape[1]):
            masks |= np.uint64(1) << np.array(cards, np.uint64)[holdings.cards[:, column]]
        every.append(Exchange(cards, np.array([place[mask] for mask in masks.tolist()], np.int32)))
    return tuple(every)


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """The boards of a subgame with their cards."""

    boards: Boards
    cards: tuple[tuple[int, ...], ...]  # of each board


def deal_all(
    deck: Deck,
    board: Sequence[int],
    deal_count: int,
    weights: F32,
    *,
    isomorphic: bool = True,
    sampled: int | None = None,
    rng: np.random.Generator | None = None,
) -> Deals:
    """Deal the boards after `deal_count` more deals: all, or `sampled` ones after each board.

    For any two holdings the chances of all boards add up to one. The chances of a sample do so only on average over
    many samples: in one sample they add up to more for holdings that fit many of its boards, and to less for others.
    """
    size = deck.board_sizes.index(len(board))
    if sampled is not None and (sampled < 1 or rng is None):
        raise InvalidInput("sampled", "must be at least 1 and come with a random generator")
    _check_count(deck, deck.board_sizes[size : size + deal_count + 1], sampled)
    groups = [exchanges(deck, board, weights) if isomorphic and sampled is None else []]
    cards: list[tuple[int, ...]] = [tuple(board)]
    level, parent, chance = [0], [-1], [1.0]
    mirrors: list[list[I32]] = [[]]
    done = 0
    while done < len(cards):
        if level[done] < deal_count:
            at = deck.board_sizes[size + level[done]], deck.board_sizes[size + level[done] + 1]
            following = _following(deck, cards[done], at[1] - at[0], groups[done], sampled, rng)
            for more, mirrored, group, probability in following:
                cards.append((*cards[done], *more))
                level.append(level[done] + 1)
                parent.append(done)
                chance.append(probability)
                mirrors.append(mirrored)
                groups.append(group)
        done += 1
    live = np.array([live_holdings(deck, one) for one in cards])
    none = np.zeros((0, holdings_of(deck).count), np.int32)
    stacked = tuple(np.array(exchanged, np.int32) if exchanged else none for exchanged in mirrors)
    boards = Boards(np.array(level, np.int32), np.array(parent, np.int32), np.array(chance), live, stacked)
    return Deals(boards, tuple(cards))


def _check_count(deck: Deck, sizes: Sequence[int], sampled: int | None) -> None:
    """Raise TooLarge if more boards would follow than can be solved, mirrored ones included."""
    count = 1
    for before, after in pairwise(sizes):
        following = comb(len(deck.cards) - before, after - before)
        count *= following if sampled is None else min(following, sampled)
    if count > MOST_BOARDS:
        raise TooLarge(f"{count:,} boards can follow; the limit is {MOST_BOARDS:,}; look ahead over fewer deals")


_Following = tuple[tuple[int, ...], list[I32], list[Exchange], float]


def _following(
    deck: Deck,
    board: Sequence[int],
    more: int,
    group: Sequence[Exchange],
    sampled: int | None,
    rng: np.random.Generator | None,
) -> list[_Following]:
    """Return the cards, mirrors, remaining exchanges and probability of each board that follows."""
    rest = [card for card in deck.cards if card not in board]
    probability = 1 / comb(len(rest) - 2 * deck.holding_size, more)
    every = list(combinations(sorted(rest), more))
    if sampled is not None and sampled < len(every) and rng is not None:
        chosen = sorted(rng.choice(len(every), sampled, replace=False).tolist())
        # Each stands for several boards: the average over many samples is unbiased.
        return [(every[i], [], [], probability * len(every) / sampled) for i in chosen]
    following: list[_Following] = []
    seen: set[tuple[int, ...]] = set()
    for cards in every:
        if cards in seen:
            continue
        seen.add(cards)
        mirrored, left = [], []
        for exchange in group:
            other = exchange.of(cards)
            if other == cards:
                left.append(exchange)
            elif other not in seen:
                seen.add(other)
                mirrored.append(exchange.holdings)
        following.append((cards, mirrored, left, probability))
    return following


def deck_places(deck: Deck) -> NDArray[np.uint8]:
    """Return the place of each card in its deck, by card [52]."""
    places = np.zeros(52, np.uint8)
    places[list(deck.cards)] = np.arange(len(deck.cards))
    return places
