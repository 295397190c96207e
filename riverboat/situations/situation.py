"""A situation: the start of a street between two players, with the range of each.

The first street is the exception: its situations are at its end, when betting is over and the flop is not dealt yet.
"""

from dataclasses import dataclass
from math import exp, log

import numpy as np

from riverboat.cards import DECKS, Deck
from riverboat.errors import InvalidInput
from riverboat.rules.state import PublicState
from riverboat.solving.subgame import F32
from riverboat.spots.spot import street_start
from riverboat.streets import STREET_NUMBERS

TOTAL = 40_000  # chips of both players and the pot
BIG_BLIND = 100  # chips: so stacks are of 200 big blinds at first
_LEAST_STACK = 100  # chips


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """The start of a street between two players; player 0 is out of position.

    Bet sizes depend on the pot, so only ratios of chips matter.
    """

    deck: Deck
    board: tuple[int, ...]
    pot: int  # chips
    weights: F32  # [2, H], each adding up to one

    @property
    def street(self) -> int:
        """The number of the street that the board belongs to."""
        return self.deck.board_sizes.index(len(self.board))

    @property
    def stack(self) -> int:
        """Each player's remaining chips."""
        return (TOTAL - self.pot) // 2

    @property
    def pot_share(self) -> float:
        """The pot as a share of all chips, above 0 and below 1."""
        return self.pot / TOTAL

    def public(self) -> PublicState:
        """Return the situation as a state of the rules."""
        return street_start(self.board, self.pot, self.stack, deck=self.deck.name, big_blind=BIG_BLIND)


def find_deck(name: str) -> Deck:
    """Return a deck that has situations: one of hold'em."""
    chosen = DECKS.get(name)
    if chosen is None or not chosen.is_holdem:
        known = ", ".join(deck.name for deck in DECKS.values() if deck.is_holdem)
        raise InvalidInput("deck", f"{name[:20]!r} has no streets to learn; choose one of {known}")
    return chosen


def find_street(name: str) -> int:
    """Return the number of the street called `name`; every street of hold'em has networks."""
    if name not in STREET_NUMBERS:
        raise InvalidInput("street", f"{name[:20]!r} must be one of {', '.join(STREET_NUMBERS)}")
    return STREET_NUMBERS[name]


def sample_pot(rng: np.random.Generator) -> int:
    """Sample a pot between the blinds and all chips; small and large ones are equally likely by their logarithm."""
    least, most = 2 * BIG_BLIND, TOTAL - 2 * _LEAST_STACK
    return 2 * round(exp(rng.uniform(log(least), log(most))) / 2)


def sample_board(deck: Deck, street: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Sample a board of a street, in ascending order."""
    return tuple(sorted(rng.choice(deck.array, deck.board_sizes[street], replace=False).tolist()))
