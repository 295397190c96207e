"""The game as a value, and what self-play finds: how often each class pushes at each decision."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.holdings import class_label, holdings_of_class

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

CLASS_COUNT = 169
MOST_PLAYERS = 9
_POSITIONS = ("UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO", "BTN", "SB", "BB")


@dataclass(frozen=True, slots=True, kw_only=True)
class PushFoldGame:
    """Equal stacks before the flop; the blinds are half a big blind and one."""

    player_count: int
    stack: float  # big blinds
    ante: float = 0.0  # big blinds, of each player

    def __post_init__(self) -> None:
        if not 2 <= self.player_count <= MOST_PLAYERS:
            raise InvalidInput("players", f"must be 2 to {MOST_PLAYERS}, not {self.player_count}")
        if not 1 < self.stack <= 1000:
            raise InvalidInput("stack", "must be more than one big blind")
        if not 0 <= self.ante < self.stack - 1:
            raise InvalidInput("ante", "must leave more than the big blind")

    @property
    def posted(self) -> F64:
        """What each player has put in before anybody acts, in the order of acting [P]."""
        posted: F64 = np.full(self.player_count, self.ante)
        posted[-2] += 0.5
        posted[-1] += 1.0
        return posted

    @property
    def positions(self) -> tuple[str, ...]:
        """The names of positions in the order of acting; with two players the button is the small blind."""
        return _POSITIONS[-self.player_count :]


def decision_of(position: int, pushers: int) -> int:
    """Return the number of a decision: of a position after the players in the bit mask `pushers` have pushed."""
    return (1 << position) - 1 + pushers


@dataclass(frozen=True, slots=True, eq=False)
class PushFoldStrategy:
    """How often each class goes all-in at each decision."""

    game: PushFoldGame
    push: F64  # [decisions, 169]: the average strategy
    deal_count: int

    def shares(self, position: int, pushers: int = 0) -> dict[str, float]:
        """Return how often each class goes all-in."""
        row = self.push[decision_of(position, pushers)]
        return dict(zip(CLASSES, row.tolist(), strict=True))

    def overall(self, position: int, pushers: int = 0) -> float:
        """Return how often a random holding goes all-in."""
        return float(self.push[decision_of(position, pushers)] @ CLASS_SIZES / CLASS_SIZES.sum())


@dataclass(frozen=True, slots=True)
class PushFoldError:
    """What a player wins who knows the strategy of all others, beyond what the strategy itself wins."""

    gains: tuple[float, ...]  # big blinds a hand, by position
    standard_errors: tuple[float, ...]

    @property
    def largest(self) -> float:
        """The largest gain of any position, in big blinds per hundred hands."""
        return 100 * max(self.gains)


CLASSES = tuple(holdings_of_class(DECKS["52"]))
CLASS_SIZES: F64 = np.array([len(members) for members in holdings_of_class(DECKS["52"]).values()], np.float64)


def class_table() -> I64:
    """Return the class of each pair of cards [52, 52]."""
    places = {label: place for place, label in enumerate(CLASSES)}
    table = np.zeros((52, 52), np.int64)
    for a in range(52):
        for b in range(52):
            if a != b:
                table[a, b] = places[class_label((a, b))]
    return table
