"""Questions to an oracle and its answers, as values."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import Deck

Weights = NDArray[np.float32]  # [H]


# Questions


@dataclass(frozen=True, slots=True, kw_only=True)
class DealQuestion:
    """Shuffle and deal; without a seed the oracle picks one."""

    deck: Deck
    holding_count: int
    board_size: int
    seed: int | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EquityQuestion:
    """The hero's equity against opponents on a board; `exact` None lets the oracle choose the method."""

    deck: Deck
    board: tuple[int, ...]
    hero: Weights
    opponents: tuple[Weights | None, ...]  # None for random cards
    exact: bool | None = None
    rollout_count: int | None = None
    target_error: float = 0.0
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EquityText:
    """A question about an equity with cards and ranges as people type them."""

    deck: str
    board: str
    hero: str
    opponents: Sequence[str]
    exact: bool = False
    rollout_count: int | None = None
    target_error: float | None = None
    seed: int | None = None

    @property
    def wants_rollouts(self) -> bool:
        """Whether a field asks for rollouts; without such a field and `exact` the oracle chooses the method."""
        return any(field is not None for field in (self.rollout_count, self.target_error, self.seed))


@dataclass(frozen=True, slots=True, kw_only=True)
class FeaturesQuestion:
    """The card features of some holdings, or of all, on a board."""

    deck: Deck
    board: tuple[int, ...]
    holdings: tuple[tuple[int, ...], ...]  # none for all


@dataclass(frozen=True, slots=True, kw_only=True)
class StudQuestion:
    """The utility of five-card stud from four visible cards of each player."""

    deck: Deck
    mine: Sequence[int]
    theirs: Sequence[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoardQuestion:
    """The utility of a board: of all holdings, or of some against others."""

    deck: Deck
    board: Sequence[int]
    rows: NDArray[np.int32] | None = None
    columns: NDArray[np.int32] | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoardsQuestion:
    """The boards that can follow a board."""

    deck: Deck
    board: Sequence[int]
    deal_count: int
    weights: NDArray[np.float32]  # [ranges, H]: suits are merged only where that leaves all of these unchanged
    keep_all: bool
    sampled: int | None
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheatSheetQuestion:
    """A cheat sheet against each of several numbers of opponents."""

    deck: Deck
    board: Sequence[int]
    opponent_counts: Sequence[int]
    rollout_count: int
    exact_heads_up: bool
    seed: int | None


# Answers


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """A hand's category and strength."""

    category: Category
    strength: int  # larger wins; comparable within one ordering
    best: tuple[int, ...]  # the cards that make it, most important first
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Showdown:
    """Several hands compared on one board."""

    hands: tuple[Classification, ...]
    winners: tuple[int, ...]  # indices of the best hands: more than one if they tie
    places: tuple[int, ...]  # 1 for the best, and so on; tied hands share a place


@dataclass(frozen=True, slots=True, kw_only=True)
class Equity:
    """How often the hero wins and ties, and the share of the pot that this is worth."""

    win: float  # probability of winning alone
    tie: float  # probability of sharing the best hand
    equity: float  # expected share of the pot: wins, plus 1/k of each k-way tie
    error: float  # standard error of `equity`; 0 if exact
    deal_count: int  # deals enumerated or rolled out
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EquityStep:
    """One step of a long computation: how much is done, and the result so far if there is one."""

    done: float  # 0..1; the last step has 1
    equity: Equity | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One starting-hand class against a number of opponents with random cards."""

    label: str  # "AKs"
    opponent_count: int
    holding_count: int  # holdings of the class that the board leaves
    equity: Equity
