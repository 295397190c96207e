"""A matchup: the players' ranges and the board that an equity is computed for."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck, check_board, format_cards
from riverboat.errors import InvalidInput, in_field
from riverboat.holdings import Weights, holdings_of, live_holdings

MOST_OPPONENTS = 9
_MOST_PLACINGS = 500  # tries at a joint deal before leaving the question to the computation itself


@dataclass(frozen=True, slots=True, eq=False)
class Matchup:
    """A hero's range against opponents on a board; `None` stands for any two random cards.

    Weights are relative. Here the largest of each range is 1, and holdings that use a card of the board
    have 0.
    """

    deck: Deck
    board: tuple[int, ...]
    hero: Weights
    opponents: tuple[Weights | None, ...]

    @property
    def to_come(self) -> int:
        """How many board cards are still to be dealt."""
        return self.deck.board_sizes[-1] - len(self.board)

    @property
    def ranges(self) -> tuple[Weights, ...]:
        """The ranges of the players without random cards, the hero's first."""
        return (self.hero, *(weights for weights in self.opponents if weights is not None))

    @property
    def known(self) -> tuple[int, ...]:
        """The cards of players whose holding is certain: nobody else can have them."""
        cards = holdings_of(self.deck).cards
        held = (np.flatnonzero(weights) for weights in self.ranges)
        return tuple(int(card) for indices in held if len(indices) == 1 for card in cards[indices[0]])

    @property
    def random_count(self) -> int:
        """How many opponents hold random cards."""
        return sum(weights is None for weights in self.opponents)

    @property
    def board_count(self) -> int:
        """How many complete boards there are for each way to deal all holdings."""
        return comb(self._unseen - self.deck.holding_size * (len(self.opponents) + 1), self.to_come)

    @property
    def most_deals(self) -> int:
        """Upper bound of the number of deals; exact if no two holdings of different ranges share a card."""
        return prod(int(np.count_nonzero(weights)) for weights in self.ranges) * self.random_ways * self.board_count

    @property
    def random_ways(self) -> int:
        """The number of ways to deal the random opponents after everybody else."""
        size = self.deck.holding_size
        left = self._unseen - size * len(self.ranges)
        return prod(comb(left - size * i, size) for i in range(self.random_count))

    @property
    def _unseen(self) -> int:
        return len(self.deck.cards) - len(self.board)


def matchup(deck: Deck, board: Sequence[int], hero: Weights, opponents: Sequence[Weights | None]) -> Matchup:
    """Return a checked `Matchup`: every range has a holding left, and all players can hold theirs at once."""
    with in_field("board"):
        check_board(deck, board)
    with in_field("opponents"):
        check_opponent_count(deck, len(opponents))
    live = live_holdings(deck, board)
    checked = _on_board(deck, live, hero, "hero")
    others = tuple(
        None if weights is None else _random_as_none(live, _on_board(deck, live, weights, f"opponents[{i}]"))
        for i, weights in enumerate(opponents)
    )
    question = Matchup(deck, tuple(board), checked, others)
    twice = [card for card in set(question.known) if question.known.count(card) > 1]
    if twice:
        raise InvalidInput("opponents", f"{format_cards(sorted(twice, reverse=True))} is in two players' hands")
    if not _can_be_dealt(question):
        raise irreconcilable()
    return question


def check_opponent_count(deck: Deck, count: int) -> None:
    """Raise unless the deck has cards for a hero, this many opponents and a whole board."""
    if not 1 <= count <= MOST_OPPONENTS:
        raise InvalidInput("", f"there must be 1 to {MOST_OPPONENTS} opponents, not {count:,}")
    wanted = deck.holding_size * (count + 1) + deck.board_sizes[-1]
    if wanted > len(deck.cards):
        raise InvalidInput(
            "", f"{count} opponents need {wanted} cards in all; the {deck.name} deck has {len(deck.cards)}"
        )


def irreconcilable() -> InvalidInput:
    """Return the error for ranges that no deal can satisfy together."""
    return InvalidInput("opponents", "the ranges exclude each other: no deal gives every player a holding in range")


def _on_board(deck: Deck, live: NDArray[np.bool_], weights: Weights, field: str) -> Weights:
    """Return the range without the holdings that the board rules out."""
    if weights.shape != live.shape:
        raise InvalidInput(field, f"a range has {live.size} weights, not {weights.size}")
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        raise InvalidInput(field, "weights must be finite numbers, none below zero")
    left: Weights = np.where(live, weights, np.float32(0)).astype(np.float32)
    if not left.any():
        gone = np.flatnonzero(weights)
        if len(gone) == 1:
            raise InvalidInput(field, f"{holdings_of(deck).label(gone[0])} has a card that is on the board")
        raise InvalidInput(field, "the range is empty" + (" on this board" if len(gone) else ""))
    left /= left.max()
    return left


def _random_as_none(live: NDArray[np.bool_], weights: Weights) -> Weights | None:
    """Return None for a range that weighs every possible holding alike (faster to work with), else the range."""
    alive = weights[live]
    return None if np.all(alive == alive[0]) else weights


def _can_be_dealt(question: Matchup) -> bool:
    """Return False if certainly no deal gives every player with a range a holding from it."""
    masks = holdings_of(question.deck).masks
    lists = sorted((masks[weights > 0] for weights in question.ranges), key=len)  # narrowest first
    tries = 0

    def place(depth: int, used: int) -> bool:
        nonlocal tries
        tries += 1
        if depth == len(lists) or tries > _MOST_PLACINGS:
            return True
        free = lists[depth][(lists[depth] & np.uint64(used)) == 0]
        return any(place(depth + 1, used | int(mask)) for mask in free)

    return place(0, 0)
