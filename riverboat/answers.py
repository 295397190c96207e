"""What an oracle answers, as values. Nothing here computes, so that clients load it in no time."""

from dataclasses import dataclass
from enum import IntEnum


class Category(IntEnum):
    """The ten categories of five cards; the number is a name, the deck's ordering decides which wins."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


@dataclass(frozen=True, slots=True)
class Classification:
    """What a hand is."""

    category: Category
    strength: int  # larger wins; comparable within one ordering
    best: tuple[int, ...]  # the cards that make it, most important first
    words: str


@dataclass(frozen=True, slots=True)
class Showdown:
    """Several hands compared on one board."""

    hands: tuple[Classification, ...]
    winners: tuple[int, ...]  # indices of the best hands: more than one if they tie
    places: tuple[int, ...]  # 1 for the best, and so on; tied hands share a place


@dataclass(frozen=True, slots=True)
class Equity:
    """How often the hero wins and ties, and the share of the pot that this is worth."""

    win: float  # probability to win alone
    tie: float  # probability to share the best hand
    equity: float  # expected share of the pot: wins, plus 1/k of each k-way tie
    error: float  # standard error of `equity`; 0 if exact
    deal_count: int  # deals enumerated or rolled out
    exact: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a long computation: how much is done, and the result so far if there is one."""

    done: float  # 0..1; the last step has 1
    equity: Equity | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One starting-hand class against a number of opponents with random cards."""

    label: str  # "AKs"
    opponent_count: int
    holding_count: int  # holdings of the class that the board leaves
    equity: Equity
